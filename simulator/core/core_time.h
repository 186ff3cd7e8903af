/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core's time, and those that it tells of it. */
#ifndef SIM_CORE_TIME_H
#define SIM_CORE_TIME_H

#include "code/block.h"
#include "machine/machine.h"

#define CYCLES(n) ((u64)(n) << 32)	/* in units of core.now */
#define CORE_PACE_BITS 16
#define RENORM_CYCLES (1u << 28)	/* epoch moves on before this */

struct core;
struct calls_context;
struct sampler;
struct profiler;
struct region_mark;
struct regions;

struct core_time {
	u64 now;
	u64 deadline;		/* in units of now: core_attend() then */
	u64 alarm;		/* the cycle when told is set, 0: none */
	void (*alarmed)(void);	/* called then, or soon after; NULL: none */
	u64 tick;		/* cycle of the next clock tick, see tick.h;
				   0: none */
	u64 tick_line[2];	/* lines of code and of data that ticks have
				   brought */
	u64 waited;		/* cycles that ALONE_WAITS stand for */
	u64 epoch;		/* cycles before now's count began */
	u64 uncounted;		/* cycles that no signal has, in a pipeline in
				   order: refills by software */
	struct block *prev;	/* the block under way; an engine's code that just
				   counts blocks may say so only when it is left */
	bool recording;		/* several contexts: blocks are queued */
	bool told;		/* they are, or will be from the next one on */
	bool counting;		/* nothing else is asked for than counts of blocks:
				   while it is recorded how long a turn is, they
				   are counted as they are executed */
	bool skipping;		/* ... and nothing is modelled for a while: the
				   native engine's periods.h */
	s64 pace, pace_left;	/* what an instruction takes then, and what is left of
				   some: in units of 1 >> CORE_PACE_BITS cycles */
	u64 paced;		/* cycles that those have taken so far */
	bool indirect;		/* watchers or the recording get accesses first,
				   see core_route() */
	/* A watcher reads counts while they grow: */
	bool buffers_watched;	/* of buffers: nothing is accounted ahead */
	bool alone_watched;	/* of enum alone, up to ALONE_WAITS */
	bool waits_watched;	/* of enum alone from there on: more than that
				   time passes, see waited */
	u64 *sig;		/* signals of the current context */
	u64 *alone;		/* enum alone, of the process */
	struct sampler *sampler; /* NULL: no counter is watched */
	struct profiler *profiler; /* NULL: no profile is made */
	const struct sampler_fns *samples; /* see watched.h */
	const struct profiler_fns *profiles;
	/* The block that is under way ends with that: core_attend() tells of it
	 * when the next one has been entered.  NULL: nothing. */
	const struct region_mark *passed;
	bool trailed;		/* ... of each one, see regions.h */
	struct regions *regions; /* NULL: none are counted */
	void (*pass)(struct core *c, const struct block *t);
	/* Which calls led to the blocks of each context, see calls.h; NULL:
	 * call paths are not recorded. */
	struct calls_context *calls;
};

#endif
