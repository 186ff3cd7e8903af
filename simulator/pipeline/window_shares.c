/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each instruction of a block has of what the window counts.  An exact
 * run finds out; a move that it adds keeps it.
 */
#include "window_internal.h"

#include <stdlib.h>
#include <string.h>

#define POOL (1u << 21)		/* shares that are kept */
#define LIST 4096		/* of one block at most, and the end */

struct window_shares {
	const struct window_share *last; /* those of the block before */
	bool wanted[TALLY_N];
	s32 told[TALLY_N];	/* by the instructions so far */
	unsigned n;
	struct window_share list[LIST]; /* of an exact run */
	u32 *of;		/* by a move's place: place in the pool */
	u32 used;
	struct window_share *pool;
};

static const struct window_share none;

int
window_share(struct window *w, const u16 *signal, unsigned n)
{
	struct window_shares *s = calloc(1, sizeof *s);

	w->shares = s;
	w->sharing = s != NULL;
	w->single = true;
	if (!s)
		return -1;
	for (unsigned i = 0; i < n; i++)
		if (tally_has(signal[i]))
			s->wanted[tally_of(signal[i])] = true;
	s->last = &none;
	s->of = malloc(MOVES * sizeof *s->of);
	s->pool = malloc(POOL * sizeof *s->pool);
	return s->of && s->pool ? 0 : -1;
}

void
shares_free(struct window *w)
{
	if (w->shares) {
		free(w->shares->of);
		free(w->shares->pool);
	}
	free(w->shares);
}

const struct window_share *
window_shared(const struct window *w)
{
	return w->shares ? w->shares->last : &none;
}

void
shares_begin(struct window *w)
{
	w->shares->n = 0;
	memset(w->shares->told, 0, sizeof w->shares->told);
}

void
shares_add(struct window *w, unsigned signal, s32 n, unsigned insn)
{
	struct window_shares *s = w->shares;

	if (s->wanted[tally_of(signal)] && s->n < LIST - 1)
		s->list[s->n++] = (struct window_share){
			.signal = (u8)signal, .insn = (u16)insn, .n = n};
}

void
shares_take(struct window *w, unsigned insn)
{
	struct window_shares *s = w->shares;

	for (unsigned i = 0; i < TALLY_N; i++) {
		s32 n = w->tally[i] - s->told[i];

		if (!s->wanted[i] || !n || s->n == LIST - 1)
			continue;
		s->told[i] = w->tally[i];
		s->list[s->n++] = (struct window_share){
			.signal = (u8)signal_of(i), .insn = (u16)insn, .n = n};
	}
}

/* The list of an exact run is complete. */
void
shares_end(struct window *w)
{
	struct window_shares *s = w->shares;

	s->list[s->n++] = none;
	s->last = s->list;
}

void
shares_keep(struct window *w, const struct window_move *m)
{
	struct window_shares *s = w->shares;

	s->of[m - w->move] = s->used;
	memcpy(s->pool + s->used, s->list, s->n * sizeof *s->list);
	s->used += s->n;
}

void
shares_move(struct window *w, const struct window_move *m)
{
	w->shares->last = w->shares->pool + w->shares->of[m - w->move];
}

void
shares_none(struct window *w)
{
	w->shares->last = &none;
}

void
shares_forget(struct window *w)
{
	w->shares->used = 0;
}

bool
shares_full(const struct window *w)
{
	return w->shares->used > POOL - LIST;
}
