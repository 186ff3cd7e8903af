/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access that is looked for at a cycle, whichever way that was found: for
 * window_look.c and interval_look.c. */
#ifndef PIPELINE_WINDOW_ACCESS_H
#define PIPELINE_WINDOW_ACCESS_H

#include "core/dcache.h"
#include "core/tlb.h"
#include "core/watched.h"
#include "window_internal.h"

/* An access of two lines takes so many cycles more, and the next one has to
 * wait for as many, or fewer. */
SIM_INLINE void
cross(struct core *c, bool store, u64 at, struct data_result *r)
{
	struct window *w = c->window;
	u32 across = w->pipe->window.across;
	u32 repeat = w->pipe->window.across_repeat;
	u64 hit = store ? 0 : forward_use(w), from;
	int edges;

	if (!across)
		return;
	from = spans_take(&w->crossed, at, repeat ? repeat : across,
			  c->unordered->earliest, &edges);
	r->ready = later(r->ready, from + across + hit);
}

/* Of an unknown page, or of two lines.  Ready is told without the walk of page tables,
 * which is told apart: what keeps both from being had is waited for once. */
static SIM_NOINLINE void
look_far(struct core *c, u64 va, unsigned bytes, bool store, u32 clock, u64 at,
	 struct data_result *r)
{
	u64 walked;

	data_access_lines(c, va, bytes, store, clock, at, r);
	walked = r->refill ? core_walked(c) : 0;
	if ((va ^ (va + bytes - 1)) >> c->dline_bits)
		cross(c, store, at + walked, r);
	if (walked)
		r->ready = r->ready > at + walked ? r->ready - walked : 0;
}

/* Nothing is looked for before that cycle any more, if dispatch is there: lines of
 * instructions are fetched ahead of it. */
SIM_INLINE u64
earliest(const struct window *w, u64 dispatch)
{
	u64 ahead = w->pipe->window.run_ahead + w->pipe->fetch_ahead;

	return dispatch > ahead ? dispatch - ahead : 0;
}

/* Looks for an access at that cycle: mostly one line of a known page.  None that
 * comes behind it is dispatched before the other cycle. */
SIM_INLINE void
look_for(struct core *c, u64 va, unsigned bytes, bool store, u32 clock, u64 at,
	 u64 dispatch, struct data_result *r)
{
	u64 slot = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);

	c->asked = at;
	c->unordered->earliest = earliest(c->window, dispatch);
	if (SIM_UNLIKELY((va ^ (va + bytes - 1)) >> c->dline_bits ||
			 slot > SHADOW_PAGE_SLOTS)) {
		look_far(c, va, bytes, store, clock, at, r);
		return;
	}
	c->dtlb.stamp[slot] = clock;
	data_line(c, va, store, clock, at, r);
}

/* A locked access of two lines is none of the cache: both are read and
 * written over the bus, which is not free until that is done. */
SIM_INLINE void
lock_bus(struct core *c, u64 va, unsigned bytes, u64 at, struct data_result *r)
{
	const struct memory_config *mem = &c->config->mem;
	u64 cycles = 2 * (mem->latency + mem->beat);
	u64 *unlocked = &c->window->unlocked;

	if (!((va ^ (va + bytes - 1)) >> c->dline_bits))
		return;
	c->sig[SIG_BUS_LOCKED] += cycles;
	c->sig[SIG_BUS_LOCKS]++;
	*unlocked = later(at, *unlocked) + cycles;
	r->ready = later(r->ready, *unlocked);
}

/* What became of an access is told to those that watch. */
SIM_INLINE void
tell(struct core *c, const struct block_access *a)
{
	if (SIM_UNLIKELY(c->sampler != NULL))
		c->samples->access(c, a->insn);
	if (SIM_UNLIKELY(c->profiler != NULL))
		c->profiles->access(c, a->insn);
}

#endif
