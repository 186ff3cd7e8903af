/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where calls name the process's program as /proc has it, they mean the target's,
 * not the engine's. */
#include "proc_internal.h"

#include "native.h"
#include "threads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The program's file, from the root on, however the target changes its folder. */
static const char *own;

void
proc_begin(void)
{
	const char *slash = strrchr(native.path, '/');

	prctl(PR_SET_NAME, slash ? slash + 1 : native.path);
	own = realpath(native.path, NULL);
}

char *
proc_program(const char *path)
{
	struct proc_other other;
	char *program;

	if (proc_is_own(path, "exe"))
		return own ? strdup(own) : NULL;
	if (!proc_other(path, "exe", &other))
		return NULL;
	program = realpath(other.program, NULL);
	free(other.text);
	return program;
}

static char *
program_at(u64 path)
{
	char *text = proc_path(path);
	char *program = text ? proc_program(text) : NULL;

	free(text);
	return program;
}

/* ---- The link ------------------------------------------------------------ */

/* The link that the argument path names, into the next two. */
static s64
read_link(u64 number, const u64 arg[6], unsigned path)
{
	char *program = program_at(arg[path]);
	u64 buffer = arg[path + 1], n;
	s64 result;

	if (!program)
		return threads_kernel(number, arg);
	n = strlen(program);
	if (n > arg[path + 2])
		n = arg[path + 2];
	result = guest_write(buffer, program, n) ? -EFAULT : (s64)n;
	free(program);
	return result;
}

s64
proc_readlink(const u64 arg[6])
{
	return read_link(SYS_readlink, arg, 0);
}

s64
proc_readlinkat(const u64 arg[6])
{
	return read_link(SYS_readlinkat, arg, 1);
}

/* ---- What it leads to ------------------------------------------------------ */

s64
proc_about(long number, const u64 arg[6], unsigned path, char *program)
{
	u64 given[6];
	s64 result;

	memcpy(given, arg, sizeof given);
	if (program)
		given[path] = (u64)(uintptr_t)program;
	result = threads_kernel((u64)number, given);
	free(program);
	return result;
}

/* The same of one whose path may be a link that is followed, or is not. */
static s64
answer(long number, const u64 arg[6], unsigned path, bool follows)
{
	return proc_about(number, arg, path,
			  follows ? program_at(arg[path]) : NULL);
}

s64
proc_stat(const u64 arg[6])
{
	return answer(SYS_stat, arg, 0, true);
}

s64
proc_newfstatat(const u64 arg[6])
{
	return answer(SYS_newfstatat, arg, 1,
		      !(arg[3] & AT_SYMLINK_NOFOLLOW));
}

s64
proc_statx(const u64 arg[6])
{
	return answer(SYS_statx, arg, 1, !(arg[2] & AT_SYMLINK_NOFOLLOW));
}

s64
proc_access(const u64 arg[6])
{
	return answer(SYS_access, arg, 0, true);
}

s64
proc_faccessat(const u64 arg[6])
{
	return answer(SYS_faccessat, arg, 1, true);
}

s64
proc_faccessat2(const u64 arg[6])
{
	return answer(SYS_faccessat2, arg, 1,
		      !(arg[3] & AT_SYMLINK_NOFOLLOW));
}
