/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where calls name the process's program as /proc has it, they mean the target's,
 * not the engine's. */
#include "proc_internal.h"

#include "native.h"
#include "threads.h"

#include "target/guest_strings.h"

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

/* The program that the path means, the caller's; NULL: none. */
static char *
program_at(u64 path)
{
	char *text = guest_string(path), *program = NULL;
	struct proc_other other;

	if (own && text && proc_is_own(text, "exe")) {
		program = strdup(own);
	} else if (text && proc_other(text, "exe", &other)) {
		program = realpath(other.program, NULL);
		free(other.text);
	}
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

/* The kernel's answer, about the program if that argument names it, and the link
 * is followed. */
static s64
answer(long number, const u64 arg[6], unsigned path, bool follows)
{
	char *program = follows ? program_at(arg[path]) : NULL;
	u64 given[6];
	s64 result;

	memcpy(given, arg, sizeof given);
	if (program)
		given[path] = (u64)(uintptr_t)program;
	result = threads_kernel((u64)number, given);
	free(program);
	return result;
}

s64
proc_open_program(long number, const u64 arg[6], unsigned path, u64 flags)
{
	return answer(number, arg, path, !(flags & O_NOFOLLOW));
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
