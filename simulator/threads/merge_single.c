/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads on a machine of one context: they take turns on it.  What they have
 * recorded goes through the core block by block, as the fast path would have
 * it: only where another thread goes on is the block before just over.
 */
#include "core/fast.h"
#include "core/stores.h"
#include "merge_internal.h"
#include "core/mmx.h"
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
merge_stop(struct merge *m, u64 next)
{
	if (!merge_is_single(m))
		pause(m->core, next);
}

/* Thread q goes on, and the block that the core is in is another one's. */
static SIM_NOINLINE void
take_over(struct merge *m, const struct merge_queue *q)
{
	const struct merge_queue *from = m->entered;

	m->entered = q;
	pause(m->core, queue_next(from, m->core->prev));
	merge_regions(m, 0, q->regions);
}

/* In a window, the last block has been entered and is still there. */
void
single_end(struct merge *m, const struct merge_queue *q)
{
	if (q && m->entered != q)
		take_over(m, q);
	if (q || m->core->window)
		return;
	m->core->prev = &block_none;
	m->core->n_pending = 0;
}

/* ---- Accesses -------------------------------------------------------- */

/* The table of lines is empty while threads record. */
SIM_INLINE bool
hits(struct core *c, const struct merge_access *a)
{
	return access_hits(c, a, (u32)c->now - a->access->clock_back,
			   core_cycle(c) - a->access->cycles_back, false);
}

/* What costs time because of the address alone. */
static void
align(struct core *c, const struct merge_access *a)
{
	if (a->va & (a->bytes - 1u)) {
		core_misaligned(c, a->access, a->store);
		core_look(c, a->access);
	}
	if (a->store && core_may_order(c, a->access)) {
		core_order(c, a->access, a->va);
		core_look(c, a->access);
	}
}

static void
access_data(struct core *c, const struct merge_access *a)
{
	if (a->access->flags & ACCESS_BANK)
		core_bank(c, a->access, a->va);
	if (c->config->pipe.watch_alignment)
		align(c, a);
	if (hits(c, a))
		return;
	core_data(c, a->access, a->va, a->bytes, a->store);
	core_look(c, a->access);
}

static void
access_mmx(struct core *c, const struct merge_access *a)
{
	struct mmx_look before = mmx_look(c);

	access_data(c, a);
	mmx_count(c, &before);
}

static void
access_barrier(struct core *c, const struct merge_access *a)
{
	core_barrier(c, a->access);
	core_look(c, a->access);
}

static SIM_NOINLINE void
access_any(struct core *c, const struct merge_access *a)
{
	u8 flags = a->access->flags;

	if (SIM_UNLIKELY(flags & ACCESS_IS_BARRIER)) {
		access_barrier(c, a);
		return;
	}
	context_count(c, a);
	if (SIM_UNLIKELY(a->stored || flags & ACCESS_IS_UNCOUNTED))
		core_look(c, a->access);
	if (SIM_UNLIKELY(flags & ACCESS_IS_MMX))
		access_mmx(c, a);
	else
		access_data(c, a);
}

/* Whether nothing but its address matters, and where its line is. */
SIM_INLINE bool
is_usual(const struct core *c, const struct merge_access *a)
{
	const u8 odd = ACCESS_BANK | ACCESS_IS_BARRIER | ACCESS_IS_MMX |
		       ACCESS_IS_UNCOUNTED;

	return !(a->access->flags & odd) && !a->stored &&
	       !(c->config->pipe.watch_alignment &&
		 (a->store || a->va & (a->bytes - 1u)));
}

/* In a pipeline in order. */
SIM_INLINE void
access_in_order(struct core *c, const struct merge_access *a)
{
	if (SIM_UNLIKELY(!is_usual(c, a))) {
		access_any(c, a);
	} else if (!hits(c, a)) {
		core_data(c, a->access, a->va, a->bytes, a->store);
		core_look(c, a->access);
	}
}

/* Whether a window has nothing to look at: its line is known to be there. */
SIM_INLINE bool
window_hits(struct core *c, const struct merge_access *a)
{
	const u8 odd = ACCESS_IS_LOCKED | ACCESS_IS_MMX | ACCESS_IS_UNCOUNTED;

	return !(a->access->flags & odd) && !c->compares &&
	       access_hits(c, a, (u32)c->now - a->access->clock_back, 0,
			   false);
}

/* A window tells watchers itself. */
SIM_INLINE void
access_window(struct core *c, const struct merge_access *a)
{
	bool uncounted = a->access->flags & ACCESS_IS_UNCOUNTED;

	c->sig[SIG_SC_STORED] += a->stored;
	if (c->config->pipe.watch_alignment && a->va & (a->bytes - 1u))
		count_misaligned(c, a->store);
	if (!(c->stores && stores_pass(c, a->access, a->va, a->bytes,
				       a->store)) &&
	    window_hits(c, a))
		return;
	c->now += uncounted;
	core_data(c, a->access, a->va, a->bytes, a->store);
	if (SIM_UNLIKELY(uncounted)) {
		count_access(c, a->store);
		core_look(c, a->access);
	}
}

/* ---- Blocks ---------------------------------------------------------- */

/* What the thread has executed next. */
static void
execute(struct merge *m, struct merge_queue *q)
{
	const struct merge_record *r = &q->record[q->head & q->record_mask];
	struct core *c = m->core;

	if (SIM_UNLIKELY(m->entered != q))
		take_over(m, q);
	if (SIM_UNLIKELY(r->mark))
		regions_passed(c, regions_mark(c->regions, r->mark));
	context_arrive(c, 0, r);
	if (c->profiler)
		profiler_enter(c, r->block);
	else
		merge_enter(m, c, r->block);
	context_arrived(c, 0);
	if (c->window)
		for (u32 i = r->first; i != r->end; i++)
			access_window(c, &q->access[i & q->access_mask]);
	else
		for (u32 i = r->first; i != r->end; i++)
			access_in_order(c, &q->access[i & q->access_mask]);
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
