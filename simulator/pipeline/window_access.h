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
	u64 hit = store ? 0 : forward_use(w), from = later(w->crossed, at);

	if (!across)
		return;
	w->crossed = from + (repeat ? repeat : across);
	r->ready = later(r->ready, from + across + hit);
}

/* Looks for an access at that cycle: mostly one line of a known page. */
SIM_INLINE void
look_for(struct core *c, u64 va, unsigned bytes, bool store, u32 clock, u64 at,
	 struct data_result *r)
{
	u64 slot = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);
	u64 last = va + bytes - 1;

	c->asked = at;
	if (SIM_UNLIKELY((va ^ last) >> c->dline_bits)) {
		data_access_lines(c, va, bytes, store, clock, at, r);
		cross(c, store, at, r);
		return;
	}
	if (SIM_LIKELY(slot <= SHADOW_PAGE_SLOTS))
		c->dtlb.stamp[slot] = clock;
	else
		data_page(c, &c->dtlb, va, clock, r);
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
