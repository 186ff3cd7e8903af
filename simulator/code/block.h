/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A block: a translated basic block of the target with all that is known
 * about it before it runs.  block_build() works it out from the decoded
 * instructions and the CPU's configuration; at run time only cache, TLB and
 * predictor outcomes are added.
 *
 * The hot part and the list of static counts live in a segment of the
 * machine, so that a reader can add up executions times counts; the rest is
 * private to the process.
 */
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include "insn.h"
#include "machine/block_shared.h"

#define BLOCK_MAX_INSN 512

/*
 * Something a register still owes at the end of the block (exit), or the
 * first read of a register in it (entry).
 */
struct block_reg {
	u8 reg : 7;
	bool address : 1;	/* entry: read as an address */
	union {
		u8 signal;	/* exit: the stall that waiting for it is */
		u8 killed;	/* entry: written before it is read */
	};
	u16 cycles;		/* exit: beyond the end.  entry: after the start */
};

_Static_assert(REG_N <= 128, "a register has seven bits");

/* A memory access that has its own callback: what the slow path needs. */
struct block_access {
	u16 clock_back;	/* accesses and ticks from here to the block's end */
	u16 cycles_back; /* cycles from its issue to the block's end */
	u16 use;	/* cycles to the result's first reader, or as below */
	u16 insn;	/* index of the instruction */
	u16 place;	/* bytes from the block's begin to it, where prefetchers
			   tell loads apart; else 0 */
	u8 reg;		/* register loaded, or REG_NONE */
	u8 flags;	/* enum access_flags */
	union {
		u8 alone;	/* in order: block_alone() */
		u8 store;	/* window: 1 + number of the block's store,
				   0: none of its own */
	};
	u8 line;	/* window: of the block, that its instruction ends in,
			   or BLOCK_FAR */
};

#define BLOCK_FAR 255 /* or farther */

#define ACCESS_NO_USE 0xffff	/* no reader in this block */
#define ACCESS_NEVER_USED 0xfffe /* overwritten before it is read */

enum access_flags {
	ACCESS_USE_IS_ADDRESS = 1 << 0,
	ACCESS_USE_IS_NEXT = 1 << 1, /* nothing else is accessed before it */
	/* Of a pair that may want one bank of the data cache. */
	ACCESS_BANK_FIRST = 1 << 2,
	ACCESS_BANK_SECOND = 1 << 3,
	ACCESS_BANK = ACCESS_BANK_FIRST | ACCESS_BANK_SECOND,
	ACCESS_IS_BARRIER = 1 << 4, /* none: a barrier that waits for others */
	ACCESS_IS_MMX = 1 << 5,	/* of an MMX instruction, if that matters */
	ACCESS_IS_LOCKED = 1 << 6, /* of a locked one, likewise */
	ACCESS_IS_UNCOUNTED = 1 << 7, /* its block has neither tick nor count
					 of it */
};

/* 1 + the kind of load (ALONE_KINDS), of those that wait alone, that it is if
 * it misses and nothing else is under way; 0: none of them. */
static inline u8
block_alone(const struct block_access *a)
{
	bool address = a->flags & ACCESS_USE_IS_ADDRESS;

	if (a->use >= ALONE_USES ||
	    (a->flags & ~ACCESS_USE_IS_ADDRESS) != ACCESS_USE_IS_NEXT)
		return 0;
	return (u8)(1 + a->use + (address ? ALONE_ADDRESS : 0));
}

/*
 * Private part, one piece of memory, which equal blocks may share:
 * block_entry(), block_exit(), block_access() and block_slot() find the lists
 * behind its fixed part.
 */
struct block_detail {
	struct window_program *window; /* PIPELINE_WINDOW, else NULL */
	u16 n_access;		/* instructions that access memory, barriers */
	u8 n_entry;
	u8 n_near;		/* entries behind this are not read early */
	u8 n_exit;
	u8 n_slot : 7;
	bool locked : 1;	/* has an INSN_IS_LOCKED */
	u8 step;		/* turns of a BRANCH_REP that stores that are
				   modelled as one: pipeline_string_step() */
	struct block_reg reg[];
};

/* The first touches of registers in the block. */
static inline const struct block_reg *
block_entry(const struct block_detail *d)
{
	return d->reg;
}

/* What registers owe at its end. */
static inline const struct block_reg *
block_exit(const struct block_detail *d)
{
	return d->reg + d->n_entry;
}

/* Its accesses: one for each instruction that makes any. */
static inline struct block_access *
block_access(const struct block_detail *d)
{
	return (struct block_access *)(d->reg + d->n_entry + d->n_exit);
}

/* Counts of the delay slot of a branch-likely. */
static inline const struct block_count *
block_slot(const struct block_detail *d)
{
	return (const struct block_count *)(block_access(d) + d->n_access);
}

/* Bytes of all that. */
static inline size_t
block_detail_bytes(const struct block_detail *d)
{
	return (size_t)((const u8 *)(block_slot(d) + d->n_slot) -
			(const u8 *)d);
}

/* What is to be known of a block beyond that. */
struct block_wide {
	const struct insn *insn; /* NULL: see block_insns() */
	struct merge_plan *plan; /* of threads in turn, or NULL */
	struct profile_block *profile; /* its record, or NULL: profile.h */
	const struct region_mark *mark; /* that it ends with, or NULL:
					   regions.h */
};

/*
 * What no other block shares: the caller's notes of what it was built from,
 * and what came later.  That is not in the shared part: a child that copies
 * it would find what its parent came to know since the fork.
 */
struct block_own {
	struct block_wide *wide;
	u8 source[];
};

/* What entering the next block has to do about this one. */
enum block_kind {
	KIND_NONE = 0,		/* nothing */
	KIND_COND = 1 << 0,	/* predict a conditional branch */
	KIND_OWES = 1 << 1,	/* registers owe something for a short time */
	KIND_SLOW = 1 << 2,	/* anything else, alone: branch.c; and all of
				   a block that has a side */
	KIND_OWN = 1 << 3,	/* predict a conditional branch: predict.c */
	KIND_HELD = 1 << 4	/* look a branch up in the buffer that may
				   hold it: see predict_is_quick() */
};

/* Kinds whose outcome is looked up again at each execution. */
#define KIND_DYNAMIC (KIND_SLOW | KIND_OWN | KIND_HELD)

enum block_trait {
	TRAIT_BACKWARD = 1 << 0, /* it goes to a lower address */
	TRAIT_SECOND = 1 << 1,	/* it issues beside another instruction */
	TRAIT_LINE = 1 << 2	/* times the line of the block that it begins
				   in; TRAIT_LINE_FAR: or farther */
};

#define TRAIT_LINE_FAR 2u

/* The two sides that share the registers of an x87. */
enum block_side { SIDE_NONE, SIDE_X87, SIDE_MMX };

/* The address of its branch, if it has one. */
static inline u64
block_branch_pc(const struct block *b)
{
	return b->vaddr + b->branch_at;
}

/*
 * Bits of owes and needs.  A register, or a register as an address, has a
 * bit, shared with others, in each half: the low one is for what is late or
 * is read in the first cycle, the high one for what is late by more than a
 * cycle or is read in one of the cycles behind the first, up to
 * BLOCK_NEAR_CYCLES.  Where no bit meets, no instruction waits.
 */
#define BLOCK_BIT(reg, address) (1u << (((reg) * 2u + (address)) & 15))
#define BLOCK_LATER(bit) ((bit) << 16)
#define BLOCK_NEAR_CYCLES 4

#define BLOCK_NO_PAGE (~0ull << 9)

/* What is known of the block beyond its own part, or NULL: nothing. */
static inline struct block_wide *
block_wide(const struct block *b)
{
	return b->own ? __atomic_load_n(&b->own->wide, __ATOMIC_ACQUIRE) : NULL;
}

/* The same; makes it, of memory of alloc's, if it is not there.  NULL: no
 * memory. */
struct block_wide *block_widen(struct block *b, void *(*alloc)(size_t bytes));

/* The caller's notes. */
static inline u8 *
block_source(const struct block *b)
{
	return b->own->source;
}

/* The block's record of a profile, or NULL. */
static inline struct profile_block *
block_profile(const struct block *b)
{
	const struct block_wide *w = block_wide(b);

	return w ? w->profile : NULL;
}

/* The marker of a region that it ends with, if it is marked. */
static inline const struct region_mark *
block_mark(const struct block *b)
{
	return block_wide(b)->mark;
}

/*
 * The instructions of a block.  Few runs ask for them, so they are decoded
 * again for the first caller, by the function that block_decoder() has been
 * given: it returns memory that lives as long as the block, never NULL.
 */
void block_decoder(const struct insn *(*decode)(const struct block *b));
const struct insn *block_decode(const struct block *b);

static inline const struct insn *
block_insns(const struct block *b)
{
	const struct block_wide *w = block_wide(b);

	return SIM_LIKELY(w && w->insn) ? w->insn : block_decode(b);
}

/* What b has found out in execution - where its lines and its branch were last -
 * is what from has, of the same instructions. */
void block_remember(struct block *b, const struct block *from);

/*
 * A block without instructions, for where there is none; it is never written.
 * And one at an address, until the next one is asked for.
 */
extern struct block block_none;
struct block *block_none_at(u64 vaddr);

/* Which of its instructions its branch is; the last one if it has none. */
unsigned block_branch_insn(const struct block *b);

#endif
