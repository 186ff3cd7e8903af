/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stalls between two blocks on a pipeline in order: registers that the first
 * leaves late and the second reads early. */
#ifndef SIM_EDGE_H
#define SIM_EDGE_H

#include "code/block.h"

/* The stalls that waiting for a register can be: for a load, one of two
 * units, an address, an MMX multiply, an MMX register to store, anything
 * else. */
#define EDGE_CAUSES 7

/* From a block to another after slack cycles for other reasons: the cycles
 * without issue, and their causes. */
struct edge {
	const struct block *from, *to;
	u32 slack;
	u16 total;
	u8 n;			/* causes */
	bool leaves;		/* pending_leaves() */
	u16 cycles[EDGE_CAUSES];
	u8 signal[EDGE_CAUSES];
};

/* Works out e for p and q. */
void schedule_edge(struct edge *e, const struct block *p,
		   const struct block *q, u64 slack);

/* Adds e's causes to stall; all its cycles. */
SIM_INLINE u64
edge_charge(const struct edge *e, u64 stall[SIG_N])
{
	for (unsigned i = 0; i < e->n; i++)
		stall[e->signal[i]] += e->cycles[i];
	return e->total;
}

#endif
