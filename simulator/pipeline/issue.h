/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In order, more than one instruction per cycle: which instructions of a
 * block issue together.  What may is a rule (enum issue_rule):
 *
 *  pairs    two pipes in lockstep: pairs by the Pentium's rules
 *  slots    each class has pipes that it can go to; code may come in aligned
 *	     groups, each of which has to be gone before the next one starts
 *  bundles  instructions are packed into templates of three slots, some
 *	     bundles are dispersed to units per cycle
 *
 * A block ends a group: what follows, be it the target of a branch or what
 * a branch falls through to, begins a cycle of its own.  The Pentium does
 * that; an Alpha could issue what is behind a branch not taken with it.
 */
#ifndef PIPELINE_ISSUE_H
#define PIPELINE_ISSUE_H

#include "inorder.h"

#define ISSUE_MAX 6	/* instructions per cycle */

/*
 * Issues the n instructions of a block from cycle 0 on, s being as after
 * schedule_init().  Fills in the cycle of each, adds to count: cycle.issue,
 * issue.* (if there can be more than one), and the stalls.  s is then as it
 * is at the block's end.
 */
void issue_block(struct schedule *s, const struct pipeline_config *pipe,
		 const struct insn *in, unsigned n, u16 *offset,
		 u32 count[SIG_BLOCK_N]);

/* What an instruction is to a rule whose pipes depend on it. */
unsigned issue_form(const struct insn *in);

/* Shared by the rules. */

/* One block while it is being issued. */
struct issue_run {
	struct schedule *s;
	const struct pipeline_config *pipe;
	const struct insn *in;
	unsigned n;
	u16 *offset;
	u32 *count;
};

void issue_pairs(struct issue_run *run);
void issue_slots(struct issue_run *run);
void issue_bundles(struct issue_run *run);

/* The latest of a and b. */
struct issue issue_later(struct issue a, struct issue b);

/*
 * Counts a cycle in which n instructions from first on issue, accesses of
 * which go to memory.
 */
void issue_count(struct issue_run *run, unsigned n, unsigned accesses);

/* Whether what it computes is an address, and waited for as one is. */
static inline bool
issue_is_address(const struct pipeline_config *pipe, const struct insn *in)
{
	return (in->cls == CLASS_LEA || in->cls == CLASS_LEA3) &&
	       pipe->issue.rule == ISSUE_PAIRS;
}

static inline bool
issue_accesses(const struct insn *in)
{
	return in->flags & (INSN_LOADS | INSN_STORES);
}

/* Whether b reads or writes what a writes, flags and except apart. */
bool issue_depends(const struct insn *a, const struct insn *b,
		   unsigned except);

#endif
