/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clock ticks of an operating system that is not executed: the lines of the
 * caches of the first level that their handler touches are behind them the
 * newest of their sets, in place of the program's oldest ones.  How many there
 * are says the ledger, in bytes.  In which sets they lie is not known: lines
 * go through all of them in turn, from one tick to the next.  That they are
 * other lines each time evicts as much as if the same ones were still there and
 * became the newest again.
 *
 * Whatever time that takes, and what has to be written for it, is the kernel's:
 * nothing is counted, and no time passes.  Lines that it has stored to are
 * written when the program evicts them, and counted then.
 */
#ifndef SIM_TICK_H
#define SIM_TICK_H

#include "core.h"

void tick_init(struct core *c);

/* The system is executed: it has ticks of its own. */
SIM_INLINE void
tick_stop(struct core *c)
{
	c->tick = 0;
}

/* From core_attend(), if there are ticks: the new deadline, at most the one
 * given. */
u64 tick_attend(struct core *c, u64 deadline);

#endif
