/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of what x86 instructions are to the Pentium and to the P6. */
#ifndef QEMU_DECODE_X86_TIMING_H
#define QEMU_DECODE_X86_TIMING_H

#include "x86_state.h"

/* Cycles and micro-operations are 0 where they follow from the form. */
struct x86_time {
	const struct x86_time *group; /* by ModRM.reg, or NULL */
	u8 pair;	/* enum insn_pair */
	u8 flags;	/* TIME_* */
	u8 cycles;	/* of microcode */
	u8 memory;	/* the same with a memory operand */
	u8 other;	/* with 16-bit operands; repeated string: one step */
	u8 uops;
	u8 memory_uops;
};

enum { TIME_SEGMENT = 1, TIME_SERIAL = 2 };

extern const struct x86_time x86_time_one[256];
extern const struct x86_time x86_time_two[256];
/* By the low bits of the opcode and ModRM.reg. */
extern const struct x86_time x86_time_fpu_memory[8][8];
extern const struct x86_time x86_time_fpu_register[8][8];
extern const struct x86_time x86_time_fpu_d9[4][8]; /* D9 E0 to FF */

#endif
