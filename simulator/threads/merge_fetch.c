/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From one block to the next: predictors, wrong paths, pages and lines. */
#include "core/fast.h"
#include "merge_internal.h"

#include <string.h>

/* Fetch goes on at another address: nothing to issue for a while. */
static void
bubble(struct context *x, u64 cycles, u8 cause)
{
	if (!cycles)
		return;
	x->fetched = later(x->fetched, x->s.next) + cycles;
	x->fetch_cause = cause;
	x->kept = later(x->kept, x->fetched);
}

/* Each context has a stack, of which the core holds one. */
static void
stack_switch(struct merge *m, struct context *x)
{
	struct core *c = m->core;

	if (m->stack == x)
		return;
	if (m->stack) {
		m->stack->n_returns = c->n_returns;
		memcpy(m->stack->returns, c->returns, sizeof c->returns);
	}
	c->n_returns = x->n_returns;
	memcpy(c->returns, x->returns, sizeof c->returns);
	m->stack = x;
}

void
context_own_returns(struct merge *m, struct context *x)
{
	struct core *c = m->core;

	if (!m->config->branch.return_one_owner)
		stack_switch(m, x);
	else if (c->return_owner != (s32)(x - m->tc))
		c->n_returns = 0;
}

static bool
is_call(const struct block *p, const struct block *t)
{
	return p->branch == BRANCH_CALL || p->branch == BRANCH_IND_CALL ||
	       (p->branch == BRANCH_COND_CALL && t->vaddr != p->fall);
}

/*
 * There is one stack: a context that calls takes it over when its owner is
 * idle or has no return left in it.  True if it is x's.
 */
static bool
stack_owned(struct merge *m, struct context *x, bool call)
{
	struct core *c = m->core;
	s32 tc = (s32)(x - m->tc);

	if (c->return_owner == tc)
		return true;
	if (!call || (c->return_owner >= 0 && c->n_returns &&
		      m->tc[c->return_owner].first))
		return false;
	c->return_owner = tc;
	c->n_returns = 0;
	return true;
}

/* The branch at the end of p through the core's predictors; its cycles. */
static u64
predict(struct merge *m, struct context *x, const struct block *p,
	const struct block *t)
{
	struct core *c = m->core;
	u64 top = c->returns[0], cycles;
	u32 n = c->n_returns;
	u8 side = c->side;
	bool mine = true;

	if (!m->config->branch.return_one_owner)
		stack_switch(m, x);
	else if (p->branch != BRANCH_DIRECT_COND)
		mine = stack_owned(m, x, is_call(p, t));
	if (!mine)
		c->n_returns = 0;
	c->sig = m->scratch;
	c->last_outcome = 0;
	cycles = core_branch(c, p, t);
	c->sig = x->sig;
	c->side = side;		/* finished long ago */
	if (!mine) {
		c->n_returns = n;
		c->returns[0] = top;
	}
	return cycles;
}

/* What predict() has counted in no context. */
static void
count_looked_up(struct merge *m, struct context *x)
{
	static const u8 looked_up[] = {
		SIG_RETURN_MISS, SIG_RETURN_NOPRED, SIG_JUMP_IND_MISS,
		SIG_JUMP_MISS, SIG_BRANCH_DECODE, SIG_BTB_HIT, SIG_BTB_MISS,
		SIG_BTB_TAKEN_OR_HIT, SIG_BRANCH_MISS_SECOND,
	};

	for (unsigned i = 0; i < SIM_COUNT(looked_up); i++) {
		x->sig[looked_up[i]] += m->scratch[looked_up[i]];
		m->scratch[looked_up[i]] = 0;
	}
}

static void
count_branch(struct context *x, const struct block *p, bool taken, bool wrong)
{
	static const u8 outcome[2][2] = {
		{SIG_BRANCH_RIGHT_NOT, SIG_BRANCH_RIGHT_TAKEN},
		{SIG_BRANCH_MISS_NOT, SIG_BRANCH_MISS_TAKEN},
	};

	if (p->branch != BRANCH_DIRECT_COND && p->branch != BRANCH_COND_CALL)
		return;
	x->sig[SIG_BRANCH_COND]++;
	x->sig[SIG_BRANCH_TAKEN] += taken;
	x->sig[SIG_BRANCH_MISS] += wrong;
	x->sig[outcome[wrong][taken]]++;
	x->sig[SIG_IFETCH] -= p->shares & !taken;
}

void
context_turn_right(struct merge *m, struct context *x)
{
	bubble(x, m->config->pipe.wrong_bubble, SIG_IFU_REDIRECT);
}

/* The branch costs so many cycles: slots of a wrong path, and a bubble. */
static void
turn_wrong(struct merge *m, struct context *x, u64 cycles)
{
	x->wrong = (u32)cycles - m->config->pipe.wrong_bubble;
	if (!x->wrong)
		context_turn_right(m, x);
}

void
context_follow(struct merge *m, struct context *x, struct block *p,
	       struct block *t)
{
	u64 cycles;
	bool wrong;

	switch (p->branch) {
	case BRANCH_NONE:
		return;
	case BRANCH_REP:
		if (t->vaddr == block_branch_pc(p))
			core_repeat(m->core, x->sig, t);
		return;
	case BRANCH_JUMP:
		bubble(x, m->config->pipe.taken_bubble, SIG_IFU_REDIRECT);
		if (!predict_holds_jumps(&m->config->branch))
			return;
	}
	if (p->branch == BRANCH_DIRECT_COND && !m->core->predict) {
		cycles = fast_branch(m->core, p, t, m->core->history_mask) >> 32;
	} else {
		cycles = predict(m, x, p, t);
		count_looked_up(m, x);
	}
	wrong = m->core->last_outcome & OUTCOME_MISS;
	count_branch(x, p, t->vaddr != p->fall, wrong);
	if (wrong)
		turn_wrong(m, x, cycles);
	else
		bubble(x, cycles, SIG_IFU_REDIRECT);
}

void
context_fetch_pages(struct merge *m, struct context *x)
{
	const struct pipeline_config *pipe = &m->config->pipe;
	struct core *c = m->core;
	struct block *t = x->block;
	u64 slot = block_shown(x->itlb, t), last = t->fall - 1;

	if (SIM_LIKELY(slot <= SHADOW_PAGE_SLOTS)) {
		x->itlb->stamp[slot] = (u32)c->now;
		return;
	}
	for (u64 va = t->vaddr;; va = last) {
		bool refill;

		bubble(x, fetch_page(c, x->itlb, va, (u32)c->now, &refill),
		       SIG_IFU_ITLB);
		if (refill && pipe->refill_is_hardware)
			bubble(x, pipe->tlb_refill, SIG_IFU_ITLB);
		else if (refill)
			context_except(m, x, pipe->tlb_refill);
		if (refill)
			x->redirect = later(x->fetched, x->excepted);
		if (va >> c->itlb.page_bits == last >> c->itlb.page_bits)
			return;
	}
}

/* The cycle that a line wanted at cycle want is there. */
static u64
line_ready(struct merge *m, struct context *x, u64 line, u64 want)
{
	struct core *c = m->core;
	u64 ahead = m->config->pipe.fetch_ahead, ask;
	u32 first = ((u32)line & c->l1i.set_mask) * c->l1i.ways;
	int slot = c->l1i.ways == 4
			   ? array_find_flat(c->l1i.key, first, line, 4)
			   : array_find(&c->l1i, line);
	u16 where;

	if (slot >= 0 && c->line_ready[slot] <= want) {
		c->line_stamp[slot] = (u32)c->now;
		return want;
	}
	ask = want > x->redirect + ahead ? want - ahead : x->redirect;
	return fetch_line(c, line, (u32)c->now, ask < want ? ask : want,
			  &where);
}

void
context_fetch_lines(struct merge *m, struct context *x, u64 last)
{
	u64 end = last >> m->core->iline_bits;

	for (; x->line <= end; x->line++) {
		u64 want = later(later(x->s.next, x->fetched), x->excepted);
		u64 ready = line_ready(m, x, x->line, want);

		if (ready <= want)
			continue;
		x->fetched = ready;
		x->fetch_cause = SIG_IFU_ICACHE;
		x->kept = later(x->kept, ready);
	}
}
