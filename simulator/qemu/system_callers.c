/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_callers.h"

static void
keep(struct callers *c)
{
	const struct callers_block *last = c->last;

	c->kept[c->n_kept++ % CALLERS_KEPT] = (struct callers_kept){
		last->pc, last->end, last->routine,
		last->routine ? c->caller : last->branch_pc};
}

/* The better of how what is kept fits a block; 0: not at all. */
static unsigned
fitness(const struct callers_kept *at, const struct callers_block *b)
{
	if (!at->routine)
		return at->end != 0;
	if (b->pc >= at->pc && b->pc < at->end)
		return 3;
	return at->routine == b->routine ? 2 : 0;
}

static u64
kept_caller(const struct callers *c, const struct callers_block *b)
{
	unsigned best = 0;
	u64 caller = 0;

	for (unsigned i = 1; i <= CALLERS_KEPT; i++) {
		const struct callers_kept *at =
			&c->kept[(c->n_kept - i) % CALLERS_KEPT];

		if (fitness(at, b) > best) {
			best = fitness(at, b);
			caller = at->caller;
		}
	}
	return caller;
}

u64
callers_find(struct callers *c, const struct callers_block *b, bool exception)
{
	const struct callers_block *last = c->last;

	if (exception && last)
		keep(c);
	if (!b->routine || !last)
		return 0;
	if (last->returns)
		return kept_caller(c, b);
	return last->routine ? c->caller : last->branch_pc;
}

void
callers_entered(struct callers *c, const struct callers_block *b, u64 caller)
{
	c->last = b;
	c->caller = caller;
}
