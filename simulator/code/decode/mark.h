/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers of regions in the target's code, as simulator/guest/pmcsim/region.h
 * writes them: an unconditional jump over bytes that say what it marks.  Before
 * anything is executed they are jumps like others; a block ends with them, so
 * that what is marked is a place between two blocks.
 */
#ifndef DECODE_MARK_H
#define DECODE_MARK_H

#include "code/insn.h"
#include "program/isa.h"

#define MARK_NAME 64		/* bytes, the null character included */
#define MARK_BYTES (9 + MARK_NAME + 3) /* at most, of what is jumped over */

struct mark {
	bool begins;
	char name[MARK_NAME];
};

/*
 * If a block of n instructions, whose bytes data has, ends with a jump that may
 * be a marker's: how many bytes it jumps over, at most MARK_BYTES, and where
 * they are; else 0.
 */
unsigned mark_skips(enum isa isa, const struct insn *insn,
		    const u8 (*data)[16], unsigned n, u64 *at);

/* How many of the block's last instructions are the marker's. */
unsigned mark_insns(enum isa isa);

/* Whether n such bytes are a marker's, and which one. */
bool mark_read(const u8 *bytes, unsigned n, struct mark *m);

#endif
