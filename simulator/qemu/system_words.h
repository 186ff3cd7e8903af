/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instruction words of MIPS32, as far as what a kernel does to its Status
 * register is told from them. */
#ifndef QEMU_SYSTEM_WORDS_H
#define QEMU_SYSTEM_WORDS_H

#include "machine/types.h"

/* Opcodes, and functions of OP_SPECIAL and OP_SPECIAL3. */
enum {
	OP_SPECIAL = 0x00,
	OP_ADDI = 0x08,		/* to lui: immediates */
	OP_ADDIU = 0x09,
	OP_ANDI = 0x0c,
	OP_ORI = 0x0d,
	OP_XORI = 0x0e,
	OP_LUI = 0x0f,
	OP_COP0 = 0x10,
	OP_SPECIAL3 = 0x1f,
	OP_LB = 0x20,		/* to lwr: loads */
	OP_LW = 0x23,
	OP_LWR = 0x26,
	FN_ADDU = 0x21,
	FN_AND = 0x24,
	FN_OR = 0x25,
	FN_NOR = 0x27,
	FN_INS = 0x04
};

#define REG_SP 29

#define WORD_ERET 0x42000018u
#define WORD_WAIT 0x42000020u	/* and any code */
#define MASK_WAIT 0xfe00003fu
/* Without register rt. */
#define MASK_RT 0xffe0ffffu
#define WORD_DI 0x41606000u
#define WORD_EI 0x41606020u
#define WORD_MFC0_STATUS 0x40006000u
#define WORD_MTC0_STATUS 0x40806000u

SIM_INLINE unsigned
word_op(u32 word)
{
	return word >> 26;
}

/* A field of five bits, a register's number. */
SIM_INLINE unsigned
word_field(u32 word, unsigned at)
{
	return word >> at & 31;
}

SIM_INLINE unsigned
word_rs(u32 word)
{
	return word_field(word, 21);
}

SIM_INLINE unsigned
word_rt(u32 word)
{
	return word_field(word, 16);
}

SIM_INLINE unsigned
word_rd(u32 word)
{
	return word_field(word, 11);
}

#endif
