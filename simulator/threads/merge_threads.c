/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which thread of a context executes: admitted, until its time slice is over, gone. */
#include "merge_cpus.h"

/* Contexts have got a thread or lost it. */
static void
count_active(struct merge *m)
{
	struct context *next = NULL;

	m->active = 0;
	for (u32 i = 2 * m->n; i--;) {
		struct context *x = &m->tc[i % m->n];

		x->after = next;
		if (x->first) {
			m->active += i < m->n;
			next = x;
		}
	}
}

/* The context has got another first thread, or none. */
static void
change_regions(struct merge *m, const struct context *x)
{
	if (!m->core->regions || merge_is_single(m))
		return;
	plan_count(m);
	regions_run(m->core, (unsigned)(x - m->tc),
		    x->first ? x->first->regions : NULL);
}

void
merge_admit(struct merge *m, struct merge_queue *q, unsigned tc)
{
	const struct merge_queue *waker = q->waker;
	struct context *x = &m->tc[tc];

	queue_give_up(q);
	q->leaving = q->yields = q->preempts = false;
	if (q->tc >= 0)
		return;
	q->tc = (s32)tc;
	q->next = NULL;
	if (!m->entered)
		m->entered = q;
	if (m->cpus && !x->first)
		cpus_wake(m, x, waker);
	if (x->first) {
		x->last->next = q;
		x->last = q;
		return;
	}
	x->first = x->last = q;
	change_regions(m, x);
	count_active(m);
	context_restart(m, x);
}

void
merge_leave(struct merge *m, struct merge_queue *q)
{
	(void)m;
	queue_give_up(q);
	merge_queue_commit(q);
	q->leaving = true;
}

bool
merge_yield(struct merge *m, struct merge_queue *q)
{
	const struct context *x = &m->tc[q->tc];

	q->yields = x->first != x->last;
	return q->yields || m->active > 1;
}

/* Thread q is not on x: there it goes behind another one, and those that are to go on
 * first. */
static void
put_behind(struct context *x, struct merge_queue *before,
	   struct merge_queue *q)
{
	while (before->next && before->next->preempts)
		before = before->next;
	q->next = before->next;
	before->next = q;
	if (!q->next)
		x->last = q;
}

void
merge_preempt(struct merge *m, struct merge_queue *q)
{
	struct context *x = &m->tc[q->tc];
	struct merge_queue *before = x->first;

	if (before == q)
		return;
	while (before->next != q)
		before = before->next;
	before->next = q->next;
	if (!q->next)
		x->last = before;
	q->preempts = true;
	put_behind(x, x->first, q);
	x->slice = 0;
}

/* The first thread gives way to the others on its context, or to those that are to go
 * on before it does. */
static void
rotate(struct merge *m, struct context *x, bool gone)
{
	struct merge_queue *q = x->first;
	bool preempted;

	if (m->cpus)
		cpus_pause(m, x, q);
	if (m->changes) {
		plan_count(m);
		m->changes();
	}
	x->first = q->next;
	preempted = x->first && x->first->preempts;
	if (preempted)
		x->first->preempts = false;
	change_regions(m, x);
	q->next = NULL;
	if (gone) {
		q->tc = -1;
		q->leaving = false;
		if (!x->first) {
			x->last = NULL;
			count_active(m);
		}
	} else {
		put_behind(x, preempted ? x->first : x->last, q);
	}
	context_restart(m, x);
}

/* A thread that has nothing more for now gives way to the others that have
 * recorded something. */
static void
give_way(struct merge *m, struct context *x)
{
	const struct merge_queue *q = x->first;

	while (q && queue_is_dry(q))
		q = q->next;
	while (q && x->first != q)
		rotate(m, x, false);
}

struct merge_queue *
context_thread(struct merge *m, struct context *x)
{
	if (x->first && x->first->woken)
		queue_wake(m, x->first);
	while (x->first && x->first->leaving && queue_is_dry(x->first))
		rotate(m, x, true);
	if (x->first && x->first->yields && queue_is_dry(x->first)) {
		x->first->yields = false;
		x->slice = 0;
	}
	if (m->draining)
		give_way(m, x);
	if (x->first && x->slice <= 0) {
		if (x->first->next)
			rotate(m, x, false);
		else
			x->slice = m->config->topo.time_slice;
	}
	return x->first;
}

struct merge_queue *
context_thread_known(struct merge *m, struct context *x)
{
	struct merge_queue *q = x->first;

	if (q && q->woken)
		queue_wake(m, q);
	if (q && x->slice <= 0 && queue_is_dry(q) && !q->leaving &&
	    !m->draining)
		return q;
	return context_thread(m, x);
}

void
merge_move(struct merge *m, struct merge_queue *q, unsigned tc)
{
	struct merge_queue *before;
	struct context *x;

	if (q->tc < 0 || q->tc == (s32)tc)
		return;
	x = &m->tc[q->tc];
	before = x->first;
	if (x->first == q) {
		rotate(m, x, true);
	} else {
		while (before->next != q)
			before = before->next;
		before->next = q->next;
		if (x->last == q)
			x->last = before;
		q->tc = -1;
	}
	merge_admit(m, q, tc);
}

void
context_give_back(struct merge *m, struct context *x,
		  const struct merge_queue *first, s64 slice)
{
	if (!first || first->tc < 0 || x->first == first)
		return;
	while (x->first != first)
		rotate(m, x, false);
	x->slice = slice;
}
