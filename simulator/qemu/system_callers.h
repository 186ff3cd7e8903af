/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For whom a utility routine of a system works: the call that led there from
 * outside of all of them.
 *
 * Where an exception interrupts one, its caller is kept, and found again by
 * the block that execution comes back to, whichever task has run meanwhile:
 * that block, or another one of the routine, or one that is about to be
 * called.
 */
#ifndef QEMU_SYSTEM_CALLERS_H
#define QEMU_SYSTEM_CALLERS_H

#include "machine/types.h"

#include <stdbool.h>

/* What of a block matters. */
struct callers_block {
	u64 pc, end;		/* end: behind its last instruction */
	u64 branch_pc;		/* of its call or jump, or the last one's */
	bool returns;		/* it ends with eret */
	u64 routine;		/* where its utility routine begins, or 0 */
};

/* What an exception has interrupted. */
struct callers_kept {
	u64 pc, end;		/* of its block */
	u64 routine;
	u64 caller;		/* of that, or of what it is about to call */
};

#define CALLERS_KEPT 32

struct callers {
	const struct callers_block *last;
	u64 caller;		/* of the last block */
	struct callers_kept kept[CALLERS_KEPT]; /* a ring */
	unsigned n_kept;
};

/* The caller for whom block b is entered next, by an exception or not; 0 if
 * it is no utility routine's, or that is not known. */
u64 callers_find(struct callers *c, const struct callers_block *b,
		 bool exception);

/* Block b is entered, for that caller. */
void callers_entered(struct callers *c, const struct callers_block *b,
		     u64 caller);

#endif
