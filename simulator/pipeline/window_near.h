/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of the level behind that a window looks for, for window_look.c: what
 * data_line() does, without the questions that others need. */
#ifndef PIPELINE_WINDOW_NEAR_H
#define PIPELINE_WINDOW_NEAR_H

#include "core/dcache.h"
#include "core/tlb.h"
#include "window_internal.h"

/*
 * That is compiled for the caches that machines have: for the ways of the
 * first level and of the one behind, whether the latter are predicted, and
 * whether the first level is usual: LRU, its lines as large as the shadow
 * table's granules.  0 ways: whatever the core has.
 */
struct near_shape {
	u8 ways, behind;
	bool predicted, usual;
};

#define NEAR_ANY ((struct near_shape){0})

SIM_INLINE bool
near_is_lru(const struct core *c, struct near_shape is)
{
	return is.ways ? is.usual : c->l1d.policy == POLICY_LRU;
}

SIM_INLINE u32
near_ways(const struct core *c, struct near_shape is)
{
	return is.ways ? is.ways : c->l1d.ways;
}

/* Whether the first level's lines are as large as the shadow table's. */
SIM_INLINE u32
near_bits(const struct core *c, struct near_shape is)
{
	return is.usual ? SHADOW_GRANULE_BITS : c->dline_bits;
}

/* The slot of a line in the first level, or -1. */
SIM_INLINE int
near_here(const struct core *c, u64 line, struct near_shape is)
{
	if (!is.ways)
		return array_find(&c->l1d, line);
	return array_find_flat(c->data_line,
			       ((u32)line & c->l1d.set_mask) * is.ways, line,
			       is.ways);
}

/* The slot of the line of a set that makes room for another one; nothing is
 * done yet. */
SIM_INLINE u32
near_room(const struct core *c, u32 set, struct near_shape is)
{
	u32 ways = near_ways(c, is), first = set * ways;
	const u32 *stamp = c->data_stamp + first;

	if (!near_is_lru(c, is))
		return first + c->l1d.next[set];
	return first + (ways == 2 ? stamp[1] < stamp[0] : oldest_of_4(stamp));
}

/* The slot of an address in the level behind, where it is predicted to be if
 * that is predicted; or -1. */
SIM_INLINE int
near_find(struct outer_level *level, u64 addr, struct near_shape is)
{
	u32 ways = is.behind ? is.behind : level->lines.ways, at;
	u64 line = addr >> level->line_bits;
	int slot;

	if (!is.behind)
		slot = outer_find(level, addr);
	else
		slot = array_find_flat(level->lines.key,
				       ((u32)line & level->lines.set_mask) *
					       ways, line, ways);
	if (slot < 0 || (is.behind ? !is.predicted : !level->predicted))
		return slot;
	at = (u32)slot / ways & (level->config->way_entries - 1);
	return level->predicted[at] == (u32)slot % ways ? slot : -1;
}

/* It will probably be looked for there soon. */
SIM_INLINE void
near_prefetch(const struct outer_level *level, u64 addr, struct near_shape is)
{
	u32 set = (u32)(addr >> level->line_bits) & level->lines.set_mask;

	__builtin_prefetch(level->lines.key +
			   set * (is.behind ? is.behind : level->lines.ways));
}

/* The level behind is asked for what it has in that slot. */
SIM_INLINE void
near_ask(struct core *c, u32 slot, bool store, struct near_shape is)
{
	struct outer_level *level = &c->outer[0];
	bool changed = level->state[slot];

	c->sig[SIG_L2_ACCESS]++;
	if (store) {
		c->sig[changed ? SIG_L2_STORE_M : SIG_L2_STORE_E]++;
		level->state[slot] |= OUTER_OWNED;
	} else {
		c->sig[changed ? SIG_L2_LOAD_M : SIG_L2_LOAD_E]++;
	}
	if (is.behind != 1 && level->lines.policy == POLICY_LRU)
		level->lines.stamp[slot] =
			array_tick(&level->lines, &level->clock);
}

/* Slot s is the line's from now on. */
SIM_INLINE void
near_replace(struct core *c, u32 s, u64 line, bool store, u32 clock, u64 ready,
	     struct near_shape is)
{
	u32 set = (u32)line & c->l1d.set_mask, ways = near_ways(c, is);

	if (!near_is_lru(c, is))
		c->l1d.next[set] = (u16)((c->l1d.next[set] + 1u) & (ways - 1));
	if (near_bits(c, is) == SHADOW_GRANULE_BITS)
		shadow_drop(c, c->data_line[s] << SHADOW_GRANULE_BITS, s);
	else
		shadow_drop_slot(c, s);
	c->data_line[s] = line;
	c->data_ready[s] = ready;
	c->data_stamp[s] = clock;
	c->data_dirty[s] = store;
}

/* The changed line in slot s makes room. */
static SIM_NOINLINE void
near_write_back(struct core *c, u32 s, u64 t)
{
	struct data_result r = {0}; /* no micro-op waits for it here */

	data_write_back(c, c->data_line[s] << c->dline_bits, t, &r, false);
}

/* A line that the first level has not is wanted at cycle t: the cycle that it
 * is there; 0: nothing is done. */
SIM_INLINE u64
near_fill(struct core *c, u64 line, bool store, u32 clock, u64 t,
	  struct near_shape is)
{
	struct outer_level *level = &c->outer[0];
	u32 s = near_room(c, (u32)line & c->l1d.set_mask, is);
	u64 begin = outer_begin(level, t, level->repeat[0]);
	u64 ready = begin + level->config->latency;
	u64 all = ready + c->config->mem.beat * LINE_BEATS_BEHIND;
	int behind;

	if (c->data_line[s] == ARRAY_EMPTY)
		return 0;
	behind = near_find(level, line << near_bits(c, is), is);
	if (behind < 0 || !queue_take_at(c, &c->fsb, t, all))
		return 0;
	outer_take(level, begin, level->repeat[0]);
	near_ask(c, (u32)behind, store, is);
	data_count_miss(c, store);
	c->sig[SIG_DCACHE_FILL]++;
	c->sig[SIG_DCACHE_FILL_STORE] += store;
	c->sig[SIG_MISS_OCCUPANCY] += ready - t;
	account_pending(&c->sig[SIG_DCACHE_PENDING], &c->pending_end, t,
			ready);
	if (c->data_dirty[s])
		near_write_back(c, s, t);
	near_replace(c, s, line, store, clock, ready, is);
	if (SIM_UNLIKELY(c->tells))
		c->data_own[s] = level->state[behind];
	return ready;
}

/* Out of line: whatever line it is. */
static SIM_NOINLINE void
look_for_any(struct core *c, u64 va, bool store, u32 clock, u64 at,
	     struct data_result *r)
{
	data_line(c, va, store, clock, at, r);
}

SIM_INLINE void
look_for_line(struct core *c, u64 va, bool store, u32 clock, u64 at,
	      struct data_result *r, struct near_shape is)
{
	u64 line = va >> near_bits(c, is);
	int slot;

	if (SIM_UNLIKELY((!is.ways && !c->window->near) || c->coherence)) {
		look_for_any(c, va, store, clock, at, r);
		return;
	}
	slot = near_here(c, line, is);
	if (slot >= 0)
		data_hit(c, (u32)slot, va, store, clock, at, r);
	else if (!(r->ready = near_fill(c, line, store, clock, at, is)))
		look_for_any(c, va, store, clock, at, r);
}

#endif
