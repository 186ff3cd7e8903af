/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Behind the caches, as far as it is inlined into what happens on a miss:
 * buffers, the bus, memory.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "coherence.h"
#include "core.h"

#define QUEUE_RING(i) ((i) & (CORE_MAX_QUEUE - 1))

/* An empty buffer; its occupancy counts as signal first, or by quarters as
 * that and the two behind it. */
void queue_init(struct queue *q, u32 capacity, unsigned first, bool levels);

/* Puts done, earlier than the last entry, where it belongs. */
void queue_insert(struct queue *q, u64 done);

/* Entries that were accounted ahead are like any others again. */
void queue_take_back(struct core *c, struct queue *q);

/*
 * Accounts a buffer up to cycle t, by when some entries may be done: they are
 * given back one after the other, the first done first.
 */
SIM_INLINE void
queue_account(struct core *c, struct queue *q, u64 t)
{
	u64 since;

	if (q->calm != QUEUE_BUSY)
		queue_take_back(c, q);
	since = q->since;
	while (q->n) {
		u64 done = q->done[q->head], until = done < t ? done : t;

		if (SIM_LIKELY(until > since)) {
			c->sig[q->signal[q->n]] += until - since;
			since = until;
		}
		if (done > t)
			break;
		q->head = QUEUE_RING(q->head + 1);
		q->n--;
	}
	q->since = t > since ? t : since;
}

/*
 * Waits for an entry from cycle t on; it is free at *start.  Returns the
 * cycles waited.  queue_put() then takes it until cycle done.  Until it is free,
 * the buffer has one entry too many, which counts as full: in order, nothing is
 * accounted behind t, since other contexts may go on.
 */
SIM_INLINE u64
queue_take(struct core *c, struct queue *q, u64 t, u64 *start)
{
	queue_account(c, q, t);
	*start = t;
	if (SIM_UNLIKELY(q->n >= q->capacity)) {
		*start = q->done[QUEUE_RING(q->head + q->n - q->capacity)];
		if (c->window || q->n == CORE_MAX_QUEUE)
			queue_account(c, q, *start);
	}
	return *start - t;
}

SIM_INLINE void
queue_put(struct queue *q, u64 done)
{
	u32 last = q->head + q->n - 1;

	if (SIM_UNLIKELY(q->n && q->done[QUEUE_RING(last)] > done))
		queue_insert(q, done);
	else
		q->done[QUEUE_RING(last + 1)] = done;
	q->n++;
}

/* The cycle from t on that all entries are done by. */
SIM_INLINE u64
queue_end(const struct queue *q, u64 t)
{
	u64 last = t;

	if (q->calm != QUEUE_BUSY)
		last = q->last;
	else if (q->n)
		last = q->done[QUEUE_RING(q->head + q->n - 1)];
	return later(last, t);
}

/* Whether all that it has counted ahead is over by cycle t, and nothing else is
 * in it. */
SIM_INLINE bool
queue_is_over(const struct queue *q, u64 t)
{
	return q->calm != QUEUE_BUSY && q->last <= t;
}

/* Entries that are done by cycle t are given back, and nothing counts before
 * that; of a buffer that is not accounted ahead. */
void queue_return(struct queue *q, u64 t);

/* What the two below leave over. */
u64 queue_take_busy(struct core *c, struct queue *q, u64 t);
void queue_put_busy(struct core *c, struct queue *q, u64 start, u64 done);

/*
 * The same two where most entries are done before the next but one comes:
 * they can be accounted ahead; the cycle that the entry is free.  Nobody must
 * read signals before they are done without core_settle(), nor count in
 * another context's without core_take_back().
 */
SIM_INLINE u64
queue_take_ahead(struct core *c, struct queue *q, u64 t)
{
	return SIM_LIKELY(t >= q->calm) ? t : queue_take_busy(c, q, t);
}

SIM_INLINE void
queue_put_ahead(struct core *c, struct queue *q, u64 start, u64 done)
{
	u64 calm = q->last > start ? q->last : start;

	if (SIM_UNLIKELY(start < q->calm || done < calm)) {
		queue_put_busy(c, q, start, done);
		return;
	}
	/* Both until calm, the later one from then on; some of that is
	 * accounted for the earlier one alone. */
	c->sig[q->signal[2]] += calm - start;
	c->sig[q->signal[1]] += done - calm - (calm - start);
	q->since = start;
	q->calm = calm;
	q->last = done;
}

/* The same for a buffer of one entry. */
SIM_INLINE void
queue_put_one(struct core *c, struct queue *q, u64 start, u64 done)
{
	if (SIM_UNLIKELY(q->calm == QUEUE_BUSY &&
			 (q->since != start || c->buffers_watched))) {
		queue_put(q, done);
		return;
	}
	c->sig[q->signal[1]] += done - start;
	q->since = start;
	q->calm = q->last = done;
}

SIM_INLINE void
queue_put_soon(struct core *c, struct queue *q, u64 start, u64 done)
{
	if (q->capacity == 1)
		queue_put_one(c, q, start, done);
	else
		queue_put_ahead(c, q, start, done);
}

/*
 * The cycle from t on that an entry would be free, for queue_put_soon(), or
 * QUEUE_BUSY if that is a longer story: nothing is taken yet.
 */
u64 queue_start_busy(struct core *c, struct queue *q, u64 t);

SIM_INLINE u64
queue_start(struct core *c, struct queue *q, u64 t)
{
	return SIM_LIKELY(t >= q->calm) ? t : queue_start_busy(c, q, t);
}

/* Takes an entry of several from cycle t until done, if one is free at t. */
bool queue_take_at_busy(struct core *c, struct queue *q, u64 t, u64 done);

SIM_INLINE bool
queue_take_at(struct core *c, struct queue *q, u64 t, u64 done)
{
	if (SIM_UNLIKELY(t < q->calm || done < later(q->last, t)))
		return queue_take_at_busy(c, q, t, done);
	queue_put_ahead(c, q, t, done);
	return true;
}

/* The cycle that an entry is free, which queue_put_soon() then takes. */
SIM_INLINE u64
queue_take_soon(struct core *c, struct queue *q, u64 t)
{
	u64 start = queue_start(c, q, t);

	return SIM_LIKELY(start != QUEUE_BUSY) ? start
					       : queue_take_busy(c, q, t);
}

/* Adds the cycles from..to to a count of those with something outstanding,
 * which goes up to *end so far: a union of intervals.  The signal behind it
 * has their number. */
SIM_INLINE void
account_pending(u64 *sig, u64 *end, u64 from, u64 to)
{
	_Static_assert(SIG_DCACHE_PENDING_EDGE == SIG_DCACHE_PENDING + 1 &&
		       SIG_L2_PENDING_EDGE == SIG_L2_PENDING + 1 &&
		       SIG_L2_LOAD_PENDING_EDGE == SIG_L2_LOAD_PENDING + 1,
		       "edges are behind what they are of");

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
	u64 start;

	alone_forget(c);
	start = later(t, c->bus_free);
	c->sig[SIG_BUS_BUSY_EDGE] += t > c->bus_free;
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

/* Whether a level can read a line for so many cycles from cycle t on.  Who
 * comes later in the program may be before all who came without a gap. */
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
	/* Without a branch: nobody could predict it. */
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
		account_pending(&c->sig[SIG_DCACHE_PENDING], &c->pending_end,
				t, ready);
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
