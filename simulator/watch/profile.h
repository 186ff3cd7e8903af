/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts per instruction, of everything, without sampling.
 *
 * Of up to MACHINE_PROFILE events, each block has a record in the machine:
 * how often it was executed, what each of its instructions adds to each
 * event every time, and what has happened at each of them besides (misses,
 * waits, mispredictions).  Executions cost one increment; the rest is added
 * up when something has happened that is not static, by comparing signals
 * with what they were.  Each happening is put down somewhere, so that all
 * instructions together have what the counters have.
 *
 * Where calls are recorded, a block has a record for each path that leads to it
 * (core.calls).
 *
 * Records outlive the process, in segments that belong to its image.
 */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include "core/watched.h"
#include "machine/profile_block.h"
#include "sample_internal.h"

/* Of a process. */
struct profiler {
	unsigned n_event;
	struct watch event[MACHINE_PROFILE]; /* their weights */
	u16 list[SIG_N];	/* signals that matter to one of them */
	unsigned n;
	bool merged;
	bool window;		/* instructions are out of order */
	bool buffers;		/* what they count matters */
	bool alone;		/* what enum alone stands for does, up to */
	bool waits;		/* ... or from ALONE_WAITS on */
	bool timed;		/* only what takes time does, in order */
	u8 kinds;		/* of blocks whose end may count what matters */
	bool elapsed;		/* only cycles do, all alike: the time that has
				   passed tells */
	u64 counted;		/* up to that cycle, less core.uncounted */
	u8 predictor;		/* enum fast_predictor */
	u64 now;		/* core.now when signals were last as known */
	/* The record of a block, whose own this is, behind a path of calls;
	 * NULL: no room, and what happens there is not put down */
	struct profile_block *(*behind)(struct profile_block *own, u32 path);
	unsigned tc;		/* context of the fast path */
	u32 closed;		/* contexts that nothing is put down of, a bit
				   each */
	u64 (*sig)[SIG_N];
	u64 known[SIM_MAX_TC][SIG_N];
	struct profile_block *last[SIM_MAX_TC]; /* over, or entered */
};

/* Weighs n events, at most MACHINE_PROFILE; -EINVAL if one is none. */
int profiler_init(struct profiler *p, const struct sim_config *config,
		  const struct pmu_select *select, unsigned n);

/*
 * Lets the profiler tell by the time that passes what has happened, if its
 * events have nothing but cycles.  Not where counts are taken back.
 */
void profiler_use_time(struct profiler *p, const struct core *c);

/* Fills block b's record, for which there is room, but for maps; 0 or
 * -ENOMEM. */
int profile_fill(const struct profiler *p, struct profile_block *r,
		 const struct block *b, const struct sim_config *config);

/* After an access, by that instruction, that was not a plain hit. */
void profiler_access(struct core *c, unsigned insn);

/* window_end() has let the last block end. */
void profiler_ended(struct core *c);

/* Lets p watch the core from now on. */
void profiler_attach(struct core *c, struct profiler *p);

/* Enters a block on the fast path, in place of fast_enter(). */
void profiler_enter(struct core *c, struct block *t);

/* The block in, which was entered last, has executed what part has, which the
 * core is in now. */
void profiler_left(struct core *c, const struct block *in,
		   const struct block *part);

/*
 * From where context tc is on, nothing is put down of what it does (closed), or
 * again.  On the fast path the block that is being entered is on the other side.
 */
void profiler_gate(struct core *c, unsigned tc, bool closed);

/* So much of what has been counted is none of the block that context tc is over
 * with: sig is negative, as u64. */
void profiler_take_off(struct core *c, unsigned tc, const u64 sig[SIG_N]);

/* core_pause() has let block p end. */
void profiler_paused(struct core *c, const struct block *p);

/* As the functions of the sampler of those names, see sample.h; the thread was
 * in block p before b, or it is NULL: then all is b's. */
void profiler_look(struct core *c);
void profiler_resync(struct core *c, u64 (*sig)[SIG_N], unsigned tc);
void profiler_child(struct core *c);
void profiler_merge(struct core *c, u64 (*sig)[SIG_N]);
void profiler_issue(struct core *c, unsigned tc, const struct block *p,
		    const struct block *b, unsigned insn);
void profiler_finish(struct core *c, unsigned tc, const struct block *b,
		     bool slot);
void profiler_finished(struct core *c, unsigned tc);

#endif
