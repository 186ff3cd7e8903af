/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instruction of one context: when it can issue, and what it does. */
#include "merge_internal.h"
#include "mmx.h"
#include "tlb.h"

#include "profile.h"
#include "sample.h"

void
context_restart(struct merge *m, struct context *x)
{
	u64 now = core_cycle(m->core);

	schedule_init(&x->s);
	x->s.next = now;
	x->late = 0;
	x->block = NULL;
	context_forget(x);
	x->redirect = now;
	x->wrong = 0;
	x->slice = m->config->topo.time_slice;
}

void
context_except(struct merge *m, struct context *x, u64 cycles)
{
	u64 until = later(later(core_cycle(m->core), x->s.next), x->excepted) +
		    cycles;

	for (u32 i = 0; i < m->n; i++) {
		struct context *y = &m->tc[i];

		if (y->vpe != x->vpe)
			continue;
		y->excepted = later(y->excepted, until);
		y->kept = later(y->kept, until);
		context_forget(y);
	}
}

/* What is known of the block that x enters. */
static void
look_up(struct merge *m, struct context *x, struct block *b)
{
	const struct block_wide *w = block_wide(b);
	struct merge_plan *plan = NULL;

	if (m->planned)
		plan = SIM_LIKELY(w && w->plan) ? w->plan
						: plan_find(m->config, b);

	x->block = b;
	x->plan = plan;
	x->code = plan ? plan->code : block_insns(b);
	x->op = plan ? plan->op : m->any;
	x->owes = plan ? plan->owes : UINT16_MAX;
}

/* Enters the next recorded block; false if there is none. */
static bool
enter(struct merge *m, struct context *x)
{
	struct merge_queue *q = x->first;
	struct core *c = m->core;
	struct merge_record *r;

	if (!q || x->slice <= 0 || q->head == q->end)
		q = context_thread(m, x);
	if (!q || q->head == q->tail)
		return false;
	r = &q->record[q->head & q->record_mask];
	look_up(m, x, r->block);
	x->insn = 0;
	x->access = r->first;
	x->access_end = r->end;
	x->paged = r->first;
	x->line = r->block->line;
	x->arrived = false;
	c->now++;
	if (q->prev)
		context_follow(m, x, q->prev, r->block);
	if (SIM_UNLIKELY(c->sampler && q->prev))
		sample_follow(c, (unsigned)(x - m->tc), q->prev);
	if (SIM_UNLIKELY(c->now >= c->deadline)) {
		c->sig = x->sig;
		core_attend(c, r->block);
	}
	return true;
}

/* The block has been executed, with its delay slot or without. */
static void
count_block(struct merge *m, struct context *x, bool slot)
{
	const struct block *b = x->block;
	const struct block_detail *d = b->detail;

	for (unsigned i = 0; i < b->n_count; i++)
		x->sig[b->count[i].signal] += b->count[i].n;
	for (unsigned i = 0; slot && i < d->n_slot; i++)
		x->sig[block_slot(d)[i].signal] += block_slot(d)[i].n;
	if (SIM_UNLIKELY(m->core->sampler != NULL))
		sample_finished(m->core, (unsigned)(x - m->tc));
	if (SIM_UNLIKELY(m->core->profiler != NULL))
		profiler_finished(m->core, (unsigned)(x - m->tc));
}

/* The same, some time: what it counts is added up for many executions. */
SIM_INLINE void
note_block(struct merge *m, struct context *x)
{
	struct merge_plan *p = x->plan;
	unsigned tc = (unsigned)(x - m->tc);

	p->execs[tc]++;
	if (!p->executed) {
		p->next = m->executed;
		m->executed = p;
	}
	p->executed |= (u16)(1u << tc);
}

void
context_finish(struct merge *m, struct context *x, bool slot)
{
	struct merge_queue *q = x->first;
	const struct block *b = x->block;
	unsigned tc = (unsigned)(x - m->tc);

	if (SIM_UNLIKELY(m->core->sampler != NULL))
		sample_finish(m->core, tc, b, slot);
	if (SIM_UNLIKELY(m->core->profiler != NULL))
		profiler_finish(m->core, tc, b, slot);
	core_side(m->core, b);
	if (x->plan && !m->core->sampler && !m->core->profiler &&
	    !b->detail->n_slot)
		note_block(m, x);
	else
		count_block(m, x, slot);
	x->slice -= b->n_insn;
	x->late = later(x->late, x->s.next + x->owes);
	x->block = NULL;
	q->prev = q->record[q->head & q->record_mask].block;
	q->head++;
}

/* Whether the block is left by its branch, as far as anybody knows; known is
 * false if the thread has not recorded so far. */
static bool
is_taken(const struct merge_queue *q, const struct block *b, bool *known)
{
	u32 next = q->head + 1;
	const struct block *t = q->ahead;

	*known = next != q->tail + q->open;
	if (*known)
		t = q->record[next & q->record_mask].block;
	return t && t->vaddr != b->fall;
}

/*
 * The delay slot of a branch-likely executes only if the branch is taken.
 * False if more records are needed to know; else the block is done, or the
 * slot is the next to issue.
 */
static bool
decide_slot(struct merge *m, struct context *x)
{
	bool known, taken = is_taken(x->first, x->block, &known);

	if (!known && !x->first->leaving && !m->draining)
		return false;
	if (!taken)
		context_finish(m, x, false);
	return true;
}

/* The unit that is shared with the other contexts. */
static void
share_unit(struct merge *m, struct context *x, const struct insn *in)
{
	unsigned unit = m->config->pipe.cls[in->cls].unit;
	unsigned reg = unit == UNIT_MDU ? REG_UNIT_MDU : REG_UNIT_FPU;

	if (unit != UNIT_NONE && m->unit_ready[unit - 1] > x->s.ready[reg]) {
		x->s.ready[reg] = m->unit_ready[unit - 1];
		x->s.cause[reg] = unit == UNIT_MDU ? SIG_ALU_MDU
						   : SIG_ALU_FPU;
	}
}

/* Pages, and lines up to the one with the end of in. */
static void
ask(struct merge *m, struct context *x, const struct insn *in)
{
	m->core->sig = x->sig;
	if (!x->arrived) {
		context_fetch_pages(m, x);
		x->arrived = true;
	}
	if ((in->pc + in->size - 1) >> m->core->iline_bits >= x->line)
		context_fetch_lines(m, x, in->pc + in->size - 1);
}

void
context_wait(struct merge *m, struct context *x)
{
	const struct insn *in = &x->code[x->insn];

	if (x->todo & STEP_UNIT)
		share_unit(m, x, in);
	x->issue = schedule_issue(&x->s, &m->config->pipe, in);
	x->at = later(x->issue.at, x->kept);
	/* What it writes may be late already, its issue a replay. */
	if (x->late > x->at + 1 || x->issue.cause == SIG_ALU_DMISS)
		x->todo |= STEP_SLOW;
}

static void
prepare_insn(struct merge *m, struct context *x)
{
	const struct merge_op *op = &x->op[x->insn];

	if (op->step & STEP_ASKS)
		ask(m, x, &x->code[x->insn]);
	context_step(m, x, op, op->step);
}

/* The next slot goes to an instruction that is thrown away. */
static void
prepare_wrong(struct context *x)
{
	x->known = true;
	x->todo = STEP_SLOW;
	x->issue = (struct issue){.at = x->s.next};
	x->at = later(x->s.next, later(x->held, x->excepted));
}

bool
context_prepare(struct merge *m, struct context *x)
{
	while (!x->known) {
		if (!x->block && !enter(m, x))
			return false;
		if (x->wrong) {
			prepare_wrong(x);
		} else if (x->block->detail->n_slot &&
			   x->insn + 1u == x->block->n_insn) {
			if (!decide_slot(m, x))
				return false;
			if (!x->block)
				continue;
			prepare_insn(m, x);
		} else {
			prepare_insn(m, x);
		}
		x->known = true;
	}
	return true;
}

/* A load that missed takes an entry of the load queue until it is done, where it
 * waits for other buffers as well. */
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
		data_page(c, a->va, (u32)c->now, &r);
		if (SIM_UNLIKELY(is_split(c, a)))
			data_page(c, a->va + a->bytes - 1, (u32)c->now, &r);
		*replay += r.replay;
		refill = r.refill;
	}
	x->paged = x->access;
	x->access = access;
	return refill;
}

static void
access_lines(struct merge *m, const struct merge_access *a, u64 t,
	     struct data_result *r)
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
	tlb_use(&c->dtlb, a->va, clock);
	data_line(c, a->va, a->store, clock, t, r);
	if (SIM_UNLIKELY(is_split(c, a))) {
		tlb_use(&c->dtlb, last, clock);
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
access_mmx(struct merge *m, const struct merge_access *a, u64 t,
	   struct data_result *r)
{
	struct core *c = m->core;
	struct mmx_look before = mmx_look(c);

	access_lines(m, a, t, r);
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
			       access_hits(m->core, a, (u32)m->core->now, t,
					   true)))
			continue;
		if (SIM_UNLIKELY(a->access->flags & ACCESS_IS_MMX))
			access_mmx(m, a, t, &r);
		else
			access_lines(m, a, t, &r);
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

/* The registers that wait for a line, and who else waits for what. */
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
		prepare_wrong(x);
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

/* What it computes is noted if somebody may wait for it, or for what was in
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
