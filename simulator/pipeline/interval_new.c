/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A window whose time is worked out by intervals. */
#include "interval_internal.h"

#include "core/watched.h"

#include <stdlib.h>
#include <string.h>

#define HOLD_STORE_KIND 3	/* the number of HOLD_STORE's bit */
_Static_assert(HOLD_STORE == 1 << HOLD_STORE_KIND, "a bit's number");

static void
init_places(struct interval *v, const struct window_config *wc)
{
	const u64 most = (1u << (INTERVAL_LANE - 1)) - 1;

	for (u32 i = 0; i < wc->queues; i++)
		v->bias += (most - wc->queue[i].entries) << INTERVAL_LANE * i;
	v->held_place = interval_leaves(wc, HOLD_STORE_KIND, UNTIL_RETIRE) &
			~1ull;
	v->held_lane = v->held_place * (2 * most + 1);
	for (unsigned k = 0; k < KINDS; k++)
		v->leaves[k] = interval_leaves(wc, k, UNTIL_ISSUE) +
			       interval_leaves(wc, k, UNTIL_DONE);
}

/* So that it and a number of micro-ops, shifted, are what a division gives. */
static u32
share_of(unsigned width)
{
	return 65536 / width + 1;
}

/* Cycles in which an eighth of the smallest queue that is left at issue may have
 * been filled. */
static unsigned
far_of(const struct window_config *wc)
{
	unsigned least = INTERVAL_MOST;

	for (u32 i = 0; i < wc->queues; i++)
		if (wc->queue[i].until != UNTIL_RETIRE &&
		    wc->queue[i].entries < least)
			least = wc->queue[i].entries;
	return least / (8 * wc->dispatch);
}

int
interval_init(struct window *w)
{
	const struct window_config *wc = &w->pipe->window;
	struct interval *v = calloc(1, sizeof *v);

	w->interval = v;
	if (!v)
		return -1;
	v->pipe = w->pipe;
	v->wc = wc;
	v->parts = wc->part_wait != 0;
	v->width_share = share_of(wc->dispatch);
	v->retire_share = share_of(wc->retire);
	v->n_arrive = wc->fetch;
	v->n_retired = wc->retire;
	v->late_cause = v->front_cause = SIG_IFU_REDIRECT;
	memset(v->cause, SIG_ALU_OTHER, sizeof v->cause);
	v->far = far_of(wc);
	init_places(v, wc);
	return 0;
}

void
interval_free(struct window *w)
{
	free(w->interval);
}

void
interval_share(struct core *c, struct window *w, unsigned signal, u64 n,
	       unsigned insn)
{
	if (w->shares)
		shares_add(w, signal, (s32)n, insn);
	if (w->watched)
		c->samples->retired(c, insn);
}
