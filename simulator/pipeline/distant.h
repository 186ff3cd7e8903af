/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of a window's queues are given back in a ring of cycles, and beside it if
 * that is farther ahead than the ring goes.  They are few, and it takes long until
 * the ring comes to them.
 */
#ifndef PIPELINE_DISTANT_H
#define PIPELINE_DISTANT_H

#include "machine/types.h"

#define WINDOW_RING 1024	/* cycles ahead */
#define RING_AT(cycle) ((cycle) & (WINDOW_RING - 1))

#define DISTANT_MAX 1024
#define DISTANT(d, i) ((d)->at[((d)->first + (i)) & (DISTANT_MAX - 1)])

struct distant {
	u32 n, first;
	struct {
		u64 cycle, places;
	} at[DISTANT_MAX];	/* by cycle, from the first on: DISTANT(d, i) */
};

/* They are given back at that cycle.  If there are too many, all of these are when
 * the last of them is. */
void distant_put(struct distant *d, u64 places, u64 cycle);

/* The next cycle that any are, in the ring behind cycle now or beside it: one up to
 * last that has bits of the mask.  The last one, or the next, if there are none. */
u64 distant_next(const struct distant *d, const u64 *ring, u64 now, u64 last, u64 mask);

/* What is given back at that cycle. */
u64 distant_at(const struct distant *d, u64 cycle);

/* The ring begins behind cycle now: those that it reaches go there, and *last, the
 * last cycle that has any, is no less.  The bits of a mask of those given back by
 * now, summed. */
u64 distant_reach(struct distant *d, u64 now, u64 *ring, u64 *last, u64 mask);

#endif
