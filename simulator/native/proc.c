/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "proc_internal.h"

#include "filters.h"
#include "native.h"
#include "threads.h"

#include "target/guest_strings.h"
#include "x86_64/cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

char *
proc_path(u64 path)
{
	char *text = guest_string(path);

	if (text && !strncmp(text, "/proc/", 6))
		return text;
	free(text);
	return NULL;
}

/* What is behind that folder in the path; NULL: it is not there. */
static const char *
behind(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return path && !strncmp(path, folder, n) ? path + n : NULL;
}

/* The same of the folder of the process, or of one of its threads. */
static const char *
behind_own(const char *path)
{
	char folder[32];
	const char *name;

	snprintf(folder, sizeof folder, "/proc/%d/", getpid());
	if (!(name = behind(path, "/proc/self/")) &&
	    !(name = behind(path, "/proc/thread-self/")))
		name = behind(path, folder);
	path = behind(name, "task/");
	if (!path)
		return name;
	path += strspn(path, "0123456789");
	return *path == '/' ? path + 1 : name;
}

bool
proc_is_own(const char *path, const char *name)
{
	const char *found = behind_own(path);

	return found && !strcmp(found, name);
}

/* The process whose arguments are being read. */
static struct proc_other other;

static void
write_others_arguments(FILE *f, const char *path)
{
	(void)path;
	fwrite(other.name, strlen(other.name) + 1, 1, f);
	fwrite(other.first, (size_t)(other.end - other.first), 1, f);
}

static void
write_arguments(FILE *f, const char *path)
{
	(void)path;
	for (size_t i = 0; i < native.argv.n; i++)
		fwrite(native.argv.s[i], strlen(native.argv.s[i]) + 1, 1, f);
}

static void
write_processors(FILE *f, const char *path)
{
	(void)path;
	cpu_describe(f);
}

/* ---- Files ------------------------------------------------------------- */

typedef void write_fn(FILE *f, const char *path);

/* A file of the text for that path, to be read only. */
static s64
open_text(const char *of, write_fn *write_text, int flags)
{
	int fd = memfd_create("proc", MFD_CLOEXEC), copy, kept, only;
	char path[32];
	FILE *f;

	if (fd < 0)
		return -errno;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	f = copy < 0 ? NULL : fdopen(copy, "w");
	if (f) {
		write_text(f, of);
		fclose(f);
	} else if (copy >= 0) {
		close(copy);
	}
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	only = open(path, O_RDONLY | O_CLOEXEC);
	kept = only < 0 ? -1 : dup3(only, fd, flags & O_CLOEXEC);
	if (kept < 0)
		close(fd);
	if (only >= 0)
		close(only);
	return kept < 0 ? -EMFILE : kept;
}

static const struct {
	const char *name;
	write_fn *write_text;
} own_file[] = {
	{"auxv", proc_write_auxv},
	{"cmdline", write_arguments},
	{"environ", proc_write_environ},
	{"maps", proc_write_mappings},
	{"smaps", proc_write_mappings},
	{"stat", proc_write_stat},
	{"status", proc_write_status},
};

/* Without filters of calls the kernel's status is right, and stays so while the file is
 * open. */
static bool
differs(write_fn *write_text)
{
	return write_text != proc_write_status || filters_count();
}

/* What is to be read there; NULL: the path is left to the kernel. */
static write_fn *
text_at(const char *path)
{
	if (!strcmp(path, "/proc/cpuinfo"))
		return write_processors;
	for (unsigned i = 0; i < SIM_COUNT(own_file); i++)
		if (proc_is_own(path, own_file[i].name) && !access(path, F_OK))
			return differs(own_file[i].write_text)
				       ? own_file[i].write_text : NULL;
	return proc_other(path, "cmdline", &other) ? write_others_arguments
						    : NULL;
}

/* The call with that number, which opens the file that that argument names. */
static s64
open_own(long number, const u64 arg[6], unsigned path, u64 flags)
{
	bool reads = (flags & O_ACCMODE) == O_RDONLY;
	char *text = proc_path(arg[path]), *program = NULL;
	write_fn *write_text = text && reads ? text_at(text) : NULL;
	s64 result;

	if (text && !write_text && !(flags & O_NOFOLLOW))
		program = proc_program(text);
	result = write_text ? open_text(text, write_text, (int)flags)
			    : proc_about(number, arg, path, program);
	free(text);
	free(other.text);
	other.text = NULL;
	return result;
}

s64
proc_open(const u64 arg[6])
{
	return open_own(SYS_open, arg, 0, arg[1]);
}

s64
proc_openat(const u64 arg[6])
{
	return open_own(SYS_openat, arg, 1, arg[2]);
}

s64
proc_openat2(const u64 arg[6])
{
	struct open_how how;

	/* What is not there the kernel refuses. */
	if (arg[3] < sizeof how || guest_read(&how, arg[2], sizeof how) ||
	    how.resolve)
		return threads_kernel(SYS_openat2, arg);
	return open_own(SYS_openat2, arg, 1, how.flags);
}
