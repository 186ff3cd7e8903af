/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the control transfer at a block's end counts and costs, out of line:
 * calls, returns, indirect jumps, others. */
#include "branch.h"

#include "fast.h"
#include "tage.h"

/* The same in any pipeline. */
static u64
redirect(struct core *c, bool wrong, unsigned slots)
{
	if (!c->window)
		return redirect_inorder(c, wrong, slots);
	c->last_outcome |= wrong ? OUTCOME_MISS : 0;
	return 0;
}

/* Found by the decoder only, which knows where it goes. */
static u64
decode_bubble(struct core *c)
{
	c->sig[SIG_BRANCH_DECODE]++;
	if (c->window) {
		c->last_outcome |= OUTCOME_LATE;
		return 0;
	}
	c->sig[SIG_IFU_REDIRECT] += c->config->branch.decode_redirect;
	return c->config->branch.decode_redirect;
}

/* Without a stack: like any other jump whose target is looked up. */
static u64
leave_return_buffered(struct core *c, enum predict_found found)
{
	c->sig[SIG_RETURN_NOPRED] += found == PREDICT_UNKNOWN;
	c->sig[SIG_RETURN_MISS] += found == PREDICT_WRONG;
	return redirect(c, found != PREDICT_RIGHT, c->config->pipe.indirect);
}

static u64
leave_return(struct core *c, const struct block *p, u64 target)
{
	enum predict_found found = PREDICT_RIGHT;
	bool wrong;

	if (predict_holds_jumps(&c->config->branch)) {
		found = predict_jump(c, p, target);
		if (!c->config->branch.return_entries)
			return leave_return_buffered(c, found);
	}
	wrong = return_misses(c, target);
	if (!wrong && found == PREDICT_UNKNOWN)
		return decode_bubble(c) + redirect(c, false, 0);
	return redirect(c, wrong, c->config->pipe.indirect);
}

bool
target_unknown(struct core *c, const struct block *p, u64 target)
{
	u64 *first;

	if (!c->predict || !c->predict->tage ||
	    !c->config->branch.target_entries)
		return true;
	first = target_place(c, p);
	return !tage_target(c->predict->tage, block_branch_pc(p), target,
			    first);
}

static u64
leave_indirect(struct core *c, const struct block *p, u64 target)
{
	bool wrong;

	if (predict_holds_jumps(&c->config->branch))
		wrong = predict_jump(c, p, target) != PREDICT_RIGHT;
	else
		wrong = target_misses(c, p, target);
	c->sig[SIG_JUMP_IND_MISS] += wrong;
	wait_blind(c);
	return redirect(c, wrong, c->config->pipe.indirect);
}

/* A direct jump or call: always right, unless it has to be looked up.  The
 * bubble of a jump that is right is part of its block. */
static u64
leave_direct(struct core *c, const struct block *p, u64 target)
{
	enum predict_found found = PREDICT_RIGHT;
	u64 late = 0;

	if (predict_holds_jumps(&c->config->branch))
		found = predict_jump(c, p, target);
	if (found == PREDICT_UNKNOWN && c->config->branch.static_backward) {
		late = decode_bubble(c);
	} else if (found != PREDICT_RIGHT) {
		c->sig[SIG_JUMP_MISS]++;
		return redirect(c, true, c->config->pipe.indirect);
	}
	return p->branch == BRANCH_JUMP ? late : late + redirect(c, false, 0);
}

/* The delay slot of a branch-likely executes only when it is taken. */
static u64
leave_likely(struct core *c, const struct block *p, const struct block *t,
	     u64 cost)
{
	const struct block_detail *d = p->detail;

	if (t->vaddr == p->fall)
		return cost;
	for (unsigned i = 0; i < d->n_slot; i++)
		c->sig[block_slot(d)[i].signal] += block_slot(d)[i].n;
	return cost + 1;
}

/* A conditional branch that needs more than the fast path gives it. */
static u64
leave_cond(struct core *c, const struct block *p, const struct block *t)
{
	u64 cost = c->predict ? predict_cond(c, p, t)
			      : fast_branch(c, p, t, c->history_mask) >> 32;

	return p->detail->n_slot ? leave_likely(c, p, t, cost) : cost;
}

/* Lists are in the order of signals. */
SIM_NOINLINE void
repeat_find(struct repeat *r, const struct block *t)
{
	const struct block_count *n = t->count, *end = n + t->n_count;

	r->of = t;
	r->n = 0;
	for (; n != end && n->signal <= SIG_IFETCH; n++)
		if (n->signal <= SIG_INSN_LAST || n->signal == SIG_IFETCH)
			r->count[r->n++] = *n;
}

void
core_repeat(struct core *c, u64 *sig, const struct block *t)
{
	repeat_take_back(c, sig, t);
}

/* Whether t is p's string instruction once more.  An empty block that begins there has
 * nothing to be taken back. */
static bool
is_again(const struct block *p, const struct block *t)
{
	return t->vaddr == block_branch_pc(p) && t->n_insn;
}

void
core_repeat_apart(struct core *c, const struct block *p, const struct block *t)
{
	if (p->branch == BRANCH_REP && t && is_again(p, t))
		core_repeat(c, c->sig, t);
}

u64
core_branch(struct core *c, const struct block *p, const struct block *t)
{
	core_side(c, p);
	switch (p->branch) {
	case BRANCH_DIRECT_COND:
		return leave_cond(c, p, t);
	case BRANCH_COND_CALL:
		if (t->vaddr != p->fall)
			push_return(c, p->fall);
		return leave_cond(c, p, t);
	case BRANCH_CALL:
		push_return(c, p->fall);
		return leave_direct(c, p, t->vaddr);
	case BRANCH_JUMP:
		return leave_direct(c, p, t->vaddr);
	case BRANCH_IND_CALL:
		push_return(c, p->fall);
		return leave_indirect(c, p, t->vaddr);
	case BRANCH_IND_JUMP:
		return leave_indirect(c, p, t->vaddr);
	case BRANCH_RETURN:
		return leave_return(c, p, t->vaddr);
	case BRANCH_REP:
		if (is_again(p, t))
			core_repeat(c, c->sig, t);
		return 0;
	default:
		return 0;
	}
}

u64
core_held(struct core *c, struct block *p, const struct block *t)
{
	u64 cycles;

	c->last_outcome = 0;
	cycles = core_branch(c, p, t);
	p->bht_index = c->predict->last;
	return CYCLES(cycles);
}

u64
core_own(struct core *c, struct block *p, const struct block *t)
{
	bool buffer = c->config->branch.kind == PREDICT_BTB;
	u64 cycles;

	cycles = predict_cond(c, p, t);
	if (buffer)
		p->bht_index = c->predict->last;
	return CYCLES(cycles);
}

void
core_count_branch(struct core *c, const struct block *p,
		  const struct block *t)
{
	switch (p->branch) {
	case BRANCH_DIRECT_COND:
	case BRANCH_COND_CALL:
		c->outcome[p->shares][t->vaddr != p->fall]++;
		if (p->detail->n_slot)
			leave_likely(c, p, t, 0);
		break;
	case BRANCH_REP:
		if (is_again(p, t))
			core_repeat(c, c->sig, t);
		break;
	}
}
