/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores that have retired before their line was there hold their place in the
 * queue of stores until then.  That matters only if the queue becomes full, and
 * when it is there is different each time.  So states are without these places,
 * as long as the queue has room for all that the next block enters; else they
 * are booked, and the state that comes out is another one.  That pays where
 * stores have a queue of their own, a short one too; where they share it with
 * loads, it is full too often.
 */
#include "window_internal.h"

#define HELD_CYCLES 1000	/* from the block's first dispatch on */
#define HELD_OFF 16		/* cycles, when there have been too many */

int
window_store_queue(const struct window_config *wc)
{
	int at = -1;

	/* The first one is the reorder list. */
	for (u32 i = 1; i < wc->queues; i++) {
		const struct window_queue *q = &wc->queue[i];

		if (q->until != UNTIL_RETIRE || !(q->holds & HOLD_STORE))
			continue;
		if (at >= 0 || q->holds != HOLD_STORE)
			return -1;
		at = (int)i;
	}
	return at;
}

void
held_init(struct window *w, const struct window_config *wc)
{
	int at = window_store_queue(wc);

	if (at < 0)
		return;
	w->held_entries = wc->queue[at].entries;
	w->held_most = w->held_entries * 5 / 6;
	if (w->held_most > HELD_MOST)
		w->held_most = HELD_MOST;
	w->held_shift = 8 * (u32)at + 8;
	w->held_place = 1ull << w->held_shift;
}

/* Stores of a block that may hold their places; none if that is too many.
 * Neither may they where the state's own places leave no room for all of them:
 * held_can(). */
static u32
may_hold(const struct window *w, const struct window_program *p)
{
	return p->stores > w->held_most ? 0 : p->stores;
}

bool
held_can(const struct window *w)
{
	const struct window_program *p = window_program(w);
	const struct window_op *op = &p->op[w->pos];
	u64 places;

	if (w->stage != STAGE_RETIRED || !(op->flags & OP_STORE))
		return false;
	places = w->leave[UNTIL_RETIRE][op->kind] & ~0xffffull;
	return places && places == w->held_place && may_hold(w, p) &&
	       w->queued + p->enters <= w->held_entries;
}

/* It is booked in the state.  If the same store has held a place apart, what
 * the block has looked at so far does not tell that it does no more. */
static void
too_far(struct window *w, bool same)
{
	w->held_off = w->base + 1;
	w->n_held -= same;
	w->held_new -= same;
	if (same)
		w->from = NO_STATE;
}

bool
held_keep(struct window *w, u16 insn, u64 cycle)
{
	struct window_held *h = &w->held[w->n_held];
	bool same = w->held_new && h[-1].insn == insn;

	if (w->base < w->held_off)
		return false;
	if (cycle > w->base + HELD_CYCLES) {
		too_far(w, same);
		return false;
	}
	if (!same) {
		*h = (struct window_held){cycle, insn};
		w->n_held++;
		w->held_new++;
	} else if (h[-1].cycle < cycle) {
		h[-1].cycle = cycle;
	}
	return true;
}

void
held_book(struct window *w, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u64 cycle = w->held[i].cycle;

		w->ring[RING_AT(cycle)] += w->held_place;
		w->taken += w->held_place;
		if (cycle > w->last)
			w->last = cycle;
	}
}

void
held_unbook(struct window *w)
{
	for (u32 i = 0; i < w->n_held; i++) {
		w->ring[RING_AT(w->held[i].cycle)] -= w->held_place;
		w->taken -= w->held_place;
	}
	while (w->last > w->now.dispatch && !w->ring[RING_AT(w->last)])
		w->last--;
}

void
held_give_up(struct window *w)
{
	held_book(w, w->n_held);
	w->n_held = 0;
	w->held_off = w->now.dispatch + HELD_OFF;
}

void
held_pass(struct window *w)
{
	u32 n = 0;

	for (u32 i = 0; i < w->n_held; i++)
		if (w->held[i].cycle > w->now.dispatch)
			w->held[n++] = w->held[i];
	w->n_held = n;
}

bool
held_matter(const struct window *w, const struct block *t)
{
	const struct window_program *p = t->detail->window;
	u32 queued = w->current ? (u8)(w->taken >> w->held_shift)
				: w->at->queued;

	return p && (w->n_held + may_hold(w, p) > w->held_most ||
		     w->n_held + queued + p->enters > w->held_entries);
}
