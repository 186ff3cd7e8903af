/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers whose entries are taken and given back at known times. */
#include "memory.h"

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

void
queue_insert(struct queue *q, u64 done)
{
	u32 i = q->head + q->n;

	for (; i != q->head && q->done[QUEUE_RING(i - 1)] > done; i--)
		q->done[QUEUE_RING(i)] = q->done[QUEUE_RING(i - 1)];
	q->done[QUEUE_RING(i)] = done;
}

void
queue_take_back(struct core *c, struct queue *q)
{
	u64 done = q->since;

	if (!q->ahead)
		return;
	c->sig[q->signal[1]] -= q->ahead;
	q->since -= q->ahead;
	q->ahead = 0;
	queue_put(q, done);
}
