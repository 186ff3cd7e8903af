/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads that get what a store in front of them writes, before that is in the
 * cache: window_config.forward.
 *
 * A store's data is known in the cycle that an instruction which needs it
 * could issue in, its own address being known as well.  A load that the store
 * covers has its result forward cycles behind that, at the earliest, whether
 * its line is there or not; one that it covers in part, forward_part cycles.
 * Loads know which stores they follow: none waits for one of another address.
 *
 * What is known is kept for each store of a block, relative to its begin:
 * while it is run exactly, with the step of a look, and with the move behind
 * it.  Stores from number FORWARD_STORES of a block on share one place, which
 * has the last of their cycles.
 */
#ifndef PIPELINE_WINDOW_FORWARD_H
#define PIPELINE_WINDOW_FORWARD_H

#include "core/stores.h"

#define FORWARD_STORES 4
#define FORWARD_BLOCKS 128	/* that a load can look back */

/* A block that is over: when it began, and its stores' data was known. */
struct window_ended {
	u64 base;
	const int16_t *known;	/* NULL: that has been forgotten */
	int16_t own[FORWARD_STORES]; /* of an exact run that is not kept */
};

struct window_forward {
	struct stores stores;
	struct window_ended ended[FORWARD_BLOCKS]; /* by stores.block */
	u64 known[FORWARD_STORES]; /* of the block run exactly; 0: not yet */
	int16_t (*kept)[FORWARD_STORES]; /* by a move's place; a step has that of
				   the store that it is about first */
};

/* The store that a load waits for. */
struct window_source {
	u64 known;		/* cycle; not if it is here */
	u16 number;		/* of its block's stores, from 1 */
	bool here;		/* it is of the block under way */
	bool whole;		/* it covers the load */
};

SIM_INLINE unsigned
forward_place(unsigned number)
{
	return (number < FORWARD_STORES ? number : FORWARD_STORES) - 1;
}

#endif
