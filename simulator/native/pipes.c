/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pipes.h"

#include "settle.h"
#include "signals.h"

#include "target/target.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct settle others = {
	.what = SETTLES_PIPE, .ticks = 100, .seconds = 10};
static bool has_given_up;	/* another's turn did not end */

/* ---- Other processes ------------------------------------------------------ */

/* A process that can be looked at, and is not this one. */
static bool
is_other(const struct machine_slot *s)
{
	return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == SLOT_RUNNING &&
	       s->mode == MODE_USER && s->pids &&
	       s->pids == target.map.pids && s->pid != target_slot()->pid;
}

/* Whether one may be between two slots. */
static bool
is_moving(void)
{
	return __atomic_load_n(&target.map.m->moving, __ATOMIC_ACQUIRE);
}

/* Those that are being forked have no slot yet. */
static bool
has_others(void)
{
	const struct machine *m = target.map.m;

	if (is_moving())
		return true;
	for (unsigned i = 1; i < m->slots_used; i++)
		if (m->slot[i].forks || is_other(&m->slot[i]))
			return true;
	return false;
}

/* Lists those that have to rest.  Whether it is this process's turn if they do: none
 * that waits as it does goes first, and none is being forked. */
static bool
list_others(void)
{
	const struct machine *m = target.map.m;
	pid_t pid[SETTLE_MOST] = {0};
	unsigned n = 0;
	bool mine = !is_moving();

	for (unsigned i = 1; i < m->slots_used; i++) {
		const struct machine_slot *s = &m->slot[i];

		mine &= !s->forks;
		if (!is_other(s))
			continue;
		if (s->settles == SETTLES_PIPE)
			mine &= s->pid > target_slot()->pid ||
				settle_has_ended(s->pid);
		else if (s->settles == SETTLES_NOTHING && n < SETTLE_MOST)
			pid[n++] = s->pid;
	}
	settle_list(&others, pid, n);
	return mine || has_given_up;
}

/* ---- The pipe -------------------------------------------------------------- */

static bool
is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode) &&
	       !(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

static bool
has(int fd, u64 bytes)
{
	int n = 0;

	return !ioctl(fd, FIONREAD, &n) && (u64)n >= bytes;
}

/* A read of it returns at once. */
static bool
is_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, 0) != 0;
}

static s64
wait_for_data(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	const u64 arg[6] = {(u64)(uintptr_t)&p, 1, (u64)-1};

	return signals_call(SYS_poll, arg);
}

/* Until it has so many bytes, or as many as it will have. */
static void
let_fill(int fd, u64 bytes)
{
	for (;;) {
		bool mine = list_others();

		if ((settle_rests(&others) && mine) || has(fd, bytes))
			break;
		if (settle_pause(&others))
			continue;
		has_given_up |= !mine;
		break;
	}
	settle_end(&others);
}

/* Bytes that a call asks for; 0: it is no read. */
static u64
asked(u64 number, const u64 arg[6])
{
	if (number == SYS_readv)
		return arg[2] ? UINT64_MAX : 0;
	return number == SYS_read ? arg[2] : 0;
}

s64
pipes_settle(u64 number, const u64 arg[6], bool sleeps)
{
	u64 bytes = asked(number, arg);
	int fd = (int)arg[0];
	s64 result = 0;

	if (!bytes || !has_others() || !is_pipe(fd))
		return 0;
	if (sleeps && !is_readable(fd))
		result = wait_for_data(fd);
	if (result < 0)
		return result;
	/* No process can write to it any more, if it has nothing and a read would
	 * return. */
	if (!has(fd, bytes) && (has(fd, 1) || !is_readable(fd)))
		let_fill(fd, bytes);
	return 0;
}
