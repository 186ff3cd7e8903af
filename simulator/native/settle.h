/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that come to rest: to their end, or to where they sleep.  What another
 * process has done when this one looks is the host's timing, but not once all that
 * executed rest.  That is waited for, but not for one that executes for long.
 */
#ifndef NATIVE_SETTLE_H
#define NATIVE_SETTLE_H

#include "machine/machine.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#define SETTLE_MOST 64

/* Of a process, and of what it has started if that is looked at. */
struct settle_look {
	bool runs;
	u64 times;		/* changes if one of them has run */
	u64 ticks;		/* of processor time, ended ones too */
};

struct settle_process {
	pid_t pid;
	bool busy;		/* it has executed for long: not waited for */
	struct settle_look before;
	u64 first_ticks;	/* when it was looked at first */
};

/* Processes that this one waits for; the first three are the list's for good. */
struct settle {
	enum slot_settles what;	/* SETTLES_CHILDREN: with all that each has
				   started */
	u32 ticks;		/* of the kernel's clock, 100 in a second: how long
				   one executes until it is busy, */
	u32 seconds;		/* or all are waited for, whatever they execute */
	u64 until;		/* of the host's clock, in ns; 0: no wait yet */
	struct timespec pause;	/* before the next look */
	struct settle_process of[SETTLE_MOST];
	unsigned n;
};

/* These are the processes from now on.  Of those that were it before, it is kept
 * whether they are busy, and while it waits what has been seen; no more than
 * SETTLE_MOST are waited for. */
void settle_list(struct settle *s, const pid_t *pid, unsigned n);

/* Whether all rest, now and at the look before, or are busy.  The machine is told
 * that this process waits for them, until ... */
bool settle_rests(struct settle *s);

/* Until the next look; false: it has been waited for too long. */
bool settle_pause(struct settle *s);

/* ... the wait is over. */
void settle_end(struct settle *s);

/* Whether a process has ended. */
bool settle_has_ended(pid_t pid);

#endif
