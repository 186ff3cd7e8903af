/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "window_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FAR_KNOWN INT16_MAX	/* cycles behind a block's begin, or more */

int
forward_init(struct window *w)
{
	struct window_forward *f;

	if (!w->pipe->window.forward)
		return 0;
	f = w->forward = calloc(1, sizeof *f);
	if (!f)
		return -ENOMEM;
	for (unsigned i = 0; i < STORES_WORDS; i++)
		f->stores.last[i].word = STORES_NONE;
	f->kept = table_new(MOVES * sizeof *f->kept);
	return f->kept ? 0 : -ENOMEM;
}

void
forward_free(struct window *w)
{
	if (w->forward)
		table_free(w->forward->kept,
			   MOVES * sizeof *w->forward->kept);
	free(w->forward);
}

struct stores *
window_stores(struct window *w)
{
	return w->forward ? &w->forward->stores : NULL;
}

void
forward_forget(struct window *w)
{
	for (unsigned i = 0; i < FORWARD_BLOCKS; i++)
		w->forward->ended[i].known = NULL;
}

/* ---- What is known ----------------------------------------------------- */

/* That cycle, as it is kept. */
static int16_t
since(const struct window *w, u64 known)
{
	s64 cycles = (s64)(known - w->base);

	if (!known)
		return INT16_MIN;
	return (int16_t)(cycles < FAR_KNOWN ? cycles : FAR_KNOWN);
}

void
forward_keep_step(struct window *w, unsigned number)
{
	const struct window_forward *f = w->forward;

	if (w->from != NO_STATE)
		f->kept[w->from & ~STEP][0] =
			since(w, f->known[forward_place(number)]);
}

u64
forward_known_here(const struct window *w, const struct window_move *m,
		   unsigned number)
{
	const struct window_forward *f = w->forward;

	if (!m)
		return f->known[forward_place(number)];
	return w->base + (u64)(s64)f->kept[m - w->move][0];
}

void
forward_end(struct window *w, const struct window_move *m)
{
	struct window_forward *f = w->forward;
	struct window_ended *e = &f->ended[f->stores.block % FORWARD_BLOCKS];

	e->base = w->base;
	e->known = f->kept[m - w->move];
}

void
forward_end_exactly(struct window *w, struct window_move *m)
{
	struct window_forward *f = w->forward;
	struct window_ended *e = &f->ended[f->stores.block % FORWARD_BLOCKS];
	int16_t *known = m ? f->kept[m - w->move] : e->own;

	for (unsigned i = 0; i < FORWARD_STORES; i++)
		known[i] = since(w, f->known[i]);
	e->base = w->base;
	e->known = known;
}

/* ---- The store that a load follows -------------------------------------- */

/* The last store to that word, if it wrote any of the load's bytes. */
static struct last_store *
last_to(struct stores *s, u64 word, u64 va, unsigned bytes)
{
	struct last_store *l = stores_at(s, word);

	return l->word == word && l->va < va + bytes && va < l->va + l->bytes
		       ? l : NULL;
}

/* The last store that the load's words know. */
static struct last_store *
last_of(struct stores *s, u64 va, unsigned bytes)
{
	struct last_store *a = last_to(s, stores_word(va), va, bytes);
	struct last_store *b =
		last_to(s, stores_word(va + bytes - 1), va, bytes);
	u32 age_a, age_b;

	if (!a || !b)
		return a ? a : b;
	age_a = s->block - a->block;
	age_b = s->block - b->block;
	return age_a < age_b || (age_a == age_b && a->number > b->number) ? a
									  : b;
}

/* Of a block that is over: when the data was known; false if that has been
 * forgotten, or is too long ago for any load. */
static bool
was_known(const struct window *w, const struct last_store *l, u64 *known)
{
	const struct window_forward *f = w->forward;
	const struct window_config *wc = &w->pipe->window;
	const struct window_ended *e = &f->ended[l->block % FORWARD_BLOCKS];
	u64 longest = wc->forward > wc->forward_part ? wc->forward
						     : wc->forward_part;

	if (f->stores.block - l->block >= FORWARD_BLOCKS || !e->known)
		return false;
	*known = e->base + (u64)(s64)e->known[forward_place(l->number)];
	return *known + longest > w->base + 1 + forward_use(w);
}

bool
forward_find(struct window *w, u64 va, unsigned bytes,
	     struct window_source *from)
{
	struct stores *s = &w->forward->stores;
	struct last_store *l = last_of(s, va, bytes);

	if (!l || !l->number)
		return false;
	from->number = l->number;
	from->whole = l->va <= va && va + bytes <= l->va + l->bytes;
	from->here = l->block == s->block;
	if (from->here || was_known(w, l, &from->known))
		return true;
	l->word = STORES_NONE; /* no load waits for it any more */
	return false;
}

bool
window_forwards(struct core *c, u64 va, unsigned bytes)
{
	struct window_source from;

	return forward_find(c->window, va, bytes, &from);
}
