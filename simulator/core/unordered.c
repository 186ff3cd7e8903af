/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unordered.h"

#include "machine/config.h"

#include <stdlib.h>

/* ---- One thing ---------------------------------------------------------- */

/* Takes n of them out, from number i on. */
static void
remove_spans(struct spans *s, u32 i, u32 n)
{
	s->n -= n;
	for (; i < s->n; i++) {
		s->from[i] = s->from[i + n];
		s->to[i] = s->to[i + n];
	}
}

/* Those that nothing can meet; of too many the first half. */
static void
forget_spans(struct spans *s, u64 earliest)
{
	u32 n = 0;

	while (n < s->n && s->to[n] < earliest)
		n++;
	if (!n && s->n == SPANS) {
		n = SPANS / 2;
		s->forgotten = s->to[n - 1];
	}
	if (n)
		remove_spans(s, 0, n);
}

static void
insert_span(struct spans *s, u32 i, u64 from, u64 to)
{
	for (u32 k = s->n++; k > i; k--) {
		s->from[k] = s->from[k - 1];
		s->to[k] = s->to[k - 1];
	}
	s->from[i] = from;
	s->to[i] = to;
}

/* The first gap of so many cycles from cycle *t on, which then is where it
 * begins; the span behind it, or n. */
static u32
find_gap(const struct spans *s, u64 *t, u32 cycles)
{
	u32 i = s->n;

	while (i && s->to[i - 1] > *t)
		i--;
	for (; i < s->n && s->from[i] < *t + cycles; i++)
		*t = s->to[i];
	return i;
}

u64
spans_take_between(struct spans *s, u64 t, u32 cycles, u64 earliest, int *edges)
{
	bool before, behind;
	u32 i;

	forget_spans(s, earliest);
	if (t < s->forgotten)
		t = s->forgotten;
	i = find_gap(s, &t, cycles);
	before = i ? s->to[i - 1] == t : s->forgotten && s->forgotten == t;
	behind = i < s->n && s->from[i] == t + cycles;
	*edges = 1 - before - behind;
	if (i && before && behind) {
		s->to[i - 1] = s->to[i];
		remove_spans(s, i, 1);
	} else if (i && before) {
		s->to[i - 1] += cycles;
	} else if (behind) {
		s->from[i] = t;
	} else {
		insert_span(s, i, t, t + cycles);
	}
	return t;
}

/* Cycles from..to of which span i has these. */
static u64
common(const struct spans *s, u32 i, u64 from, u64 to)
{
	u64 first = s->from[i] > from ? s->from[i] : from;
	u64 last = s->to[i] < to ? s->to[i] : to;

	return last > first ? last - first : 0;
}

u64
spans_join_others(struct spans *s, u64 from, u64 to, u64 earliest, int *edges)
{
	u64 first, last = to, known = 0;
	u32 i;

	forget_spans(s, earliest);
	if (from < s->forgotten)
		from = s->forgotten;
	*edges = 0;
	if (to <= from)
		return 0;
	*edges = 1;
	first = from;
	i = s->n;
	while (i && s->from[i - 1] > to)
		i--;
	/* Those that it touches become one with it. */
	for (; i && s->to[i - 1] >= from; i--) {
		known += common(s, i - 1, from, to);
		first = s->from[i - 1] < first ? s->from[i - 1] : first;
		last = s->to[i - 1] > last ? s->to[i - 1] : last;
		remove_spans(s, i - 1, 1);
		--*edges;
	}
	insert_span(s, i, first, last);
	return to - from - known;
}

u64
spans_cut(struct spans *s, u64 t)
{
	u64 cut = 0;

	while (s->n && s->to[s->n - 1] > t) {
		u32 last = s->n - 1;
		u64 from = s->from[last] > t ? s->from[last] : t;

		cut += s->to[last] - from;
		s->to[last] = from;
		if (s->from[last] < from)
			break;
		s->n--;
	}
	return cut;
}

/* ---- Several ------------------------------------------------------------ */

/* The first n that begin, and the first that end: of these, all have. */
static void
forget_holds(struct holds *h, u32 n)
{
	h->n -= n;
	for (u32 i = 0; i < h->n; i++) {
		h->from[i] = h->from[i + n];
		h->to[i] = h->to[i + n];
	}
}

/* How many of n cycles, which ascend, are no later than t; the first i are. */
static u32
up_to(const u64 *cycle, u32 i, u32 n, u64 t)
{
	while (i < n && cycle[i] <= t)
		i++;
	return i;
}

static u32
up_to_any(const u64 *cycle, u32 n, u64 t)
{
	u32 low = 0, high = n;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (cycle[middle] <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* None is free from the one cycle to the other. */
static void
note_full(struct holds *h, u64 from, u64 to)
{
	if (from > h->full_to || from < h->full_from)
		h->full_from = from;
	h->full_to = to;
}

u64
holds_take_one(struct holds *h, u64 t, u64 earliest)
{
	u32 over = up_to(h->to, 0, h->n, earliest), begun, ended;
	u64 asked = t;

	if (over)
		forget_holds(h, over);
	if (h->n < h->capacity)
		return t;
	if (t >= h->full_from && t < h->full_to)
		t = h->full_to;
	begun = up_to_any(h->from, h->n, t);
	ended = up_to_any(h->to, h->n, t);
	while (begun - ended >= h->capacity) {
		t = h->to[ended];
		begun = up_to(h->from, begun, h->n, t);
		ended = up_to(h->to, ended, h->n, t);
	}
	if (t > asked)
		note_full(h, asked, t);
	return t;
}

static void
put_in_order(u64 *cycle, u32 n, u64 t)
{
	for (; n && cycle[n - 1] > t; n--)
		cycle[n] = cycle[n - 1];
	cycle[n] = t;
}

void
holds_put(struct holds *h, u64 from, u64 to)
{
	if (h->n == HOLDS) {
		forget_holds(h, 1);
		h->full_to = 0;
	}
	put_in_order(h->from, h->n, from);
	put_in_order(h->to, h->n, to);
	h->n++;
}

static void
clear_holds(struct holds *h)
{
	h->n = 0;
	h->full_to = 0;
}

/* ---- All of them ---------------------------------------------------------- */

struct unordered *
unordered_new(const struct sim_config *config)
{
	struct unordered *u = calloc(1, sizeof *u);

	if (!u)
		return NULL;
	u->fills.capacity = config->mem.fsb;
	u->victims.capacity = config->mem.wbb;
	u->walkers.capacity = config->walk.walkers ? config->walk.walkers : 1;
	return u;
}

void
unordered_clear(struct unordered *u)
{
	u->bus.n = 0;
	for (unsigned i = 0; i < PENDING_N; i++)
		u->pending[i].n = 0;
	clear_holds(&u->fills);
	clear_holds(&u->victims);
	clear_holds(&u->walkers);
}
