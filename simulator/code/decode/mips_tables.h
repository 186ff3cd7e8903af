/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the MIPS decoder.  Letters of the rows: s t d are the general
 * register fields, S T D R the floating-point ones (fs ft fd fr), a and A
 * the accumulator in bits 11 and 21, h accumulator 0, c the condition codes
 * or DSPControl, l the link register.
 */
#ifndef DECODE_MIPS_TABLES_H
#define DECODE_MIPS_TABLES_H

#include "alpha_mips_rows.h"

/* A field of n bits of an instruction word. */
static inline unsigned
mips_field(u32 word, unsigned shift, unsigned n)
{
	return word >> shift & ((1u << n) - 1);
}

/* A general register: $0 is no register. */
static inline u8
mips_gpr(unsigned n)
{
	return n ? (u8)n : REG_NONE;
}

/* The row of a COP1, COP1X or SPECIAL3 (except bit-field) instruction. */
struct op_row mips_cop1_row(u32 word);
struct op_row mips_cop1x_row(u32 word);
struct op_row mips_dsp_row(u32 word);

/*
 * Decodes a MIPS16e instruction after insn_init(): its last halfword and,
 * in bits 16 to 31, the EXTEND or JAL halfword before it (0: none).
 */
void mips16_decode(struct insn *in, u32 code);

#endif
