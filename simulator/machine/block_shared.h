/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of a block that lies in a segment of the machine: what a reader of
 * the mapping needs to add up executions times counts, and, in the first 64
 * bytes, all that a hit touches.  The rest of a block is private to its
 * process: code/block.h.
 */
#ifndef SIM_BLOCK_SHARED_H
#define SIM_BLOCK_SHARED_H

#include "config.h"

#include <string.h>

#define BLOCK_LINES 8	/* lines whose cache slot a block remembers */

/* A static count: the signal happens n times in each execution.  Larger ones
 * are several of these. */
struct block_count {
	u8 signal;
	u8 n;
};

/*
 * Kinds of loads that wait alone: cycles to the reader, fewer than ALONE_USES,
 * and whether it reads an address.
 */
#define ALONE_USES 16u
#define ALONE_ADDRESS ALONE_USES
#define ALONE_KINDS (2 * ALONE_USES)

/* Counters of a block: behind a branch that was not taken, by its block's shares; behind
 * a taken one; behind anything else. */
enum { BLOCK_BEHIND_NOT, BLOCK_BEHIND_TAKEN = 2, BLOCK_BEHIND_ANY, BLOCK_COUNTERS };

/*
 * Shared part.  The first 64 bytes are all that a hit touches.
 */
struct block {
	u32 needs;		/* registers that it reads early, see below;
				   window: that it inherits, see window.h */
	u16 page_at;		/* place of its page in the table of pages */
	u8 kind;		/* enum block_kind */
	u8 shares;		/* 1: its end and a fall-through share a group */
	u64 execs;
	u64 vaddr;
	u32 fall_low;		/* low half of fall */
	u32 owes;		/* registers late at its end, see below */
	u64 advance;		/* cycles << 32 | clock ticks */
	u64 line;		/* number of its first line */
	u64 page_entry;		/* SHADOW_PAGE_ENTRY() of its page, but for the
				   slot; BLOCK_NO_PAGE if it spans two */
	u16 bht_index;		/* KIND_HELD: slot it was in last;
				   PREDICT_ICACHE: place in its line */
	u16 line_slot[2];	/* I-cache slots of its first two lines */
	u8 n_line;		/* lines it spans; BLOCK_FAR: or more */
	u8 traits;		/* enum block_trait, of its branch */
	/* Second line: touched on misses and by branches out of line. */
	const struct block_detail *detail;
	struct block_own *own;
	const void *chunk;	/* by intervals: its detail's first one */
	u64 fall;		/* address behind the block */
	s32 counter[BLOCK_COUNTERS]; /* of further executions, behind branches that
				   are not counted elsewhere: bytes from here to
				   it, in the same segment; 0: none */
	u16 branch_at;		/* see block_branch_pc() */
	u16 n_insn;
	u16 bytes;		/* of this block in the segment */
	u16 cycles;
	u16 n_count;		/* static counts that are not stalls */
	u16 n_stall;		/* static stalls, behind those: from ... */
#define BLOCK_FIRST_STALL SIG_CYCLE_KILLED
	u8 branch;		/* enum insn_branch of its branch */
	bool owes_long : 1;	/* more than BLOCK_NEAR_CYCLES: all of owes */
	u8 side_first : 2;	/* enum block_side of its first instruction */
	u8 side_last : 2;	/* that has one, and of its last one */
	bool marked : 1;	/* it ends with a region_mark: block_mark() */
	bool counters : 1;	/* it is none, but counters of others: behind it, up
				   to bytes */
	struct block_count count[]; /* then u16: slots of further lines */
};

_Static_assert(offsetof(struct block, detail) == 64, "one line is hot");

/* I-cache slots of its third line and those behind, up to BLOCK_LINES. */
static inline u16 *
block_more_slot(const struct block *b)
{
	return (u16 *)(b->count + b->n_count + b->n_stall);
}

/* Counter i of b, or NULL: it has none. */
static inline u64 *
block_counter(const struct block *b, unsigned i)
{
	return b->counter[i] ? (u64 *)((char *)b + b->counter[i]) : NULL;
}

/* The same in a segment that another process may have damaged, of which so many bytes
 * are in use: NULL as well if it is not among them. */
static inline const u64 *
block_counter_in(const void *segment, size_t bytes, const struct block *b,
		 unsigned i)
{
	s64 distance = __atomic_load_n(&b->counter[i], __ATOMIC_RELAXED);
	s64 at = (const char *)b - (const char *)segment + distance;

	if (!distance || at < 0 || at % (s64)sizeof(u64) ||
	    at > (s64)bytes - (s64)sizeof(u64))
		return NULL;
	return (const u64 *)((const char *)segment + at);
}

/* It has not been executed; or, of counters, none of those that they are of has.  A page
 * without counts is not written to. */
static inline void
block_clear(struct block *b)
{
	u64 *n = (u64 *)(b + 1), *end = (u64 *)((char *)b + b->bytes);

	if (b->execs)
		b->execs = 0;
	if (b->counters)
		for (; n < end; n++)
			if (*n)
				*n = 0;
}

/* Where its lines are is to be looked up: nothing else is behind the slots. */
static inline void
block_forget_slots(struct block *b)
{
	u16 *more = block_more_slot(b);

	memset(b->line_slot, 0, sizeof b->line_slot);
	memset(more, 0, (size_t)((char *)b + b->bytes - (char *)more));
}

#endif
