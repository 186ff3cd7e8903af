/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of a window's queues that are given back farther ahead than a ring of
 * cycles goes.  They are few, and it takes long until the ring comes to them.
 */
#ifndef PIPELINE_DISTANT_H
#define PIPELINE_DISTANT_H

#include "machine/types.h"

#define DISTANT_MAX 1024

struct distant {
	u32 n;
	struct {
		u64 cycle, places;
	} at[DISTANT_MAX];	/* the first one last */
};

/* They are given back at that cycle.  If there are too many, all of these are when
 * the last of them is. */
void distant_put(struct distant *d, u64 places, u64 cycle);

/* What is given back at that cycle. */
u64 distant_at(const struct distant *d, u64 cycle);

/* Takes those that are given back first, if that is before cycle end; false: it is
 * not. */
bool distant_take(struct distant *d, u64 end, u64 *places, u64 *cycle);

#endif
