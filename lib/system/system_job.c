/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder by which a command goes into a system: its files under root/,
 * where the guest is to see them, and a script for the guest's shell, which
 * copies them, starts the command between the marks and leaves its output.
 */
#include "system_internal.h"

#include "engine/engine_fetch.h"
#include "engine/environment.h"
#include "engine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files ----------------------------------------------------------- */

int
system_job_path(const char *path, char out[PATH_MAX])
{
	char whole[2 * PATH_MAX], *save = NULL;
	size_t n = 0;

	if (*path != '/' && !getcwd(whole, PATH_MAX))
		return -errno;
	if (*path == '/')
		*whole = '\0';
	if (strlen(path) >= PATH_MAX)
		return -ENAMETOOLONG;
	strcat(strcat(whole, "/"), path);
	for (char *p = strtok_r(whole, "/", &save); p;
	     p = strtok_r(NULL, "/", &save)) {
		if (!strcmp(p, "."))
			continue;
		if (!strcmp(p, "..")) {
			while (n && out[--n] != '/')
				;
			continue;
		}
		if (n + strlen(p) + 2 > PATH_MAX)
			return -ENAMETOOLONG;
		out[n++] = '/';
		strcpy(out + n, p);
		n += strlen(p);
	}
	if (!n)
		out[n++] = '/';
	out[n] = '\0';
	return 0;
}

/* All of an open file into a new one; -EEXIST if it is there. */
static int
copy_to(int in, const char *to, mode_t mode, uint64_t bytes)
{
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode), rc;
	ssize_t n = 1;

	if (out < 0)
		return -errno;
	while (bytes && n > 0) {
		n = sendfile(out, in, NULL, bytes);
		if (n > 0)
			bytes -= (uint64_t)n;
	}
	rc = n < 0 ? -errno : 0;
	return close(out) && !rc ? -errno : rc;
}

/* A file, or nothing if it is of another kind. */
static int
copy_file(struct system_job *job, const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = 0;
	struct stat st;

	if (in < 0)
		return -errno;
	if (fstat(in, &st))
		rc = -errno;
	else if (S_ISREG(st.st_mode)) {
		job->bytes += (uint64_t)st.st_size;
		rc = job->bytes > SYSTEM_JOB_LIMIT ? -EFBIG :
			copy_to(in, to, (st.st_mode & 0777) | 0400,
				(uint64_t)st.st_size);
		if (rc == -EEXIST)
			job->bytes -= (uint64_t)st.st_size;
	}
	close(in);
	return rc;
}

int
system_job_add(struct system_job *job, const char *from, const char *to,
	       struct pmcsim_error *error)
{
	char path[2 * PATH_MAX], *slash;
	int rc;

	if (snprintf(path, sizeof path, "%s/root%s", job->folder, to) >=
	    PATH_MAX)
		return engine_fail(error, -ENAMETOOLONG, "%s: the path is "
				   "too long", from);
	slash = strrchr(path, '/');
	*slash = '\0';
	rc = fetch_make_folders(path);
	*slash = '/';
	if (!rc)
		rc = copy_file(job, from, path);
	if (rc == -EFBIG)
		return engine_fail(error, rc, "%s: the command's files are "
				   "more than the %llu MB that go into a "
				   "system", from, SYSTEM_JOB_LIMIT >> 20);
	if (rc && rc != -EEXIST)
		return engine_fail(error, rc, "%s: cannot be copied: %s", from,
				   strerror(-rc));
	return rc;
}

/* Arguments that name files, at the same path. */
static int
add_arguments(struct system_job *job, char *const *argv,
	      struct pmcsim_error *error)
{
	char to[PATH_MAX];
	struct stat st;
	int rc = 0;

	for (size_t i = 1; argv[i] && (!rc || rc == -EEXIST); i++) {
		if (stat(argv[i], &st) || !S_ISREG(st.st_mode) ||
		    system_job_path(argv[i], to))
			continue;
		rc = system_job_add(job, argv[i], to, error);
	}
	return rc == -EEXIST ? 0 : rc;
}

static bool
is_script(const char *path)
{
	char mark[2] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, mark, 2) != 2)
		mark[0] = '\0';
	close(fd);
	return mark[0] == '#' && mark[1] == '!';
}

/* What starts a script: its interpreter, to which it is an argument. */
static int
keep_words(struct system_job *job, const struct program *target)
{
	for (size_t i = 0; i < target->argv.n; i++)
		strings_add(&job->words, target->argv.s[i]);
	return job->words.failed ? -ENOMEM : 0;
}

/*
 * The program: of the host if its name has a slash, or if it is for the
 * board; else the guest's own, in path.  -ENOEXEC if it is for another one.
 */
static int
add_program(struct system_job *job, char *const *argv, char path[PATH_MAX],
	    struct pmcsim_error *error)
{
	bool named = strchr(argv[0], '/') != NULL;
	struct program target;
	int rc = target_find(&target, argv, error);
	bool fits;

	if (rc && (!*argv[0] || (named && !is_script(argv[0]))))
		return rc;
	fits = !rc && target.isa == job->board->isa;
	if (!fits && named && !is_script(argv[0])) {
		rc = engine_fail(error, -ENOEXEC, "%s is a program for %s, "
				 "and %s runs those for %s", argv[0],
				 isa_row[target.isa].name, job->board->name,
				 isa_row[job->board->isa].name);
		program_free(&target);
		return rc;
	}
	if (!fits && !named) {
		if (!rc)
			program_free(&target);
		return snprintf(path, PATH_MAX, "/bin/%s", argv[0]) < PATH_MAX
			       ? 0 : -ENAMETOOLONG;
	}
	if (!rc && !fits)
		program_free(&target);
	rc = system_job_path(fits ? target.path : argv[0], path);
	if (!rc)
		rc = system_job_add(job, fits ? target.path : argv[0],
				    path, error);
	if (fits && !rc)
		rc = system_job_libraries(job, target.path, error);
	if (fits && !rc)
		rc = keep_words(job, &target);
	if (fits)
		program_free(&target);
	return rc;
}

/* ---- The script ------------------------------------------------------ */

/* For the guest's shell: in quotes, with those in it taken out of them. */
static void
put_quoted(FILE *out, const char *text)
{
	putc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text, out);
	putc('\'', out);
}

/* The variables that mean something there. */
static bool
is_exported(const char *variable)
{
	static const char *const own[] = {"PATH=", "PWD=", "OLDPWD=", "SHLVL=",
					  "LD_", "TMPDIR=", "_="};
	size_t n = strspn(variable, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			  "abcdefghijklmnopqrstuvwxyz0123456789_");

	if (!n || variable[n] != '=' || (*variable >= '0' && *variable <= '9'))
		return false;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (!strncmp(variable, own[i], strlen(own[i])))
			return false;
	return true;
}

static void
put_environment(FILE *out)
{
	for (char *const *e = environment_of_target(); e && *e; e++) {
		size_t n = strcspn(*e, "=");

		if (!is_exported(*e))
			continue;
		fprintf(out, "export %.*s=", (int)n, *e);
		put_quoted(out, *e + n + 1);
		putc('\n', out);
	}
}

static void
put_command(FILE *out, const char *program, char *const *argv)
{
	fputs("[ -e ", out);
	put_quoted(out, program);
	fprintf(out, " ] || { echo \"" SYSTEM_DONE "$1 %d\"; sleep 1000; }\n"
		"[ -e /job/stdin ] && cp /job/stdin /tmp/.stdin || "
		": > /tmp/.stdin\nmeasure ", SYSTEM_NO_PROGRAM);
	put_quoted(out, program);
	for (size_t i = 0; argv[i]; i++) {
		putc(' ', out);
		put_quoted(out, argv[i]);
	}
	fputs(" < /tmp/.stdin > /tmp/.stdout 2> /tmp/.stderr\n"
	      "set -- \"$1\" $?\n"
	      "busybox cat /tmp/.stdout > /job/stdout &&\n"
	      "busybox cat /tmp/.stderr > /job/stderr || set -- \"$@\" ' lost'\n"
	      "echo \"" SYSTEM_DONE "$1 $2$3\"\nbusybox sleep 1000\n", out);
}

static int
write_script(struct system_job *job, const char *program, char *const *argv)
{
	char path[PATH_MAX], folder[PATH_MAX];
	FILE *out;
	int rc;

	if (!getcwd(folder, sizeof folder))
		return -errno;
	if (snprintf(path, sizeof path, "%s/script", job->folder) >=
	    (int)sizeof path)
		return -ENAMETOOLONG;
	out = fopen(path, "we");
	if (!out)
		return -errno;
	/* "go", of which a snapshot may lose a letter, and the token, which
	 * nothing but this shell has: no variable that is exported takes its
	 * place, and no file has it. */
	fputs("set -- \"${go##* }\"\nunset go\n"
	      "[ -d /job/root ] && "
	      "cp -a --remove-destination /job/root/. /\n", out);
	put_environment(out);
	fputs("mkdir -p ", out);
	put_quoted(out, folder);
	fputs("\ncd ", out);
	put_quoted(out, folder);
	putc('\n', out);
	put_command(out, program, argv);
	rc = ferror(out) ? -EIO : 0;
	return fclose(out) ? -EIO : rc;
}

/* Standard input, if it is a file: from where it is. */
static int
add_input(struct system_job *job)
{
	off_t at = lseek(0, 0, SEEK_CUR);
	char path[PATH_MAX];
	struct stat st;
	int rc;

	if (fstat(0, &st) || !S_ISREG(st.st_mode) || at < 0 ||
	    at >= st.st_size)
		return 0;
	if (snprintf(path, sizeof path, "%s/stdin", job->folder) >=
	    (int)sizeof path)
		return -ENAMETOOLONG;
	job->bytes += (uint64_t)(st.st_size - at);
	if (job->bytes > SYSTEM_JOB_LIMIT)
		return -EFBIG;
	rc = copy_to(0, path, 0600, (uint64_t)(st.st_size - at));
	lseek(0, at, SEEK_SET);
	return rc;
}

/* ---- All of it ------------------------------------------------------- */

int
system_job_make(struct system_job *job, const struct system_board *board,
		char *const *argv, struct pmcsim_error *error)
{
	const char *base = getenv("TMPDIR");
	char program[PATH_MAX];
	int rc;

	*job = (struct system_job){.board = board};
	if (!base || *base != '/' || strchr(base, ','))
		base = "/tmp";
	if (asprintf(&job->folder, "%s/pmcsim-XXXXXX", base) < 0) {
		job->folder = NULL;
		return engine_fail(error, -ENOMEM, "out of memory");
	}
	if (!mkdtemp(job->folder)) {
		rc = engine_fail(error, -EIO, "cannot make a folder in %s: "
				 "%s", base, strerror(errno));
		free(job->folder);
		job->folder = NULL;
		return rc;
	}
	engine_fail(error, 0, "the command's files cannot be copied");
	rc = add_program(job, argv, program, error);
	if (job->words.n)
		argv = job->words.s;
	if (!rc)
		rc = add_arguments(job, argv, error);
	if (!rc)
		rc = system_job_folder(job, error);
	if (!rc)
		rc = add_input(job);
	if (!rc)
		rc = write_script(job, program, argv);
	if (rc)
		system_job_remove(job);
	return rc;
}

void
system_job_remove(struct system_job *job)
{
	if (job->folder)
		fetch_remove_tree(job->folder);
	free(job->folder);
	strings_free(&job->words);
	job->folder = NULL;
}
