/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children that share their parent's memory until they execute a program or end.
 * Here they have a copy of it, but the parent waits, and gets what they have
 * changed near its stack pointer: that is where posix_spawn() and callers of
 * vfork() have what the child tells if it cannot execute the program.
 */
#include "vfork.h"

#include "native.h"

#include "target/follow_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEAR_WORDS 2048u	/* 16 KB, which fit into a pipe */

struct change {
	u64 at, value;
};

static int to_parent = -1;	/* in the child */
static u64 near_at, near_words;
static u64 before[NEAR_WORDS];

/* The child is a copy: it sees the stack as it was. */
static void
remember(void)
{
	near_at = host_state.reg[HOST_RSP] & ~7ull;
	near_words = 0;
	while (near_words < NEAR_WORDS &&
	       !guest_read(&before[near_words], near_at + 8 * near_words, 8))
		near_words++;
}

static bool
make_pipe(int fd[2])
{
	int high;

	if (pipe2(fd, O_CLOEXEC))
		return false;
	/* Where the child is not likely to close it before its time. */
	high = follow_fd_aside(fd[1]);
	if (high >= 0) {
		close(fd[1]);
		fd[1] = high;
	}
	return true;
}

/* Until the child's end of the pipe is closed, by exec or its end. */
static void
wait_for(int fd)
{
	static struct change change[NEAR_WORDS];
	u8 *to = (u8 *)change;
	u64 got = 0;
	s64 n;

	while ((n = host_kernel(SYS_read, (u64)fd, (u64)(uintptr_t)(to + got),
				sizeof change - got, 0)) > 0 || n == -EINTR)
		got += n > 0 ? (u64)n : 0;
	for (u64 i = 0; i < got / sizeof change[0]; i++)
		guest_write(change[i].at, &change[i].value, 8);
}

pid_t
vfork_begin(void)
{
	int fd[2];
	pid_t pid;

	if (!make_pipe(fd))
		return fork();
	remember();
	pid = fork();
	close(fd[pid == 0 ? 0 : 1]);
	if (!pid) {
		vfork_forget();
		to_parent = fd[1];
		return 0;
	}
	if (pid > 0)
		wait_for(fd[0]);
	close(fd[0]);
	return pid;
}

void
vfork_forget(void)
{
	if (to_parent >= 0)
		close(to_parent);
	to_parent = -1;
}

void
vfork_end(void)
{
	struct change change;

	for (u64 i = 0; i < near_words && to_parent >= 0; i++) {
		change.at = near_at + 8 * i;
		if (!guest_read(&change.value, change.at, 8) &&
		    change.value != before[i] &&
		    write(to_parent, &change, sizeof change) < 0)
			break;
	}
	vfork_forget();
}
