/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branches that predictors know, on the fast path. */
#ifndef SIM_FAST_PREDICT_H
#define SIM_FAST_PREDICT_H

#include "dcache.h"
#include "predict.h"
#include "tage.h"

/*
 * A counter of two bits, of the table or a buffer, is kept as bit 1, it
 * predicts taken, and bit 2, it is weak: wrong once more, and it predicts the
 * other way.  With what the branch does it makes a number whose low bits are
 * OUTCOME_TAKEN and OUTCOME_MISS: the outcome is not looked up.
 */
#define COUNTER_TAKEN 2u
#define COUNTER_WEAK 4u
#define COUNTER_MEETS(counter, taken) ((counter) ^ 3u * (taken))

/* One of state 0..3, predicted taken from 2 on. */
SIM_INLINE u8
counter_of(unsigned state)
{
	return (u8)((state > 1 ? COUNTER_TAKEN : 0) |
		    (state == 1 || state == 2 ? COUNTER_WEAK : 0));
}

/* What it is behind that number. */
SIM_INLINE u8
counter_behind(unsigned meets)
{
	unsigned taken = meets & OUTCOME_TAKEN, weak = meets & COUNTER_WEAK;

	if (!(meets & OUTCOME_MISS))
		return (u8)(taken ? COUNTER_TAKEN : 0);
	return (u8)((!weak == !taken ? COUNTER_TAKEN : 0) | COUNTER_WEAK);
}

/* Predicts p's branch, which goes to t; its cost in units of now. */
SIM_INLINE u64
fast_branch(struct core *c, const struct block *p, const struct block *t,
	    bool history)
{
	unsigned taken = (u32)t->vaddr != p->fall_low;
	u32 at = p->bht_index;
	unsigned meets, outcome;

	if (history) {
		at = (at ^ ((u32)c->history & c->history_mask)) & c->bht_mask;
		c->history = c->history << 1 | taken;
	}
	meets = COUNTER_MEETS(c->bht[at], taken);
	outcome = meets & (OUTCOME_TAKEN | OUTCOME_MISS);
	c->bht[at] = c->next_counter[meets];
	c->last_outcome = (u8)outcome;
	c->outcome[p->shares][outcome]++;
	return c->cost[outcome];
}

/* p's branch, by a predictor of predict.h, has had that outcome; its cost: if
 * it was predicted wrongly, in the second pipe more than in any other. */
SIM_INLINE u64
fast_outcome(struct core *c, const struct block *p, unsigned outcome)
{
	u64 slots;

	c->last_outcome = (u8)outcome;
	c->outcome[p->shares][outcome]++;
	if (SIM_LIKELY(!(outcome & p->traits & TRAIT_SECOND)))
		return c->cost[outcome];
	slots = c->config->pipe.issue.mispredict_second;
	c->sig[SIG_BRANCH_MISS_SECOND]++;
	c->sig[SIG_CYCLE_KILLED] += slots;
	return c->cost[outcome] + CYCLES(slots);
}

/* A buffer of branches that does not hold p's, which is not taken, as the
 * buffer then says. */
SIM_INLINE bool
fast_unheld(struct core *c, const struct block *p, const struct block *t)
{
	const struct predict *x = c->predict;
	u64 key = block_branch_pc(p) >> x->pc_shift;

	if (p->branch != BRANCH_DIRECT_COND || t->vaddr != p->fall ||
	    (p->traits & TRAIT_BACKWARD && c->config->branch.static_backward) ||
	    (x->here[PREDICT_HERE(key)] && array_find(&x->branches, key) >= 0))
		return false;
	c->sig[SIG_BTB_MISS]++;
	fast_outcome(c, p, 0);
	return true;
}

/* A counter of two bits goes one up or down; whether it said taken before.
 * Without branches, which the host could predict no better than the target's. */
SIM_INLINE bool
fast_train(u8 *counter, bool taken)
{
	static const u8 next[] = {0, 1, 0, 2, 1, 3, 2, 3};
	unsigned was = *counter;

	*counter = next[2 * was + taken];
	return was > 1;
}

/* Whether the buffer has p's branch in slot, and can be looked at here: t,
 * which p went to, is where it goes if it is taken. */
SIM_INLINE bool
fast_is_held(const struct predict *x, u32 slot, const struct block *p)
{
	return SIM_LIKELY(x->known[slot].pc == block_branch_pc(p));
}

SIM_INLINE bool
fast_goes_on(const struct predict *x, u32 slot, unsigned taken,
	     const struct block *t)
{
	return !((taken & (x->known[slot].target != t->vaddr)) |
		 (x->clock == UINT32_MAX));
}

/* The branch in slot, with that counter, has gone where it goes; the
 * outcome. */
SIM_INLINE unsigned
fast_hit(struct core *c, u32 slot, u8 *counter, unsigned taken)
{
	struct predict *x = c->predict;
	unsigned meets = COUNTER_MEETS(*counter, taken);

	*counter = c->next_counter[meets];
	x->branches.stamp[slot] = ++x->clock;
	c->sig[SIG_BTB_HIT]++;
	c->sig[SIG_BTB_TAKEN_OR_HIT]++;
	return meets & (OUTCOME_TAKEN | OUTCOME_MISS);
}

/*
 * Predicts p's branch, which goes to t, with a buffer of branches, and says
 * what it costs.  False: nothing is done, since it is not held and may be
 * taken, or is no conditional one and not predicted rightly.
 */
SIM_INLINE bool
fast_held(struct core *c, struct block *p, const struct block *t, u64 *cost)
{
	struct predict *x = c->predict;
	u32 slot = p->bht_index;
	bool jump = p->branch != BRANCH_DIRECT_COND;
	unsigned taken = jump | (t->vaddr != p->fall), outcome;

	*cost = 0;
	if (!fast_is_held(x, slot, p))
		return fast_unheld(c, p, t);
	if (SIM_UNLIKELY(!fast_goes_on(x, slot, taken, t)) ||
	    (jump && !(x->counter[slot] & COUNTER_TAKEN)))
		return false;
	outcome = fast_hit(c, slot, &x->counter[slot], taken);
	if (jump)
		c->last_outcome = 0;
	else
		*cost = fast_outcome(c, p, outcome);
	return true;
}

/* The counter beside p's branch, whose line is in that slot. */
SIM_INLINE u8 *
fast_counter(const struct predict *x, const struct block *p, u32 slot)
{
	return &x->counter[slot * x->per_line + p->bht_index];
}

/* It learns what the branch does; the outcome.  Without branches, which the
 * host could predict no better than the target's. */
SIM_INLINE unsigned
fast_learn(const struct predict *x, u8 *counter, const struct block *p,
	   unsigned taken)
{
	unsigned was = *counter;
	unsigned state = was + (was / PREDICT_NO_COUNTER & p->traits);
	u16 next = x->learn[state * 2 + taken];

	*counter = (u8)next;
	return next >> 8;
}

/* A branch predicted by a counter beside the instruction in the first-level
 * cache, rightly or wrongly, and the cost; false: it is elsewhere now. */
SIM_INLINE bool
fast_icache(struct core *c, struct block *p, const struct block *t, u64 *cost)
{
	struct predict *x = c->predict;
	u32 line = p->traits / TRAIT_LINE, slot = p->line_slot[line & 1];

	if (SIM_UNLIKELY(c->line_number[slot] != p->line + line))
		return false;
	*cost = fast_outcome(c, p,
			     fast_learn(x, fast_counter(x, p, slot), p,
					(u32)t->vaddr != p->fall_low));
	return true;
}

/* The same by a buffer of branches with histories; false: it may be taken, and
 * is not held. */
SIM_INLINE bool
fast_buffer(struct core *c, struct block *p, const struct block *t, u64 *cost)
{
	struct predict *x = c->predict;
	u32 slot = p->bht_index, bits = x->history_bits;
	u32 history = x->history[slot];
	unsigned taken = t->vaddr != p->fall;

	*cost = 0;
	if (!fast_is_held(x, slot, p))
		return fast_unheld(c, p, t);
	if (SIM_UNLIKELY(!fast_goes_on(x, slot, taken, t)))
		return false;
	*cost = fast_outcome(
		c, p, fast_hit(c, slot, &x->counter[(slot << bits) + history],
			       taken));
	x->history[slot] = (u8)((history << 1 | taken) & x->history_mask);
	return true;
}

/* Whether p's branch is predicted taken by its own outcomes or by those of
 * all; it learns what it does. */
SIM_INLINE bool
fast_tournament(struct core *c, const struct block *p, bool taken)
{
	struct predict *x = c->predict;
	u16 *history = &x->local[p->bht_index];
	u8 *own = &x->counter[*history], *choice = &x->choice[x->path];
	u16 next = x->learn[*own * 2 + taken];
	bool local = (next >> 8 & OUTCOME_MISS ? 1 : 0) ^ taken;
	bool global = fast_train(&x->global[x->path], taken);
	bool said = *choice > 1 ? global : local;

	*own = (u8)next;
	if (local != global)
		fast_train(choice, global == taken);
	*history = (u16)((*history << 1 | taken) & x->own_mask);
	x->path = (x->path << 1 | taken) & x->path_mask;
	return said;
}

/* How a machine predicts conditional branches. */
enum fast_predictor {
	FAST_TABLE,	/* a table of counters */
	FAST_HISTORY,	/* the same, looked up by a history */
	FAST_OWN,	/* predict.h */
	FAST_ICACHE,	/* the same, of that kind */
	FAST_BUFFER,
	FAST_TOURNAMENT, /* of a window */
	FAST_TAGE,	/* of a window */
	FAST_HELD	/* FAST_BUFFER, and predict_is_quick() */
};

SIM_INLINE enum fast_predictor
fast_predictor_of(const struct sim_config *config)
{
	if (config->branch.kind == PREDICT_GSHARE)
		return FAST_HISTORY;
	if (!predict_is_own(&config->branch))
		return FAST_TABLE;
	if (predict_is_quick(config))
		return FAST_HELD;
	if (pipeline_is_window(&config->pipe) &&
	    config->branch.kind == PREDICT_TOURNAMENT)
		return FAST_TOURNAMENT;
	if (pipeline_is_window(&config->pipe) &&
	    config->branch.kind == PREDICT_TAGE)
		return FAST_TAGE;
	return config->branch.kind == PREDICT_ICACHE ? FAST_ICACHE
	       : config->branch.kind == PREDICT_BTB  ? FAST_BUFFER
						     : FAST_OWN;
}

/* FAST_TOURNAMENT, right or wrong; its cost in units of now. */
SIM_INLINE u64
fast_choice(struct core *c, const struct block *p, const struct block *t)
{
	bool taken = t->vaddr != p->fall;
	unsigned wrong = fast_tournament(c, p, taken) != taken;

	return fast_outcome(c, p, wrong << 1 | taken);
}

/* FAST_TAGE, the same. */
SIM_INLINE u64
fast_tage(struct core *c, const struct block *p, const struct block *t)
{
	bool taken = t->vaddr != p->fall;
	unsigned wrong = tage_cond(c, p, taken) != taken;

	return fast_outcome(c, p, wrong << 1 | taken);
}

/* KIND_HELD and KIND_OWN, by the kind of predictor, and the cost; false:
 * nothing is done. */
SIM_INLINE bool
fast_predicted(struct core *c, struct block *p, const struct block *t,
	       enum fast_predictor predictor, u64 *cost)
{
	*cost = 0;
	if (predictor == FAST_TOURNAMENT) {
		*cost = fast_choice(c, p, t);
		return true;
	}
	if (predictor == FAST_TAGE) {
		*cost = fast_tage(c, p, t);
		return true;
	}
	if (predictor == FAST_BUFFER)
		return fast_buffer(c, p, t, cost);
	if (predictor == FAST_HELD)
		return fast_held(c, p, t, cost);
	if (predictor == FAST_ICACHE)
		return fast_icache(c, p, t, cost);
	return false;
}

/* KIND_OWN, whatever comes out; its cost in units of now. */
SIM_INLINE u64
fast_own(struct core *c, struct block *p, const struct block *t,
	 enum fast_predictor predictor)
{
	u64 cost;

	return fast_predicted(c, p, t, predictor, &cost) ? cost
							 : core_own(c, p, t);
}

#endif
