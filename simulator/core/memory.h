/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Behind the caches, as far as it is inlined into what happens on a miss:
 * buffers, the bus, memory.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "coherence.h"
#include "queue.h"
#include "unordered.h"

/* Adds the cycles from..to to the count of those with something outstanding,
 * which goes up to *end so far: a union of intervals.  The signal behind it
 * has their number. */
SIM_INLINE void
account_pending(struct core *c, enum pending_kind kind, u64 *end, u64 from, u64 to)
{
	static const u16 signal[PENDING_N] = {
		SIG_DCACHE_PENDING, SIG_L2_PENDING, SIG_L2_LOAD_PENDING};
	u64 *sig = &c->sig[signal[kind]];
	int edges;

	_Static_assert(SIG_DCACHE_PENDING_EDGE == SIG_DCACHE_PENDING + 1 &&
		       SIG_L2_PENDING_EDGE == SIG_L2_PENDING + 1 &&
		       SIG_L2_LOAD_PENDING_EDGE == SIG_L2_LOAD_PENDING + 1,
		       "edges are behind what they are of");

	if (c->unordered) {
		*sig += spans_join(&c->unordered->pending[kind], from, to,
				   c->unordered->earliest, &edges);
		sig[1] += (u64)(s64)edges;
		return;
	}
	sig[1] += from > *end && to > from;
	if (from < *end)
		from = *end;
	if (to <= from)
		return;
	*sig += to - from;
	*end = to;
}

/* The bus, from cycle t on, for so many cycles; when they begin. */
SIM_INLINE u64
take_bus(struct core *c, u64 t, unsigned cycles)
{
	int edges;
	u64 start;

	alone_forget(c);
	if (c->unordered) {
		start = spans_take(&c->unordered->bus, t, cycles,
				   c->unordered->earliest, &edges);
	} else {
		start = later(t, c->bus_free);
		edges = t > c->bus_free;
	}
	c->sig[SIG_BUS_BUSY_EDGE] += (u64)(s64)edges;
	c->bus_free = start + cycles;
	c->sig[SIG_BUS_BUSY] += cycles;
	return start;
}

/* A line is asked for at cycle t, and there at another: others may be under
 * way. */
SIM_INLINE void
count_reads(struct core *c, u64 t, u64 ready)
{
	if (c->reads[0] > t)
		c->sig[c->reads[1] > t ? SIG_MEMORY_READ_3
				       : SIG_MEMORY_READ_2]++;
	c->reads[1] = c->reads[0];
	c->reads[0] = ready;
}

/*
 * What is under way goes on where the program does not: at exception level, in
 * another mode.  memory_leave() lets those of its cycles count nothing that are
 * behind cycle t, memory_return() lets those count again; in between, others
 * may be counted elsewhere.  In a pipeline in order.
 */
void memory_leave(struct core *c, u64 t);
void memory_return(struct core *c, u64 t);

/* Whether nothing that counts is under way at cycle t any more, as mostly. */
SIM_INLINE bool
memory_is_quiet(const struct core *c, u64 t)
{
	const struct alone_load *l = &c->alone_load;

	if (l->ready != QUEUE_BUSY) {
		if (l->ready + l->behind > t)
			return false;
	} else if (!queue_is_over(&c->fsb, t) || !queue_is_over(&c->ldq, t) ||
		   c->pending_end > t) {
		return false;
	}
	return queue_is_over(&c->wbb, t) && queue_is_over(&c->ifb, t) &&
	       c->bus_free <= t;
}

/* The joint TLB is refilled from cycle t on: by software, that is not the
 * program's time. */
SIM_INLINE void
memory_refill(struct core *c, u64 t)
{
	u64 end = t + c->config->pipe.tlb_refill;

	if (c->config->pipe.refill_is_hardware || end == t)
		return;
	if (memory_is_quiet(c, t)) {
		c->returned = later(end, c->returned);
		return;
	}
	memory_leave(c, t);
	memory_return(c, end);
}

/* A line comes from memory: the cycle that what was asked for is there. */
SIM_INLINE u64
memory_read(struct core *c, u64 addr, u64 t, enum outer_request what)
{
	const struct memory_config *mem = &c->config->mem;
	u64 ready;

	if (SIM_UNLIKELY(c->coherence != NULL))
		coherence_read(c, addr, t, what);
	c->sig[SIG_MEMORY_READ]++;
	ready = take_bus(c, t, mem->bus_fill) + mem->latency;
	c->sig[SIG_MEMORY_OCCUPANCY] += ready - t;
	count_reads(c, t, ready);
	return ready;
}

/* The same for data and no level between, where nothing else is under way. */
SIM_INLINE u64
memory_read_alone(struct core *c, u64 t)
{
	const struct memory_config *mem = &c->config->mem;
	u64 *sig = c->sig, latency = mem->latency, ready = t + latency;

	sig[SIG_MEMORY_READ]++;
	sig[SIG_BUS_BUSY_EDGE]++;
	sig[SIG_BUS_BUSY] += mem->bus_fill;
	sig[SIG_MEMORY_OCCUPANCY] += latency;
	sig[SIG_DCACHE_PENDING_EDGE]++;
	sig[SIG_DCACHE_PENDING] += latency;
	c->bus_free = t + mem->bus_fill;
	c->reads[1] = c->reads[0];
	c->reads[0] = c->pending_end = ready;
	return ready;
}

/* A line, or less, goes to memory. */
SIM_INLINE void
memory_write(struct core *c, u64 t)
{
	c->sig[SIG_MEMORY_WRITE]++;
	take_bus(c, t, c->config->mem.bus_writeback);
}

/* The slot of a level behind the first one that a line was in last. */
SIM_INLINE u32
outer_place(const struct outer_level *level, u64 line)
{
	return level->lines.ways == 1 ? (u32)line & level->lines.set_mask
				      : level->hint[line & (OUTER_HINTS - 1)];
}

/*
 * The slot of a line in a level of three or six ways, or -1.  Which way it is
 * in, or was in last, no branch asks: the host would mispredict it.
 * OUTER_OTHER: of more ways, or fewer, it pays to ask where it was last.
 */
#define OUTER_OTHER (-2)
SIM_INLINE int
outer_find_flat(const struct outer_level *level, u64 line)
{
	u32 set = (u32)line & level->lines.set_mask;
	const u64 *key = level->lines.key;

	switch (level->lines.ways) {
	case 3:
		return array_find_flat(key, set * 3, line, 3);
	case 6:
		return array_find_flat(key, set * 6, line, 6);
	default:
		return OUTER_OTHER;
	}
}

/* The slot of memory there, or -1. */
SIM_INLINE int
outer_find(struct outer_level *level, u64 addr)
{
	u64 line = addr >> level->line_bits;
	u32 at = (u32)line & level->lines.set_mask;
	int found;

	if (level->lines.ways == 1)
		return level->lines.key[at] == line ? (int)at : -1;
	found = outer_find_flat(level, line);
	if (found == OUTER_OTHER) {
		at = level->hint[line & (OUTER_HINTS - 1)];
		if (SIM_LIKELY(level->lines.key[at] == line))
			return (int)at;
		found = array_find(&level->lines, line);
	}
	if (found >= 0)
		level->hint[line & (OUTER_HINTS - 1)] = (u32)found;
	return found;
}

/* The same in a level of so many ways (0: any), without a call: -1 may be
 * wrong. */
SIM_INLINE int
outer_find_quick(const struct outer_level *level, u64 addr, u32 ways)
{
	u64 line = addr >> level->line_bits;
	u32 at = (u32)line & level->lines.set_mask;
	int found = OUTER_OTHER;

	if (ways > 1)
		return array_find_flat(level->lines.key, at * ways, line, ways);
	if (!ways) {
		found = outer_find_flat(level, line);
		at = outer_place(level, line);
	}
	if (found != OUTER_OTHER)
		return found;
	return level->lines.key[at] == line ? (int)at : -1;
}

/* Whether a level can read a line for so many cycles from cycle t on.
 * What comes later in the program may be before all that came without a gap. */
SIM_INLINE bool
outer_is_free(const struct outer_level *level, u64 t, u32 cycles)
{
	return t >= level->read_until || t + cycles <= level->read_from;
}

/* The cycle that it begins to read one which is wanted at cycle t. */
SIM_INLINE u64
outer_begin(const struct outer_level *level, u64 t, u32 cycles)
{
	return SIM_LIKELY(outer_is_free(level, t, cycles)) ? t
							   : level->read_until;
}

SIM_INLINE void
outer_take(struct outer_level *level, u64 t, u32 cycles)
{
	u64 from = level->read_from;

	if (SIM_UNLIKELY(t < from))
		return;
	/* Without a branch: it could not be predicted. */
	from = t == level->read_until ? from : t;
	level->read_from = from;
	level->read_until = t + cycles;
}

/* A line that a first-level cache wants at cycle t, from the levels behind
 * it or memory; the cycle that what was asked for is there. */
SIM_INLINE u64
memory_fill(struct core *c, u64 addr, u64 t, enum outer_request what)
{
	u64 start = t, ready;

	if (SIM_UNLIKELY(what != OUTER_IFETCH && c->writebuf.n))
		start = writebuf_flush(c, addr, addr + c->config->l1d.line, t);
	ready = c->n_outer ? outer_read(c, 0, addr, start, what)
			   : memory_read(c, addr, start, what);
	if (what != OUTER_IFETCH)
		account_pending(c, PENDING_DATA, &c->pending_end, t, ready);
	return ready;
}

/* Less than a line, or a line, goes to that slot of the level behind the
 * first one. */
SIM_INLINE void
write_slot(struct core *c, u32 slot)
{
	struct outer_level *level = &c->outer[0];

	c->sig[SIG_L2_ACCESS]++;
	c->sig[level->state[slot] ? SIG_L2_WRITE_M : SIG_L2_WRITE_E]++;
	if (level->ages)
		level->lines.stamp[slot] =
			array_tick(&level->lines, &level->clock);
	level->state[slot] |= OUTER_DIRTY;
}

/* The same if that has a place for it, where it had it last, and does not let
 * it through; false: nothing is done. */
SIM_INLINE bool
write_there(struct core *c, u64 addr)
{
	const struct outer_level *level = &c->outer[0];
	u64 line = addr >> level->line_bits;
	u32 slot = outer_place(level, line);

	if (SIM_UNLIKELY(!c->writes_near) || level->lines.key[slot] != line ||
	    SIM_UNLIKELY(level->clock == UINT32_MAX))
		return false;
	write_slot(c, slot);
	return true;
}

/* The same wherever it has. */
SIM_INLINE bool
write_near(struct core *c, u64 addr)
{
	int found;

	if (SIM_UNLIKELY(!c->writes_near))
		return false;
	found = outer_find(&c->outer[0], addr);
	if (SIM_UNLIKELY(found < 0))
		return false;
	write_slot(c, (u32)found);
	return true;
}

/* A line that the data cache writes back at cycle t. */
SIM_INLINE void
memory_writeback(struct core *c, u64 addr, u64 t)
{
	if (c->n_outer)
		outer_write(c, 0, addr, t, false);
	else
		memory_write(c, t);
}

/* A word that goes through the data cache, or past it. */
SIM_INLINE void
memory_store(struct core *c, u64 va, u64 t)
{
	if (write_near(c, va))
		return;
	if (c->n_outer)
		outer_write(c, 0, va, t, true);
	else
		memory_write(c, t);
}

#endif
