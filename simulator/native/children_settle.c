/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children that are about to end.  What of several children has ended when their
 * parent looks is the host's timing, but not which of them have ended once all that
 * executed have come to their end or to where they wait.  That is waited for, but
 * not for children that execute for long.
 */
#include "children.h"

#include "target/task.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LONG_TICKS 20		/* of the kernel's clock, 100 in a second */
#define LATE_NS 3000000000u	/* however little it executes */
#define FIRST_PAUSE_NS 200000u
#define LAST_PAUSE_NS 2000000u
#define MAX_DEPTH 8		/* generations that are looked at */
#define MAX_CHILDREN 64

static struct {
	pid_t pid[MAX_CHILDREN];
	unsigned n;
} children, busy;		/* all there are; those that execute for long */

/* Of a process and what it has started. */
struct look {
	bool runs;
	u64 times;		/* changes if one of them has run */
	u64 ticks;		/* of processor time, ended ones too */
};

static void look_at(pid_t pid, unsigned depth, struct look *look);

static void
look_at_thread(pid_t pid, pid_t tid, unsigned depth, struct look *look)
{
	u64 times = task_times_run(tid);
	pid_t list[MAX_CHILDREN];
	unsigned n = 0;

	look->times += times;
	look->runs |= !times;
	if (depth < MAX_DEPTH)
		n = task_children(pid, tid, list, MAX_CHILDREN);
	for (unsigned i = 0; i < n; i++)
		look_at(list[i], depth + 1, look);
}

static u64
ticks_of(pid_t pid)
{
	unsigned long long own[2] = {0}, ended[2] = {0};
	char buf[TASK_STAT];
	const char *stat = task_stat(pid, buf);

	if (stat)
		sscanf(stat, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
			     "%llu %llu %llu %llu",
		       &own[0], &own[1], &ended[0], &ended[1]);
	return own[0] + own[1] + ended[0] + ended[1];
}

static void
look_at(pid_t pid, unsigned depth, struct look *look)
{
	struct dirent *entry;
	char path[64];
	DIR *dir;

	look->ticks += ticks_of(pid);
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir) {
		look->runs = true;
		return;
	}
	while ((entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid)
			look_at_thread(pid, tid, depth, look);
	}
	closedir(dir);
}

static bool
has_ended(pid_t pid)
{
	char buf[TASK_STAT];
	const char *stat = task_stat(pid, buf);

	return !stat || *stat == 'Z';
}

static bool
is_busy(pid_t pid)
{
	for (unsigned i = 0; i < busy.n; i++)
		if (busy.pid[i] == pid)
			return true;
	return false;
}

/* Those that are gone are not meant any more by their numbers. */
static void
look_round(void)
{
	unsigned n = 0;

	children.n = task_children(getpid(), gettid(), children.pid,
				   MAX_CHILDREN);
	for (unsigned i = 0; i < children.n; i++)
		if (is_busy(children.pid[i]))
			busy.pid[n++] = children.pid[i];
	busy.n = n;
}

bool
children_several(void)
{
	look_round();
	return children.n > 1;
}

static u64
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

/* One that has not ended is looked at twice: it may sleep for a moment only.  One
 * that has executed for long since the first look is busy. */
static bool
is_settled(pid_t pid, struct look *before, u64 *first_ticks, bool late)
{
	struct look now = {0};
	bool same;

	if (is_busy(pid) || has_ended(pid))
		return true;
	look_at(pid, 0, &now);
	if (!before->times && !before->runs)
		*first_ticks = now.ticks;
	same = !now.runs && !before->runs && now.times == before->times;
	*before = now;
	if (same)
		return true;
	if (now.ticks < *first_ticks + LONG_TICKS && !late)
		return false;
	busy.pid[busy.n++] = pid;
	return true;
}

/* All are settled, at one moment. */
void
children_settle(void)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};
	struct look before[MAX_CHILDREN] = {0};
	u64 end = now_ns() + LATE_NS, ticks[MAX_CHILDREN];
	bool all;

	look_round();
	for (;;) {
		bool late = now_ns() > end;

		all = true;
		for (unsigned i = 0; i < children.n; i++)
			all &= is_settled(children.pid[i], &before[i],
					  &ticks[i], late);
		if (all)
			return;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < LAST_PAUSE_NS)
			pause.tv_nsec += pause.tv_nsec / 4;
	}
}
