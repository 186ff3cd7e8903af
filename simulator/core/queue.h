/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers whose entries are taken and given back at known times. */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

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

/*
 * Accounts a buffer until cycle t, at which its time stands still.  What is done
 * by then is left as it was, accounted ahead or not: an access of before t may
 * still come.
 */
void queue_leave(struct core *c, struct queue *q, u64 t);

/* Nothing counts from cycle left until cycle t; what is done by then is given
 * back. */
void queue_skip(struct core *c, struct queue *q, u64 left, u64 t);

/* The same of a buffer that queue_leave() has left at cycle left. */
void queue_return(struct core *c, struct queue *q, u64 left, u64 t);

/* What the two below leave over. */
u64 queue_take_busy(struct core *c, struct queue *q, u64 t);
void queue_put_busy(struct core *c, struct queue *q, u64 start, u64 done);

/*
 * The same two where most entries are done before the next but one comes:
 * they can be accounted ahead; the cycle that the entry is free.  Before
 * they are done, signals are read behind core_settle() only, and counted in
 * another context's behind core_take_back() only.
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

#endif
