/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a block in a profile that counts everything: watch/profile.h
 * fills it, machine_profile.h keeps it. */
#ifndef SIM_PROFILE_BLOCK_H
#define SIM_PROFILE_BLOCK_H

#include "machine.h"

/* Heads each segment of a profile. */
struct profile_segment {
	struct machine_segment head;
	u32 image;
	u32 pad;
};

/*
 * A block's record.  Amounts are in tenths of happenings (SAMPLE_TENTHS), by
 * instruction and event: [insn * n_event + event].
 */
struct profile_block {
	u32 bytes;
	u16 n_insn;
	u8 n_event;
	u8 shares;		/* as of struct block */
	u16 branch;		/* index of its branch */
	u16 pad;
	u32 maps;		/* of the image's in the log when it was made */
	u32 path;		/* of calls that lead there; 0: none, or not
				   asked for */
	u32 unused;
	u64 vaddr;
	u64 execs;		/* on the fast path: share[] each */
	u64 merged;		/* among several contexts: part[] each */
	u64 outcome[BRANCH_OUTCOMES]; /* of its branch, at that instruction */
	/* s64 happened[]; s32 share[], part[] (without stalls, which then
	 * happen); u16 offset[] of the instructions' addresses */
};

static inline s64 *
profile_happened(const struct profile_block *b)
{
	return (s64 *)(b + 1);
}

static inline s32 *
profile_share(const struct profile_block *b)
{
	return (s32 *)(profile_happened(b) + b->n_insn * b->n_event);
}

static inline s32 *
profile_part(const struct profile_block *b)
{
	return profile_share(b) + b->n_insn * b->n_event;
}

static inline u16 *
profile_offset(const struct profile_block *b)
{
	return (u16 *)(profile_part(b) + b->n_insn * b->n_event);
}

/* What a record needs. */
static inline size_t
profile_bytes(unsigned n_insn, unsigned n_event)
{
	return (sizeof(struct profile_block) +
		n_insn * (n_event * (sizeof(s64) + 2 * sizeof(s32)) +
			  sizeof(u16)) + 63) & ~(size_t)63;
}

#endif
