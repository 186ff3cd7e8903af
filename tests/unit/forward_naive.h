/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which store a load follows, and when its data is known: from the definition,
 * with all that has been stored.  Naive, for comparisons. */
#ifndef TEST_FORWARD_NAIVE_H
#define TEST_FORWARD_NAIVE_H

#include "pipeline/window_internal.h"

#include <stdlib.h>

#define NAIVE_DATA 0x20000000u	/* what programs work on begins there */
#define NAIVE_WORDS 1024
#define NAIVE_BLOCKS 8192

struct naive_store {
	u64 va, block;
	unsigned bytes, number;
};

struct naive_forward {
	struct naive_store last[NAIVE_WORDS];
	u64 known[NAIVE_BLOCKS][FORWARD_STORES];
	u64 block;		/* the one that is run, from 1 */
	u64 waits;		/* loads that had to wait */
};

static inline void
naive_put(struct naive_forward *f, u64 va, unsigned bytes, unsigned number)
{
	for (u64 word = va / 4; word <= (va + bytes - 1) / 4; word++)
		f->last[word - NAIVE_DATA / 4] = (struct naive_store){
			va, f->block, bytes, number};
}

/* That store of the block knows that part of itself from that cycle on. */
static inline void
naive_known(struct naive_forward *f, unsigned number, u64 cycle)
{
	unsigned i = number < FORWARD_STORES ? number - 1 : FORWARD_STORES - 1;
	u64 *known = &f->known[f->block][i];

	if (cycle > *known)
		*known = cycle;
}

/* A load that issues at that cycle would have its result at ready: when it
 * has it. */
static inline u64
naive_load(struct naive_forward *f, const struct pipeline_config *pipe, u64 va,
	   unsigned bytes, u64 at, u64 done, u64 ready)
{
	const struct window_config *c = &pipe->window;
	const struct naive_store *last = NULL;
	unsigned i;
	u64 known, least = pipe->load_use < c->load_use_fp
				   ? pipe->load_use : c->load_use_fp;

	for (unsigned end = 0; end < 2; end++) {
		u64 word = (va + (end ? bytes - 1 : 0)) / 4;
		const struct naive_store *s =
			&f->last[word - NAIVE_DATA / 4];

		if (!s->block || s->va >= va + bytes || va >= s->va + s->bytes)
			continue;
		if (!last || s->block > last->block ||
		    (s->block == last->block && s->number > last->number))
			last = s;
	}
	if (!last)
		return ready;
	i = last->number < FORWARD_STORES ? last->number - 1
					  : FORWARD_STORES - 1;
	known = f->known[last->block][i];
	if (last->va <= va && va + bytes <= last->va + last->bytes) {
		if (known + c->forward <= at + least)
			return ready;
		f->waits++;
		return known + c->forward > done ? known + c->forward : done;
	}
	f->waits += known + c->forward_part > ready;
	return known + c->forward_part > ready ? known + c->forward_part
					       : ready;
}

#endif
