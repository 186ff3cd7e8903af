/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entering a block out of line: what the one before has left open - its
 * branch, what its registers owe - and what is not where it was. */
#include "branch.h"
#include "fast.h"

/* Where what is known of p before t after that many cycles is kept. */
SIM_INLINE struct edge *
edge_place(struct core *c, const struct block *p, const struct block *t,
	   u64 slack)
{
	uintptr_t mix = (uintptr_t)p >> 6 ^ (uintptr_t)t >> 5 ^ slack;

	return &c->edge[mix & (CORE_EDGES - 1)];
}

SIM_INLINE bool
edge_is(const struct edge *e, const struct block *p, const struct block *t,
	u64 slack)
{
	return SIM_LIKELY(e->from == p && e->to == t && e->slack == slack);
}

static SIM_NOINLINE void
edge_new(struct edge *e, const struct block *p, const struct block *t,
	 u64 slack)
{
	schedule_edge(e, p, t, slack);
	e->leaves = p->owes_long && pending_leaves(p, t);
}

/* From p to t after that many cycles. */
SIM_INLINE const struct edge *
edge_of(struct core *c, const struct block *p, const struct block *t,
	u64 slack)
{
	struct edge *e = edge_place(c, p, t, slack);

	if (!edge_is(e, p, t, slack))
		edge_new(e, p, t, slack);
	return e;
}

/* What t waits for p's registers after that many cycles. */
SIM_INLINE u64
debts(struct core *c, const struct block *p, const struct block *t, u64 slack)
{
	const struct edge *e = edge_of(c, p, t, slack);

	count_stall(c, e->total);
	return edge_charge(e, c->sig);
}

/* The same where p may owe something for longer than t; time has passed up to
 * t's end, but for the slack. */
SIM_INLINE u64
long_debts(struct core *c, const struct block *p, const struct block *t,
	   u64 slack)
{
	const struct edge *e = edge_of(c, p, t, slack);

	if (SIM_UNLIKELY(e->leaves)) {
		pending_until(c, core_cycle(c) - t->cycles);
		pending_debts(c, p, t, core_cycle(c) - t->cycles);
	}
	count_stall(c, e->total);
	return edge_charge(e, c->sig);
}

/* For a KIND_SLOW. */
void
core_leave(struct core *c, const struct block *p, const struct block *t)
{
	u64 cycles;

	c->last_outcome = 0;
	cycles = core_branch(c, p, t);
	if (p->owes_long)
		cycles += long_debts(c, p, t, cycles);
	else if (p->owes & t->needs)
		cycles += debts(c, p, t, cycles);
	c->now += CYCLES(cycles);
}

/* The branch at the end of p, of any other kind, and what its registers owe; in
 * units of now. */
SIM_INLINE u64
leave_cost(struct core *c, struct block *p, const struct block *t)
{
	u64 cost = 0;

	if (p->kind & KIND_COND)
		cost = fast_branch(c, p, t, c->history_mask);
	else if (p->kind & KIND_HELD)
		cost = fast_held(c, p, t, &cost) ? cost : core_held(c, p, t);
	else if (p->kind & KIND_OWN)
		cost = fast_own(c, p, t, fast_predictor_of(c->config));
	if (p->kind & KIND_OWES && p->owes & t->needs)
		cost += CYCLES(debts(c, p, t, cost >> 32));
	return cost;
}

/* Block t follows p, whose end has been resolved: not all of t's lines are
 * where they were.  They are asked for behind what p's readers wait for. */
static SIM_NOINLINE void
enter_fetch_any(struct core *c, const struct block *p, struct block *t)
{
	if (SIM_UNLIKELY(c->n_pending))
		pending_until(c, core_cycle(c) - t->cycles);
	core_fetch(c, p, t);
}

SIM_INLINE void
enter_fetch(struct core *c, const struct block *p, struct block *t)
{
	u64 page = block_shown(&c->itlb, t);

	if (page > SHADOW_PAGE_SLOTS || t->n_line > 2 || c->n_pending ||
	    SIM_UNLIKELY(!c->fetch)) {
		enter_fetch_any(c, p, t);
		return;
	}
	c->itlb.stamp[page] = (u32)c->now;
	c->fetch(c, p, t);
}

/* Block t follows p after a branch that cost that many cycles. */
SIM_INLINE void
enter(struct core *c, const struct block *p, struct block *t, u64 cycles)
{
	u64 page = block_shown(&c->itlb, t);

	c->prev = t;
	t->execs++;
	c->now += t->advance + CYCLES(cycles);
	if (SIM_UNLIKELY(t->n_line > 2 ||
			 !fast_fetch_known_at(c, t, FAST_FEW, page))) {
		enter_fetch(c, p, t);
		return;
	}
	fast_fetch_at(c, t, FAST_FEW, page, (u32)c->now);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

/*
 * Block t follows p after a branch that cost that many cycles, and waits for
 * what p's registers owe.  Here and below all calls are the last thing that is
 * done, so that no registers need to be kept.
 */
static void enter_owed(struct core *c, const struct block *p, struct block *t,
		       u64 cycles);

static SIM_NOINLINE void
enter_new(struct core *c, const struct block *p, struct block *t, u64 cycles)
{
	edge_new(edge_place(c, p, t, cycles), p, t, cycles);
	enter_owed(c, p, t, cycles);
}

static SIM_NOINLINE void
enter_owed(struct core *c, const struct block *p, struct block *t, u64 cycles)
{
	const struct edge *e = edge_place(c, p, t, cycles);

	if (!edge_is(e, p, t, cycles)) {
		enter_new(c, p, t, cycles);
		return;
	}
	count_stall(c, e->total);
	enter(c, p, t, cycles + edge_charge(e, c->sig));
}

/* Behind a branch that the branch buffer has nothing to do with; what p's
 * registers owe is not for long. */
SIM_INLINE void
enter_behind(struct core *c, const struct block *p, struct block *t,
	     u64 cycles)
{
	if (p->owes & t->needs)
		enter_owed(c, p, t, cycles);
	else
		enter(c, p, t, cycles);
}

void
core_enter_behind(struct core *c, struct block *t, u64 cycles)
{
	enter_behind(c, c->prev, t, cycles);
}

static SIM_NOINLINE void
enter_call(struct core *c, struct block *t)
{
	const struct block *p = c->prev;

	push_return(c, p->fall);
	enter_behind(c, p, t, redirect_inorder(c, false, 0));
}

static SIM_NOINLINE void
enter_return(struct core *c, struct block *t)
{
	const struct block *p = c->prev;

	enter_behind(c, p, t, redirect_inorder(c, return_misses(c, t->vaddr),
					    c->config->pipe.indirect));
}

/* Behind an indirect jump, or call. */
SIM_INLINE void
enter_target(struct core *c, const struct block *p, struct block *t)
{
	bool wrong = target_misses(c, p, t->vaddr);

	c->sig[SIG_JUMP_IND_MISS] += wrong;
	enter_behind(c, p, t,
		     redirect_inorder(c, wrong, c->config->pipe.indirect));
}

static SIM_NOINLINE void
enter_indirect(struct core *c, struct block *t)
{
	enter_target(c, c->prev, t);
}

static SIM_NOINLINE void
enter_indirect_call(struct core *c, struct block *t)
{
	push_return(c, c->prev->fall);
	enter_target(c, c->prev, t);
}

/* Behind a string instruction, which may repeat itself. */
static SIM_NOINLINE void
enter_repeat(struct core *c, struct block *t)
{
	const struct block *p = c->prev;

	c->last_outcome = 0;
	core_side(c, p);
	if (t->vaddr == block_branch_pc(p))
		repeat_take_back(c, c->sig, t);
	enter_behind(c, p, t, 0);
}

static SIM_NOINLINE void
enter_slow(struct core *c, struct block *t)
{
	const struct block *p = c->prev;

	c->now += t->advance;
	core_leave(c, p, t);
	c->now -= t->advance;
	enter(c, p, t, 0);
}

/* Block t follows p after a branch that cost that many cycles; some of p's
 * registers may be late for longer than t takes. */
static SIM_NOINLINE void
enter_leaving(struct core *c, const struct block *p, struct block *t,
	      u64 cycles)
{
	c->now += t->advance;
	cycles += long_debts(c, p, t, cycles);
	c->now -= t->advance;
	enter(c, p, t, cycles);
}

/* Behind a conditional branch that the table predicts, where registers are
 * late for long. */
static SIM_NOINLINE void
enter_long(struct core *c, struct block *t)
{
	const struct block *p = c->prev;
	u64 cycles = fast_branch(c, p, t, c->history_mask) >> 32;
	const struct edge *e = edge_place(c, p, t, cycles);

	if (SIM_UNLIKELY(!edge_is(e, p, t, cycles) || e->leaves)) {
		enter_leaving(c, p, t, cycles);
		return;
	}
	count_stall(c, e->total);
	enter(c, p, t, cycles + edge_charge(e, c->sig));
}

static SIM_NOINLINE void
enter_known(struct core *c, struct block *t)
{
	struct block *p = c->prev;

	enter(c, p, t, leave_cost(c, p, t) >> 32);
}

/* By the branch of p, which is a KIND_SLOW: where a buffer
 * holds none of its kind, and nothing is late for long. */
static enter_fn *const behind[] = {
	[BRANCH_NONE] = enter_slow,
	[BRANCH_DIRECT_COND] = enter_slow,
	[BRANCH_JUMP] = enter_slow,
	[BRANCH_CALL] = enter_call,
	[BRANCH_IND_JUMP] = enter_indirect,
	[BRANCH_IND_CALL] = enter_indirect_call,
	[BRANCH_RETURN] = enter_return,
	[BRANCH_REP] = enter_repeat,
	[BRANCH_COND_CALL] = enter_slow,
};

/* Behind a KIND_SLOW, of any other case. */
static SIM_NOINLINE void
enter_other(struct core *c, struct block *t)
{
	const struct block *p = c->prev;

	if (p->owes_long && p->branch == BRANCH_DIRECT_COND && !c->predict &&
	    !p->detail->n_slot)
		enter_long(c, t);
	else if (!p->owes_long && p->branch == BRANCH_REP)
		enter_repeat(c, t);
	else
		enter_slow(c, t);
}

/* In a pipeline in order; see window_enter() for the other. */
void
core_enter(struct core *c, struct block *t)
{
	const struct block *p = c->prev;

	if (SIM_UNLIKELY(p->kind != KIND_SLOW))
		enter_known(c, t);
	else if (SIM_UNLIKELY(p->owes_long || p->side_first ||
			      predict_holds_jumps(&c->config->branch)))
		enter_other(c, t);
	else
		behind[p->branch](c, t);
}

void
core_enter_fetch(struct core *c, struct block *t)
{
	struct block *p = c->prev;

	t->execs++;
	c->prev = t;
	c->now += t->advance + leave_cost(c, p, t);
	enter_fetch(c, p, t);
}

void
core_enter_late(struct core *c, struct block *t)
{
	struct block *p = c->prev;
	u64 now;

	t->execs++;
	c->prev = t;
	now = c->now + t->advance + leave_cost(c, p, t);
	c->now = now;
	fast_fetch(c, t, FAST_ANY, (u32)now);
	if (SIM_UNLIKELY(now >= c->deadline))
		core_attend(c, t);
}

void
core_pause(struct core *c, u64 next)
{
	struct block *p = c->prev, *t = block_none_at(next);

	c->prev = t;
	if (c->window)
		c->window_fns->pause(c, p, t);
	else if (p->kind == KIND_SLOW)
		core_leave(c, p, t);
	else
		c->now += leave_cost(c, p, t);
	if (c->n_pending)
		pending_until(c, core_cycle(c));
	c->n_pending = 0;
}
