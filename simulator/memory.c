/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Behind the first-level caches: the bus, the second level, the buffers. */
#include "core.h"

#define RING(i) ((i) & (CORE_MAX_QUEUE - 1))

void
queue_init(struct queue *q, u32 capacity, unsigned first, bool levels)
{
	*q = (struct queue){.capacity = capacity};
	for (u32 n = 0; n <= capacity; n++) {
		q->signal[n] = (u8)first;
		if (levels && n * 4 >= capacity)
			q->signal[n] = (u8)(first + 1 + (n * 2 > capacity));
	}
}

/* Adds the cycles until then to the signal of the present occupancy. */
SIM_INLINE void
account_span(struct core *c, struct queue *q, u64 until)
{
	if (until <= q->since)
		return;
	if (q->n)
		c->sig[q->signal[q->n]] += until - q->since;
	q->since = until;
}

/* Entries are given back one after the other, the first done first. */
SIM_INLINE void
give_back(struct core *c, struct queue *q, u64 t)
{
	while (q->n && q->done[q->head] <= t) {
		account_span(c, q, q->done[q->head]);
		q->head = RING(q->head + 1);
		q->n--;
	}
	account_span(c, q, t);
}

void
queue_account(struct core *c, struct queue *q, u64 t)
{
	give_back(c, q, t);
}

u64
queue_take(struct core *c, struct queue *q, u64 t, u64 *start)
{
	give_back(c, q, t);
	*start = t;
	if (SIM_UNLIKELY(q->n == q->capacity)) {
		*start = q->done[q->head];
		give_back(c, q, *start);
	}
	return *start - t;
}

void
queue_put(struct queue *q, u64 done)
{
	u32 i = q->head + q->n++;

	for (; i != q->head && q->done[RING(i - 1)] > done; i--)
		q->done[RING(i)] = q->done[RING(i - 1)];
	q->done[RING(i)] = done;
}

/* Cycles with something outstanding: a union of intervals. */
static void
account_pending(u64 *sig, u64 *end, u64 from, u64 to)
{
	if (from < *end)
		from = *end;
	if (to <= from)
		return;
	*sig += to - from;
	*end = to;
}

/* True if the second level has the line; it has it afterwards. */
static bool
l2_access(struct core *c, u64 addr, u64 t, bool dirty)
{
	u64 line = addr >> c->l2_line_bits;
	int slot = array_find(&c->l2, line);
	u32 s;

	if (slot >= 0) {
		if (c->l2.policy == POLICY_LRU)
			c->l2.stamp[slot] = ++c->l2_clock;
		c->l2_dirty[slot] |= dirty;
		return true;
	}
	s = array_victim(&c->l2, line);
	if (c->l2.key[s] != ARRAY_EMPTY && c->l2_dirty[s]) {
		c->sig[SIG_L2_WB]++;
		if (c->bus_free < t)
			c->bus_free = t;
		c->bus_free += c->config->mem.bus_writeback;
	}
	c->l2.key[s] = line;
	c->l2.stamp[s] = ++c->l2_clock;
	c->l2_dirty[s] = dirty;
	return false;
}

u64
memory_fill(struct core *c, u64 addr, u64 t, bool data)
{
	const struct memory_config *mem = &c->config->mem;
	u64 start, ready;

	if (c->l2.key) {
		c->sig[SIG_L2_ACCESS]++;
		if (l2_access(c, addr, t, false))
			return t + c->config->l2.latency;
		c->sig[SIG_L2_MISS]++;
	}
	start = t > c->bus_free ? t : c->bus_free;
	c->bus_free = start + mem->bus_fill;
	ready = start + mem->latency;
	if (c->l2.key)
		account_pending(&c->sig[SIG_L2_PENDING], &c->l2_pending_end,
				t, ready);
	if (data)
		account_pending(&c->sig[SIG_DCACHE_PENDING], &c->pending_end,
				t, ready);
	return ready;
}

void
memory_writeback(struct core *c, u64 addr, u64 t)
{
	u64 start;

	if (c->l2.key) {
		c->sig[SIG_L2_ACCESS]++;
		if (!l2_access(c, addr, t, true))
			c->sig[SIG_L2_MISS]++;
		return;
	}
	start = t > c->bus_free ? t : c->bus_free;
	c->bus_free = start + c->config->mem.bus_writeback;
}
