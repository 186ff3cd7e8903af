/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast path: what happens when nothing happens.  Inlined into the
 * engine's callbacks; everything else is out of line.
 */
#ifndef SIM_FAST_H
#define SIM_FAST_H

#include "core.h"
#include "pipeline/inorder.h"
#include "predict.h"

/* Everything that fast_enter() leaves to a call of its own. */
void core_enter(struct core *c, struct block *t);

/* Predicts p's branch, which goes to t; its cost in units of now. */
SIM_INLINE u64
fast_branch(struct core *c, const struct block *p, const struct block *t,
	    bool history)
{
	unsigned taken = t->vaddr != p->fall;
	u32 at = p->bht_index;
	unsigned k, outcome;

	if (history) {
		at = (at ^ ((u32)c->history & c->history_mask)) & c->bht_mask;
		c->history = c->history << 1 | taken;
	}
	k = c->update[c->bht[at] + taken];
	outcome = (k & 1u) << 1 | taken;
	c->bht[at] = k & 6;
	c->last_outcome = (u8)outcome;
	c->outcome[p->shares][outcome]++;
	return c->cost[outcome];
}

/*
 * Predicts p's branch, which goes to t, with a buffer of branches; its cost
 * in units of now.  The buffer is right if it holds the branch, the counter
 * says what happens and the target is known: then the counter is sure.
 */
SIM_INLINE u64
fast_held(struct core *c, struct block *p, const struct block *t)
{
	struct predict *x = c->predict;
	u32 slot = p->bht_index;
	bool jump = p->branch != BRANCH_DIRECT_COND;
	unsigned taken = jump | (t->vaddr != p->fall);

	if (x->branches.key[slot] != p->branch_pc >> x->pc_shift ||
	    x->counter[slot] >> 1 != taken ||
	    (taken && x->target[slot] != t->vaddr) ||
	    SIM_UNLIKELY(x->clock == UINT32_MAX))
		return core_held(c, p, t);
	x->counter[slot] = (u8)(taken * 3);
	x->branches.stamp[slot] = ++x->clock;
	c->sig[SIG_BTB_HIT]++;
	c->sig[SIG_BTB_TAKEN_OR_HIT]++;
	c->last_outcome = 0;
	if (jump)
		return 0;
	c->last_outcome = (u8)taken;
	c->outcome[p->shares][taken]++;
	return 0;
}

/* What t waits for p's registers if it follows after a branch of that cost;
 * in units of now. */
SIM_INLINE u64
fast_debts(struct core *c, const struct block *p, const struct block *t,
	   u64 cost)
{
	u64 cycles;

	if (SIM_LIKELY(!(p->owes & t->needs)))
		return 0;
	cycles = schedule_edge(p, t, cost >> 32, c->sig);
	count_stall(c, cycles);
	return CYCLES(cycles);
}

/* Whether a block's page and lines are where they were last time. */
SIM_INLINE bool
fast_fetch_known(const struct core *c, const struct block *t, unsigned lines)
{
	u64 differ = c->line_number[t->line_slot[0]] ^ t->line;

	if (lines > 1 && (lines == 2 || t->n_line > 1))
		differ |= c->line_number[t->line_slot[1]] ^ (t->line + 1);
	differ |= c->itlb.shown[SHADOW_PAGE_INDEX(t->page)].page ^ t->page;
	for (unsigned i = 2; lines > 2 && i < t->n_line; i++)
		differ |= i >= BLOCK_LINES ||
			  c->line_number[block_more_slot(t)[i - 2]] !=
				  t->line + i;
	return !differ;
}

SIM_INLINE void
fast_fetch(struct core *c, const struct block *t, unsigned lines, u32 clock)
{
	c->line_stamp[t->line_slot[0]] = clock;
	if (lines > 1 && (lines == 2 || t->n_line > 1))
		c->line_stamp[t->line_slot[1]] = clock;
	for (unsigned i = 2; lines > 2 && i < t->n_line; i++)
		c->line_stamp[block_more_slot(t)[i - 2]] = clock;
	c->itlb.stamp[c->itlb.shown[SHADOW_PAGE_INDEX(t->page)].slot] = clock;
}

/* How a machine predicts conditional branches. */
enum fast_predictor {
	FAST_TABLE,	/* a table of counters */
	FAST_HISTORY,	/* the same, looked up by a history */
	FAST_OWN,	/* predict.h */
	FAST_HELD	/* the same, and predict_is_quick() */
};

/*
 * Enters block t, which spans that many lines (3 stands for any number).
 */
SIM_INLINE void
fast_enter(struct core *c, struct block *t, unsigned lines,
	   enum fast_predictor predictor)
{
	struct block *p = c->prev;
	u64 now = c->now + t->advance, cost = 0;
	unsigned slow = predictor >= FAST_OWN ? KIND_SLOW
					      : KIND_SLOW | KIND_OWN;

	if (predictor != FAST_HELD)
		slow |= KIND_HELD;
	if (SIM_UNLIKELY(p->kind & slow ||
			 !fast_fetch_known(c, t, lines))) {
		core_enter(c, t);
		return;
	}
	t->execs++;
	c->prev = t;
	if (predictor == FAST_HELD && p->kind & KIND_HELD)
		cost = fast_held(c, p, t);
	else if (predictor >= FAST_OWN && p->kind & KIND_OWN)
		cost = CYCLES(predict_cond(c, p, t));
	else if (p->kind & KIND_COND)
		cost = fast_branch(c, p, t, predictor == FAST_HISTORY);
	if (p->kind & KIND_OWES)
		cost += fast_debts(c, p, t, cost);
	now += cost;
	c->now = now;
	fast_fetch(c, t, lines, (u32)now);
	if (SIM_UNLIKELY(now >= c->deadline))
		core_attend(c, t);
}

/* The same where nothing is modelled: what executed is counted. */
SIM_INLINE void
fast_count(struct core *c, struct block *t)
{
	struct block *p = c->prev;

	t->execs++;
	c->prev = t;
	if (p->kind & (KIND_COND | KIND_OWN))
		c->outcome[p->shares][t->vaddr != p->fall]++;
	else if (p->kind & (KIND_SLOW | KIND_HELD))
		core_leave(c, p, t);
}

/* An access of 1 << size_log2 bytes; true if it hit and all is done. */
SIM_INLINE bool
fast_data(struct core *c, const struct block_access *a, u64 va,
	  unsigned size_log2, unsigned store)
{
	u32 at = SHADOW_INDEX(va), clock;
	u64 page = va >> SHADOW_PAGE_BITS;
	u32 y = SHADOW_PAGE_INDEX(page);

	if (SIM_UNLIKELY((va - c->shadow_base[at] >
			  SHADOW_GRANULE - (1u << size_log2)) |
			 (c->dtlb.shown[y].page != page)))
		return false;
	clock = (u32)c->now - a->clock_back;
	c->data_stamp[c->shadow_slot[at]][store] = clock;
	c->dtlb.stamp[c->dtlb.shown[y].slot] = clock;
	return true;
}

#endif
