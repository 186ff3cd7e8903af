/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an edge costs that does not depend on where things are: what p's
 * registers owe, and a call.  It is worked out when the edge is made, for the
 * outcomes that p's branch can have.
 */
#include "edge_internal.h"

enum { BLOCK = EDGE_BLOCK, SLOT, NOW, SPARE };

/* A conditional branch, whose outcome is in core.cost[]. */
static bool
is_condition(const struct block *p)
{
	return predict_has_outcome(p) || p->branch == BRANCH_DIRECT_COND;
}

/* As core_enter() has it for these kinds of KIND_SLOW. */
static bool
is_call(const struct block *p)
{
	return p->kind == KIND_SLOW && p->branch == BRANCH_CALL &&
	       !p->owes_long && !p->side_first &&
	       !predict_holds_jumps(&target.config->branch);
}

static bool
is_long(const struct block *p)
{
	return p->kind == KIND_SLOW && p->branch == BRANCH_DIRECT_COND &&
	       p->owes_long && !p->side_first && !core.predict &&
	       !p->detail->n_slot;
}

bool
charge_is_inline(const struct block *p)
{
	return is_call(p) || is_long(p) || predict_is_inline(p);
}

static u64
bubble(void)
{
	return target.config->pipe.taken_bubble;
}

static void
find(const struct edge_code *x, struct edge *debts, u64 slack)
{
	if (x->p->owes & x->t->needs || x->p->owes_long)
		schedule_edge(debts, x->p, x->t, slack);
	else
		*debts = (struct edge){0};
}

bool
charge_find(struct edge_code *x)
{
	const struct block *p = x->p;

	if (p->owes_long && pending_leaves(p, x->t))
		return false;
	if (is_call(p)) {
		find(x, &x->right, bubble());
	} else if (is_condition(p)) {
		find(x, &x->right, core.cost[x->taken] >> 32);
		find(x, &x->wrong, core.cost[OUTCOME_MISS | x->taken] >> 32);
	} else {
		find(x, &x->right, 0);
	}
	x->fixed = is_call(p) ? bubble() : 0;
	return true;
}

/* Whether there is anything to add to the time. */
bool
charge_takes_time(const struct edge_code *x)
{
	return x->right.total | x->wrong.total | x->fixed;
}

static void
add(struct edge_code *x, unsigned signal, u64 n)
{
	emit_add_number(x->e, EMIT_BASE(x->r[SPARE], 8 * (s32)signal), (s32)n);
}

/* As edge_charge() and count_stall(); SPARE: what it takes. */
static void
charge(struct edge_code *x, const struct edge *debts)
{
	if (debts->n || x->fixed)
		emit_op(x->e, EMIT_LOAD, EMIT_64, x->r[SPARE],
			EMIT_GS(HOST_AT(core.sig)));
	for (unsigned i = 0; i < debts->n; i++)
		add(x, debts->signal[i], debts->cycles[i]);
	if (debts->total > target.config->pipe.long_stall)
		add(x, SIG_LONG_STALL, 1);
	if (x->fixed)
		add(x, SIG_IFU_REDIRECT, x->fixed);
	emit_number(x->e, x->r[SPARE], CYCLES(debts->total + x->fixed));
}

/* As push_return(), if there is room. */
static void
call(struct edge_code *x)
{
	s32 room = (s32)target.config->branch.return_entries;
	const u8 *r = x->r;

	emit_put(x->e, EMIT_8, EMIT_GS(HOST_AT(core.last_outcome)), 0);
	if (!room)
		return;
	emit_number(x->e, r[SLOT], x->p->fall);
	emit_op(x->e, EMIT_STORE, EMIT_64, r[SLOT],
		EMIT_GS_INDEX(HOST_AT(core.returns[0]), r[SPARE], 8));
	emit_ri(x->e, EMIT_ALU_ADD, EMIT_32, r[SPARE], 1);
	emit_op(x->e, EMIT_STORE, EMIT_32, r[SPARE],
		EMIT_GS(HOST_AT(core.n_returns)));
}

/* Whether there is: SPARE is how many there are. */
static void
look_room(struct edge_code *x)
{
	s32 room = (s32)target.config->branch.return_entries;

	if (!room)
		return;
	emit_op(x->e, EMIT_LOAD, EMIT_32, x->r[SPARE],
		EMIT_GS(HOST_AT(core.n_returns)));
	emit_ri(x->e, EMIT_ALU_CMP, EMIT_32, x->r[SPARE], room);
	edge_leave_if(x, EMIT_JE);
}

static bool
differ(const struct edge_code *x)
{
	return x->right.total | x->wrong.total && is_condition(x->p);
}

void
charge_emit(struct edge_code *x)
{
	if (is_call(x->p)) {
		look_room(x);
		call(x);
	} else {
		predict_emit(x);
	}
	if (differ(x)) {
		emit_test(x->e, x->r[SLOT], OUTCOME_MISS);
		x->missed = emit_jcc(x->e, EMIT_JNE);
	}
	if (charge_takes_time(x))
		charge(x, &x->right);
	x->charged = x->e->p;
}

void
charge_emit_rest(struct edge_code *x)
{
	predict_emit_rest(x);
	if (!x->missed)
		return;
	emit_reach(x->missed, x->e->p);
	charge(x, &x->wrong);
	emit_reach(emit_jump(x->e), x->charged);
}
