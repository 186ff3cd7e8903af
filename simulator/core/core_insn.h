/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core's instruction side: the first-level cache and its micro-TLB. */
#ifndef SIM_CORE_INSN_H
#define SIM_CORE_INSN_H

#include "core_data.h"

/* Fetches block t, which follows p. */
typedef void fetch_fn(struct core *c, const struct block *p, struct block *t);

struct core_insn {
	bool fetches_near;	/* a line in the level behind is just read */
	fetch_fn *fetch;	/* core_fetch() and core_attend(), for blocks
				   whose page is shown; NULL: none */
	u32 line_stamp[CORE_MAX_LINES];
	u64 line_number[CORE_MAX_LINES];
	u64 line_ready[CORE_MAX_LINES];
	u16 line_next[CORE_MAX_LINES];
	struct micro_tlb itlb;
	struct own_tlbs *own_itlbs; /* see own_tlb.h; NULL: none */
	struct array l1i;
	u32 iline_bits;
};

#endif
