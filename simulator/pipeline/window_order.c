/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads and stores that pass each other in the window.
 *
 * Replay traps of the 21264: loads and stores of one address that do, and
 * loads that a store which is still there has only part of.  They are counted;
 * that the load and what is behind it are executed again takes no time here.
 * A load that has passed a store is told from then on to wait for stores, in
 * a table by address of the instruction that is cleared now and then.
 *
 * Loads of a P6 wait for stores whose address is not known, whichever it is
 * (DISAMBIGUATION_WAIT); those that do are counted here.
 */
#include "window_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PASSED 32		/* entries of the load and of the store queue */
#define WAITS 1024
#define CLEAR_CYCLES 16384

/* An access that may still be in the window. */
struct passed {
	u64 va;
	u64 issue, retire;	/* cycles */
	u64 wanted;		/* cycle that a load could have issued if no
				   address were to be waited for */
	unsigned bytes;
};

struct window_order {
	struct passed load[PASSED], store[PASSED];
	u32 loads, stores;	/* so far */
	u64 cleared;		/* cycle that waits were */
	bool wait[WAITS];
};

int
window_compare(struct core *c)
{
	struct window *w = c->window;

	if (w->order || w->interval)
		return 0;
	w->order = calloc(1, sizeof *w->order);
	if (!w->order)
		return -ENOMEM;
	w->ordering = true;
	c->compares = c->shadow_off = true;
	shadow_clear(c);
	window_forget(c);
	return 0;
}

void
order_free(struct window *w)
{
	free(w->order);
}

static bool
overlaps(const struct passed *p, u64 va, unsigned bytes)
{
	return p->va < va + bytes && va < p->va + p->bytes;
}

static bool
covers(const struct passed *p, u64 va, unsigned bytes)
{
	return p->va <= va && va + bytes <= p->va + p->bytes;
}

/* Whether the load waits for stores; from now on it does. */
static bool
waits(struct window *w, unsigned insn)
{
	struct window_order *o = w->order;
	bool *wait = &o->wait[(w->block->vaddr / 4 + insn) % WAITS], was;

	if (w->now.dispatch - o->cleared >= CLEAR_CYCLES) {
		memset(o->wait, 0, sizeof o->wait);
		o->cleared = w->now.dispatch;
	}
	was = *wait;
	*wait = true;
	return was;
}

/* The last older store to that address, if it is still known. */
static const struct passed *
last_store(const struct window_order *o, u64 va, unsigned bytes)
{
	for (u32 i = 1; i <= PASSED && i <= o->stores; i++) {
		const struct passed *s = &o->store[(o->stores - i) % PASSED];

		if (overlaps(s, va, bytes))
			return s;
	}
	return NULL;
}

/* Whether an older load of that address issues later. */
static bool
passes_load(const struct window_order *o, u64 va, unsigned bytes, u64 at)
{
	for (u32 i = 1; i <= PASSED && i <= o->loads; i++) {
		const struct passed *l = &o->load[(o->loads - i) % PASSED];

		if (l->issue > at && overlaps(l, va, bytes))
			return true;
	}
	return false;
}

/* Whether a load has to wait for an older store: it does not know where that
 * stores, or that has only part of what it loads and is not out yet. */
static bool
is_blocked(const struct window_order *o, const struct passed *l)
{
	for (u32 i = 1; i <= PASSED && i <= o->stores; i++) {
		const struct passed *s = &o->store[(o->stores - i) % PASSED];

		if (s->issue > l->wanted ||
		    (s->retire > l->issue && overlaps(s, l->va, l->bytes) &&
		     !covers(s, l->va, l->bytes)))
			return true;
	}
	return false;
}

/* A load issues at that cycle. */
static void
load(struct core *c, struct window *w, unsigned insn, const struct passed *l)
{
	struct window_order *o = w->order;
	const struct passed *s = last_store(o, l->va, l->bytes);

	c->sig[SIG_LOAD_BLOCKED] += is_blocked(o, l);
	if (s && s->issue > l->issue)
		c->sig[SIG_REPLAY_STORE] += !waits(w, insn);
	else if (passes_load(o, l->va, l->bytes, l->issue))
		c->sig[SIG_REPLAY_LOAD]++;
	else if (s && s->retire > l->issue && !covers(s, l->va, l->bytes))
		c->sig[SIG_REPLAY_PART]++;
	o->load[o->loads++ % PASSED] = *l;
}

/* Of the load that issues at that cycle. */
static u64
load_wanted(const struct window *w, u64 at)
{
	bool waits = w->pipe->window.disambiguation == DISAMBIGUATION_WAIT;

	return waits && w->stage == STAGE_ISSUED ? w->wanted : at;
}

void
order_access(struct core *c, struct window *w, u32 what, u64 va,
	     unsigned bytes, u64 at)
{
	struct window_order *o = w->order;
	struct passed p = {.va = va, .bytes = bytes, .issue = at};

	if (!(what & LOOK_STORE)) {
		p.wanted = load_wanted(w, at);
		load(c, w, what & 0xffff, &p);
		return;
	}
	p.issue = w->stage == STAGE_RETIRED ? w->issued : at;
	p.retire = at;
	o->store[o->stores++ % PASSED] = p;
}
