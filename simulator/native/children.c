/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a child is told once.  The kernel's SIGCHLD is kept while the target
 * cannot know of the end; it is handed on
 *
 * - by the wait that finds the child: behind it;
 * - by a call that would sleep otherwise: it is interrupted;
 * - to the kernel, if the target blocks the signal by then;
 * - when LONG_NS have passed: a program may wait in a loop for its handler.
 *
 * A child whose SIGCHLD the kernel has left out, since another one was pending, is
 * told by its wait, as it would have been if it had ended later.
 */
#include "children.h"

#include "pipes.h"
#include "signals_internal.h"
#include "threads.h"
#include "waits.h"

#include "turns/turns.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_NS 500000000	/* of the host's time */
#define MAX_TOLD 64
#define SYSCALL_BYTES 2

static struct {
	bool leave;		/* all signals are told at once */
	volatile bool is;	/* a SIGCHLD is kept: */
	siginfo_t info;
	int timer;		/* ... of the kernel, which ends that when it is due, */
	pid_t since;		/* ... as often as this child's may be kept again */
	struct timespec due;
	volatile bool begins;	/* a call that may sleep is about to begin */
	volatile bool waits;	/* ... one that tells itself what it finds */
	/* Children that have ended, and were told before a wait found them. */
	pid_t told[MAX_TOLD];
	unsigned n_told;
} kept;

static u64
address_of(const volatile void *p)
{
	return (u64)(uintptr_t)p;
}

/* ---- What is kept ----------------------------------------------------- */

static bool
arm(void)
{
	struct itimerspec time = {.it_value = kept.due};
	struct sigevent event = {.sigev_signo = SIGCHLD,
				 .sigev_notify = SIGEV_THREAD_ID};

	event.sigev_value.sival_ptr = &kept;
	event._sigev_un._tid = (pid_t)host_kernel(SYS_gettid, 0, 0, 0, 0);
	if (host_kernel(SYS_timer_create, CLOCK_MONOTONIC, address_of(&event),
			address_of(&kept.timer), 0))
		return false;
	host_kernel(SYS_timer_settime, (u64)kept.timer, TIMER_ABSTIME,
		    address_of(&time), 0);
	return true;
}

/* A program may block and unblock the signal all the time that it waits. */
static void
note_since(pid_t pid)
{
	if (kept.since == pid)
		return;
	kept.since = pid;
	host_kernel(SYS_clock_gettime, CLOCK_MONOTONIC, address_of(&kept.due),
		    0, 0);
	kept.due.tv_nsec += LONG_NS;
	if (kept.due.tv_nsec >= 1000000000) {
		kept.due.tv_nsec -= 1000000000;
		kept.due.tv_sec++;
	}
}

/* Signals that come meanwhile find it kept, or not. */
static void
keep(const siginfo_t *info)
{
	if (kept.is)
		return;
	kept.info = *info;
	note_since(info->si_pid);
	kept.is = arm();
}

static void
let_go(void)
{
	kept.is = false;
	host_kernel(SYS_timer_delete, (u64)kept.timer, 0, 0, 0);
}

static void
note_told(pid_t pid)
{
	kept.told[kept.n_told++ % MAX_TOLD] = pid;
}

/* Whether it was told; its number may be another one's from now on. */
static bool
forget_told(pid_t pid)
{
	unsigned n = kept.n_told < MAX_TOLD ? kept.n_told : MAX_TOLD;

	for (unsigned i = 0; i < n; i++)
		if (kept.told[i] == pid) {
			kept.told[i] = kept.told[--n];
			kept.n_told = n;
			return true;
		}
	return false;
}

/* ---- In the engine's handler ------------------------------------------ */

static bool
is_end(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
	       info->si_code == CLD_DUMPED;
}

/* Whether the child is still to be waited for.  All signals are blocked. */
static bool
is_there(pid_t pid)
{
	static const u32 begin;
	siginfo_t info;
	u64 arg[6] = {P_PID, (u64)pid, address_of(&info),
		      WEXITED | WNOHANG | WNOWAIT};

	info.si_pid = 0;
	return !signals_enter(SYS_waitid, arg, &begin) && info.si_pid == pid;
}

static bool
interrupts_call(const greg_t *g)
{
	return (u64)g[REG_RIP] == address_of(signals_at) + SYSCALL_BYTES &&
	       g[REG_RAX] == -EINTR;
}

const siginfo_t *
children_tell(const siginfo_t *info, const greg_t *g)
{
	if (info->si_signo != SIGCHLD)
		return info;
	if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &kept) {
		if (!kept.is)
			return NULL;
		let_go();
		note_told(kept.info.si_pid);
		return &kept.info;
	}
	if (!is_end(info) || kept.leave || !turns_single())
		return info;
	if (!is_there(info->si_pid))
		return kept.waits ? NULL : info;
	if (!interrupts_call(g)) {
		keep(info);
		return kept.is ? NULL : info;
	}
	note_told(info->si_pid);
	return info;
}

bool
children_may_block(void)
{
	return kept.begins;
}

/* ---- What is told ------------------------------------------------------ */

static bool
is_blocked(void)
{
	u64 mask = 0;

	host_kernel(SYS_rt_sigprocmask, SIG_BLOCK, 0, address_of(&mask),
		    MASK_BYTES);
	return mask >> (SIGCHLD - 1) & 1;
}

static void
put(const siginfo_t *info)
{
	if (is_blocked())
		host_kernel(SYS_rt_sigqueueinfo, (u64)getpid(), SIGCHLD,
			    address_of(info), 0);
	else
		signals_put(info);
}

/* If it is kept, it is the kernel's again: the target blocks it. */
static bool
give_back(void)
{
	if (!is_blocked())
		return false;
	let_go();
	put(&kept.info);
	return true;
}

static void
release(void)
{
	u64 before = signals_block_all();

	if (kept.is) {
		let_go();
		note_told(kept.info.si_pid);
		signals_put(&kept.info);
	}
	signals_let_come(before);
}

/* A wait has found that child; it may be found again if it stays. */
static void
found(const siginfo_t *info, bool stays)
{
	siginfo_t other = {0};
	bool told = forget_told(info->si_pid);

	if (stays)
		note_told(info->si_pid);
	else if (kept.since == info->si_pid)
		kept.since = 0;
	if (signals_of[SIGCHLD].handler <= (u64)(uintptr_t)SIG_IGN)
		return;
	if (kept.is && kept.info.si_pid == info->si_pid)
		let_go();
	if (!told)
		put(info);
	if (kept.is || is_blocked() ||
	    waitid(P_ALL, 0, &other, WEXITED | WNOHANG | WNOWAIT) ||
	    !other.si_pid || other.si_pid == info->si_pid)
		return;
	if (forget_told(other.si_pid))
		note_told(other.si_pid);
	else
		keep(&other);
}

/* ---- Waits -------------------------------------------------------------- */

/* What a call waits for, as waitid() has it. */
struct wait {
	u64 which, id, options;
	bool is_waitid;
};

static bool
look(u64 number, const u64 arg[6], struct wait *w)
{
	int pid = (int)arg[0];

	if (number == SYS_waitid) {
		*w = (struct wait){arg[0], arg[1], arg[3], true};
		return w->options & WEXITED;
	}
	if (number != SYS_wait4)
		return false;
	*w = (struct wait){P_PID, (u64)pid, arg[2] | WEXITED, false};
	if (pid == -1)
		w->which = P_ALL;
	else if (pid <= 0)
		w->which = P_PGID;
	if (pid <= 0)
		w->id = pid ? (u64)-pid : (u64)getpgrp();
	return true;
}

/* Whether such a child is there; waits for one unless options say not to. */
static s64
peek(const struct wait *w, u64 options, bool *is)
{
	siginfo_t info = {0};
	u64 arg[6] = {w->which, w->id, address_of(&info),
		      w->options | options | WNOWAIT};
	s64 result = signals_call(SYS_waitid, arg);

	*is = !result && info.si_pid;
	return result;
}

/* Until the call finds a child at once, if that can be waited for. */
static s64
prepare(const struct wait *w)
{
	s64 result;
	bool is;

	if (w->options & WNOHANG) {
		children_settle();
		return 0;
	}
	if (kept.is) {
		children_settle();
		result = peek(w, WNOHANG, &is);
		if (result || is)
			return result;
		release();
		return -EINTR;
	}
	if (w->which == P_PID || !children_several())
		return 0;
	result = peek(w, 0, &is);
	if (!result)
		children_settle();
	return result;
}

/* A result of wait4(), as waitid() tells it. */
static void
from_status(siginfo_t *info, pid_t pid, int status)
{
	if (WIFSTOPPED(status) || WIFCONTINUED(status))
		return;
	info->si_signo = SIGCHLD;
	info->si_pid = pid;
	info->si_uid = getuid();
	info->si_code = WIFEXITED(status) ? CLD_EXITED
			: WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED;
	info->si_status = WIFEXITED(status) ? WEXITSTATUS(status)
					    : WTERMSIG(status);
}

/* As the kernel writes it. */
static s64
give(u64 to, const siginfo_t *info)
{
	if (guest_write(to, info, 12) ||
	    guest_write(to + 16, &info->si_pid, 12))
		return -EFAULT;
	return 0;
}

static s64
take(const struct wait *w, u64 number, const u64 arg[6])
{
	u64 own[6] = {arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]};
	siginfo_t info = {0};
	int status = 0;
	s64 result;

	own[w->is_waitid ? 2 : 1] = w->is_waitid ? address_of(&info)
						 : address_of(&status);
	kept.waits = true;
	result = signals_call(number, own);
	kept.waits = false;
	if (result < 0)
		return result;
	if (w->is_waitid) {
		if (arg[2])
			result = give(arg[2], &info);
	} else if (result) {
		from_status(&info, (pid_t)result, status);
		if (arg[1] && guest_write(arg[1], &status, sizeof status))
			result = -EFAULT;
	}
	if (info.si_pid && is_end(&info))
		found(&info, w->options & WNOWAIT);
	return result;
}

/* ---- System calls -------------------------------------------------------- */

static s64
call(u64 number, const u64 arg[6])
{
	struct wait w;
	s64 result;

	if (kept.is && give_back())
		return SIGNALS_NOT_BEGUN;
	if (look(number, arg, &w)) {
		result = prepare(&w);
		return result ? result : take(&w, number, arg);
	}
	result = pipes_settle(number, arg, !kept.is);
	if (result)
		return result;
	if (!kept.is || !waits_now(number, arg, SIGCHLD))
		return threads_kernel(number, arg);
	release();
	return -EINTR;
}

/* A call that has not begun because of a signal that is kept is looked at again. */
s64
children_call(u64 number, const u64 arg[6])
{
	s64 result;

	if (kept.leave || !turns_single()) {
		if (kept.is)
			release();
		return threads_kernel(number, arg);
	}
	do {
		signals_may_begin();
		kept.begins = true;
		result = call(number, arg);
		kept.begins = false;
	} while (result == SIGNALS_NOT_BEGUN && !signals_wait());
	signals_may_begin();
	return result;
}

void
children_forked(void)
{
	kept.is = kept.begins = kept.waits = false;
	kept.since = 0;
	kept.n_told = 0;
}

void
children_leave(void)
{
	if (kept.is)
		release();
	kept.leave = true;
}
