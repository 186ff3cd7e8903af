/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that another one wakes starts where that one stands.  The merge is
 * behind: it has not worked off yet what the waker has recorded.  So the woken
 * one is noted at the waker's queue, with the number of the record before which
 * it is to be admitted.
 */
#include "merge_internal.h"

/* The merge asks for more where a thread is to be admitted. */
static void
set_end(struct merge_queue *q)
{
	const struct merge_queue *first = q->woken;

	q->end = q->tail;
	if (first && (s32)(first->at - q->tail) < 0)
		q->end = first->at;
}

void
merge_admit_behind(struct merge *m, struct merge_queue *q, unsigned tc,
		   struct merge_queue *waker)
{
	struct merge_queue **last = &waker->woken;
	u32 at = waker->tail + waker->open;

	if (q == waker || waker->tc < 0 || waker->head == at) {
		merge_admit(m, q, tc);
		return;
	}
	while (*last)
		last = &(*last)->also;
	*last = q;
	q->waker = waker;
	q->also = NULL;
	q->at = at;
	q->to = tc;
}

void
queue_wake(struct merge *m, struct merge_queue *q)
{
	while (q->woken && q->woken->at == q->head) {
		merge_admit(m, q->woken, q->woken->to);
		m->woke = true;
	}
	set_end(q);
}

void
queue_give_up(struct merge_queue *q)
{
	struct merge_queue **link;

	if (!q->waker)
		return;
	link = &q->waker->woken;
	while (*link != q)
		link = &(*link)->also;
	*link = q->also;
	set_end(q->waker);
	q->waker = NULL;
}
