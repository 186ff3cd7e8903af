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

static bool
is_own_program(u64 path)
{
	char *text = guest_string(path);
	bool is = own && text && proc_is_own(text, "exe");

	free(text);
	return is;
}

/* ---- The link ------------------------------------------------------------ */

static s64
write_link(u64 buffer, u64 bytes)
{
	size_t n = strlen(own);

	n = n < bytes ? n : bytes;
	return guest_write(buffer, own, n) ? -EFAULT : (s64)n;
}

s64
proc_readlink(const u64 arg[6])
{
	return is_own_program(arg[0]) ? write_link(arg[1], arg[2])
				      : threads_kernel(SYS_readlink, arg);
}

s64
proc_readlinkat(const u64 arg[6])
{
	return is_own_program(arg[1]) ? write_link(arg[2], arg[3])
				      : threads_kernel(SYS_readlinkat, arg);
}

/* ---- What it leads to ------------------------------------------------------ */

/* The kernel's answer, about the program if that argument names it, and the link
 * is followed. */
static s64
answer(long number, const u64 arg[6], unsigned path, bool follows)
{
	u64 other[6];

	if (!follows || !is_own_program(arg[path]))
		return threads_kernel((u64)number, arg);
	memcpy(other, arg, sizeof other);
	other[path] = (u64)(uintptr_t)own;
	return threads_kernel((u64)number, other);
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
