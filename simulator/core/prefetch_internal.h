/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of prefetch.h share. */
#ifndef SIM_PREFETCH_INTERNAL_H
#define SIM_PREFETCH_INTERNAL_H

#include "prefetch.h"

/* What a prefetcher knows of a load, or of a page. */
struct prefetch_entry {
	u64 key;	/* address of the instruction, or number of the page */
	u64 last;	/* address loaded from, or line */
	s64 step;	/* from the one before to that */
	u64 ahead;	/* PREFETCH_STREAM: the farthest line asked for */
	u8 times;	/* that the step was the same, up to config.confidence */
};

/* PREFETCH_STREAM: where a page's entry is among the others, by their places
 * from 1 on.  That of place 0, which has no page, is between the newest and the
 * oldest. */
struct prefetch_place {
	u16 next;		/* of those that share its bucket; 0: none */
	u16 newer, older;
};

/* A line on its way. */
struct prefetch_flight {
	u64 line, ready;
	u8 state;	/* as the level behind will have it */
};

#define PREFETCH_BUCKETS 256	/* a power of two */

struct prefetch_unit {
	const struct prefetch_config *config;
	struct prefetch_entry *entry;
	struct prefetch_place *place;	/* of each, PREFETCH_STREAM */
	u16 bucket[PREFETCH_BUCKETS];	/* by page: the place of one, 0: none */
	u32 n;		/* lines on their way */
	struct prefetch_flight flight[SIM_PREFETCH_BUFFERS];
};

/* An access that trains. */
struct prefetch_trigger {
	u64 va, t;
	u64 pc;		/* PREFETCH_STRIDE: of the load */
	bool wanted;	/* the level has missed it, or uses a line that was
			   prefetched for the first time */
};

/* Units that the same accesses train. */
struct prefetch_group {
	u32 n;
	struct prefetch_unit *unit[SIM_PREFETCHERS];
};

struct prefetch {
	access_fn *access;
	unshown_fn *unshown[2];
	u64 *mark[2];	/* [0] data cache, [1] level behind: by slot, the line
			   that was prefetched there and has not been used */
	struct prefetch_group loads, by_fill[2]; /* PREFETCH_STRIDE; others */
	bool fills_outer; /* any of them fills the level behind */
	u32 stamp;	/* of the access that trains */
	u32 n;
	struct prefetch_unit unit[SIM_PREFETCHERS];
};

#define PREFETCH_NO_LINE (~0ull)

/* What u does for that trigger. */
void prefetch_train(struct core *c, struct prefetch_unit *u,
		    const struct prefetch_trigger *g);

/* Fetches the line of addr into u's level at cycle t, if it is not there nor on
 * its way and a buffer is free. */
void prefetch_issue(struct core *c, struct prefetch_unit *u, u64 addr, u64 t);

#endif
