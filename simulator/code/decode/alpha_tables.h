/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the Alpha decoder.  Letters of the rows: a b c are the general
 * register fields (b is no register where a literal takes its place), A B C
 * the floating-point ones, v and m the registers $0 and $16 of PALcode calls.
 */
#ifndef DECODE_ALPHA_TABLES_H
#define DECODE_ALPHA_TABLES_H

#include "alpha_mips_rows.h"

/* Alpha's $31 and $f31 are always zero. */
enum { ALPHA_ZERO = 31 };

/* A field of n bits of an instruction word. */
static inline unsigned
alpha_field(u32 word, unsigned shift, unsigned n)
{
	return word >> shift & ((1u << n) - 1);
}

/* Integer operates have a literal instead of Rb when bit 12 is set. */
bool alpha_has_literal(u32 word);

/* The row of any instruction, and of an operate: opcodes 0x10 to 0x17 and
 * 0x1c. */
struct op_row alpha_row(u32 word);
struct op_row alpha_operate_row(u32 word);

#endif
