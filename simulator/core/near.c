/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads whose line is in the first-level cache unknown to the table, or
 * behind it, with nothing else in their way: nearly all of those that the fast
 * path leaves over where there is a level behind.  What is more than that
 * is left to access_load_other(), before anything has been counted.
 *
 * Most find nothing else under way either, but for the end of the line before:
 * those are looked for first of all, and counted by enum alone.
 *
 * It is compiled for the ways that first-level caches have, and for lines as
 * large as the table's granules (bits is SHADOW_GRANULE_BITS) or any; for three
 * machines besides for what is behind the first level there.
 */
#include "near.h"
#include "near_load.h"
#include "prefetch.h"

/* A store to one line of a cache that is written through, and that a miss
 * brings none to: what access_past() does. */
SIM_INLINE void
store_through(struct core *c, u64 va, const struct block_access *a, u32 ways,
	      unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back, line = va >> bits;
	int slot = find_way(c, ((u32)line & c->l1d.set_mask) * ways, line,
			    ways);

	if (slot >= 0)
		c->data_stamp[slot] = (u32)c->now - a->clock_back;
	if (slot >= 0 && c->data_ready[slot] <= t)
		data_known(c, va, (u32)slot);
	else if (slot < 0 || c->config->pipe.miss_counts_secondary)
		data_count_miss(c, true);
	near_put(c, va, t, a);
}

/* The same for a cache that is written back, and no write buffer that merges:
 * what misses takes an entry of the other one. */
SIM_INLINE void
store_past(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 ways, unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back, line = va >> bits;
	int slot = find_way(c, ((u32)line & c->l1d.set_mask) * ways, line,
			    ways);

	if (slot >= 0) {
		c->data_stamp[slot] = (u32)c->now - a->clock_back;
		data_change(c, (u32)slot);
		if (c->data_ready[slot] <= t)
			data_known(c, va, (u32)slot);
		else if (c->config->pipe.miss_counts_secondary)
			data_count_miss(c, true);
	} else if (can_write(c, t)) {
		data_count_miss(c, true);
		write_out(c, va, t, true);
	} else {
		core_access(c, what, va, a);
	}
}

/* Whether stores to lines that the table does not show go to a buffer. */
SIM_INLINE bool
takes_stores(const struct core *c)
{
	return c->goes_through || c->goes_past;
}

/* There they do. */
SIM_INLINE void
store_out(struct core *c, u32 what, u64 va, const struct block_access *a,
	  u32 ways, unsigned bits)
{
	if (c->goes_through)
		store_through(c, va, a, ways, bits);
	else
		store_past(c, what, va, a, ways, bits);
}

/* An access that may span lines, or is behind loads that may have been waited
 * for in the meantime. */
SIM_INLINE void
access_any(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 ways, unsigned bits, access_fn *first)
{
	u64 page;

	pending_until(c, core_cycle(c) - a->cycles_back);
	page = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);
	if (page > SHADOW_PAGE_SLOTS || is_split(what, va, bits) ||
	    (what & 1 && !takes_stores(c))) {
		core_access(c, what, va, a);
		return;
	}
	c->dtlb.stamp[page] = (u32)c->now - a->clock_back;
	if (what & 1)
		store_out(c, what, va, a, ways, bits);
	else
		first(c, what, va, a);
}

/* One to a line that the table does not show, and a page that it does. */
SIM_INLINE void
load_unshown(struct core *c, u32 what, u64 va, const struct block_access *a,
	     u32 page, u32 clock, unsigned bits, const struct near_fns *fns)
{
	if (SIM_UNLIKELY(c->n_pending) || is_split(what, va, bits)) {
		fns->access(c, what, va, a);
		return;
	}
	c->dtlb.stamp[page] = clock;
	load_alone(c, what, va, a, clock, bits, fns);
}

SIM_INLINE void
store_unshown(struct core *c, u32 what, u64 va, const struct block_access *a,
	      u32 page, u32 clock, u32 ways, unsigned bits,
	      const struct near_fns *fns)
{
	if (SIM_UNLIKELY(c->n_pending) || is_split(what, va, bits) ||
	    !takes_stores(c)) {
		fns->access(c, what, va, a);
		return;
	}
	c->dtlb.stamp[page] = clock;
	store_out(c, what, va, a, ways, bits);
}

#define NEAR(name, ways, small, behind, single)                              \
	static void other_##name(struct core *c, u32 what, u64 va,           \
				 const struct block_access *a)               \
	{                                                                    \
		load(c, what, va, a, ways, LINE_BITS(small));                \
	}                                                                    \
	static SIM_NOINLINE void first_##name(                               \
		struct core *c, u32 what, u64 va,                            \
		const struct block_access *a)                                \
	{                                                                    \
		load_first(c, what, va, a, ways, LINE_BITS(small));          \
	}                                                                    \
	static SIM_NOINLINE void access_##name(                              \
		struct core *c, u32 what, u64 va,                            \
		const struct block_access *a)                                \
	{                                                                    \
		access_any(c, what, va, a, ways, LINE_BITS(small),           \
			   first_##name);                                    \
	}                                                                    \
	static void recorded_##name(struct core *c, u32 what, u64 va,        \
				    const struct block_access *a)            \
	{                                                                    \
		access_any(c, what, va, a, ways, LINE_BITS(small),           \
			   other_##name);                                    \
	}                                                                    \
	static unshown_fn load_##name, store_##name;                         \
	static const struct near_fns near_##name = {                         \
		ways, small, behind, single,                                 \
		other_##name, first_##name, access_##name, recorded_##name,  \
		{load_##name, store_##name},                                 \
	};                                                                   \
	static void load_##name(struct core *c, u32 what, u64 va,            \
				const struct block_access *a, u32 page,      \
				u32 clock)                                   \
	{                                                                    \
		load_unshown(c, what, va, a, page, clock, LINE_BITS(small),  \
			     &near_##name);                                  \
	}                                                                    \
	static void store_##name(struct core *c, u32 what, u64 va,           \
				 const struct block_access *a, u32 page,     \
				 u32 clock)                                  \
	{                                                                    \
		store_unshown(c, what, va, a, page, clock, ways,             \
			      LINE_BITS(small), &near_##name);               \
	}
#define LINE_BITS(small) ((small) ? SHADOW_GRANULE_BITS : c->dline_bits)

NEAR(1, 1, true, 0, false)
NEAR(2, 2, true, 0, false)
NEAR(4, 4, true, 0, false)
NEAR(4_any, 4, false, 0, false)
/* Of the 21064 and the 21066, the 21164, and the Pentium. */
NEAR(1_1, 1, true, 1, false)
NEAR(1_3, 1, true, 3, false)
NEAR(2_1, 2, true, 1, true)

/* What is compiled for caches such as these, or NULL. */
static const struct near_fns *
near_of(const struct core *c)
{
	static const struct near_fns *const all[] = {
		&near_1_1, &near_1_3, &near_2_1,
		&near_1, &near_2, &near_4, &near_4_any,
	};
	const struct cache_config *l1d = &c->config->l1d;
	bool small = c->dline_bits == SHADOW_GRANULE_BITS;

	if (!c->n_outer || c->outer[0].predicted || c->coherence ||
	    c->dline_bits < SHADOW_GRANULE_BITS ||
	    (l1d->ways > 1 && l1d->policy != POLICY_LRU))
		return NULL;
	for (unsigned i = 0; i < SIM_COUNT(all); i++)
		if (all[i]->ways == l1d->ways && all[i]->small == small &&
		    (!all[i]->behind ||
		     (all[i]->behind == c->outer[0].lines.ways &&
		      all[i]->single == (c->fsb.capacity == 1))))
			return all[i];
	return NULL;
}

/* The same for loads that are alone. */
static bool
can_be_alone(const struct core *c)
{
	return c->outer[0].config->latency && c->ldq.capacity > 1;
}

void
near_choose(struct core *c)
{
	const struct near_fns *near = near_of(c);

	c->near = NULL;
	c->load_other = access_load_other;
	c->access = c->window ? c->window_fns->accessor(c)
			      : core_access;
	c->goes_through = c->config->l1d.write_through &&
			  c->config->l1d.no_write_allocate &&
			  c->config->mem.wbb_bytes;
	c->goes_past = !c->config->l1d.write_through &&
		       c->config->l1d.no_write_allocate &&
		       !c->config->mem.wbb_bytes;
	c->fetches_near = c->n_outer && !c->outer[0].predicted &&
			  !c->config->l2.data_only;
	c->writes_near = c->n_outer && !c->config->l2.write_through;
	c->stores_shown = c->goes_through && c->writes_near && !c->window &&
			  !c->coherence;
	if (!c->window && !c->tells && near) {
		c->load_other = near->other;
		if (can_be_alone(c) && c->recording) {
			c->access = near->recorded;
		} else if (can_be_alone(c)) {
			c->access = near->access;
			c->near = near;
		}
	}
	if (c->prefetch)
		prefetch_wrap(c);
	core_route(c);
}

unshown_fn *
near_unshown(const struct core *c, bool store)
{
	return c->near ? c->near->unshown[store] : NULL;
}
