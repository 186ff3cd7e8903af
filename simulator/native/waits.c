/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system calls wait. */
#include "waits.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MASK_BYTES 8	/* of a set of the kernel's */
#define SET_BYTES 128	/* of select(): 1,024 descriptors */
#define NO_MASK 0xff

/* What such a call waits for. */
enum kind {
	READS,			/* what a descriptor has */
	WRITES,			/* ... or takes */
	POLLS,
	SELECTS,
	FUTEX,
	LOCKS,			/* fcntl() */
	SIGNAL			/* nothing else */
};

static const struct {
	u16 number;
	u8 kind;
	u8 mask;		/* argument with signals that are blocked then */
	bool pair;		/* ... which is an address and a size */
} rows[] = {
	{SYS_read, READS, NO_MASK, false},
	{SYS_readv, READS, NO_MASK, false},
	{SYS_recvfrom, READS, NO_MASK, false},
	{SYS_recvmsg, READS, NO_MASK, false},
	{SYS_accept, READS, NO_MASK, false},
	{SYS_accept4, READS, NO_MASK, false},
	{SYS_epoll_wait, READS, NO_MASK, false},
	{SYS_epoll_pwait, READS, 4, false},
	{SYS_epoll_pwait2, READS, 4, false},
	{SYS_write, WRITES, NO_MASK, false},
	{SYS_writev, WRITES, NO_MASK, false},
	{SYS_sendto, WRITES, NO_MASK, false},
	{SYS_sendmsg, WRITES, NO_MASK, false},
	{SYS_poll, POLLS, NO_MASK, false},
	{SYS_ppoll, POLLS, 3, false},
	{SYS_select, SELECTS, NO_MASK, false},
	{SYS_pselect6, SELECTS, 5, true},
	{SYS_futex, FUTEX, NO_MASK, false},
	{SYS_fcntl, LOCKS, NO_MASK, false},
	{SYS_flock, SIGNAL, NO_MASK, false},
	{SYS_semop, SIGNAL, NO_MASK, false},
	{SYS_semtimedop, SIGNAL, NO_MASK, false},
	{SYS_msgrcv, SIGNAL, NO_MASK, false},
	{SYS_msgsnd, SIGNAL, NO_MASK, false},
	{SYS_rt_sigtimedwait, SIGNAL, NO_MASK, false},
	{SYS_rt_sigsuspend, SIGNAL, 0, false},
	{SYS_pause, SIGNAL, NO_MASK, false},
	{SYS_nanosleep, SIGNAL, NO_MASK, false},
	{SYS_clock_nanosleep, SIGNAL, NO_MASK, false},
};

static bool
is_ready(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	return poll(&p, 1, 0) != 0 || fcntl(fd, F_GETFL) & O_NONBLOCK;
}

static bool
polls(const u64 arg[6])
{
	return !host_kernel(SYS_poll, arg[0], arg[1], 0, 0);
}

/* Its sets are the target's again behind that. */
static bool
selects(const u64 arg[6])
{
	size_t bytes = (arg[0] + 63) / 64 * 8;
	u8 set[3][SET_BYTES];
	u64 call[6] = {arg[0]};
	struct timespec none = {0};

	if (bytes > SET_BYTES)
		return true;
	for (unsigned i = 0; i < 3; i++)
		if (arg[i + 1]) {
			if (guest_read(set[i], arg[i + 1], bytes))
				return false;
			call[i + 1] = (u64)(uintptr_t)set[i];
		}
	return !syscall(SYS_pselect6, call[0], call[1], call[2], call[3],
			&none, NULL);
}

/* Whether that mask lets the signal come. */
static bool
lets_come(const u64 arg[6], unsigned mask, bool pair, int sig)
{
	u64 at, set;

	if (mask == NO_MASK)
		return true;
	at = arg[mask];
	if (pair && at && guest_read(&at, at, sizeof at))
		return false;
	if (!at)
		return true;
	return !guest_read(&set, at, sizeof set) &&
	       !(set >> (sig - 1) & 1);
}

static bool
waits(enum kind kind, const u64 arg[6])
{
	switch (kind) {
	case READS:
		return !is_ready((int)arg[0], POLLIN);
	case WRITES:
		return !is_ready((int)arg[0], POLLOUT);
	case POLLS:
		return polls(arg);
	case SELECTS:
		return selects(arg);
	case FUTEX:
		return (arg[1] & FUTEX_CMD_MASK) == FUTEX_WAIT ||
		       (arg[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
	case LOCKS:
		return arg[1] == F_SETLKW || arg[1] == F_OFD_SETLKW;
	default:
		return true;
	}
}

bool
waits_now(u64 number, const u64 arg[6], int sig)
{
	for (unsigned i = 0; i < SIM_COUNT(rows); i++)
		if (rows[i].number == number)
			return waits(rows[i].kind, arg) &&
			       (!sig || lets_come(arg, rows[i].mask,
						  rows[i].pair, sig));
	return false;
}

bool
waits_for_child(u64 number, const u64 arg[6])
{
	return (number == SYS_wait4 && !(arg[2] & WNOHANG)) ||
	       (number == SYS_waitid && !(arg[3] & WNOHANG));
}
