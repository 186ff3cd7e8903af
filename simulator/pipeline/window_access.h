/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access that is looked for at a cycle, whichever way that was found: for
 * window_look.c and interval_look.c. */
#ifndef PIPELINE_WINDOW_ACCESS_H
#define PIPELINE_WINDOW_ACCESS_H

#include "core/watched.h"
#include "window_near.h"

/* An access of two lines takes so many cycles more, one after the other. */
SIM_INLINE void
cross(struct core *c, bool store, u64 at, struct data_result *r)
{
	struct window *w = c->window;
	u32 across = w->pipe->window.across;
	u64 hit = store ? 0 : forward_use(w);

	if (!across)
		return;
	w->crossed = later(w->crossed, at) + across;
	r->ready = later(r->ready, w->crossed + hit);
}

/* Looks for an access at that cycle: mostly one line of a known page. */
SIM_INLINE void
look_for(struct core *c, u64 va, unsigned bytes, bool store, u32 clock, u64 at,
	 struct data_result *r, struct near_shape is)
{
	u64 slot = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);
	u64 last = va + bytes - 1;

	c->asked = at;
	if (SIM_UNLIKELY((va ^ last) >> near_bits(c, is))) {
		data_access_lines(c, va, bytes, store, clock, at, r);
		cross(c, store, at, r);
		return;
	}
	if (SIM_LIKELY(slot <= SHADOW_PAGE_SLOTS))
		c->dtlb.stamp[slot] = clock;
	else
		data_page(c, va, clock, r);
	look_for_line(c, va, store, clock, at, r, is);
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

/* The caches that machines have. */
#define NEAR_SHAPES(X)                           \
	X(2, 4, false, true)   /* like a P6's */ \
	X(4, 4, false, true)   /* Pentium II */  \
	X(2, 2, true, true)    /* R10000 */      \
	X(2, 1, false, false)  /* 21264 */

#define NEAR_SHAPE(ways, behind, predicted, usual) \
	((struct near_shape){ways, behind, predicted, usual})

SIM_INLINE bool
has_shape(const struct core *c, struct near_shape is)
{
	const struct cache_config *l1d = &c->config->l1d;

	return l1d->ways == is.ways && c->outer[0].lines.ways == is.behind &&
	       (c->outer[0].predicted != NULL) == is.predicted &&
	       (l1d->policy == POLICY_LRU) == is.usual &&
	       (c->dline_bits == SHADOW_GRANULE_BITS) == is.usual;
}

/* Behind a file's look(): it for each of them, and for all others, and which of
 * these a core has. */
#define NEAR_LOOK(ways, behind, predicted, usual)                           \
	static void look_##ways##_##behind(struct core *c, u32 access,      \
					   u64 va,                          \
					   const struct block_access *a)    \
	{                                                                   \
		look(c, access, va, a,                                      \
		     NEAR_SHAPE(ways, behind, predicted, usual));           \
	}

#define NEAR_FIND(ways, behind, predicted, usual)                           \
	if (has_shape(c, NEAR_SHAPE(ways, behind, predicted, usual)))       \
		return look_##ways##_##behind;

#define NEAR_LOOKS                                                          \
	NEAR_SHAPES(NEAR_LOOK)                                              \
	static void look_any(struct core *c, u32 access, u64 va,            \
			     const struct block_access *a)                  \
	{                                                                   \
		look(c, access, va, a, NEAR_ANY);                           \
	}                                                                   \
	static access_fn *near_look(const struct core *c)                   \
	{                                                                   \
		if (look_is_near(c->config)) {                              \
			NEAR_SHAPES(NEAR_FIND)                              \
		}                                                           \
		return look_any;                                            \
	}

#endif
