/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children that share their parent's memory until they execute a program or end.
 * Here they have a copy of it, but the parent waits, and gets what they have
 * changed near its stack pointer: that is where posix_spawn() and callers of
 * vfork() have what the child tells if it cannot execute the program.
 */
#include "vfork.h"

#include "fork.h"
#include "native.h"
#include "threads.h"

#include "target/follow_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEAR_BYTES 16384u

/* The stack from the child's first pointer on. */
struct near {
	u64 at, bytes;		/* so many can be read */
	u64 word[NEAR_BYTES / sizeof(u64)];
};

static int to_parent = -1;	/* in the child: the parent waits for its end */
static struct near *at_end;	/* ... and looks here then; 0 bytes: it did not end */

static void
read_near(struct near *n, u64 at)
{
	u64 bytes;

	n->at = at;
	for (n->bytes = 0; n->bytes < NEAR_BYTES; n->bytes += bytes) {
		bytes = guest_on_page(at + n->bytes, NEAR_BYTES - n->bytes);
		if (guest_read((u8 *)n->word + n->bytes, at + n->bytes, bytes))
			return;
	}
}

/* What the child has changed is the parent's. */
static void
take_changes(const struct near *before, const struct near *after)
{
	for (u64 i = 0; i < after->bytes / sizeof(u64); i++)
		if (after->word[i] != before->word[i])
			guest_write(before->at + i * sizeof(u64),
				    &after->word[i], sizeof(u64));
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
	u8 none;

	while (host_kernel(SYS_read, (u64)fd, (u64)(uintptr_t)&none,
			   sizeof none, 0) == -EINTR)
		;
}

static pid_t
begin(const int fd[2], struct near *shared, u64 flags, bool tells)
{
	static struct near before;
	pid_t pid;

	read_near(&before, host_state.reg[HOST_RSP] & ~7ull);
	shared->at = before.at;
	pid = fork_process(flags);
	close(fd[pid == 0 ? 0 : 1]);
	if (!pid) {
		vfork_forget();
		to_parent = fd[1];
		at_end = shared;
		return 0;
	}
	if (pid > 0)
		wait_for(fd[0]);
	close(fd[0]);
	if (tells && shared->bytes == before.bytes)
		take_changes(&before, shared);
	return pid;
}

pid_t
vfork_begin(u64 flags, bool tells)
{
	struct near *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd[2];
	pid_t pid;

	if (shared == MAP_FAILED)
		return fork_process(flags);
	pid = make_pipe(fd) ? begin(fd, shared, flags, tells)
			    : fork_process(flags);
	if (at_end != shared)
		munmap(shared, sizeof *shared);
	return pid;
}

void
vfork_forget(void)
{
	if (to_parent < 0)
		return;
	close(to_parent);
	munmap(at_end, sizeof *at_end);
	to_parent = -1;
	at_end = NULL;
}

void
vfork_end(void)
{
	if (at_end)
		read_near(at_end, at_end->at);
}

/* ---- Descriptors ------------------------------------------------------- */

s64
vfork_close(const u64 arg[6])
{
	if (to_parent >= 0 && (u32)arg[0] == (u32)to_parent)
		return -EBADF;
	return threads_kernel(SYS_close, arg);
}

/* What is below it, and what is above. */
s64
vfork_close_range(const u64 arg[6])
{
	u32 first = (u32)arg[0], last = (u32)arg[1], fd = (u32)to_parent;
	const u64 below[6] = {first, fd - 1, arg[2]};
	const u64 above[6] = {fd + 1, last, arg[2]};
	s64 result = 0;

	if (to_parent < 0 || fd < first || fd > last)
		return threads_kernel(SYS_close_range, arg);
	if (fd > first)
		result = threads_kernel(SYS_close_range, below);
	if (fd < last && !result)
		result = threads_kernel(SYS_close_range, above);
	return result;
}

/* The number is to be another one's. */
static void
move_from(u32 number)
{
	int other;

	if (to_parent < 0 || number != (u32)to_parent)
		return;
	other = follow_fd_aside(to_parent);
	close(to_parent);
	to_parent = other;
}

s64
vfork_dup2(const u64 arg[6])
{
	move_from((u32)arg[1]);
	return threads_kernel(SYS_dup2, arg);
}

s64
vfork_dup3(const u64 arg[6])
{
	move_from((u32)arg[1]);
	return threads_kernel(SYS_dup3, arg);
}
