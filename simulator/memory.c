/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Behind the first-level caches: the bus, the second level, the buffers. */
#include "core.h"

/* Adds the cycles until then with n entries taken to their level. */
static void
account_span(struct core *c, struct queue *q, unsigned n, u64 until)
{
	unsigned level = 0;

	if (until <= q->since)
		return;
	if (n && q->levels && n * 4u >= q->capacity)
		level = n * 2u <= q->capacity ? 1 : 2;
	if (n)
		c->sig[q->first + level] += until - q->since;
	q->since = until;
}

/* Entries are given back one after the other, the first done first. */
void
queue_account(struct core *c, struct queue *q, u64 t)
{
	unsigned gone = 0;

	for (; gone < q->n && q->done[gone] <= t; gone++)
		account_span(c, q, q->n - gone, q->done[gone]);
	if (gone) {
		q->n = (u16)(q->n - gone);
		for (unsigned i = 0; i < q->n; i++)
			q->done[i] = q->done[i + gone];
	}
	account_span(c, q, q->n, t);
}

u64
queue_take(struct core *c, struct queue *q, u64 t, u64 *start)
{
	queue_account(c, q, t);
	*start = t;
	if (SIM_UNLIKELY(q->n == q->capacity)) {
		*start = q->done[0];
		queue_account(c, q, *start);
	}
	return *start - t;
}

void
queue_put(struct queue *q, u64 done)
{
	unsigned i = q->n++;

	for (; i > 0 && q->done[i - 1] > done; i--)
		q->done[i] = q->done[i - 1];
	q->done[i] = done;
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
l2_access(struct core *c, u64 addr, bool dirty)
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
		if (l2_access(c, addr, false))
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
		if (!l2_access(c, addr, true))
			c->sig[SIG_L2_MISS]++;
		return;
	}
	start = t > c->bus_free ? t : c->bus_free;
	c->bus_free = start + c->config->mem.bus_writeback;
}
