/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instruction of one context issues: what it accesses, and keeps. */
#include "merge_internal.h"
#include "core/mmx.h"
#include "watch/profile.h"
#include "watch/sample.h"
#include "core/tlb.h"

/* A load that missed takes an entry of the load queue until it is done,
 * where it waits for other buffers as well. */
static void
take_load_queue(struct core *c, u64 t, struct data_result *r)
{
	u64 start, wait = queue_take(c, &c->ldq, t, &start);

	start = later(start, t + r->wait);
	queue_put(&c->ldq, r->ready > start ? r->ready : start + 1);
	if (wait <= r->wait)
		return;
	r->wait = wait;
	r->wait_signal = SIG_ALU_LDQ;
}

/* A store that hits waits for those that have not. */
static void
wait_in_order(const struct core *c, u64 va, u64 t, struct data_result *r)
{
	u64 wait = order_wait(c, va, t);

	if (!wait)
		return;
	r->wait += wait;
	r->wait_signal = SIG_ALU_ORDER;
}

/* Whether an access spans two lines, and perhaps two pages. */
static bool
is_split(const struct core *c, const struct merge_access *a)
{
	return (a->va ^ (a->va + a->bytes - 1)) >> c->dline_bits;
}

/*
 * The pages of what the instruction accesses, each once, whatever happens to it
 * before the line is there; *replay is the time that takes.  True at the first
 * that the joint TLB does not have.
 */
static bool
access_pages(struct merge *m, struct context *x, u64 *replay)
{
	struct core *c = m->core;
	const struct merge_access *a;
	u32 access = x->access;
	bool refill = false;

	if ((s32)(x->paged - access) < 0)
		x->paged = access;
	x->access = x->paged;
	while (!refill && (a = next_access(x))) {
		struct data_result r = {0};

		x->access++;
		data_page(c, x->dtlb, a->va, (u32)c->now, &r);
		if (SIM_UNLIKELY(is_split(c, a)))
			data_page(c, x->dtlb, a->va + a->bytes - 1,
				  (u32)c->now, &r);
		*replay += r.replay;
		refill = r.refill;
	}
	x->paged = x->access;
	x->access = access;
	return refill;
}

static void
access_lines(struct merge *m, struct context *x, const struct merge_access *a,
	     u64 t, struct data_result *r)
{
	struct core *c = m->core;
	u64 last = a->va + a->bytes - 1;
	u32 clock = (u32)c->now;

	if (m->config->pipe.watch_alignment && a->va & (a->bytes - 1)) {
		count_misaligned(c, a->store);
		r->wait += m->config->pipe.misaligned;
		r->wait_signal = SIG_ALU_OTHER;
	}
	if (a->store && m->config->mem.ordered)
		wait_in_order(c, a->va, t, r);
	tlb_use(x->dtlb, a->va, clock);
	data_line(c, a->va, a->store, clock, t, r);
	if (SIM_UNLIKELY(is_split(c, a))) {
		tlb_use(x->dtlb, last, clock);
		c->sig[SIG_SPLIT]++;
		count_access(c, a->store);
		data_line(c, last, a->store, clock, t, r);
	}
	if (!a->store && r->ready > t)
		take_load_queue(c, t, r);
}

/* The same for one of an MMX instruction; what it waits for is not yet among
 * the stalls. */
static void
access_mmx(struct merge *m, struct context *x, const struct merge_access *a,
	   u64 t, struct data_result *r)
{
	struct core *c = m->core;
	struct mmx_look before = mmx_look(c);

	access_lines(m, x, a, t, r);
	mmx_count(c, &before);
	if (r->wait_signal == SIG_ALU_WBB)
		c->sig[SIG_MMX_WBB] += r->wait;
	if (r->wait_signal == SIG_ALU_ORDER)
		c->sig[SIG_MMX_ORDER] += r->wait;
}

/* All accesses of the instruction that issues at cycle t: what they cost. */
static struct data_result
access_memory(struct merge *m, struct context *x, u64 t)
{
	struct data_result all = {0};
	const struct merge_access *a;

	while ((a = next_access(x))) {
		struct data_result r = {0};

		x->access++;
		context_count(m->core, a);
		if (SIM_LIKELY(m->plain &&
			       access_hits(m->core, x->dtlb, a,
					   (u32)m->core->now, t, true)))
			continue;
		if (SIM_UNLIKELY(a->access->flags & ACCESS_IS_MMX))
			access_mmx(m, x, a, t, &r);
		else
			access_lines(m, x, a, t, &r);
		if (r.wait) {
			all.wait += r.wait;
			all.wait_signal = r.wait_signal;
		}
		if (!a->store)
			all.ready = later(all.ready, r.ready);
	}
	return all;
}

/* True if a context other than x has something to execute. */
static bool
others_active(const struct merge *m, const struct context *x)
{
	for (u32 i = 0; i < m->n; i++)
		if (&m->tc[i] != x && m->tc[i].first)
			return true;
	return false;
}

/*
 * An instruction that waited long for a line, longer than fetch runs ahead,
 * had been rolled back to make room for those of the other contexts.
 */
static void
count_replay(const struct merge *m, struct context *x)
{
	if (x->issue.cause == SIG_ALU_DMISS &&
	    x->issue.at > x->s.next + m->config->pipe.fetch_ahead &&
	    others_active(m, x))
		x->sig[SIG_REPLAY]++;
}

/* The registers that wait for a line, and what other registers wait for. */
static void
book_memory(const struct merge *m, struct context *x, const struct insn *in,
	    const struct data_result *r)
{
	const struct pipeline_config *pipe = &m->config->pipe;
	struct schedule *s = &x->s;
	unsigned reg = in->dst[0];

	if (r->ready && reg != REG_NONE && r->ready > s->ready[reg]) {
		s->ready[reg] = r->ready;
		s->ready_addr[reg] = later(s->ready_addr[reg],
					   r->ready + pipe->unit_address);
		s->cause[reg] = SIG_ALU_DMISS;
		x->late = later(x->late, s->ready_addr[reg]);
	}
	if (r->wait) {
		x->held = s->next + r->wait;
		x->held_cause = r->wait_signal;
		x->sig[SIG_REPLAY]++;
	}
	x->kept = later(x->kept, x->held);
}

/*
 * The joint TLB is refilled: by software, in whose time the VPE is at exception
 * level and others may issue, or else by the pipeline, which waits.  Behind it
 * the access starts again.
 */
static void
refill(struct merge *m, struct context *x)
{
	const struct pipeline_config *pipe = &m->config->pipe;
	struct core *c = m->core;

	x->s.next = core_cycle(c);
	if (!pipe->refill_is_hardware) {
		context_except(m, x, pipe->tlb_refill);
		return;
	}
	x->sig[SIG_DTLB_WALK] += pipe->tlb_refill;
	x->held = later(x->held, x->s.next) + pipe->tlb_refill;
	x->held_cause = SIG_ALU_DTLB;
	x->kept = later(x->kept, x->held);
	context_forget(x);
}

/* A unit that stays busy is busy for everybody. */
static void
book_unit(struct merge *m, struct context *x, const struct insn *in)
{
	const struct class_config *cls = &m->config->pipe.cls[in->cls];
	unsigned reg = cls->unit == UNIT_MDU ? REG_UNIT_MDU : REG_UNIT_FPU;

	if (cls->unit == UNIT_NONE || cls->repeat <= 1)
		return;
	m->unit_ready[cls->unit - 1] = x->s.ready[reg];
	for (u32 i = 0; i < m->n; i++)
		if (&m->tc[i] != x && !m->tc[i].wrong)
			context_forget(&m->tc[i]);
}

/* A slot goes to an instruction that is thrown away. */
static void
issue_wrong(struct merge *m, struct context *x, u64 t)
{
	x->sig[SIG_CYCLE_KILLED]++;
	x->wrong--;
	x->s.next = t + 1;
	x->redirect = t + 1;
	m->core->now += CYCLES(1);
	if (x->wrong)
		context_prepare_wrong(x);
	else
		context_turn_right(m, x);
}

static void
hold_barrier(struct context *x, u64 wait)
{
	if (!wait)
		return;
	x->held = x->s.next + wait;
	x->held_cause = SIG_ALU_BARRIER;
	x->kept = later(x->kept, x->held);
}

/* What it computes is noted if it may be waited for, or for what was in
 * its place. */
SIM_INLINE void
book(struct merge *m, struct context *x, unsigned step, u64 t)
{
	if (step & STEP_OWES || x->late > t + 1)
		schedule_book(&x->s, &m->config->pipe, &x->code[x->insn], t);
	else
		x->s.next = t + 1;
}

bool
context_issue_late(struct merge *m, struct context *x, unsigned step, u64 t)
{
	const struct insn *in = &x->code[x->insn];
	struct core *c = m->core;
	struct data_result r;
	u64 replay = 0;
	bool missed = access_pages(m, x, &replay);

	x->sig[SIG_ALU_DTLB] += replay;
	if (SIM_UNLIKELY(missed && m->config->pipe.tlb_refill)) {
		c->now += CYCLES(replay);
		refill(m, x);
		return false;
	}
	r = access_memory(m, x, t + replay);
	book(m, x, r.ready | replay ? STEP_OWES : step, t + replay);
	c->now += CYCLES(replay + 1);
	book_memory(m, x, in, &r);
	return true;
}

SIM_INLINE bool
issue_memory(struct merge *m, struct context *x, unsigned step, u64 t)
{
	const struct insn *in = &x->code[x->insn];
	struct core *c = m->core;

	c->sig = x->sig;
	c->now += in->n_load + in->n_store;
	return context_issue_late(m, x, step, t);
}

/* What few instructions do besides. */
static void
issue_other(struct merge *m, struct context *x, u64 t)
{
	const struct insn *in = &x->code[x->insn];

	m->core->sig = x->sig;
	if (in->flags & INSN_DRAINS && m->config->pipe.barrier_drains &&
	    !(in->flags & (INSN_LOADS | INSN_STORES | INSN_UNKNOWN)))
		hold_barrier(x, barrier_wait(m->core, t));
	book_unit(m, x, in);
}

void
context_issue(struct merge *m, struct context *x)
{
	struct core *c = m->core;
	u64 t = core_cycle(c);
	unsigned step;

	context_forget(x);
	if (x->wrong) {
		issue_wrong(m, x, t);
		return;
	}
	step = x->op[x->insn].step;
	count_replay(m, x);
	if (step & STEP_ACCESSES) {
		if (!issue_memory(m, x, step, t))
			return;
	} else {
		book(m, x, step, t);
		c->now += CYCLES(1);
	}
	if (step & STEP_OTHER)
		issue_other(m, x, t);
	if (SIM_UNLIKELY(c->sampler != NULL))
		sample_issue(c, (unsigned)(x - m->tc), x->insn);
	if (SIM_UNLIKELY(c->profiler != NULL))
		profiler_issue(c, (unsigned)(x - m->tc), x->first->prev,
			       x->block, x->insn);
	context_next(m, x);
}
