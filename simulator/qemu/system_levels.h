/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a MIPS system lets interrupts in, from the instructions that it
 * executes: di, ei, and what is written to the Status register.
 *
 * Linux for MIPS has no interrupt priority levels, only the bit IE of Status,
 * and the exception level, at which nothing is let in either.  An exception
 * leaves the bit as it is, and its eret gives back what there was before.
 * User code always has it set.
 */
#ifndef QEMU_SYSTEM_LEVELS_H
#define QEMU_SYSTEM_LEVELS_H

#include "machine/types.h"

/* What the last instruction of a block does to the bit. */
enum levels_effect { LEVELS_SAME, LEVELS_OFF, LEVELS_ON, LEVELS_RETURN };

/* From the instruction words of a block, in host byte order. */
enum levels_effect levels_effect(const u32 *word, unsigned n);

struct levels {
	bool off;		/* interrupts are disabled */
	u32 before;		/* the same before each exception that has not
				 * returned, the last one's in bit 0 */
	enum levels_effect pending; /* of the block before */
};

/* A block is entered, of the user's or by an exception or neither, and ends
 * with that effect. */
void levels_enter(struct levels *l, bool user, bool exception,
		  enum levels_effect effect);

#endif
