/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads whose line is in the first-level cache unknown to the table, or in the
 * level behind, with nothing else in their way: nearly all of those that the
 * fast path leaves over where there is such a level.  What is more than that
 * is left to access_load_other(), before anything has been counted.
 *
 * It is compiled for the ways that first-level caches have, and for lines as
 * large as the table's granules (bits is SHADOW_GRANULE_BITS) or any.
 */
#include "near.h"
#include "dcache.h"

/* A line that is to come from the level behind. */
struct near {
	u64 line, start;	/* asked for at that cycle */
	u32 victim;		/* slot of the line that makes room */
	int outer;		/* slot in the level behind */
};

/* The slot of a line among those of a set, or -1. */
SIM_INLINE int
find_way(const struct core *c, u32 first, u64 line, u32 ways)
{
	for (u32 s = first; s < first + ways; s++)
		if (c->data_line[s] == line)
			return (int)s;
	return -1;
}

SIM_INLINE u32
oldest_way(const struct core *c, u32 first, u32 ways)
{
	if (ways == 1)
		return first;
	if (ways == 4)
		return first + oldest_of_4(c->data_stamp + first);
	return first + (c->data_stamp[first + 1] < c->data_stamp[first]);
}

/* The slot of a line in the level behind, or -1. */
SIM_INLINE int
find_outer(const struct core *c, u64 addr)
{
	const struct outer_level *level = &c->outer[0];
	u64 line = addr >> level->line_bits;
	u32 at = (u32)line & level->lines.set_mask;

	if (level->lines.ways == 1)
		return level->lines.key[at] == line ? (int)at : -1;
	return array_find(&level->lines, line);
}

/*
 * Looks for the line at cycle t: true if it is behind, buffers have room, and
 * what is in its place, a line unchanged, need not be written.
 */
SIM_INLINE bool
is_near(struct core *c, struct near *n, u64 t, unsigned bits)
{
	u64 addr = n->line << bits;

	if (c->data_line[n->victim] == ARRAY_EMPTY ||
	    c->data_dirty[n->victim])
		return false;
	n->start = queue_start(c, &c->fsb, t);
	if (n->start == QUEUE_BUSY ||
	    queue_start(c, &c->ldq, n->start) != n->start ||
	    (c->writebuf.n &&
	     writebuf_waits(c, addr, addr + (1ull << bits), n->start)))
		return false;
	n->outer = find_outer(c, addr);
	return n->outer >= 0;
}

/* The line is read there; the cycle that it is here. */
SIM_INLINE u64
read_outer(struct core *c, const struct near *n)
{
	struct outer_level *level = &c->outer[0];
	u64 latency = level->config->latency, ready = n->start + latency;

	c->sig[SIG_L2_ACCESS]++;
	c->sig[level->state[n->outer] ? SIG_L2_LOAD_M : SIG_L2_LOAD_E]++;
	if (level->lines.ways > 1 && level->lines.policy == POLICY_LRU)
		level->lines.stamp[n->outer] =
			array_tick(&level->lines, &level->clock);
	c->sig[SIG_MISS_OCCUPANCY] += latency;
	account_pending(&c->sig[SIG_DCACHE_PENDING], &c->pending_end,
			n->start, ready);
	return ready;
}

/* It takes the place of another one. */
SIM_INLINE void
replace_line(struct core *c, const struct near *n, u32 clock, u64 ready,
	     unsigned bits)
{
	u32 s = n->victim;
	u64 addr = c->data_line[s] << bits;

	if (bits != SHADOW_GRANULE_BITS)
		shadow_drop_slot(c, s);
	else
		shadow_drop(c, addr, s);
	c->data_line[s] = n->line;
	c->data_ready[s] = ready;
	c->data_stamp[s] = clock;
}

SIM_INLINE void
load_near(struct core *c, const struct near *n, u64 va, u64 t,
	  const struct block_access *a, unsigned bits)
{
	u64 ready = read_outer(c, n);

	data_count_miss(c, false);
	c->sig[SIG_DCACHE_FILL]++;
	replace_line(c, n, (u32)c->now - a->clock_back, ready, bits);
	queue_put_soon(c, &c->fsb, n->start,
		       ready + c->config->mem.beat * LINE_BEATS_BEHIND);
	queue_put_soon(c, &c->ldq, n->start,
		       ready > n->start ? ready : n->start + 1);
	if (SIM_UNLIKELY(n->start != t))
		data_wait(c, n->start - t, SIG_ALU_FSB);
	load_wait(c, a, va, (int)n->victim, n->start, ready, true);
}

SIM_INLINE void
load(struct core *c, u32 what, u64 va, const struct block_access *a,
     u32 ways, unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back;
	struct near n = {.line = va >> bits};
	u32 first = ((u32)n.line & c->l1d.set_mask) * ways;
	int slot = find_way(c, first, n.line, ways);

	if (SIM_UNLIKELY((va + (what >> 1) - 1) >> bits != n.line ||
			 what >> WHAT_PAGE || c->n_pending)) {
		access_load_other(c, what, va, a);
		return;
	}
	if (slot >= 0 && c->data_ready[slot] <= t) {
		c->data_stamp[slot] = (u32)c->now - a->clock_back;
		shadow_put_slot(c, va, (u32)slot, true);
		return;
	}
	n.victim = oldest_way(c, first, ways);
	if (SIM_UNLIKELY(slot >= 0 || !is_near(c, &n, t, bits)))
		access_load_other(c, what, va, a);
	else
		load_near(c, &n, va, t, a, bits);
}

#define LOAD(name, ways, bits)                                        \
	static void name(struct core *c, u32 what, u64 va,            \
			 const struct block_access *a)                \
	{                                                             \
		load(c, what, va, a, ways, bits);                     \
	}

LOAD(load_1, 1, SHADOW_GRANULE_BITS)
LOAD(load_2, 2, SHADOW_GRANULE_BITS)
LOAD(load_4, 4, SHADOW_GRANULE_BITS)
LOAD(load_4_any, 4, c->dline_bits)

access_fn *
near_choose(const struct core *c)
{
	const struct cache_config *l1d = &c->config->l1d;
	bool small = c->dline_bits == SHADOW_GRANULE_BITS;

	if (!c->n_outer || c->outer[0].predicted || c->coherence ||
	    c->dline_bits < SHADOW_GRANULE_BITS ||
	    (l1d->ways > 1 && l1d->policy != POLICY_LRU))
		return access_load_other;
	if (l1d->ways == 4)
		return small ? load_4 : load_4_any;
	if (!small || l1d->ways > 2)
		return access_load_other;
	return l1d->ways == 1 ? load_1 : load_2;
}
