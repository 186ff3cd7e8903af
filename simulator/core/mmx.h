/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What accesses of MMX instructions count besides: what all accesses count is
 * looked at before and after. */
#ifndef SIM_MMX_H
#define SIM_MMX_H

#include "core.h"

struct mmx_look {
	u64 load, store, misaligned, wbb, order;
};

static inline struct mmx_look
mmx_look(const struct core *c)
{
	return (struct mmx_look){
		.load = c->sig[SIG_DCACHE_MISS_LOAD] + c->alone[ALONE_FILLS] +
			c->alone[ALONE_NEAR_E] + c->alone[ALONE_NEAR_M],
		.store = c->sig[SIG_DCACHE_MISS_STORE],
		.misaligned = c->sig[SIG_MISALIGNED_LOAD] +
			      c->sig[SIG_MISALIGNED_STORE],
		.wbb = c->sig[SIG_ALU_WBB],
		.order = c->sig[SIG_ALU_ORDER],
	};
}

/* An access is over that began when it was so. */
static inline void
mmx_count(struct core *c, const struct mmx_look *before)
{
	struct mmx_look now = mmx_look(c);

	c->sig[SIG_MMX_MISS_LOAD] += now.load - before->load;
	c->sig[SIG_MMX_MISS_STORE] += now.store - before->store;
	c->sig[SIG_MMX_MISALIGNED] += now.misaligned - before->misaligned;
	c->sig[SIG_MMX_WBB] += now.wbb - before->wbb;
	c->sig[SIG_MMX_ORDER] += now.order - before->order;
}

#endif
