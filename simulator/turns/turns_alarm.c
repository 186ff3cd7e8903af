/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's alarm: a cycle of the machine's clock at which it is to be called.
 *
 * On the fast path core.alarm lets the thread leave its code there, which is also
 * where threads that sleep are overdue, and a stretch is over: the first of them.
 * While turns are recorded, the thread that has the token looks when its turn begins.
 * When no thread can run, the clock moves on to the alarm only if it would do so
 * anyway, because a thread waits for some time; else the host's time passes, since
 * what threads wait for may come from outside.
 */
#include "turns_internal.h"

#include <time.h>

/* The earlier of two; 0: none. */
static u64
first_of(u64 a, u64 b)
{
	return a && (!b || a < b) ? a : b;
}

void
alarm_set(void)
{
	if (!core.recording)
		core_alarm(&core, first_of(first_of(record_first_overdue(),
						    turns.alarm),
					   stretch_end()));
}

void
turns_alarm(u64 cycle)
{
	turns.alarm = cycle;
	alarm_set();
}

bool
alarm_is_due(void)
{
	return turns.alarm && core_cycle(&core) >= turns.alarm;
}

/* The engine says when it is next. */
static void
ring(void)
{
	turns.alarm = 0;
	turns_engine->rung();
}

void
alarm_alone(void)
{
	if (alarm_is_due())
		ring();
	core.told = false;
}

/* What it does may wake threads. */
void
alarm_in_turn(struct thread *th)
{
	turns.waker = th;
	ring();
	idle_unsettle(0);
	token_settle();
}

/* When the host's clock is there, in ns, if the machine's moves on with it since
 * no thread can run. */
static u64
due_on_host(void)
{
	u64 now = core_cycle(&core);

	if (!turns.idle_since)
		turns.idle_since = clock_host(CLOCK_MONOTONIC);
	return turns.idle_since +
	       (turns.alarm > now ? clock_ns(turns.alarm - now) : 0);
}

bool
alarm_in_idle(const struct thread *next, u64 *host)
{
	u64 cycle = turns.alarm, due;

	*host = 0;
	if (!cycle || (next && (!next->wake || next->wake < cycle)))
		return false;
	if (!next) {
		due = due_on_host();
		*host = due;
		if (clock_host(CLOCK_MONOTONIC) < due)
			return true;
	}
	turns_clock_wait(cycle);
	turns.idle_since = 0;
	pthread_mutex_unlock(&turns.lock);
	ring();
	pthread_mutex_lock(&turns.lock);
	*host = 1;
	return true;
}
