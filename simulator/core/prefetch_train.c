/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of prefetchers. */
#include "prefetch_internal.h"

#include <stdlib.h>

/* Whether two addresses are in one page. */
static bool
one_page(u64 a, u64 b)
{
	return (a ^ b) >> PREFETCH_PAGE_BITS == 0;
}

/* log2 of the bytes of a line of u's level. */
static u32
line_bits(const struct core *c, const struct prefetch_unit *u)
{
	return u->config->fills == PREFETCH_FILLS_L2 ? c->outer[0].line_bits
						     : c->dline_bits;
}

/* Fetches what is at so many steps of that many bytes from va. */
static void
issue_steps(struct core *c, struct prefetch_unit *u, u64 va, s64 step, u64 t)
{
	for (unsigned i = 1; i <= u->config->degree; i++) {
		u64 addr = va + (u64)step * i;

		if (!one_page(va, addr))
			return;
		prefetch_issue(c, u, addr, t);
	}
}

static void
train_next(struct core *c, struct prefetch_unit *u,
	   const struct prefetch_trigger *g)
{
	if (g->wanted)
		issue_steps(c, u, g->va, 1 << line_bits(c, u), g->t);
}

/* ---- Loads by their address ------------------------------------------- */

/* From one address to another: less than two lines is so many lines. */
static s64
distance(u64 from, u64 to, u32 bits)
{
	s64 bytes = (s64)(to - from);

	if (llabs(bytes) >= 2 << bits)
		return bytes;
	return ((s64)(to >> bits) - (s64)(from >> bits)) * (1 << bits);
}

static void
train_stride(struct core *c, struct prefetch_unit *u,
	     const struct prefetch_trigger *g)
{
	struct prefetch_entry *e = &u->entry[g->pc & (u->config->entries - 1)];
	s64 step;

	if (e->key != g->pc) {
		*e = (struct prefetch_entry){.key = g->pc, .last = g->va};
		return;
	}
	step = distance(e->last, g->va, line_bits(c, u));
	e->last = g->va;
	if (step != e->step || !step) {
		e->step = step;
		e->times = 0;
		return;
	}
	e->times += e->times < u->config->confidence;
	if (e->times == u->config->confidence)
		issue_steps(c, u, g->va, step, g->t);
}

/* ---- Lines of a page -------------------------------------------------- */

SIM_INLINE u16 *
bucket_of(struct prefetch_unit *u, u64 page)
{
	return &u->bucket[page & (PREFETCH_BUCKETS - 1)];
}

/* Place i is the newest. */
SIM_INLINE void
renew(struct prefetch_unit *u, u16 i)
{
	struct prefetch_place *x = &u->place[i], *end = u->place;

	u->place[x->older].newer = x->newer;
	u->place[x->newer].older = x->older;
	x->older = end->older;
	x->newer = 0;
	u->place[x->older].newer = i;
	end->older = i;
}

/* The page of place i leaves its bucket. */
static void
leave_bucket(struct prefetch_unit *u, u16 i)
{
	u16 *at = bucket_of(u, u->entry[i].key);

	while (*at && *at != i)
		at = &u->place[*at].next;
	if (*at)
		*at = u->place[i].next;
}

/* The place longest unused is the page's from now on, and has no line but
 * that. */
static u16
take_oldest(struct prefetch_unit *u, u64 page, u64 line)
{
	u16 i = u->place->newer, *bucket = bucket_of(u, page);

	leave_bucket(u, i);
	u->entry[i] = (struct prefetch_entry){.key = page, .last = line};
	u->place[i].next = *bucket;
	*bucket = i;
	return i;
}

/* The entry of a page, which is the newest then. */
SIM_INLINE struct prefetch_entry *
find_page(struct prefetch_unit *u, u64 page, u64 line)
{
	u16 i = *bucket_of(u, page);

	while (i && u->entry[i].key != page)
		i = u->place[i].next;
	if (!i)
		i = take_oldest(u, page, line);
	renew(u, i);
	return &u->entry[i];
}

/* Goes on from the farthest line so far, up to distance from the last one. */
static void
run_ahead(struct core *c, struct prefetch_unit *u, struct prefetch_entry *e,
	  u64 t)
{
	u32 bits = line_bits(c, u);
	u64 from = e->last << bits;
	s64 end = (u->config->distance + 1) * e->step;

	for (unsigned i = 0; i < u->config->degree; i++) {
		u64 next = e->ahead + (u64)e->step;
		s64 ahead = (s64)(next - e->last);

		if ((e->step > 0 ? ahead >= end : ahead <= end) ||
		    !one_page(from, next << bits))
			return;
		e->ahead = next;
		prefetch_issue(c, u, next << bits, t);
	}
}

/* From one line to another: lines, or only whether it goes up or down; 0: too
 * far. */
static s64
step_of(const struct prefetch_unit *u, u64 from, u64 to)
{
	s64 step = (s64)(to - from);

	if (!u->config->reach)
		return step > 0 ? 1 : -1;
	return llabs(step) > u->config->reach ? 0 : step;
}

static void
train_stream(struct core *c, struct prefetch_unit *u,
	     const struct prefetch_trigger *g)
{
	u64 line = g->va >> line_bits(c, u);
	struct prefetch_entry *e =
		find_page(u, g->va >> PREFETCH_PAGE_BITS, line);
	s64 step = step_of(u, e->last, line);

	if (line == e->last)
		return;
	if (step != e->step) {
		e->step = step;
		e->times = 0;
		e->ahead = line;
	}
	e->last = line;
	if (!step)
		return;
	e->times += e->times < u->config->confidence;
	/* It may have overtaken what was fetched. */
	if ((s64)(e->ahead - line) * step < 0)
		e->ahead = line;
	if (e->times == u->config->confidence)
		run_ahead(c, u, e, g->t);
}

void
prefetch_train(struct core *c, struct prefetch_unit *u,
	       const struct prefetch_trigger *g)
{
	switch (u->config->kind) {
	case PREFETCH_NEXT:
		train_next(c, u, g);
		break;
	case PREFETCH_STRIDE:
		train_stride(c, u, g);
		break;
	default:
		train_stream(c, u, g);
		break;
	}
}
