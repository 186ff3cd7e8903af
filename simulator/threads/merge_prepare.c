/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The block that a context is in, from its first instruction to what it counts
 * when it is done; when the next instruction can issue. */
#include "merge_internal.h"
#include "watch/profile.h"
#include "watch/sample.h"

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

static bool
mark_begins(const struct merge *m, const struct merge_record *r)
{
	return regions_mark(m->core->regions, r->mark)->begins;
}

/* Its thread is behind a marker: what leads to the next block is none of a
 * region that begins, or ends, there. */
static SIM_NOINLINE void
pass(struct merge *m, struct context *x, u32 number)
{
	plan_count(m);
	regions_pass(m->core, regions_mark(m->core->regions, number),
		     &(struct region_place){.tc = (unsigned)(x - m->tc)});
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
	if (SIM_UNLIKELY(r->mark && !mark_begins(m, r)))
		pass(m, x, r->mark);
	if (q->prev)
		context_follow(m, x, q->prev, r->block);
	if (SIM_UNLIKELY(r->mark && mark_begins(m, r)))
		pass(m, x, r->mark);
	if (SIM_UNLIKELY(c->sampler && q->prev))
		sample_follow(c, (unsigned)(x - m->tc), q->prev);
	context_arrive(c, (unsigned)(x - m->tc), r);
	context_arrived(c, (unsigned)(x - m->tc));
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

/* Whether the block is left by its branch, as far as is known; known is
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

void
context_prepare_wrong(struct context *x)
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
			context_prepare_wrong(x);
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
