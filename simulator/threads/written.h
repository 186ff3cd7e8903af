/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the thread that executes does while it is recorded, as an engine's code
 * writes it down without a call: blocks that are entered, and accesses, in that
 * order.  An access of the block under way may be written at any time; a block while
 * left is more than 0, and then its instructions are taken from that.
 */
#ifndef SIM_WRITTEN_H
#define SIM_WRITTEN_H

#include "merge.h"

/* What is written at most before it is taken: so many instructions, with those of
 * the block under way, and one block more; and so many accesses of each. */
#define WRITTEN_INSNS 2048u
#define WRITTEN_ACCESSES 8u

struct written {
	s64 left;		/* instructions, */
	s64 given;		/* of so many; with core.counting, and while nothing
				   is modelled: blocks are counted, and nothing is
				   written */
	struct written_entry {
		u64 what;	/* the block, or WRITTEN_ACCESS() */
		u64 va;		/* of an access */
	} *next,		/* where the next one is written */
	  entry[(1 + WRITTEN_ACCESSES) * (WRITTEN_INSNS + BLOCK_MAX_INSN)];
};

/* An access of so many bytes: addresses of the engine have no bits above. */
#define WRITTEN_STORE_BIT 48
#define WRITTEN_BYTES_BIT 49
#define WRITTEN_ACCESS(access, bytes, store)                           \
	((u64)(uintptr_t)(access) | (u64)(bytes) << WRITTEN_BYTES_BIT | \
	 (u64)(store) << WRITTEN_STORE_BIT)

extern struct written written;

/* So many instructions more may be executed. */
SIM_INLINE void
written_give(s64 insns)
{
	written.left = written.given = insns;
}

/* Takes what is left of them back: how many were executed. */
SIM_INLINE s64
written_take_back(void)
{
	s64 n = written.given - written.left;

	written_give(0);
	return n;
}

/* Puts it all into the thread's queue: how many blocks; and the last of them, if
 * there is one.  -ENOMEM: no room. */
int written_take(struct merge_queue *q, struct block **last);

#endif
