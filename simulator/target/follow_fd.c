/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's descriptor, out of the target's way.
 *
 * The target must find the numbers it expects: its first open() gives 3, a
 * shell may dup2() onto any number, and programs close whatever is open
 * before they execute others.  So the descriptor lives at one of two numbers
 * near the limit and goes to the other when the target is about to close or
 * replace it: loops over descriptors, up or down, then miss it.
 */
#include "follow_fd.h"

#include "engine.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <unistd.h>

#define BELOW_LIMIT 8
#define HIGHEST 1016		/* do not make the kernel's table large */
#define ASIDE 100

static bool must_reopen;	/* the target has closed it after all */

/* The target may change its limit. */
static int
home(void)
{
	struct rlimit limit;
	int number = HIGHEST;

	if (!getrlimit(RLIMIT_NOFILE, &limit) &&
	    limit.rlim_cur < HIGHEST + BELOW_LIMIT)
		number = (int)limit.rlim_cur - BELOW_LIMIT;
	return number < 4 ? 4 : number;
}

int
follow_fd_aside(int fd)
{
	int number = home() / 2;

	return fcntl(fd, F_DUPFD_CLOEXEC, number < ASIDE ? number : ASIDE);
}

/* Puts it at a number that is free, not the one it has; true if it could. */
static bool
move_to(int number)
{
	int old = target.map.fd;

	if (number == old || fcntl(number, F_GETFD) >= 0 ||
	    dup3(old, number, O_CLOEXEC) < 0)
		return false;
	target.map.fd = number;
	close(old);
	return true;
}

static void
move_away(void)
{
	int old = target.map.fd, fd;

	if (move_to(home()) || move_to(home() - 1))
		return;
	fd = fcntl(old, F_DUPFD_CLOEXEC, home() / 2);
	target.map.fd = fd;
	must_reopen = fd < 0;
	close(old);
}

void
follow_fd_before(enum call call, const u64 arg[8])
{
	static bool moved;
	u32 fd = (u32)target.map.fd;

	if (!moved) {
		moved = true;
		move_away();
	}
	if ((call == CALL_CLOSE && (u32)arg[0] == fd) ||
	    ((call == CALL_DUP2 || call == CALL_DUP3) && (u32)arg[1] == fd))
		move_away();
	if (call == CALL_CLOSE_RANGE && (u32)arg[0] <= fd &&
	    (u32)arg[1] >= fd && !(arg[2] & CLOSE_RANGE_CLOEXEC))
		must_reopen = true;
}

void
follow_fd_after(void)
{
	int fd;

	if (!must_reopen)
		return;
	if (fcntl(target.map.fd, F_GETFD) >= 0) {
		must_reopen = false;
		return;
	}
	fd = open(engine->machine_path(), O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	must_reopen = false;
	target.map.fd = fd;
	move_away();
}
