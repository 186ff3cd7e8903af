/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a block's instructions before contexts compete for the
 * pipeline.  An instruction issues at least as many cycles behind another one
 * of its block as there are instructions between them, so most operands are
 * there in time whatever the other contexts do, unless memory makes them late:
 * nobody has to look at them, or to note when they are ready.
 */
#include "merge_internal.h"

#include <stdlib.h>
#include <string.h>

/* While a plan is worked out: who wrote a register last, 0: nobody in the
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

/* Instruction i reads what may be cycles late. */
static void
reads(struct planner *p, unsigned i, unsigned reg, u32 cycles)
{
	unsigned by = p->w.by[reg];

	if (!by || i - (by - 1) >= cycles)
		return;
	p->plan->step[i] |= STEP_WAITS;
	p->plan->step[by - 1] |= STEP_OWES;
}

/* What it waits for as schedule_issue() does. */
static void
plan_reads(struct planner *p, unsigned i, const struct insn *in)
{
	const struct pipeline_config *pipe = p->pipe;
	unsigned data = in->data;

	for (unsigned k = 0; k < INSN_ADDR && in->addr[k] != REG_NONE; k++)
		reads(p, i, in->addr[k], p->w.address[in->addr[k]]);
	for (unsigned k = 0; k < INSN_SRC && in->src[k] != REG_NONE; k++)
		reads(p, i, in->src[k], p->w.ready[in->src[k]]);
	if (stores_as_address(pipe, in))
		reads(p, i, data, p->w.address[data]);
	else if (data != REG_NONE &&
		 p->w.ready[data] > pipe->store_data_slack)
		reads(p, i, data, p->w.ready[data] - pipe->store_data_slack);
	if (pipe->cls[in->cls].unit != UNIT_NONE)
		p->plan->step[i] |= STEP_WAITS | STEP_UNIT;
}

/* It writes reg; what the one before has noted must not outlast that. */
static void
writes(struct planner *p, unsigned i, unsigned reg, const struct schedule *s)
{
	struct writes *w = &p->w;

	if (w->by[reg] && i - (w->by[reg] - 1u) < longest(w, reg))
		p->plan->step[i] |= STEP_OWES;
	w->by[reg] = (u16)(i + 1);
	w->ready[reg] = (u16)s->ready[reg];
	w->address[reg] = (u16)s->ready_addr[reg];
}

static void
plan_writes(struct planner *p, unsigned i, const struct insn *in)
{
	struct schedule s;

	schedule_init(&s);
	schedule_book(&s, p->pipe, in, 0);
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
	u8 *step = &p->plan->step[i];

	if (asks(p, b, i, in))
		*step |= STEP_ASKS;
	if (in->flags & (INSN_LOADS | INSN_STORES | INSN_UNKNOWN))
		*step |= STEP_ACCESSES;
	if (in->n_load + in->n_store != 1)
		*step |= STEP_SEVERAL;
	if (in->flags & INSN_DRAINS ||
	    (cls->unit != UNIT_NONE && cls->repeat > 1))
		*step |= STEP_OTHER | STEP_OWES;
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
		p->plan->step[by - 1] |= STEP_OWES;
		if (by - 1 + cycles - n > p->plan->owes)
			p->plan->owes = (u16)(by - 1 + cycles - n);
	}
}

static struct merge_plan *
plan_new(const struct sim_config *config, const struct block *b)
{
	struct planner p = {
		.pipe = &config->pipe,
		.plan = calloc(1, sizeof *p.plan + b->n_insn),
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

		for (u32 tc = 0; tc < m->n; tc++) {
			u64 execs = p->execs[tc], *sig = m->tc[tc].sig;

			for (unsigned i = 0; execs && i < p->of->n_count; i++)
				sig[count[i].signal] += execs * count[i].n;
			p->execs[tc] = 0;
		}
		p->executed = false;
	}
	m->executed = NULL;
}
