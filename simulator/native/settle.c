/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settle.h"

#include "target/target.h"
#include "target/task.h"

#include <stdio.h>
#include <string.h>

#define SECOND_NS 1000000000u
#define FIRST_PAUSE_NS 30000u
#define LAST_PAUSE_NS 2000000u
#define MAX_DEPTH 8		/* generations that are looked at */

/* ---- What the kernel says ----------------------------------------------- */

/* How far below the process that was asked for, and what is found. */
struct descent {
	unsigned depth;
	struct settle_look *look;
};

static void look_at(pid_t pid, struct descent at);

static bool
look_at_thread(pid_t pid, pid_t tid, void *given)
{
	struct descent at = *(struct descent *)given;
	u64 times = task_times_run(tid);
	pid_t list[SETTLE_MOST];
	unsigned n = 0;

	at.look->times += times;
	at.look->runs |= !times;
	if (at.depth++ < MAX_DEPTH)
		n = task_children(pid, tid, list, SETTLE_MOST);
	for (unsigned i = 0; i < n; i++)
		look_at(list[i], at);
	return true;
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
look_at(pid_t pid, struct descent at)
{
	at.look->ticks += ticks_of(pid);
	if (!task_threads(pid, look_at_thread, &at))
		at.look->runs = true;
}

bool
settle_has_ended(pid_t pid)
{
	char buf[TASK_STAT];
	const char *stat = task_stat(pid, buf);

	return !stat || *stat == 'Z';
}

static u64
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * SECOND_NS + (u64)now.tv_nsec;
}

/* ---- Waiting ------------------------------------------------------------ */

/* Those that are gone are not meant any more by their numbers. */
void
settle_list(struct settle *s, const pid_t *pid, unsigned n)
{
	struct settle_process before[SETTLE_MOST];
	unsigned n_before = s->n;

	memcpy(before, s->of, n_before * sizeof before[0]);
	s->n = n < SETTLE_MOST ? n : SETTLE_MOST;
	for (unsigned i = 0; i < s->n; i++) {
		s->of[i] = (struct settle_process){.pid = pid[i]};
		for (unsigned k = 0; k < n_before; k++)
			if (before[k].pid == pid[i])
				s->of[i] = before[k];
	}
}

/* One that has not ended is looked at twice: it may sleep for a moment only.  One
 * that has executed for long since the first look is busy. */
static bool
rests(const struct settle *s, struct settle_process *p, bool late)
{
	struct settle_look now = {0};
	bool same;

	if (p->busy || settle_has_ended(p->pid))
		return true;
	look_at(p->pid, (struct descent){
		s->what == SETTLES_CHILDREN ? 0 : MAX_DEPTH, &now});
	if (!p->before.times && !p->before.runs)
		p->first_ticks = now.ticks;
	same = !now.runs && !p->before.runs && now.times == p->before.times;
	p->before = now;
	if (same)
		return true;
	p->busy = late || now.ticks >= p->first_ticks + s->ticks;
	return p->busy;
}

static bool
is_late(const struct settle *s)
{
	return now_ns() > s->until;
}

bool
settle_rests(struct settle *s)
{
	bool all = true, late;

	if (!s->until) {
		s->until = now_ns() + (u64)s->seconds * SECOND_NS;
		s->pause = (struct timespec){.tv_nsec = FIRST_PAUSE_NS};
		target_slot()->settles = s->what;
	}
	late = is_late(s);
	for (unsigned i = 0; i < s->n; i++)
		all &= rests(s, &s->of[i], late);
	return all;
}

bool
settle_pause(struct settle *s)
{
	if (is_late(s))
		return false;
	nanosleep(&s->pause, NULL);
	if (s->pause.tv_nsec < LAST_PAUSE_NS)
		s->pause.tv_nsec += s->pause.tv_nsec / 4;
	return true;
}

void
settle_end(struct settle *s)
{
	s->until = 0;
	target_slot()->settles = SETTLES_NOTHING;
	for (unsigned i = 0; i < s->n; i++)
		s->of[i].before = (struct settle_look){0};
}
