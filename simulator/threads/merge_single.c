/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads on a machine of one context: they take turns on it.  What they have
 * recorded goes through the core block by block, as the fast path would have
 * it: only where another thread goes on is the block before just over.
 */
#include "merge_access.h"
#include "watch/profile.h"

bool
merge_is_single(const struct merge *m)
{
	return m->n == 1 && !m->cpus;
}

/* The block that the core is in is over; its thread goes on at next. */
static void
pause(struct core *c, u64 next)
{
	const struct block *p = c->prev;

	if (c->sampler)
		sample_look(c);
	core_pause(c, next);
	if (c->profiler)
		profiler_paused(c, p);
	if (c->sampler)
		sample_leave(c);
}

void
merge_stop(struct merge *m, const struct block *next)
{
	if (merge_is_single(m))
		return;
	core_repeat_apart(m->core, m->core->prev, next);
	pause(m->core, next->vaddr);
}

/* The block that the core is in is over, and its thread, from, goes on later. */
static void
rest(struct merge *m, const struct merge_queue *from)
{
	struct core *c = m->core;
	const struct block *t = queue_next(from);
	u64 next = t ? t->vaddr : c->prev->fall;

	core_repeat_apart(c, c->prev, t);
	if (m->counts)
		fast_count(c, block_none_at(next));
	else
		pause(c, next);
}

void
merge_rest(struct merge *m)
{
	if (m->entered)
		rest(m, m->entered);
}

/* Thread q goes on, and the block that the core is in is another one's. */
static SIM_NOINLINE void
take_over(struct merge *m, const struct merge_queue *q)
{
	const struct merge_queue *from = m->entered;

	m->entered = q;
	if (!m->core->counting)
		rest(m, from);
	merge_regions(m, 0, q->regions);
}

/* In a window, the last block has been entered and is still there. */
void
single_end(struct merge *m, const struct merge_queue *q)
{
	if (q && m->entered != q)
		take_over(m, q);
	if (q || (m->core->window && !m->counts))
		return;
	m->core->prev = &block_none;
	m->core->n_pending = 0;
}

/* ---- Accesses -------------------------------------------------------- */

/* The table of lines is empty while threads record. */
SIM_INLINE bool
hits(struct core *c, const struct merge_access *a, bool window)
{
	return access_hits(c, &c->dtlb, a,
			   (u32)c->now - a->access->clock_back,
			   window ? 0 : core_cycle(c) - a->access->cycles_back,
			   false);
}

static SIM_NOINLINE void
access_any(struct core *c, const struct merge_access *a)
{
	access_odd(c, a, hits);
}

/* ---- Blocks ---------------------------------------------------------- */

/* An instruction takes a cycle, so that waits of other threads end. */
SIM_INLINE void
count(struct core *c, struct block *t)
{
	fast_count(c, t);
	c->now += CYCLES(t->n_insn);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

SIM_INLINE void
enter(struct merge *m, struct core *c, struct block *t)
{
	if (m->counts)
		count(c, t);
	else if (c->profiler)
		profiler_enter(c, t);
	else
		merge_enter(m, c, t);
}

/* So many instructions, at the pace of what was modelled before. */
static void
take_pace(struct core *c, s32 insns)
{
	s64 cycles;

	c->pace_left += insns * c->pace;
	cycles = c->pace_left >> CORE_PACE_BITS;
	if (cycles <= 0)
		return;
	c->pace_left -= cycles << CORE_PACE_BITS;
	c->paced += (u64)cycles;
	core_skip(c, (u64)cycles);
}

/* What is left of blocks that have been counted: their time. */
static void
pass(struct merge *m, s32 insns)
{
	struct core *c = m->core;

	if (c->skipping)
		take_pace(c, insns);
	else
		c->now += CYCLES((s64)insns);
	if (c->now >= c->deadline)
		core_attend(c, c->prev);
	m->tc[0].slice -= insns;
}

/* What the thread has executed next. */
static void
execute(struct merge *m, struct merge_queue *q)
{
	const struct merge_record *r = &q->record[q->head & q->record_mask];
	struct core *c = m->core;

	if (SIM_UNLIKELY(m->entered != q))
		take_over(m, q);
	if (!r->block) {
		pass(m, (s32)r->first);
		q->head++;
		return;
	}
	if (SIM_UNLIKELY(r->mark))
		regions_passed(c, regions_mark(c->regions, r->mark));
	context_arrive(c, 0, r);
	enter(m, c, r->block);
	context_arrived(c, 0);
	if (c->window)
		for (u32 i = r->first; i != r->end; i++)
			access_window(c, &q->access[i & q->access_mask],
				      hits);
	else
		for (u32 i = r->first; i != r->end; i++)
			access_in_order(c, &q->access[i & q->access_mask],
					hits, access_any);
	m->tc[0].slice -= r->block->n_insn;
	q->head++;
}

struct context *
single_run(struct merge *m)
{
	struct context *x = &m->tc[0];
	struct merge_queue *q;

	while ((q = context_thread_known(m, x))) {
		if (queue_is_dry(q))
			return m->draining ? NULL : x;
		do
			execute(m, q);
		while (q->head != q->end && x->slice > 0);
	}
	return NULL;
}
