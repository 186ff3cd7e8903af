/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of timers share. */
#ifndef NATIVE_TIMERS_INTERNAL_H
#define NATIVE_TIMERS_INTERNAL_H

#include "timers.h"

#include <sys/types.h>

#define TIMERS_SECOND 1000000000u	/* ns */
#define TIMERS_INTERVAL 3		/* ITIMER_REAL, _VIRTUAL, _PROF */

/* One of setitimer() or timer_create().  It is set if due is not zero. */
struct timer {
	struct timer *next;
	int id;			/* of timer_create() */
	int which;		/* ITIMER_..., or -1: made by timer_create() */
	unsigned named;		/* clock that absolute times are of */
	unsigned clock;		/* CLOCK_MONOTONIC or CLOCK_PROCESS_CPUTIME_ID: */
	u64 due, period;	/* ... ns of that; period 0: once */
	siginfo_t info;		/* what it sends; no signal: nothing */
	pid_t tid;		/* ... to that thread, 0: any */
	u32 overrun;		/* times that it has not sent since */
};

/* Whether timers are answered here, and not by the kernel. */
bool timers_are_ours(void);

struct timer *timers_interval(unsigned which);
struct timer *timers_find(int id);	/* NULL: there is none */

void timers_add(struct timer *t);
void timers_free(struct timer *t);

/* It is due in so many ns, 0: never, and then each period. */
void timers_set(struct timer *t, u64 ns, u64 period);

/* Until it is due, in ns, at least 1; 0: it is not set. */
u64 timers_left(const struct timer *t);

#endif
