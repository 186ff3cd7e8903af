/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What leaving a block (branch.c) and entering the next one (enter.c) share:
 * the stack of returns, the table of targets, what a string instruction
 * counts.  Inline: enter.c has the usual cases without a call.
 */
#ifndef SIM_BRANCH_H
#define SIM_BRANCH_H

#include "core.h"
#include "predict.h"

#include <string.h>

/* In a pipeline in order, issue slots that a wrong path takes and the bubble
 * behind it, or the bubble of a right one. */
SIM_INLINE u64
redirect_inorder(struct core *c, bool wrong, unsigned slots)
{
	unsigned bubble = c->config->pipe.taken_bubble;

	if (!wrong) {
		c->last_outcome = 0;
		c->sig[SIG_IFU_REDIRECT] += bubble;
		return bubble;
	}
	bubble = c->config->pipe.wrong_bubble;
	c->sig[SIG_CYCLE_KILLED] += slots;
	c->sig[SIG_IFU_REDIRECT] += bubble;
	c->last_outcome = OUTCOME_MISS;
	return slots + bubble;
}

SIM_INLINE void
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

/* Where the core knows no targets of jumps, fetch does not go on to any: there
 * is no wrong path. */
SIM_INLINE void
wait_blind(struct core *c)
{
	const struct branch_config *b = &c->config->branch;

	if (c->window && !b->target_entries && !predict_holds_jumps(b))
		c->last_outcome |= OUTCOME_BLIND;
}

/* Whether the stack of returns is wrong about one. */
SIM_INLINE bool
return_misses(struct core *c, u64 target)
{
	bool wrong = true;

	if (!c->n_returns) {
		c->sig[SIG_RETURN_NOPRED]++;
		wait_blind(c);
	} else if (c->returns[--c->n_returns] != target) {
		c->sig[SIG_RETURN_MISS]++;
	} else {
		wrong = false;
	}
	return wrong;
}

/* Where no table of targets alone predicts p's jump: whether it is not known
 * that it goes to target. */
bool target_unknown(struct core *c, const struct block *p, u64 target);

/* Where the table of targets has a jump. */
SIM_INLINE u64 *
target_place(struct core *c, const struct block *p)
{
	const struct branch_config *b = &c->config->branch;

	return &c->targets[block_branch_pc(p) >> b->pc_shift &
			   (b->target_entries - 1)];
}

/* Whether what predicts targets, if anything does, is wrong about a jump. */
SIM_INLINE bool
target_misses(struct core *c, const struct block *p, u64 target)
{
	u64 *entry, before;

	if (!c->targets_alone)
		return target_unknown(c, p, target);
	entry = target_place(c, p);
	before = *entry;
	*entry = target;
	return before != target;
}

/* Notes in core.repeat what t counts too much each time. */
void repeat_find(struct repeat *r, const struct block *t);

/* What core_repeat() does. */
SIM_INLINE void
repeat_take_back(struct core *c, u64 *sig, const struct block *t)
{
	struct repeat *r = &c->repeat;

	if (SIM_UNLIKELY(r->of != t))
		repeat_find(r, t);
	for (unsigned i = 0; i < r->n; i++)
		sig[r->count[i].signal] -= r->count[i].n;
	if (c->config->pipe.issue.rule == ISSUE_SINGLE)
		return;
	sig[SIG_ISSUE_1]--;
	sig[SIG_CYCLE_ISSUE]--;
	sig[SIG_ALU_BUSY]++;
}

#endif
