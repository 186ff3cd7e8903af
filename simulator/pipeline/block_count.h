/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the instructions of a block count, whatever happens at run time. */
#ifndef SIM_BLOCK_COUNT_H
#define SIM_BLOCK_COUNT_H

#include "code/block.h"

#define COUNT_MAX UINT8_MAX	/* of one struct block_count */

/* Counts of one block while it is being built. */
struct tally {
	u32 n[SIG_BLOCK_N];
};

/* What an instruction counts for its kind, and its accesses. */
void tally_insn(struct tally *t, const struct insn *in);

/* What a control transfer counts if it is not conditional. */
void tally_branch(struct tally *t, const struct insn *in);

/* Puts the counts of signals from..to-1 into list; how many entries. */
u16 tally_put(const struct tally *t, unsigned from, unsigned to,
	      struct block_count *list);

#endif
