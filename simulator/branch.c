/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control transfers out of line: calls, returns, indirect jumps, others. */
#include "core.h"
#include "fast.h"
#include "pipeline/inorder.h"

#include <string.h>

/* Issue slots that a wrong path takes, or the bubble of a right one. */
static u64
redirect(struct core *c, bool wrong, unsigned slots)
{
	unsigned bubble = c->config->pipe.taken_bubble;

	if (c->window) {
		c->last_outcome |= wrong ? OUTCOME_MISS : 0;
		return 0;
	}
	if (!wrong) {
		c->sig[SIG_IFU_REDIRECT] += bubble;
		return bubble;
	}
	c->sig[SIG_CYCLE_KILLED] += slots;
	c->last_outcome = 2;
	return slots;
}

static void
push_return(struct core *c, u64 address)
{
	u32 room = c->config->branch.return_entries;

	if (!room)
		return;
	if (c->n_returns == room) {
		memmove(c->returns, c->returns + 1,
			(room - 1) * sizeof *c->returns);
		c->n_returns--;
	}
	c->returns[c->n_returns++] = address;
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
	bool wrong = true;

	if (predict_holds_jumps(&c->config->branch)) {
		found = predict_jump(c, p, target);
		if (!c->config->branch.return_entries)
			return leave_return_buffered(c, found);
	}
	if (!c->n_returns)
		c->sig[SIG_RETURN_NOPRED]++;
	else if (c->returns[--c->n_returns] != target)
		c->sig[SIG_RETURN_MISS]++;
	else
		wrong = false;
	if (!wrong && found == PREDICT_UNKNOWN)
		return decode_bubble(c) + redirect(c, false, 0);
	return redirect(c, wrong, c->config->pipe.indirect);
}

static u64
leave_indirect(struct core *c, const struct block *p, u64 target)
{
	u32 n = c->config->branch.target_entries;
	u64 *entry;
	bool wrong = true;

	if (predict_holds_jumps(&c->config->branch)) {
		wrong = predict_jump(c, p, target) != PREDICT_RIGHT;
	} else if (n) {
		entry = &c->targets[(p->branch_pc >>
				     c->config->branch.pc_shift) & (n - 1)];
		wrong = *entry != target;
		*entry = target;
	}
	c->sig[SIG_JUMP_IND_MISS] += wrong;
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

/* A conditional branch that needs more than the fast path gives it. */
static u64
leave_cond(struct core *c, const struct block *p, const struct block *t)
{
	if (c->predict)
		return predict_cond(c, p, t);
	return fast_branch(c, p, t, c->history_mask) >> 32;
}

/* The delay slot of a branch-likely executes only when it is taken. */
static u64
leave_likely(struct core *c, const struct block *p, const struct block *t)
{
	const struct block_detail *d = p->detail;
	u64 cost = leave_cond(c, p, t);

	if (t->vaddr == p->fall)
		return cost;
	for (unsigned i = 0; i < d->n_slot; i++)
		c->sig[block_slot(d)[i].signal] += block_slot(d)[i].n;
	return cost + 1;
}

void
core_repeat(const struct core *c, u64 *sig, const struct block *t)
{
	for (unsigned i = 0; i < t->n_count; i++)
		if (t->count[i].signal <= SIG_INSN_SYSCALL ||
		    t->count[i].signal == SIG_IFETCH)
			sig[t->count[i].signal] -= t->count[i].n;
	if (c->config->pipe.issue.rule == ISSUE_SINGLE)
		return;
	sig[SIG_ISSUE_1]--;
	sig[SIG_CYCLE_ISSUE]--;
	sig[SIG_ALU_BUSY]++;
}

u64
core_branch(struct core *c, const struct block *p, const struct block *t)
{
	switch (p->branch) {
	case BRANCH_DIRECT_COND:
		return p->detail->n_slot ? leave_likely(c, p, t)
					 : leave_cond(c, p, t);
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
		if (t->vaddr == p->branch_pc)
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

void
core_leave(struct core *c, struct block *p, struct block *t)
{
	u64 cycles, edge;

	c->last_outcome = 0;
	cycles = core_branch(c, p, t);
	if (p->owes) {
		if (p->owes == BLOCK_OWES_LONG)
			pending_debts(c, p, t, core_cycle(c) - t->cycles);
		edge = schedule_edge(p, t, cycles, c->sig);
		count_stall(c, edge);
		cycles += edge;
	}
	c->now += CYCLES(cycles);
}
