/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "merge_cpus.h"

#include "core/coherence.h"
#include "merge_access.h"
#include "machine/machine_internal.h"
#include "pipeline/window.h"
#include "watch/profile.h"
#include "watch/sample.h"

#include <stdlib.h>
#include <string.h>

#define CORE_ALIGN 4096u

struct cpu {
	struct core *core;
	u64 outcome[2][BRANCH_OUTCOMES]; /* not counted yet */
};

/*
 * The merge's own core executes nothing: what it was is one of the CPUs.  It
 * goes on as the clock, and is what watchers are told of.
 */
struct merge_cpus {
	struct coherence *directory;
	bool begun;
	struct core *first;	/* room for what the merge's core was */
	struct core *other[SIM_MAX_TC]; /* cores that are set up */
	struct cpu cpu[SIM_MAX_TC];
};

static struct core *
core_room(void)
{
	size_t bytes = (sizeof(struct core) + CORE_ALIGN - 1) &
		       ~(size_t)(CORE_ALIGN - 1);

	return aligned_alloc(CORE_ALIGN, bytes);
}

static struct core *
new_core(const struct sim_config *config)
{
	struct core *c = core_room();

	if (c)
		memset(c, 0, sizeof *c);
	if (!c || !pipeline_init(c, config))
		return c;
	free(c);
	return NULL;
}

struct merge_cpus *
cpus_new(const struct merge *m)
{
	struct merge_cpus *cpus = calloc(1, sizeof *cpus);
	bool complete;

	if (!cpus)
		return NULL;
	cpus->directory = coherence_new(m->config);
	cpus->first = core_room();
	complete = cpus->directory && cpus->first;
	for (u32 i = 1; i < m->n && complete; i++) {
		cpus->other[i] = new_core(m->config);
		complete = cpus->other[i] != NULL;
	}
	if (complete)
		return cpus;
	cpus_free(cpus);
	return NULL;
}

void
cpus_free(struct merge_cpus *cpus)
{
	if (!cpus)
		return;
	for (u32 i = 0; i < SIM_MAX_TC; i++)
		free(cpus->other[i]);
	free(cpus->first);
	coherence_free(cpus->directory);
	free(cpus);
}

void
cpus_begin(struct merge *m, unsigned tc)
{
	struct merge_cpus *cpus = m->cpus;
	u32 next = 1;

	if (!cpus->begun) {
		core_move(cpus->first, m->core);
		for (u32 i = 0; i < m->n; i++) {
			struct core *c = i == tc ? cpus->first
						 : cpus->other[next++];

			cpus->cpu[i].core = c;
			c->pages = cpus->first->pages;
			coherence_join(cpus->directory, c, i);
		}
	}
	cpus->begun = true;
	for (u32 i = 0; i < m->n; i++) {
		cpus->cpu[i].core->sig = m->tc[i].sig;
		cpus->cpu[i].core->outcome = cpus->cpu[i].outcome;
	}
}

static struct cpu *
cpu_of(struct merge *m, const struct context *x)
{
	return &m->cpus->cpu[x - m->tc];
}

void
cpus_wake(struct merge *m, struct context *x, const struct merge_queue *waker)
{
	const struct core *by = waker ? cpu_of(m, &m->tc[waker->tc])->core
				      : m->core;
	struct core *c = cpu_of(m, x)->core;
	u64 now = core_cycle(by);

	if (now > core_cycle(c))
		core_skip(c, now - core_cycle(c));
}

static void
count_outcomes(struct merge *m, const struct context *x, struct cpu *u)
{
	machine_outcomes_add(&m->config->pipe,
			     (const u64(*)[BRANCH_OUTCOMES])u->outcome,
			     x->sig);
	memset(u->outcome, 0, sizeof u->outcome);
}

void
cpus_settle(struct merge *m)
{
	for (u32 i = 0; i < m->n; i++) {
		struct core *c = m->cpus->cpu[i].core;

		c->sig = m->tc[i].sig;
		core_settle(c);
	}
}

void
cpus_child(struct merge *m)
{
	for (u32 i = 0; i < m->n && m->cpus->begun; i++)
		core_child(m->cpus->cpu[i].core);
}

/* The clock goes with the CPU that is ahead. */
static void
keep_time(struct merge *m, const struct core *c)
{
	u64 now = core_cycle(m->core);

	if (core_cycle(c) > now)
		core_skip(m->core, core_cycle(c) - now);
}

void
cpus_pause(struct merge *m, struct context *x, const struct merge_queue *q)
{
	struct cpu *u = cpu_of(m, x);
	const struct block *p = u->core->prev, *t = queue_next(q);

	core_repeat_apart(u->core, p, t);
	core_pause(u->core, t ? t->vaddr : p->fall);
	count_outcomes(m, x, u);
	keep_time(m, u->core);
}

/* ---- One block ------------------------------------------------------- */

/* A store takes the fast path only to a line that is changed already, and
 * so this CPU's own. */
static bool
is_fast(const struct core *c, const struct merge_access *a)
{
	u16 slot = (u16)SHADOW_WAY(a->va, c->shadow[SHADOW_INDEX(a->va)]);

	return !a->store || (!c->config->l1d.write_through &&
			     c->data_dirty[slot]);
}

SIM_INLINE bool
hits(struct core *c, const struct merge_access *a, bool window)
{
	(void)window;
	return is_fast(c, a) &&
	       fast_data(c, a->access, a->va,
			 (unsigned)__builtin_ctz(a->bytes), a->store);
}

static void
access_any(struct core *c, const struct merge_access *a)
{
	access_odd(c, a, hits);
}

/* Counts of a block, from number from to number end, go to its CPU, not to
 * the process's blocks. */
static void
count_block(const struct block *b, unsigned from, unsigned end, u64 *sig)
{
	for (unsigned i = from; i < end; i++)
		sig[b->count[i].signal] += b->count[i].n;
}

/* Its thread is behind a marker: how that went is none of a region. */
static SIM_NOINLINE void
pass(struct merge *m, struct context *x, struct cpu *u, u32 number)
{
	const struct region_mark *mark =
		regions_mark(m->core->regions, number);

	if (mark->begins)
		count_outcomes(m, x, u);
	regions_pass(m->core, mark,
		     &(struct region_place){.tc = (unsigned)(x - m->tc),
					    .stalls = true});
}

/* Puts the next block through the core; what it counts each time that it is
 * executed, stalls apart, is still to be counted. */
static struct block *
execute(struct merge *m, struct context *x, struct cpu *u)
{
	struct merge_queue *q = x->first;
	const struct merge_record *r = &q->record[q->head & q->record_mask];
	struct block *b = r->block;
	struct core *c = u->core;

	context_arrive(m->core, (unsigned)(x - m->tc), r);
	context_arrived(m->core, (unsigned)(x - m->tc));
	c->sig = x->sig;
	merge_enter(m, c, b);
	b->execs--;
	if (SIM_UNLIKELY(r->mark))
		pass(m, x, u, r->mark);
	for (u32 i = r->first; i != r->end; i++) {
		const struct merge_access *a = &q->access[i & q->access_mask];

		if (c->window)
			access_window(c, a, hits);
		else
			access_in_order(c, a, hits, access_any);
	}
	count_outcomes(m, x, u);
	count_block(b, b->n_count, b->n_count + b->n_stall, x->sig);
	x->slice -= b->n_insn;
	q->prev = b;
	q->head++;
	return b;
}

/* The same while counters are watched: whatever happened in the
 * block belongs to its last instruction. */
static void
execute_watched(struct merge *m, struct context *x, struct cpu *u)
{
	const struct block *b = execute(m, x, u);
	unsigned tc = (unsigned)(x - m->tc), last = b->n_insn - 1u;
	struct core *c = m->core;

	if (c->sampler) {
		sample_issue(c, tc, last);
		sample_finish(c, tc, b, false);
	}
	if (c->profiler) {
		profiler_issue(c, tc, NULL, b, last);
		profiler_finish(c, tc, b, false);
	}
	count_block(b, 0, b->n_count, x->sig);
	if (c->sampler) {
		sample_finished(c, tc);
		sample_attend(c, b, 0);
	}
	if (c->profiler)
		profiler_finished(c, tc);
}

/* ---- Whose turn it is ------------------------------------------------ */

/* The CPU with something to do whose clock is behind; NULL if there is none.
 * Those whose threads have not recorded anything count, unless the rest is
 * to be worked off. */
static struct context *
look_for(struct merge *m)
{
	struct context *best = NULL;
	u64 first = 0;

	m->woke = false;
	for (u32 i = 0; i < m->n; i++) {
		struct context *x = &m->tc[i];
		struct merge_queue *q = context_thread_known(m, x);
		u64 at = core_cycle(m->cpus->cpu[i].core);

		if (!q || (m->draining && queue_is_dry(q)) || (best && first <= at))
			continue;
		best = x;
		first = at;
	}
	return best;
}

static struct context *
choose(struct merge *m)
{
	struct context *best;

	do
		best = look_for(m);
	while (m->woke);
	return best;
}

struct context *
cpus_run(struct merge *m)
{
	struct context *x;

	while ((x = choose(m)) && !queue_is_dry(x->first)) {
		struct cpu *u = cpu_of(m, x);

		if (SIM_UNLIKELY(m->core->sampler || m->core->profiler)) {
			execute_watched(m, x, u);
		} else {
			const struct block *b = execute(m, x, u);

			count_block(b, 0, b->n_count, x->sig);
		}
		keep_time(m, u->core);
	}
	return x;
}
