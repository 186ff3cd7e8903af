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

/* What a thread executes in turn before another one preempts it is so much of a time
 * slice at least, about 0.1 ms: one that sleeps for next to nothing, again and again,
 * lets others get on. */
static s64
turn_least(const struct merge *m)
{
	return m->config->topo.time_slice / 100;
}

/* The first thread has a time slice, or what was left of it. */
static void
begin_slice(const struct merge *m, struct context *x)
{
	struct merge_queue *q = x->first;

	x->slice = q && q->left ? q->left : m->config->topo.time_slice;
	x->given = x->slice;
	if (q)
		q->left = 0;
}

/* The same for one that has the context to itself: the next one preempts it at once. */
static void
begin_slice_alone(const struct merge *m, struct context *x)
{
	begin_slice(m, x);
	x->given += turn_least(m);
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
	q->left = 0;
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
	begin_slice_alone(m, x);
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

/* The time slice of x's first thread ends soon; the rest of it is for later. */
static void
cut_slice(const struct merge *m, struct context *x)
{
	s64 most = turn_least(m) - (x->given - x->slice);

	if (most < 0)
		most = 0;
	if (x->slice <= most)
		return;
	x->first->left += x->slice - most;
	x->given -= x->slice - most;
	x->slice = most;
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
	cut_slice(m, x);
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
		if (!preempted)
			q->left = 0;
		put_behind(x, q->left ? x->first : x->last, q);
	}
	context_restart(m, x);
	begin_slice(m, x);
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
		x->first->left = x->slice = 0;
	}
	if (m->draining)
		give_way(m, x);
	if (x->first && x->slice <= 0) {
		if (x->first->next)
			rotate(m, x, false);
		else
			begin_slice_alone(m, x);
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
		  const struct merge_queue *first, s64 slice, s64 given)
{
	if (!first || first->tc < 0 || x->first == first)
		return;
	while (x->first != first)
		rotate(m, x, false);
	x->slice = slice;
	x->given = given;
}
