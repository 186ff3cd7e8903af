/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel says about the threads of this process, from /proc: a
 * decision here rests on threads being asleep for good, never on how long
 * something took.
 */
#include "target/task.h"
#include "turns_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_CHILDREN 2048	/* more than are listed at once */
#define MAX_DEPTH 8	/* generations of child processes looked at */

/* The system call that a thread sleeps in, and its first argument; false, with errno: 0
 * if it sleeps in none. */
static bool
sleeping_call(pid_t tid, long *number, u64 *arg)
{
	char buf[256], *end;

	errno = 0;
	if (!task_read(tid, "syscall", buf, sizeof buf) || buf[0] < '0' ||
	    buf[0] > '9')
		return false;
	*number = strtol(buf, &end, 10);
	*arg = strtoull(end, NULL, 16);
	return true;
}

/* What the kernel says the thread does: R, S, Z; 0 if it is gone. */
static char
state_of(pid_t tid)
{
	char buf[TASK_STAT];
	const char *stat = task_stat(tid, buf);

	return stat ? *stat : 0;
}

bool
watch_gone(const struct thread *th)
{
	char state;

	if (syscall(SYS_tgkill, getpid(), th->tid, 0) && errno == ESRCH)
		return true;
	/* The first thread of a process stays until the last one ends. */
	state = state_of(th->tid);
	return state == 'Z' || state == 'X' || !state;
}

bool
watch_asleep(const struct thread *th)
{
	long before, number;
	u64 arg;

	/*
	 * A thread that is being woken, or does not get a processor, still
	 * shows its system call; and it may sleep a moment later, waiting
	 * for its turn.  While threads change their user, one after the other,
	 * those that have do not see that of others, only that they sleep.
	 */
	if (!sleeping_call(th->tid, &before, &arg))
		return errno == EACCES && state_of(th->tid) == 'S';
	if (state_of(th->tid) != 'S' ||
	    !sleeping_call(th->tid, &number, &arg) || number != before)
		return false;
	if (number != SYS_futex)
		return true;
	/* Not in a lock of QEMU's or ours on the way there or back. */
	return th->futex && arg == target.guest_base + th->futex;
}

static bool
is_parked(pid_t tid)
{
	bool parked = false;

	pthread_mutex_lock(&turns.lock);
	for (struct thread *th = turns.first; th; th = th->next)
		if (th->tid == tid && th->waits)
			parked = true;
	pthread_mutex_unlock(&turns.lock);
	return parked;
}

/* It will run again without another thread's help. */
static bool
sleeps_for_some_time(pid_t tid)
{
	long number;
	u64 arg;

	return sleeping_call(tid, &number, &arg) &&
	       (number == SYS_nanosleep || number == SYS_clock_nanosleep);
}

/* A sum over threads of processes, and whether one sleeps for some time. */
struct tally {
	unsigned depth;
	u64 sum;		/* 0: one of them runs */
	bool dozes;
};

static void add_process(pid_t pid, struct tally *t);

/* The processes that a thread has started, and theirs. */
static void
add_children(pid_t pid, pid_t tid, struct tally *t)
{
	pid_t child[MAX_CHILDREN];
	unsigned n = 0;

	if (t->depth < MAX_DEPTH)
		n = task_children(pid, tid, child, MAX_CHILDREN);
	t->depth++;
	for (unsigned i = 0; i < n && t->sum; i++)
		add_process(child[i], t);
	t->depth--;
}

/* Those of ours that wait for their turn do not matter. */
static bool
add_thread(pid_t pid, pid_t tid, void *given)
{
	struct tally *t = given;
	bool ours = pid == getpid();
	u64 own = 1;

	t->dozes |= !ours && sleeps_for_some_time(tid);
	if (!ours || (tid != (pid_t)syscall(SYS_gettid) &&
		      tid != turns.keeper && !is_parked(tid)))
		own = task_times_run(tid);
	t->sum = own ? t->sum + own : 0;
	if (own)
		add_children(pid, tid, t);
	return t->sum;
}

static void
add_process(pid_t pid, struct tally *t)
{
	if (!task_threads(pid, add_thread, t))
		t->sum = 0;
}

/* A number that changes whenever a thread of this process has run, or, if they
 * matter, of its child processes; 0 if one runs.  And whether a child sleeps for some
 * time. */
static u64
all_times_run(bool children, bool *dozes)
{
	struct tally t = {.depth = children ? 0 : MAX_DEPTH, .sum = 1};

	add_process(getpid(), &t);
	*dozes |= t.dozes;
	return t.sum;
}

bool
watch_asleep_all(void)
{
	bool dozes = false;
	u64 before = all_times_run(true, &dozes);

	return before && before == all_times_run(true, &dozes) && !dozes;
}

enum watched
watch_holder(const struct thread *holder)
{
	bool children = true, dozes = false, waits;
	long first, number;
	u64 before, arg;

	/* Where threads always take turns, the engine waits for none of them. */
	if (!turns_engine->free && !holder->in_call)
		return WATCH_RUNS;
	if (!sleeping_call(holder->tid, &first, &arg))
		return WATCH_RUNS;
	/* Of a lock of QEMU's, child processes know nothing. */
	if (first == SYS_futex && !holder->in_call)
		children = false;
	before = all_times_run(children, &dozes);
	if (!sleeping_call(holder->tid, &number, &arg) || number != first)
		return WATCH_RUNS;
	waits = number != SYS_futex && holder->in_call;
	if (!before || before != all_times_run(children, &dozes))
		return waits ? WATCH_SLEEPS : WATCH_RUNS;
	if (dozes)
		return waits ? WATCH_DOZES : WATCH_RUNS;
	if (number != SYS_futex)
		return holder->in_call ? WATCH_CALL : WATCH_STUCK;
	if (arg == (u64)(uintptr_t)&turns.lock)
		return WATCH_RUNS;
	/* In clone QEMU waits for the new thread. */
	return holder->created ? WATCH_STUCK : WATCH_EXCLUSIVE;
}
