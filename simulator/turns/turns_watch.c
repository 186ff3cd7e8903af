/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel says about the threads of this process, from /proc: a
 * decision here rests on threads being asleep for good, never on how long
 * something took.
 */
#include "target/task.h"
#include "turns_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static u64 process_times_run(pid_t pid, unsigned depth, bool *dozes);

/* The processes that a thread has started, and theirs. */
static u64
children_times_run(pid_t pid, pid_t tid, unsigned depth, bool *dozes)
{
	pid_t child[MAX_CHILDREN];
	unsigned n = 0;
	u64 sum = 1;

	if (depth < MAX_DEPTH)
		n = task_children(pid, tid, child, MAX_CHILDREN);
	for (unsigned i = 0; i < n && sum; i++) {
		u64 times = process_times_run(child[i], depth + 1, dozes);

		sum = times ? sum + times : 0;
	}
	return sum;
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

static u64
thread_times_run(pid_t pid, pid_t tid, unsigned depth, bool *dozes)
{
	bool ours = pid == getpid();
	u64 own = 1, children;

	*dozes |= !ours && sleeps_for_some_time(tid);
	if (!ours || (tid != (pid_t)syscall(SYS_gettid) &&
		      tid != turns.keeper && !is_parked(tid)))
		own = task_times_run(tid);
	children = own ? children_times_run(pid, tid, depth, dozes) : 0;
	return children ? own + children : 0;
}

/* Sum over the threads of a process and its children; 0 if one of them
 * runs; whether a child sleeps for some time.  Those of ours that wait for their
 * turn do not matter. */
static u64
process_times_run(pid_t pid, unsigned depth, bool *dozes)
{
	struct dirent *entry;
	char path[64];
	u64 sum = 1;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (sum && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);
		u64 times;

		if (!tid)
			continue;
		times = thread_times_run(pid, tid, depth, dozes);
		sum = times ? sum + times : 0;
	}
	closedir(dir);
	return sum;
}

/* The same for this process, and, if they matter, its child processes. */
static u64
all_times_run(bool children, bool *dozes)
{
	return process_times_run(getpid(), children ? 0 : MAX_DEPTH, dozes);
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
