/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contexts on one pipeline: whose cycle it is, and what most instructions do
 * with it. */
#include "merge_internal.h"

/*
 * A context that can issue now, or the earliest one; NULL if all are idle or
 * one needs records: that one is in *dry.  What one asks for can keep those
 * from issuing that have been looked at before it.
 */
SIM_INLINE struct context *
choose(struct merge *m, struct context **dry)
{
	u64 now = core_cycle(m->core);
	struct context *best, *x = m->last->after;
	bool asked;

	if (SIM_LIKELY(x && x->at <= now))
		return x;
	*dry = NULL;
	do {
		best = NULL;
		asked = false;
		m->woke = false;
		x = m->last;
		for (u32 left = m->active; left; left--) {
			bool known;

			x = x->after;
			known = x->known;
			if (!known && !context_prepare(m, x)) {
				if (m->draining || !x->first)
					continue;
				*dry = x;
				return NULL;
			}
			asked |= !known;
			if (x->at <= now)
				return x;
			if (!best || x->at < best->at)
				best = x;
		}
	} while (asked || m->woke);
	return best;
}

/* What it computes can be waited for.  If it is not, that is noted where
 * no context reads: whether it is could not be predicted. */
SIM_INLINE void
owe(struct schedule *s, const struct merge_op *op, u64 t)
{
	unsigned reg = op->owes;

	s->ready[reg] = t + op->ready;
	s->ready_addr[reg] = t + op->address;
	s->cause[reg] = op->cause;
}

/* Issues what x has prepared, if that is not STEP_SLOW. */
SIM_INLINE void
issue_quick(struct merge *m, struct context *x)
{
	const struct merge_op *op = &x->op[x->insn];
	struct core *c = m->core;
	u64 t = core_cycle(c);
	unsigned todo = x->todo;

	if (todo & STEP_ACCESSES) {
		c->sig = x->sig;
		c->now += op->ticks;
		if (!all_hit(m, x, t)) {
			if (context_issue_late(m, x, todo, t))
				context_next(m, x);
			return;
		}
	}
	owe(&x->s, op, t);
	x->s.next = t + 1;
	c->now += CYCLES(1);
	context_next(m, x);
}

struct context *
turns_run(struct merge *m)
{
	bool quick = m->planned && m->plain && !m->core->sampler &&
		     !m->core->profiler;
	u8 slow = quick ? STEP_SLOW : TODO_ISSUE | STEP_ANY;
	struct context *x, *dry;

	while ((x = choose(m, &dry))) {
		if (x->at > core_cycle(m->core))
			context_pass_gap(m, x, x->at);
		m->last = x;
		if (x->todo & slow)
			context_issue(m, x);
		else
			issue_quick(m, x);
	}
	plan_count(m);
	return dry;
}
