/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "queue.h"

void
queue_init(struct queue *q, u32 capacity, unsigned first, bool levels)
{
	*q = (struct queue){.capacity = capacity, .calm = QUEUE_BUSY,
			    .last = QUEUE_BUSY};
	for (u32 n = 0; n < SIM_COUNT(q->signal); n++)
		q->signal[n] = (u8)(levels ? queue_signal(capacity, n, first)
					   : first);
}

void
queue_insert(struct queue *q, u64 done)
{
	u32 i = q->head + q->n;

	for (; i != q->head && q->done[QUEUE_RING(i - 1)] > done; i--)
		q->done[QUEUE_RING(i)] = q->done[QUEUE_RING(i - 1)];
	q->done[QUEUE_RING(i)] = done;
}

/* The same of a buffer of one entry. */
static void
take_back_one(struct core *c, struct queue *q)
{
	c->sig[q->signal[1]] -= q->last - q->since;
	queue_put(q, q->last);
}

static void
take_back_two(struct core *c, struct queue *q)
{
	u64 both = q->calm - q->since;

	c->sig[q->signal[2]] -= both;
	c->sig[q->signal[1]] -= q->last - q->calm;
	if (both)
		queue_put(q, q->calm);
	queue_put(q, q->last);
}

void
queue_take_back(struct core *c, struct queue *q)
{
	if (q->calm == QUEUE_BUSY)
		return;
	if (q->capacity == 1)
		take_back_one(c, q);
	else
		take_back_two(c, q);
	q->calm = q->last = QUEUE_BUSY;
}

/* Accounts the one or two entries ahead that are all there are, the first of
 * which is in use from q->since on. */
static void
account_ahead(struct core *c, struct queue *q)
{
	u64 first = q->done[q->head], last = q->done[QUEUE_RING(q->head + 1)];

	q->calm = q->n > 1 ? first : q->since;
	q->last = q->n > 1 ? last : first;
	q->n = 0;
	c->sig[q->signal[2]] += q->calm - q->since;
	c->sig[q->signal[1]] += q->last - q->calm;
}

u64
queue_start_busy(struct core *c, struct queue *q, u64 t)
{
	if (q->calm != QUEUE_BUSY && q->capacity == 1)
		return q->calm;
	queue_account(c, q, t);
	return q->n < q->capacity ? t : QUEUE_BUSY;
}

u64
queue_take_busy(struct core *c, struct queue *q, u64 t)
{
	u64 start;

	queue_take(c, q, t, &start);
	return start;
}

void
queue_put_busy(struct core *c, struct queue *q, u64 start, u64 done)
{
	if (q->calm != QUEUE_BUSY)
		queue_account(c, q, start);
	queue_put(q, done);
	if (q->n <= 2 && q->capacity >= 2 && q->since == start &&
	    done > start && !c->buffers_watched)
		account_ahead(c, q);
}

bool
queue_take_at_busy(struct core *c, struct queue *q, u64 t, u64 done)
{
	queue_account(c, q, t);
	if (q->n >= q->capacity)
		return false;
	queue_put_busy(c, q, t, done);
	return true;
}

void
queue_leave(struct core *c, struct queue *q, u64 t)
{
	if (queue_end(q, 0) > t)
		queue_account(c, q, t);
}

void
queue_skip(struct core *c, struct queue *q, u64 left, u64 t)
{
	queue_account(c, q, left);
	while (q->n && q->done[q->head] <= t) {
		q->head = QUEUE_RING(q->head + 1);
		q->n--;
	}
	q->since = later(q->since, t);
}

void
queue_return(struct core *c, struct queue *q, u64 left, u64 t)
{
	if (queue_end(q, 0) > left)
		queue_skip(c, q, left, t);
}
