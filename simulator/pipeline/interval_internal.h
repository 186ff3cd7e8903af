/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state between chunks, and what the files of intervals share. */
#ifndef PIPELINE_INTERVAL_INTERNAL_H
#define PIPELINE_INTERVAL_INTERNAL_H

#include "interval.h"
#include "distant.h"
#include "window_internal.h"

/* What a chunk waits for that is under way. */
struct interval_late {
	const struct interval_source *source;
	u64 at;			/* when that is ready */
};

#define LATE_MAX SOURCE_N

struct interval {
	/* The block's next chunk, or the one under way; NULL: all are over. */
	const struct interval_chunk *chunk;
	bool open;		/* it is under way: it has entered the window */
	bool missed;		/* loads of it have */
	bool parts;		/* the machine waits for parts of registers */
	bool stores;		/* the block does */
	u32 front;		/* cycles that it waited to arrive, */
	u8 front_cause;		/* and why */
	u64 arrived;		/* cycle that its first instruction did */
	u64 held, held_until;	/* places of stores that miss, and until when */
	u64 trapped;		/* what is behind it arrives then or later; 0 */

	/* Time: cycles of core_cycle(), which retired is the present of. */
	u64 dispatch;		/* of the next micro-op, */
	u32 phase;		/* behind so many others of that cycle */
	u32 n_arrive;		/* instructions that arrived */
	u64 arrive;		/* in the last cycle that any did */
	u64 retired;		/* last cycle that micro-ops retired in: */
	u32 n_retired;		/* so many */
	u8 late_cause;		/* why the last arrival was late */
	u64 resolved;		/* the block's branch is done */
	u32 backlog;		/* sets of ports that those before have still
				   to do with, a bit each */

	/* Places. */
	u64 taken;
	u64 passed;		/* those up to that cycle have been given back */
	u64 booked;		/* none are behind that cycle */
	u64 bias;		/* taken + bias: the highest bits of lanes say
				   which are full */
	u64 ring[WINDOW_RING]; /* given back in that cycle */

	/* When sources are ready; 0: a set of ports without a backlog. */
	u64 at[SOURCE_N];
	u64 ticks[INTERVAL_PORTS]; /* the same of those with one, in ticks */
	u8 cause[SOURCE_N];	/* stall that waiting for it is */

	/* Worked out once. */
	const struct window_config *wc;
	const struct pipeline_config *pipe;
	u32 width_share, retire_share; /* 1 << 16 over the width, or more */
	s64 far;		/* sources that are later keep the places of
				   what waits for them: an eighth of the
				   smallest queue would be full */
	u64 held_place, held_lane; /* of stores until their lines come: 1, and
				   all ones */
	u64 leaves[KINDS];	/* places given back before retirement */

	struct distant distant;	/* places that are given back behind the ring */
};

/* ---- interval_run.c ---------------------------------------------------- */

/* Chunks are over up to the one with that instruction, which is under way. */
void interval_reach(struct core *c, struct window *w, unsigned insn);

/* Of the chunk under way: when an access issues; when a target is. */
u64 interval_issue(const struct interval *v, const struct interval_access *l);
u64 interval_target(const struct interval *v, unsigned target);

/* What is fetched next arrives at that cycle, or later. */
void interval_late(struct interval *v, u64 cycle, unsigned cause);

/* So many of that signal have been counted: they are that instruction's. */
void interval_share(struct core *c, struct window *w, unsigned signal,
		    u64 n, unsigned insn);

/* ---- interval_new.c ------------------------------------------------------ */

/* 0, or -1 without memory. */
int interval_init(struct window *w);
void interval_free(struct window *w);

/* ---- interval_enter.c: doors of window.h ------------------------------- */

void interval_enter(struct core *c, struct block *t);
enter_fn *interval_enterer(const struct sim_config *config, unsigned n_line);
void interval_pause(struct core *c, struct block *p, struct block *t);
bool interval_end(struct core *c);
void interval_skip(struct core *c, u64 cycles);
u64 interval_issues(struct core *c, unsigned insn);

/* ---- interval_look.c ----------------------------------------------------- */

void interval_look(struct core *c, u32 access, u64 va,
		   const struct block_access *a);

/* The lines and pages of the block that has been entered, not all of which are
 * where they were. */
void interval_fetch(struct core *c, struct window *w);

#endif
