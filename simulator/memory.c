/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Behind the caches: buffers, the bus, memory. */
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

/* A union of intervals. */
void
account_pending(u64 *sig, u64 *end, u64 from, u64 to)
{
	if (from < *end)
		from = *end;
	if (to <= from)
		return;
	*sig += to - from;
	*end = to;
}

/* The bus, from cycle t on, for so many cycles; when they begin. */
static u64
take_bus(struct core *c, u64 t, unsigned cycles)
{
	u64 start = t > c->bus_free ? t : c->bus_free;

	c->bus_free = start + cycles;
	c->sig[SIG_BUS_BUSY] += cycles;
	return start;
}

/* A line comes from memory: the cycle that what was asked for is there. */
u64
memory_read(struct core *c, u64 t)
{
	const struct memory_config *mem = &c->config->mem;

	c->sig[SIG_MEMORY_READ]++;
	return take_bus(c, t, mem->bus_fill) + mem->latency;
}

/* A line, or less, goes to memory. */
void
memory_write(struct core *c, u64 t)
{
	c->sig[SIG_MEMORY_WRITE]++;
	take_bus(c, t, c->config->mem.bus_writeback);
}

u64
memory_fill(struct core *c, u64 addr, u64 t, enum outer_request what)
{
	u64 start = t, ready;

	if (what != OUTER_IFETCH && c->writebuf.n)
		start = writebuf_flush(c, addr, addr + c->config->l1d.line, t);
	ready = outer_read(c, 0, addr, start, what);

	if (what != OUTER_IFETCH)
		account_pending(&c->sig[SIG_DCACHE_PENDING], &c->pending_end,
				t, ready);
	return ready;
}

void
memory_writeback(struct core *c, u64 addr, u64 t)
{
	outer_write(c, 0, addr, t, false);
}

void
memory_store(struct core *c, u64 va, u64 t)
{
	outer_write(c, 0, va, t, true);
}
