/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ledger_calls.h"

#include "target.h"
#include "sampling.h"

#include <linux/major.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define LINE 64			/* bytes */

/* The signal of a kind of call; 0: it has no cost of its own. */
static u16
kind_of(enum call call)
{
	static const u16 kind[CALL_N] = {
		[CALL_ACCESS] = SIG_OS_PATH,
		[CALL_BRK] = SIG_OS_MAP,
		[CALL_COPY_FILE_RANGE] = SIG_OS_IO,
		[CALL_CREAT] = SIG_OS_PATH,
		[CALL_FACCESSAT] = SIG_OS_PATH,
		[CALL_FSTATAT] = SIG_OS_PATH,
		[CALL_LSTAT] = SIG_OS_PATH,
		[CALL_LSTAT64] = SIG_OS_PATH,
		[CALL_MADVISE] = SIG_OS_MAP,
		[CALL_MMAP] = SIG_OS_MAP,
		[CALL_MMAP2] = SIG_OS_MAP,
		[CALL_MOVE] = SIG_OS_IO,
		[CALL_MPROTECT] = SIG_OS_MAP,
		[CALL_MREMAP] = SIG_OS_MAP,
		[CALL_MUNMAP] = SIG_OS_MAP,
		[CALL_OPEN] = SIG_OS_PATH,
		[CALL_OPENAT] = SIG_OS_PATH,
		[CALL_PATH] = SIG_OS_PATH,
		[CALL_PREAD] = SIG_OS_IO,
		[CALL_PREADV] = SIG_OS_IO,
		[CALL_PWRITE] = SIG_OS_IO,
		[CALL_PWRITEV] = SIG_OS_IO,
		[CALL_READ] = SIG_OS_IO,
		[CALL_READV] = SIG_OS_IO,
		[CALL_SENDFILE] = SIG_OS_IO,
		[CALL_SHMAT] = SIG_OS_MAP,
		[CALL_SIGRETURN] = SIG_OS_SIGNAL,
		[CALL_SPLICE] = SIG_OS_IO,
		[CALL_STAT] = SIG_OS_PATH,
		[CALL_STAT64] = SIG_OS_PATH,
		[CALL_STATX] = SIG_OS_PATH,
		[CALL_WRITE] = SIG_OS_IO,
		[CALL_WRITEV] = SIG_OS_IO,
		[CALL_XATTR] = SIG_OS_PATH,
	};

	return kind[call];
}

/* /dev/null, /dev/zero and their like: there is little behind them. */
static bool
is_memory(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
	       major(st.st_rdev) == MEM_MAJOR;
}

void
ledger_call(enum call call, const u64 arg[8])
{
	u16 kind = kind_of(call);

	if (kind == SIG_OS_IO && is_memory((int)arg[0]))
		kind = 0;
	core.sig[SIG_OS_SYSCALL]++;
	if (kind)
		core.sig[kind]++;
	if (core.sampler)
		sample_happened(&core);
}

void
ledger_call_returned(enum call call, s64 result)
{
	if (result <= 0 || kind_of(call) != SIG_OS_IO)
		return;
	core.sig[SIG_OS_LINE] += ((u64)result + LINE - 1) / LINE;
	if (core.sampler)
		sample_happened(&core);
}
