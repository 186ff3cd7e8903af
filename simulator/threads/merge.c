/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contexts from when threads take turns on; what a gap between issues counts as. */
#include "merge_cpus.h"

#include "core/dcache.h"
#include "core/fast.h"
#include "core/own_tlb.h"
#include "watch/profile.h"
#include "watch/sample.h"

#include <stdlib.h>
#include <string.h>

void
merge_model(struct merge *m, bool all)
{
	m->counts = !all && merge_is_single(m);
}

bool
merge_counts(const struct merge *m)
{
	return m->counts;
}

struct merge *
merge_new(struct core *c)
{
	struct merge *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->core = c;
	m->config = c->config;
	m->n = contexts_number(c->config);
	for (u32 i = 0; i < m->n; i++)
		m->tc[i].vpe = c->config->topo.vpe_of_tc[i];
	m->last = &m->tc[m->n - 1];
	for (u32 i = 0; i < SIM_COUNT(m->any); i++)
		m->any[i] = (struct merge_op){.step = STEP_ANY,
					       .owes = REG_UNREAD,
					       .waits = REG_UNWRITTEN,
					       .until = OP_READY};
	m->planned = true;
	m->plain = data_is_plain(c) && !m->config->pipe.watch_alignment &&
		   !m->config->pipe.watch_mmx && !m->config->mem.ordered;
	for (u32 i = 0; i < SIM_COUNT(m->enter); i++)
		m->enter[i] = c->window ? window_enterer(m->config, i + 1)
					: core_enter;
	if (c->config->topo.cpus > 1)
		m->cpus = cpus_new(m);
	if (c->config->topo.cpus <= 1 || m->cpus)
		return m;
	free(m);
	return NULL;
}

void
merge_free(struct merge *m)
{
	if (m)
		cpus_free(m->cpus);
	free(m);
}

/* Each context is told apart. */
static void
begin_several(struct merge *m, u64 (*sig)[SIG_N], unsigned tc)
{
	struct core *c = m->core;

	if (!m->cpus) {
		pending_until(c, core_cycle(c));
		c->n_pending = 0;
	}
	if (c->sampler)
		sample_merge(c, sig);
	if (c->profiler)
		profiler_merge(c, sig);
	c->outcome = m->outcome;
	c->return_owner = (s32)tc;
	m->stack = &m->tc[tc];
}

void
merge_begin(struct merge *m, u64 (*sig)[SIG_N], unsigned tc)
{
	struct core *c = m->core;

	core_take_back(c);
	for (u32 i = 0; i < m->n; i++) {
		m->tc[i].sig = sig[i];
		m->tc[i].itlb = own_tlb(&c->itlb, c->own_itlbs, i);
		m->tc[i].dtlb = own_tlb(&c->dtlb, c->own_dtlbs, i);
	}
	if (!merge_is_single(m))
		begin_several(m, sig, tc);
	if (m->cpus)
		cpus_begin(m, tc);
}

/* The block that the fast path goes on behind: a delay slot has been issued
 * or left out. */
static struct block *
block_behind(const struct merge_queue *q)
{
	static struct block branch;

	if (!q || !q->prev)
		return &block_none;
	if (!q->prev->detail->n_slot)
		return q->prev;
	branch = merge_branch(q->prev);
	return &branch;
}

void
merge_goes_on(struct merge *m, const struct merge_queue *q)
{
	m->entered = q;
}

/* Forgets all threads and contexts. */
static void
reset(struct merge *m)
{
	for (u32 i = 0; i < m->n; i++) {
		m->tc[i].first = m->tc[i].last = NULL;
		m->tc[i].after = NULL;
		m->tc[i].block = NULL;
	}
	m->active = 0;
	m->last = &m->tc[m->n - 1];
	m->draining = false;
	m->entered = NULL;
}

void
merge_end(struct merge *m, const struct merge_queue *q, unsigned tc)
{
	if (m->core->sampler)
		sample_look(m->core);
	if (m->core->profiler)
		profiler_look(m->core);
	if (q && !merge_is_single(m))
		merge_regions(m, tc, q->regions);
	if (merge_is_single(m)) {
		single_end(m, q);
	} else if (!m->cpus) {
		m->core->prev = block_behind(q);
		context_own_returns(m, &m->tc[tc]);
	}
	m->core->deadline = 0;
	reset(m);
}

/* What the contexts wait for in a cycle in which none issues. */
struct waits {
	u64 excepted;		/* a VPE is at exception level until then */
	u64 fetch;		/* all wait for fetch until then */
	struct context *line;	/* waits longest for an instruction line */
	u64 line_end;
	struct context *data;	/* waits longest for a data line */
	u64 data_start;
	u8 alu;			/* a stall that is not fetch's */
};

/* The stall of a context that is not for want of fetch; 0 if there is none. */
static u8
own_cause(const struct context *x, u64 now)
{
	if (x->held > now && x->held >= x->issue.at)
		return x->held_cause;
	return x->issue.at > x->s.next && x->issue.at > now ? x->issue.cause
							    : 0;
}

static void
look_at(struct waits *w, struct context *x, u64 now, u64 end)
{
	u64 fetched = x->fetched < end ? x->fetched : end;

	w->excepted = later(w->excepted, x->excepted);
	if (fetched < w->fetch)
		w->fetch = fetched;
	if (fetched > later(now, w->line_end) &&
	    x->fetch_cause == SIG_IFU_ICACHE) {
		w->line_end = fetched;
		w->line = x;
	}
	fetched = later(later(fetched, now), x->excepted);
	if (x->issue.cause == SIG_ALU_DMISS && x->issue.at > fetched &&
	    end > fetched && (!w->data || fetched < w->data_start)) {
		w->data_start = fetched;
		w->data = x;
	}
	if (!w->alu)
		w->alu = own_cause(x, now);
}

/* The same up to cycle end, which is at exception level. */
static u64
pass_exception(struct merge *m, const struct context *x, u64 end)
{
	struct core *c = m->core;

	c->sig = x->sig;
	memory_leave(c, core_cycle(c));
	memory_return(c, end);
	return end;
}

/* Lines were waited for in a gap that is user time from cycle user on. */
static void
count_waits(const struct waits *w, u64 user, u64 end)
{
	u64 line = w->line_end, data = later(w->data_start, user);

	if (w->line && line > user)
		w->line->sig[SIG_ICACHE_WAIT] += line - user;
	if (w->data && end > data)
		w->data->sig[SIG_DCACHE_WAIT] += end - data;
}

void
context_pass_gap(struct merge *m, struct context *x, u64 end)
{
	u64 now = core_cycle(m->core), start = now, user;
	struct waits w = {.fetch = end};
	u8 cause;

	look_at(&w, x, now, end);
	for (u32 i = 0; i < m->n; i++)
		if (m->tc[i].known && &m->tc[i] != x)
			look_at(&w, &m->tc[i], now, end);
	if (w.excepted > now)
		now = pass_exception(m, x, w.excepted < end ? w.excepted : end);
	user = now;
	if (w.fetch > now) {
		x->sig[x->fetch_cause] += w.fetch - now;
		now = w.fetch;
	}
	if (end > now) {
		cause = own_cause(x, start);
		if (!cause)
			cause = w.alu ? w.alu : SIG_ALU_OTHER;
		x->sig[cause] += end - now;
		if (cause == SIG_ALU_DMISS && m->config->pipe.watch_mmx &&
		    insn_is_mmx_register(x->issue.reg))
			x->sig[SIG_MMX_DMISS] += end - now;
	}
	count_waits(&w, user, end);
	m->core->now += CYCLES(end - start);
}

static struct context *
run(struct merge *m)
{
	return m->cpus		    ? cpus_run(m)
	       : merge_is_single(m) ? single_run(m)
				    : turns_run(m);
}

struct merge_queue *
merge_advance(struct merge *m)
{
	struct context *dry = run(m);

	if (!dry)
		return NULL;
	m->core->sig = dry->sig;
	return dry->first;
}

struct merge_queue *
merge_running(const struct merge *m, unsigned tc)
{
	return m->tc[tc].first;
}

void
merge_watch(struct merge *m, void (*changes)(void))
{
	m->changes = changes;
}

void
merge_drain(struct merge *m)
{
	struct context *x = &m->tc[0];
	const struct merge_queue *first = x->first;
	u64 *sig = m->core->sig;
	s64 slice = x->slice, given = x->given;

	m->draining = true;
	run(m);
	m->draining = false;
	m->core->sig = sig;
	if (merge_is_single(m))
		context_give_back(m, x, first, slice, given);
}

void
merge_forget(struct merge *m, struct merge_queue *q)
{
	/* What is still in the window is its own until another one goes on. */
	if (m->entered == q) {
		regions_thread_free(m->gone.regions);
		m->gone.regions = q->regions;
		m->entered = &m->gone;
	} else {
		regions_thread_free(q->regions);
	}
	q->regions = NULL;
	merge_queue_free(q);
}

void
merge_settle(struct merge *m)
{
	if (m->cpus)
		cpus_settle(m);
}

void
merge_child(struct merge *m)
{
	if (m->cpus)
		cpus_child(m);
}
