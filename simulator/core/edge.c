/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "edge.h"

static void
add_cause(struct edge *e, u8 signal, u64 cycles)
{
	unsigned i = 0;

	while (i < e->n && e->signal[i] != signal)
		i++;
	if (i == e->n) {
		e->n++;
		e->signal[i] = signal;
		e->cycles[i] = 0;
	}
	e->cycles[i] = (u16)(e->cycles[i] + cycles);
	e->total = (u16)(e->total + cycles);
}

/* A read in cycle at waits for what from's registers owe. */
static void
wait_for_debts(struct edge *e, const struct block_detail *from,
	       const struct block_reg *in, u64 at)
{
	for (unsigned k = 0; k < from->n_exit; k++) {
		const struct block_reg *out = &block_exit(from)[k];

		if (out->reg != in->reg || out->address != in->address ||
		    out->cycles <= at)
			continue;
		add_cause(e, out->signal, out->cycles - at);
		at = out->cycles;
	}
}

void
schedule_edge(struct edge *e, const struct block *p, const struct block *q,
	      u64 slack)
{
	const struct block_detail *to = q->detail;
	unsigned n = to->n_near;

	/* No more of it: to clear all of it takes as long as the rest. */
	e->from = p;
	e->to = q;
	e->slack = (u32)slack;
	e->total = 0;
	e->n = 0;
	e->leaves = false;
	if (SIM_UNLIKELY(p->owes_long))
		n = to->n_entry;
	else if (!(p->owes & q->needs) || slack >= BLOCK_NEAR_CYCLES)
		return;
	for (unsigned i = 0; i < n; i++) {
		const struct block_reg *in = &block_entry(to)[i];

		if (p->owes & BLOCK_BIT(in->reg, in->address) && !in->killed)
			wait_for_debts(e, p->detail, in,
				       in->cycles + slack + e->total);
	}
}
