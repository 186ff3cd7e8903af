/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the target and what executes it. */
#include "target.h"

#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0: may be executed by its permissions; else -errno. */
static int
executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || access(path, X_OK) != 0)
		return -EACCES;
	return 0;
}

/* dir/name of the length given, as PATH has it; empty means here. */
static char *
join(const char *dir, size_t length, const char *name)
{
	char *path;

	if (length == 0) {
		dir = ".";
		length = 1;
	}
	if (asprintf(&path, "%.*s/%s", (int)length, dir, name) < 0)
		return NULL;
	return path;
}

/*
 * A name without slash is looked for in PATH, as shells do: what cannot be
 * executed is passed over, and so is a folder that cannot be searched.
 */
static int
find_in_path(const char *name, char **path)
{
	const char *list = getenv("PATH");
	int err, found = -ENOENT;
	size_t n;

	if (!list)
		list = "/bin:/usr/bin";
	for (;; list += n + 1) {
		n = strcspn(list, ":");
		*path = join(list, n, name);
		if (!*path)
			return -ENOMEM;
		err = executable(*path);
		if (err == 0)
			return 0;
		if (err == -EACCES && access(*path, F_OK) == 0)
			found = err;
		free(*path);
		*path = NULL;
		if (!list[n])
			return found;
	}
}

static int
look_up(const char *name, char **path, struct pmcsim_error *error)
{
	int err;

	if (strchr(name, '/')) {
		err = executable(name);
		*path = err ? NULL : strdup(name);
		if (err == 0 && !*path)
			err = -ENOMEM;
	} else {
		err = *name ? find_in_path(name, path) : -ENOENT;
	}
	if (err == -ENOENT || err == -ENOTDIR)
		return engine_fail(error, -ENOENT, "%s: no such program",
				   *name ? name : "\"\"");
	if (err == -EACCES)
		return engine_fail(error, err,
				 "%s: not executable: permission denied or "
				 "no regular file", name);
	if (err != 0)
		return engine_fail(error, err, "%s: %s", name, strerror(-err));
	return 0;
}

static int
unknown_elf(const struct program *t, const GElf_Ehdr *h,
	    struct pmcsim_error *error)
{
	return engine_fail(error, -ENOTSUP,
			 "%s: no engine for its instruction set (ELF machine "
			 "%u, %d bits, %s endian): x86-64, i386, MIPS o32 "
			 "and Alpha programs can be run",
			 t->path, h->e_machine,
			 h->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
			 h->e_ident[EI_DATA] == ELFDATA2LSB ? "little" : "big");
}

/* Whether the file has all that is to be loaded of it. */
static bool
is_whole(Elf *elf, int fd)
{
	struct stat st;
	GElf_Phdr part;
	size_t n;

	if (fstat(fd, &st) != 0 || elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &part))
			return false;
		/* Of memory that is all zero there is nothing in the file. */
		if ((part.p_type == PT_LOAD || part.p_type == PT_INTERP) &&
		    part.p_filesz &&
		    (part.p_filesz > (u64)st.st_size ||
		     part.p_offset > (u64)st.st_size - part.p_filesz))
			return false;
	}
	return true;
}

static int
inspect_elf(struct program *t, int fd, const char *head,
	    struct pmcsim_error *error)
{
	GElf_Ehdr header;
	bool is_elf, whole;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	is_elf = elf && elf_kind(elf) == ELF_K_ELF &&
		 gelf_getehdr(elf, &header) &&
		 (header.e_type == ET_EXEC || header.e_type == ET_DYN);
	whole = is_elf && is_whole(elf, fd);
	elf_end(elf);
	if (!is_elf)
		return engine_fail(error, -ENOEXEC,
				 "%s: neither an ELF program nor a script "
				 "with a #! line", t->path);
	t->isa = isa_of_elf((const u8 *)head);
	if (t->isa == ISA_N)
		return unknown_elf(t, &header, error);
	return whole ? 0 : engine_fail(error, -ENOEXEC,
				       "%s: an ELF program that is cut off",
				       t->path);
}

/* Goes on to the interpreter of a script, whose beginning head is. */
static int
inspect_script(struct program *t, char *head, size_t length,
	       struct pmcsim_error *error)
{
	char *interpreter, *argument;

	if (!script_split(head, length, &interpreter, &argument))
		return engine_fail(error, -ENOEXEC,
				 "%s: its #! line names no interpreter",
				 t->path);
	if (executable(interpreter) != 0)
		return engine_fail(error, -ENOENT,
				 "%s: its interpreter %.*s cannot be executed%s",
				 t->path, (int)strcspn(interpreter, "\r"),
				 interpreter, strchr(interpreter, '\r') ?
				 ": its #! line ends in a carriage return" :
				 "");
	script_start(t, interpreter, argument);
	return t->path && !t->argv.failed ? 0
	       : engine_fail(error, -ENOMEM, "out of memory");
}

/* Looks into the program.  1: it was a script, look again. */
static int
inspect(struct program *t, struct pmcsim_error *error)
{
	char head[SCRIPT_BYTES + 1] = "";
	int fd = open(t->path, O_RDONLY | O_CLOEXEC), err;
	ssize_t n;

	if (fd < 0)
		return engine_fail(error, -EACCES, "%s: cannot be read: %s",
				 t->path, strerror(errno));
	n = pread(fd, head, SCRIPT_BYTES, 0);
	if (n > 0 && script_begins(head, (size_t)n)) {
		err = inspect_script(t, head, (size_t)n, error);
		err = err ? err : 1;
	} else {
		err = inspect_elf(t, fd, head, error);
	}
	close(fd);
	return err;
}

int
target_find(struct program *t, char *const *argv, struct pmcsim_error *error)
{
	int err, depth = 0;

	memset(t, 0, sizeof(*t));
	err = look_up(argv[0], &t->path, error);
	for (size_t i = 0; argv[i]; i++)
		strings_add(&t->argv, argv[i]);
	if (err == 0 && t->argv.failed)
		err = engine_fail(error, -ENOMEM, "out of memory");
	if (err == 0) {
		do
			err = inspect(t, error);
		while (err == 1 && ++depth <= SCRIPT_DEPTH);
	}
	if (err == 1)
		err = engine_fail(error, -ENOEXEC,
				"%s: too many scripts start each other",
				argv[0]);
	if (err != 0)
		program_free(t);
	return err;
}
