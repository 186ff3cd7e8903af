/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a block's instructions before contexts compete for the
 * pipeline.  An instruction issues at least as many cycles behind another one
 * of its block as there are instructions between them, so most operands are
 * there in time whatever the other contexts do, unless memory makes them late:
 * they need not be looked at, nor is noted when they are ready.
 */
#include "merge_internal.h"

#include <stdlib.h>

/* While a plan is worked out: the writer of a register, 0: none in the
 * block, and how long after its issue readers can issue. */
struct writes {
	u16 by[REG_N];		/* 1 + the instruction's number */
	u16 ready[REG_N], address[REG_N];
};

struct planner {
	const struct pipeline_config *pipe;
	struct merge_plan *plan;
	struct writes w;
	u64 line;		/* the next that has not been asked for */
	u32 line_bits;
};

static u16
longest(const struct writes *w, unsigned reg)
{
	return w->ready[reg] > w->address[reg] ? w->ready[reg]
					       : w->address[reg];
}

/* What op writes to reg may be waited for. */
static void
owes(struct merge_op *op, unsigned reg)
{
	if (op->step & STEP_OWES && op->owes != reg)
		op->step |= STEP_SLOW;
	op->step |= STEP_OWES;
	op->owes = (u8)reg;
}

/* What an instruction reads. */
struct operand {
	unsigned reg;
	u8 slack;
	bool address;
};

static void
waits(struct merge_op *op, const struct operand *r)
{
	if (op->waits != REG_UNWRITTEN)
		op->step |= STEP_WAITS;
	op->waits = (u8)r->reg;
	op->slack = r->slack;
	op->until = (u16)((r->address ? offsetof(struct schedule, ready_addr)
				      : offsetof(struct schedule, ready)) +
			  r->reg * sizeof(u64));
	op->other = r->address ? address_cause(r->reg, SIG_ALU_OTHER)
			       : SIG_ALU_OTHER;
}

/* Instruction i reads what may be cycles late. */
static void
reads(struct planner *p, unsigned i, const struct operand *operand)
{
	unsigned reg = operand->reg;
	u32 cycles = operand->address ? p->w.address[reg] : p->w.ready[reg];
	unsigned by = p->w.by[reg];

	if (!by || i - (by - 1) + operand->slack >= cycles)
		return;
	waits(&p->plan->op[i], operand);
	owes(&p->plan->op[by - 1], reg);
}

/* What it waits for as schedule_issue() does. */
static void
plan_reads(struct planner *p, unsigned i, const struct insn *in)
{
	const struct pipeline_config *pipe = p->pipe;
	struct merge_op *op = &p->plan->op[i];
	unsigned data = in->data;

	for (unsigned k = 0; k < INSN_ADDR && in->addr[k] != REG_NONE; k++)
		reads(p, i, &(struct operand){in->addr[k], 0, true});
	for (unsigned k = 0; k < INSN_SRC && in->src[k] != REG_NONE; k++)
		reads(p, i, &(struct operand){in->src[k], 0, false});
	if (stores_as_address(pipe, in))
		reads(p, i, &(struct operand){data, 0, true});
	else if (data != REG_NONE)
		reads(p, i, &(struct operand){data, pipe->store_data_slack,
					      false});
	if (pipe->cls[in->cls].unit != UNIT_NONE)
		op->step |= STEP_WAITS | STEP_UNIT;
}

/* It writes reg; what the one before has noted must not outlast that. */
static void
writes(struct planner *p, unsigned i, unsigned reg, const struct schedule *s)
{
	struct writes *w = &p->w;

	if (w->by[reg] && i - (w->by[reg] - 1u) < longest(w, reg))
		owes(&p->plan->op[i], reg);
	w->by[reg] = (u16)(i + 1);
	w->ready[reg] = (u16)s->ready[reg];
	w->address[reg] = (u16)s->ready_addr[reg];
}

static void
plan_writes(struct planner *p, unsigned i, const struct insn *in)
{
	struct merge_op *op = &p->plan->op[i];
	unsigned reg = in->dst[0];
	struct schedule s;

	schedule_init(&s);
	schedule_book(&s, p->pipe, in, 0);
	if (reg != REG_NONE) {
		if (s.ready[reg] > UINT8_MAX || s.ready_addr[reg] > UINT8_MAX)
			op->step |= STEP_SLOW;
		op->ready = (u8)s.ready[reg];
		op->address = (u8)s.ready_addr[reg];
		op->cause = s.cause[reg];
	}
	for (unsigned k = 0; k < INSN_DST && in->dst[k] != REG_NONE; k++)
		writes(p, i, in->dst[k], &s);
}

/* Whether something has to be asked for before it issues: the pages of the
 * block, a line, whether it is executed at all. */
static bool
asks(struct planner *p, const struct block *b, unsigned i,
     const struct insn *in)
{
	u64 last = (in->pc + in->size - 1) >> p->line_bits;
	bool new = last >= p->line;

	if (new)
		p->line = last + 1;
	return new || !i || (b->detail->n_slot && i + 1u == b->n_insn);
}

static void
plan_insn(struct planner *p, const struct block *b, unsigned i,
	  const struct insn *in)
{
	const struct class_config *cls = &p->pipe->cls[in->cls];
	struct merge_op *op = &p->plan->op[i];
	u8 *step = &op->step;

	op->owes = REG_UNREAD;
	op->waits = REG_UNWRITTEN;
	op->until = OP_READY;
	if (asks(p, b, i, in))
		*step |= STEP_ASKS;
	if (in->flags & (INSN_LOADS | INSN_STORES | INSN_UNKNOWN))
		*step |= STEP_ACCESSES;
	if (in->flags & INSN_DRAINS ||
	    (cls->unit != UNIT_NONE && cls->repeat > 1))
		*step |= STEP_OTHER | STEP_OWES | STEP_SLOW;
	op->ticks = (u8)(in->n_load + in->n_store);
	if (*step & STEP_ACCESSES && !op->ticks)
		*step |= STEP_SLOW;
	plan_reads(p, i, in);
	plan_writes(p, i, in);
}

/* What registers can owe behind the block, whose last instruction may be left
 * out. */
static void
plan_end(struct planner *p, const struct block *b)
{
	unsigned n = b->n_insn - (b->detail->n_slot != 0);

	for (unsigned reg = 0; reg < REG_N; reg++) {
		unsigned by = p->w.by[reg], cycles = longest(&p->w, reg);

		if (!by || by - 1 + cycles <= n)
			continue;
		owes(&p->plan->op[by - 1], reg);
		if (by - 1 + cycles - n > p->plan->owes)
			p->plan->owes = (u16)(by - 1 + cycles - n);
	}
}

static struct merge_plan *
plan_new(const struct sim_config *config, const struct block *b)
{
	struct planner p = {
		.pipe = &config->pipe,
		.plan = calloc(1, sizeof *p.plan +
				  (b->n_insn + 1u) * sizeof *p.plan->op),
		.line = b->line,
		.line_bits = (u32)__builtin_ctz(config->l1i.line),
	};
	const struct insn *in = block_insns(b);

	if (!p.plan)
		return NULL;
	p.plan->code = in;
	p.plan->of = b;
	for (unsigned i = 0; i < b->n_insn; i++)
		plan_insn(&p, b, i, &in[i]);
	plan_end(&p, b);
	p.plan->op[b->n_insn].step = STEP_ANY;
	return p.plan;
}

struct merge_plan *
plan_find(const struct sim_config *config, struct block *b)
{
	struct block_wide *w = block_widen(b, malloc);

	if (w && !w->plan)
		w->plan = plan_new(config, b);
	return w ? w->plan : NULL;
}

void
plan_count(struct merge *m)
{
	for (struct merge_plan *p = m->executed; p; p = p->next) {
		const struct block_count *count = p->of->count;

		for (; p->executed; p->executed &= p->executed - 1) {
			u32 tc = (u32)__builtin_ctz(p->executed);
			u64 execs = p->execs[tc], *sig = m->tc[tc].sig;

			for (unsigned i = 0; i < p->of->n_count; i++)
				sig[count[i].signal] += execs * count[i].n;
			p->execs[tc] = 0;
		}
	}
	m->executed = NULL;
}
