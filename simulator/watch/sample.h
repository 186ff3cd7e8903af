/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watching while it runs: overflow of counters, clock ticks.
 *
 * Counters are worked out when they are read (pmu.h).  A caller that has to
 * know at once that one has come so far puts a watch on it.  While an overflow
 * may be near, core.deadline is zero, so that core_attend() is called with each
 * block, and a block that is over is added up: what it counts each time, and
 * what has happened besides since the last look.  An overflow is found in the
 * block in which it happens, and its instruction by going through the block:
 * each instruction has its share of the block's counts, an access its misses,
 * the branch its mispredictions; what the fetch of the next block costs
 * belongs to that one's first instruction.  As long as no overflow is
 * possible, all that is put off: sample_coast.c.
 *
 * With ticks only, the deadline is the next tick, and nothing else costs
 * anything.  Without either, nothing here is ever called.
 *
 * A watch sees what its own process executes; several processes share one
 * by having its distance in the machine (sample_watch.shared).
 */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include "core/core.h"
#include "machine/distance.h"
#include "machine/pmu.h"

#define SAMPLE_WATCHES 16
#define SAMPLE_TICKERS 4

/* An overflow. */
struct sample {
	u64 pc;			/* of the instruction that made it overflow */
	u64 cycle;		/* of the core, at the end of its block */
	unsigned watch;
	unsigned tc;		/* context that executed it */
	s64 n;			/* of a follower: tenths of its happenings */
	const struct block *block; /* that the instruction is of, or NULL */
};

typedef void sample_fn(void *arg, const struct sample *sample);
typedef void sample_tick_fn(void *arg, u64 cycle);

/* What a watch is to do. */
struct sample_watch {
	struct pmu_select select; /* event, modes, masks; scope TC or all */
	u64 first;		/* happenings to the first overflow, from 1 */
	u64 period;		/* and to each further one; 0: only one */
	u64 jitter;		/* added to each period at random: less than */
	u32 seed;		/* ... decided by this */
	sample_distance *shared; /* with other processes; NULL: own */
	unsigned leader;	/* number of another watch plus 1: has no
				   overflows, but is called at those of that
				   one with what it has of the instruction */
	sample_fn *fn;		/* called at an overflow; may set watches */
	void *arg;
};

/*
 * What an engine does around each call of such functions, if something of its
 * target's is in place that they would change; begin() tells whether end() is to
 * follow.
 */
struct sample_apart {
	bool (*begin)(void);
	void (*end)(void);
};

/* For all samplers, from now on; NULL: there is nothing to do. */
void sample_calls_apart(const struct sample_apart *apart);

struct sampler;

/*
 * A sampler for a core whose signals count in sig, one row per context, and
 * that is on context tc; NULL without memory.
 */
struct sampler *sample_new(struct core *c, u64 (*sig)[SIG_N], unsigned tc);
void sample_free(struct core *c);

/*
 * Sets watch number n, less than SAMPLE_WATCHES, from now on; -EINVAL if the
 * event is none or first is 0.
 */
int sample_set(struct core *c, unsigned n, const struct sample_watch *watch);
void sample_clear(struct core *c, unsigned n);

/* The shared distance of watch n has been written anew: what this process
 * has taken of the one before is void. */
void sample_drop(struct core *c, unsigned n);

/* Calls fn every so many cycles of the core; cycles 0: not any more. */
void sample_tick(struct core *c, unsigned n, u64 cycles, sample_tick_fn *fn,
		 void *arg);

/* ---- Called by execution ------------------------------------------- */

/* From core_attend(): block t has been entered.  The new deadline, at most
 * the one given. */
u64 sample_attend(struct core *c, const struct block *t, u64 deadline);

/* After an access, by that instruction, that was not a plain hit; nothing has
 * to be said before the deadline. */
void sample_access(struct core *c, unsigned insn);

/* A window that watches (window_watch()) has retired that instruction of the
 * block that is over: what has happened since the last look is its. */
void sample_retired(struct core *c, unsigned insn);

/* Something rare may have been counted, by a block that is being entered. */
void sample_rare(struct core *c);

/* Something has been counted that takes no time: a system call. */
void sample_happened(struct core *c);

/* Of what is counted from now on, some may be taken back, but not its time. */
void sample_taken_back(struct core *c);

/* The block that it is in has executed what part has. */
void sample_left(struct core *c, const struct block *part);

/* The process ends, and with it the block that it is in: distances that others
 * share are brought up to date, and overflows that were put off are made up
 * for, at that block. */
void sample_end(struct core *c);

/* Before the core's counts are moved elsewhere, or the merge ends: they are
 * looked at. */
void sample_look(struct core *c);

/* The same, and the block that it is in is over. */
void sample_leave(struct core *c);

/* The core is bound to these signals and that context: what is there now is
 * known. */
void sample_resync(struct core *c, u64 (*sig)[SIG_N], unsigned tc);

/* In a child just forked: the blocks that its parent is in are not its. */
void sample_child(struct core *c);

/*
 * The merge takes over (merge.h).  Then, the branch of block p, which is over,
 * has had its outcome; an instruction of the block that a context is in has
 * been issued; its block is over, before its counts are added to the signals
 * (slot: those of its delay slot as well); and after.
 */
void sample_merge(struct core *c, u64 (*sig)[SIG_N]);
void sample_follow(struct core *c, unsigned tc, const struct block *p);
void sample_issue(struct core *c, unsigned tc, unsigned insn);
void sample_finish(struct core *c, unsigned tc, const struct block *b,
		   bool slot);
void sample_finished(struct core *c, unsigned tc);

#endif
