/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a count depends on, as one number: a hash of the contents of the files
 * that decide what a target counts, as far as they are known before it runs.
 */
#include "engine/command.h"
#include "engine/engine.h"
#include "engine/native.h"
#include "engine/part.h"
#include "engine/shown.h"
#include "engine/target.h"
#include "table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <sha256.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Files that have been looked at; a study asks for the same ones again. */
struct known {
	char *path;
	char digest[SHA256_DIGEST_STRING_LENGTH];
	struct strings libraries;	/* of a program that needs some */
	bool listed;
};

static struct known *known;
static size_t n_known;

static struct known *
look_at(const char *path, struct pmcsim_error *error)
{
	struct known *more;

	for (size_t i = 0; i < n_known; i++)
		if (!strcmp(known[i].path, path))
			return &known[i];
	more = reallocarray(known, n_known + 1, sizeof *known);
	if (!more) {
		engine_fail(error, -ENOMEM, "out of memory");
		return NULL;
	}
	known = more;
	known[n_known] = (struct known){.path = strdup(path)};
	if (!known[n_known].path || !SHA256File(path, known[n_known].digest)) {
		engine_fail(error, -EIO, "%s: %s", path, strerror(errno));
		free(known[n_known].path);
		return NULL;
	}
	return &known[n_known++];
}

static int
add_file(SHA2_CTX *hash, const char *path, struct pmcsim_error *error)
{
	struct known *k = look_at(path, error);

	if (!k)
		return -EIO;
	SHA256Update(hash, (const uint8_t *)k->digest, strlen(k->digest) + 1);
	return 0;
}

/* ---- Libraries ---------------------------------------------------------- */

/* The dynamic linker that a program names; false: none. */
static bool
find_linker(const char *path, char linker[PATH_MAX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0, size = 0;
	bool found = false;
	const char *image;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	image = elf ? elf_rawfile(elf, &size) : NULL;
	if (image && elf_getphdrnum(elf, &n))
		n = 0;
	for (size_t i = 0; image && i < n && !found; i++) {
		GElf_Phdr ph;

		found = gelf_getphdr(elf, (int)i, &ph) &&
			ph.p_type == PT_INTERP && ph.p_offset < size &&
			memchr(image + ph.p_offset, 0, size - ph.p_offset) &&
			snprintf(linker, PATH_MAX, "%s",
				 image + ph.p_offset) < PATH_MAX;
	}
	elf_end(elf);
	close(fd);
	return found;
}

/* What "ld.so --list PROGRAM" prints: "name => /path (0x...)" on lines. */
static void
take_paths(struct strings *list, FILE *in)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, in) > 0) {
		char *path = strchr(line, '/');

		if (!path)
			continue;
		path[strcspn(path, " \n")] = '\0';
		strings_add(list, path);
	}
	free(line);
}

/* Asks the dynamic linker itself, which executes nothing of the program. */
static int
list_libraries(struct known *k, const char *linker)
{
	char *argv[] = {(char *)linker, (char *)"--list", k->path, NULL};
	char *env[] = {(char *)"LC_ALL=C", NULL};
	posix_spawn_file_actions_t files;
	int pipe_fd[2], err, status;
	FILE *in;
	pid_t pid;

	if (pipe2(pipe_fd, O_CLOEXEC))
		return -errno;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, pipe_fd[1], 1);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	err = posix_spawn(&pid, linker, &files, NULL, argv, env);
	posix_spawn_file_actions_destroy(&files);
	close(pipe_fd[1]);
	in = err ? NULL : fdopen(pipe_fd[0], "r");
	if (in) {
		take_paths(&k->libraries, in);
		fclose(in);
	} else {
		close(pipe_fd[0]);
	}
	while (!err && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	k->listed = true;
	return -err;
}

/* Those that the host has; of other instruction sets, the linker alone. */
static int
add_libraries(SHA2_CTX *hash, const struct program *target,
	      struct pmcsim_error *error)
{
	bool host = target->isa == ISA_X86_64 || target->isa == ISA_I386;
	const char *root = isa_sysroot(target->isa);
	char linker[PATH_MAX], path[PATH_MAX];
	struct strings list;
	struct known *k;
	int err;

	if (!find_linker(target->path, linker))
		return 0;
	snprintf(path, sizeof path, "%s%s", root ? root : "", linker);
	if (access(path, R_OK))
		return 0;
	err = add_file(hash, path, error);
	if (err || !host || root)
		return err;
	k = look_at(target->path, error);
	if (k && !k->listed)
		err = list_libraries(k, path);
	if (err || !k)
		return engine_fail(error, -EIO, "%s: %s", path,
				   strerror(err ? -err : EIO));
	list = k->libraries;	/* what is known may move */
	for (size_t i = 0; i < list.n && !err; i++)
		err = add_file(hash, list.s[i], error);
	return err;
}

/* ---- All ---------------------------------------------------------------- */

static int
add_parts(SHA2_CTX *hash, char *const *argv, struct pmcsim_error *error)
{
	struct program target;
	struct command command = {.argv = NULL};
	int err = target_find(&target, argv, error);

	if (err)
		return err;
	err = add_file(hash, target.path, error);
	/* A script's interpreter is the target; it is among the words. */
	for (size_t i = 0; i < target.argv.n && !err; i++)
		if (i && strchr(target.argv.s[i], '/') &&
		    !access(target.argv.s[i], R_OK) &&
		    strcmp(target.argv.s[0], argv[0]))
			err = add_file(hash, target.argv.s[i], error);
	if (!err)
		err = add_libraries(hash, &target, error);
	if (!err)
		err = command_make(&command, &target, "", NULL, error);
	if (!err)
		err = add_file(hash, command.argv[0], error);
	if (!err && target.isa == ISA_X86_64)
		SHA256Update(hash, (const uint8_t *)level_name(engine_level()),
			     2);
	if (!err && !native_is_chosen(target.isa)) {
		char *plugin = part_plugin_path(error);

		err = plugin ? add_file(hash, plugin, error) : -ENXIO;
		free(plugin);
	}
	command_free(&command);
	program_free(&target);
	return err;
}

/* All that a program's name leads to; the last one is often asked for again. */
static int
add_program(SHA2_CTX *hash, char *const *argv, struct pmcsim_error *error)
{
	static char *name, digest[SHA256_DIGEST_STRING_LENGTH];
	SHA2_CTX parts;
	int err = 0;

	if (!name || strcmp(name, argv[0])) {
		free(name);
		name = NULL;
		SHA256Init(&parts);
		err = add_parts(&parts, argv, error);
		SHA256End(&parts, digest);
		name = err ? NULL : strdup(argv[0]);
	}
	SHA256Update(hash, (const uint8_t *)digest, sizeof digest);
	return err;
}

static int
add_table(SHA2_CTX *hash, const struct pmcsim_cpu *cpu,
	  struct pmcsim_error *error)
{
	const char *const of_cpu[] = {cpu->file.path, cpu->os.path,
				      cpu->listed.path};
	char *names = NULL;
	int err = table_find("names/linux", &names, error);

	for (size_t i = 0; i < SIM_COUNT(of_cpu) && !err; i++)
		if (of_cpu[i])
			err = add_file(hash, of_cpu[i], error);
	if (!err)
		err = add_file(hash, names, error);
	free(names);
	return err;
}

int
pmcsim_target_identity(const struct pmcsim_cpu *cpu, char *const *argv,
		       const char *input, char text[PMCSIM_IDENTITY],
		       struct pmcsim_error *error)
{
	char environment[PMCSIM_ENVIRONMENT_HASH];
	SHA2_CTX hash;
	int err;

	SHA256Init(&hash);
	pmcsim_environment_hash(environment);
	SHA256Update(&hash, (const uint8_t *)environment, sizeof environment);
	for (char *const *word = argv; *word; word++)
		SHA256Update(&hash, (const uint8_t *)*word, strlen(*word) + 1);
	err = add_program(&hash, argv, error);
	if (!err)
		err = add_table(&hash, cpu, error);
	if (!err && input)
		err = add_file(&hash, input, error);
	SHA256End(&hash, text);
	return err;
}
