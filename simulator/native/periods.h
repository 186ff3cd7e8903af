/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periods (machine/machine_period.h): of each, most is executed by code that counts
 * blocks and nothing else, and the end is modelled.
 *
 * That code is a copy of each block (COPY_COUNTED) that counts its block, and how many
 * instructions may follow until the model goes on, or the turn is over.  How much is
 * executed either way is told by the machine's clock (turns_stretch()): by the model's
 * cycles, or, while nothing is modelled, at the pace of what was modelled before.  Both
 * are the same in each run.
 *
 * A process begins with what is modelled.  Once it has several threads all of it is, if
 * the processor has several contexts.
 */
#ifndef NATIVE_PERIODS_H
#define NATIVE_PERIODS_H

#include "native.h"

/* The process begins, or goes on after periods_end(). */
void periods_begin(void);

/* Block t is about to be entered, by C: what is modelled, or not, may begin with
 * it, if there is one thread. */
void periods_turn(const struct block *t);

/* The same, called by the turns, where threads take them. */
void periods_over(void);

/* Block t of those that are not modelled is entered: it is counted.  False: the code
 * is to be left, since the model goes on. */
bool periods_skip(struct block *t);

/* The target reads the machine's clock: what is not modelled takes as long as what was
 * measured last, and a cycle more since it was read. */
void periods_pass(void);

/* A system call is about to be made; in a child just forked. */
void periods_call(u64 number, const u64 arg[6]);
void periods_forked(void);

/* The process ends, or it executes another program: all that was counted is accounted
 * for.  If it goes on, periods_begin(). */
void periods_end(void);

#endif
