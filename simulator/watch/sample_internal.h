/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the sampler share.
 *
 *	sample.c	looking at signals; ticks; what execution calls
 *	sample_watch.c	watches are set and cleared
 *	sample_weight.c	what a happening of each signal adds to a watch
 *	sample_walk.c	a block that is over: overflows and their instructions
 *	sample_coast.c	blocks in which no watch can overflow
 */
#ifndef SIM_SAMPLE_INTERNAL_H
#define SIM_SAMPLE_INTERNAL_H

#include "sample.h"

/* What is added to a watch is counted in tenths of a happening. */
struct watch {
	bool on;
	u32 serial;		/* sampler.generation since it was set */
	u32 contexts;		/* mask of those that it watches */
	struct sample_watch want;
	sample_distance own;	/* if it is not shared */
	sample_distance *left;	/* that one, or the shared one */
	s64 lent;		/* to this process: taken off without asking */
	s64 loan;		/* the same when it was lent; 0: nothing is */
	u64 fired;		/* overflows so far */
	s64 seen;		/* happenings so far, in tenths */
	s64 carry;		/* of a follower: the next block's so far */

	/* Weights: of a signal, and of an outcome of a branch. */
	s64 weight[SIG_N];
	s64 outcome[2][BRANCH_OUTCOMES];
	bool outcomes;		/* some of those are not zero */
	u16 list[SIG_N];	/* signals that have a weight: ... */
	u8 n_behind, n;		/* ... first those that a block's end has */

	/* Coasting, see sample_coast.c. */
	s64 per_cycle;		/* most that a cycle can add */
	u16 sudden[SIG_N];	/* signals that add more than their cycles */
	u8 n_sudden;
	bool sudden_outcomes;	/* so do outcomes */
	bool timed;		/* cycles bound all but what is rare */
	bool elapsed;		/* each cycle adds per_cycle, nothing else
				   does: in a pipeline in order */
	s64 margin;		/* more than the end of a block adds */
	s64 limit;		/* nothing overflows before so many */
	s64 before;		/* sum of what is sudden when it began */
	s64 counted;		/* static counts since */
};

#define SAMPLE_HAPPENINGS 64

/* Something that happened in a block: so much, at that instruction. */
struct happening {
	u32 insn;
	s64 n;
};

/* Where a context is. */
struct place {
	const struct block *block; /* entered, not yet added up; or NULL */
	u32 fresh;		/* watches set since: they do not see it */
	u64 now;		/* core.now at the last look */
	bool any;		/* something has happened since */
	u32 n[SAMPLE_WATCHES];
	struct happening list[SAMPLE_WATCHES][SAMPLE_HAPPENINGS];
	s64 known[SAMPLE_WATCHES][2]; /* sums at the last look: end, others */
};

/* Sums of a block's static counts. */
struct block_sums {
	const struct block *block;
	u32 generation;
	s64 sum[SAMPLE_WATCHES];
};

#define SAMPLE_SUMS 4096
#define BLOCK_SUMS_INDEX(b) (((uintptr_t)(b) >> 6) % SAMPLE_SUMS)

struct ticker {
	u64 cycles, next;
	sample_tick_fn *fn;
	void *arg;
};

struct sampler {
	u32 active;		/* mask of watches */
	u32 followers[SAMPLE_WATCHES]; /* the same, of each */
	u32 generation;		/* of them */
	bool merged;		/* several contexts, see merge.h */
	bool watched;		/* the window tells of each instruction */
	bool coasting;		/* no watch can overflow for a while */
	bool skips;		/* ... and not each block is attended to */
	bool taken_back;	/* what was counted, but not its time */
	u64 coasting_from;	/* cycle */
	u64 uncounted;		/* core.uncounted when coasting began */
	u64 until;		/* nothing overflows before that cycle, ... */
	u64 rare;		/* ... while rare happenings are so many */
	u64 deadline;		/* core.now at which a ticker is due, or so */
	u64 epoch;		/* core.epoch when that was so */
	unsigned tc;		/* context of the fast path */
	u64 (*sig)[SIG_N];	/* by context */
	struct watch watch[SAMPLE_WATCHES];
	struct ticker ticker[SAMPLE_TICKERS];
	struct place place[SIM_MAX_TC];
	struct block_sums sums[SAMPLE_SUMS];

	/* Shares of the instructions of one block. */
	const struct block *shared;
	u32 shared_generation;
	s64 share[BLOCK_MAX_INSN][SAMPLE_WATCHES];
};

/* Whether a signal is a cycle's: each cycle has one of them. */
static inline bool
signal_is_time(unsigned g)
{
	return g >= SIG_CYCLE_ISSUE && g <= SIG_ALU_WBB;
}

/* Fills weights; -EINVAL if the event is none. */
int watch_weigh(struct watch *w, const struct sim_config *config);

/* Whether what buffers count adds to a watch. */
bool watch_weighs_buffers(const struct watch *w);

/* Whether what enum alone stands for does: up to ALONE_WAITS, or from there
 * on. */
bool watch_weighs_alone(const struct watch *w,
			const struct sim_config *config);
bool watch_weighs_waits(const struct watch *w,
			const struct sim_config *config);

/* Sums of what is not static: 0 at the end of a block, 1 elsewhere. */
void watch_look(const struct core *c, const struct watch *w, const u64 *sig,
		s64 sum[2]);

/* The same of outcomes alone. */
s64 watch_outcomes(const struct watch *w, const struct core *c);

/* What a block's static counts add to each watch, worked out anew; and where
 * it may be known already. */
const struct block_sums *block_sums_fill(struct sampler *s,
					 const struct block *b);

static inline const struct block_sums *
block_sums(struct sampler *s, const struct block *b)
{
	const struct block_sums *sums = &s->sums[BLOCK_SUMS_INDEX(b)];

	if (SIM_LIKELY(sums->block == b && sums->generation == s->generation))
		return sums;
	return block_sums_fill(s, b);
}

/* Before and after functions of others are called. */
bool sampler_calls(void);
void sampler_called(bool begun);

/* Adds a happening to those of the block that a context is in. */
void place_add(struct place *p, unsigned watch, u32 insn, s64 n);

/* Takes what a watch has used of its loan off the distance. */
void watch_return(struct watch *w);

/* Overflows that have been put off happen at the end of block b, the last one,
 * or NULL. */
void watch_make_up(struct core *c, unsigned watch, const struct block *b);

/*
 * The same as place_finish() for the context of the fast path, where nothing
 * has happened but a branch's outcome; false if a watch may overflow: then
 * nothing has been done.
 */
bool place_finish_quickly(struct core *c, const struct block *next);

/*
 * The block that a context is in is over: all that it counts is added to the
 * watches.  Block next follows, if that is known: what is behind the end
 * belongs to its first instruction.
 */
void place_finish(struct core *c, unsigned tc, const struct block *next);

/* Works out what coasting has to know about a watch that has its weights. */
void coast_weigh(struct watch *w, const struct core *c);

/*
 * Begins to coast where it can: block t has just been entered, and nothing
 * waits to be added up.
 */
void coast_begin(struct core *c, const struct block *t);

/* While coasting: block t is entered, and is core.prev, or there was an access
 * that was no plain hit.  False if a watch may overflow: coasting has ended,
 * and what has happened is still to be looked at. */
bool coast_block(struct core *c, const struct block *t);
bool coast_access(struct core *c);

/* While coasting: when a block is to be attended to, in units of now. */
u64 coast_deadline(const struct core *c);

/* The block that is under way is the current one; if blocks are skipped, it
 * was not said so. */
void coast_catch_up(struct core *c);

/* Ends it, if it goes on, in the middle of a block: watches are up to date
 * but for the block's static counts. */
void coast_end(struct core *c);

#define EACH_WATCH(n, s) \
	for (u32 left_ = (s)->active, n; \
	     left_ && (n = (u32)__builtin_ctz(left_), true); \
	     left_ &= left_ - 1)

#endif
