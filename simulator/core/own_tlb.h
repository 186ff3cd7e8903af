/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Micro-TLBs that each context has to itself, or each VPE.  The one that the
 * fast path goes on with is in the core, where translated code expects it; the
 * others are kept beside it, and change places with it.
 */
#ifndef SIM_OWN_TLB_H
#define SIM_OWN_TLB_H

#include "core.h"

struct own_tlbs {
	u8 of_tc[SIM_MAX_TC];	/* which of them a context has */
	u32 n;
	u32 here;		/* the one that is in the core: its place below
				   is not used */
	struct micro_tlb tlb[];
};

/* For a core whose shared ones have been set up; 0 or -ENOMEM. */
int own_tlbs_init(struct core *c);
void own_tlbs_free(struct core *c);

/* Those of context tc are in the core from now on. */
void own_tlbs_use(struct core *c, unsigned tc);

/* What array_renorm() does, to those that are not in the core. */
void own_tlbs_renorm(struct own_tlbs *own);

/* That of context tc, until others are put into the core.  shared: the core's,
 * which all contexts have if own is NULL. */
SIM_INLINE struct micro_tlb *
own_tlb(struct micro_tlb *shared, struct own_tlbs *own, unsigned tc)
{
	if (!own || own->of_tc[tc] == own->here)
		return shared;
	return &own->tlb[own->of_tc[tc]];
}

#endif
