/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In what mode a MIPS system executes a block, from the blocks that went
 * before and the instructions in them: QEMU does not tell.
 *
 * User code is below 0x80000000, kernel code above it.  Exception level
 * begins where a vector is entered, and ends with an eret, or where Linux
 * writes the Status register with that bit cleared, which it does by or and
 * xori with a mask.  It begins again where Linux writes the Status that an
 * exception has saved on the stack, just before it returns.  Other writes do
 * not change the bit.  So the mode is exact by block for a kernel that does
 * as Linux does.
 */
#ifndef QEMU_SYSTEM_MODES_H
#define QEMU_SYSTEM_MODES_H

#include "machine/machine.h"

#define MODES_KERNEL_BASE 0x80000000u

/* What the last instruction of a block does to the exception level. */
enum modes_effect { EFFECT_NONE, EFFECT_CLEARS, EFFECT_SETS };

/* From the instruction words of a block, in host byte order. */
enum modes_effect modes_effect(const u32 *word, unsigned n);

struct modes {
	bool exl;
	bool was_user;		/* the block before was */
	bool based;		/* base is known: from the first exception */
	u32 base;		/* of the exception vectors */
	enum modes_effect pending; /* of the block before */
};

/*
 * The mode of the block at pc, entered now, which ends with that effect;
 * *vector is set if an exception has brought us there.
 */
enum sim_mode modes_enter(struct modes *m, u32 pc, enum modes_effect effect,
			  enum system_vector *vector);

#endif
