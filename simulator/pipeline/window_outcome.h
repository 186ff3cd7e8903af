/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a block of a window ends, for window_enter.c: its branch is predicted. */
#ifndef PIPELINE_WINDOW_OUTCOME_H
#define PIPELINE_WINDOW_OUTCOME_H

#include "core/fast.h"
#include "window_internal.h"

/* What a branch is predicted by is in its line, so that comes first. */
static SIM_NOINLINE void
fetch_branch(struct core *c, struct window *w)
{
	const struct window_program *p = window_program(w);
	unsigned i = p->n - 1, first;

	while (i && !(p->op[i].flags & OP_BRANCH))
		i--;
	window_fetch_lines(c, w, p->op[i].line);
	first = p->first[p->op[i].insn];
	if (w->exact && (w->pos < first ||
			 (w->pos == first && w->stage == STAGE_NEW)))
		window_issue(c, w, p->op[i].insn);
}

/* Whether fetch goes on elsewhere behind p, if it is known to go to t: behind any
 * branch but one that is not taken, were it to what comes next. */
SIM_INLINE bool
leads_on(const struct block *p, const struct block *t)
{
	return t->vaddr != p->fall || branch_is_unconditional(p->branch);
}

/* How p ends, of what follows it, t: predicts its branch, if it has one.  False:
 * that is not known here, and nothing is done. */
SIM_INLINE bool
outcome_known(struct core *c, struct block *p, const struct block *t,
	      enum fast_predictor predictor, unsigned *outcome)
{
	u64 cost;

	if (predictor < FAST_OWN && p->kind == KIND_COND) {
		fast_branch(c, p, t, predictor == FAST_HISTORY);
		*outcome = c->last_outcome;
		return true;
	}
	if (predictor >= FAST_OWN && p->kind == KIND_OWN) {
		if (!fast_predicted(c, p, t, predictor, &cost))
			return false;
		*outcome = c->last_outcome;
		return true;
	}
	if (p->kind == KIND_SLOW)
		return false;
	c->last_outcome = 0;
	*outcome = leads_on(p, t);
	return true;
}

/* The same, whatever it takes. */
static SIM_NOINLINE unsigned
predicted_outcome(struct core *c, struct window *w, struct block *p,
		  const struct block *t)
{
	unsigned outcome;

	if (outcome_known(c, p, t, w->predictor, &outcome))
		return outcome;
	core_own(c, p, t);
	return c->last_outcome;
}

SIM_INLINE unsigned
outcome_of(struct core *c, struct window *w, struct block *p,
	   const struct block *t)
{
	if (w->predictor == FAST_ICACHE && SIM_UNLIKELY(w->fetch) &&
	    p->branch != BRANCH_NONE)
		fetch_branch(c, w);
	if (p->kind != KIND_SLOW)
		return predicted_outcome(c, w, p, t);
	c->last_outcome = 0;
	core_branch(c, p, t);
	return (c->last_outcome & ~(unsigned)OUTCOME_TAKEN) | leads_on(p, t);
}

static inline void
count_tally(struct core *c, const struct window *w)
{
	for (u64 left = w->used; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctzll(left);

		c->sig[signal_of(i)] += (u64)(s64)(w->tally[i] - w->told[i]);
	}
}

/* What becomes of clear registers behind the block with that outcome: what
 * came of a wrong path has to be forgotten. */
static inline void
clear_kept(const struct window *w, unsigned outcome, u16 *keeps, u16 *clears)
{
	const struct window_program *p = window_program(w);
	bool right = !(outcome & OUTCOME_MISS);

	*keeps = right ? (u16)~p->spoils : 0;
	*clears = right ? p->clears : 0;
}

SIM_INLINE void
pass_clear(struct window *w, u16 keeps, u16 clears)
{
	w->clear = (w->clear & keeps) | clears;
}

#endif
