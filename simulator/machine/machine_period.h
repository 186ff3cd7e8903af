/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periods: a part of each is modelled, and the rest is only counted.
 *
 * A process executes stretch by stretch: some instructions that are counted block by
 * block, and nothing else is done for them; so many cycles that are modelled, so that
 * caches and predictors have what they would have; so many more whose counts are
 * measured.  What was measured stands for all of the period.  Instructions,
 * branches and system calls, which blocks and calls tell, are exact all the same, and
 * so is what a pipeline in order takes for the instructions of its blocks: only what
 * is found while the model runs is estimated.
 *
 * How much is executed is told in steps: instructions, and each repetition of one that
 * repeats itself, which is counted as one and may take any time.
 */
#ifndef SIM_MACHINE_PERIOD_H
#define SIM_MACHINE_PERIOD_H

#include "block_shared.h"
#include "machine.h"

/* Counts of one context as they were: what periods estimate is in these. */
struct period_counts {
	u64 sig[SIG_N];
	u64 outcome[2][BRANCH_OUTCOMES];
	u64 alone[ALONE_N];
};

/* Where a core counts. */
struct period_at {
	u64 *sig;
	u64 (*outcome)[BRANCH_OUTCOMES];
	u64 *alone;
};

/* What was counted from one time to another, in so many steps. */
struct period_rate {
	struct period_counts n;
	u64 steps;
	u64 stands_for;		/* so many others that were executed */
	bool own;		/* ... beside these, which have not been accounted
				   for before */
};

void period_look(const struct period_at *at, struct period_counts *now);

/* What at has counted since then. */
void period_since(const struct period_at *at, const struct period_counts *then,
		  struct period_counts *n);

/*
 * at has, of what is estimated, what it had before, and what the rate says of the
 * instructions since.  Other counts stay.
 */
void period_estimate(const struct period_at *at,
		     const struct period_counts *before,
		     const struct period_rate *rate);

/* n, of so many, for so many others: rounded to the nearest.  n may be negative, as
 * u64. */
u64 period_scale(u64 n, u64 stands_for, u64 of);

/* That is all of a period, number n of its process, or, if the rate is not its own,
 * the beginning of one. */
void machine_period_add(struct machine_map *map, u64 n,
			const struct period_rate *rate);

/* So many steps were modelled, and counted as they were. */
void machine_period_exact(struct machine_map *map, u64 steps);

/* How often a block has been executed. */
static inline u64
period_executions(const struct block *b)
{
	u64 n = b->execs;

	for (unsigned i = 0; i < BLOCK_COUNTERS; i++)
		if (b->counter[i])
			n += *block_counter(b, i);
	return n;
}

/* Whether periods estimate that signal; else it is exact. */
bool period_estimates(enum sim_signal s);

#endif
