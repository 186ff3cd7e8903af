/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows that the Alpha and MIPS opcode tables are made of.
 *
 * The registers of an instruction are spelled with one letter per register
 * field (each decoder has its own letters), in up to four parts:
 *
 *	d<st	writes d, reads s and t
 *	t[s	writes t, forms an address from s
 *	[s=t	forms an address from s, stores t
 *	<st	reads s and t
 */
#ifndef DECODE_ALPHA_MIPS_ROWS_H
#define DECODE_ALPHA_MIPS_ROWS_H

#include "code/insn.h"

struct op_row {
	const char *name; /* for an assembler, if that is known here */
	const char *ops; /* as above; NULL: there is no such instruction */
	u32 flags;	 /* INSN_*, without INSN_MEM_KNOWN */
	u8 cls;
	u8 branch;
	u8 size_log2;	 /* of its memory access */
	bool varies;	 /* number or size of accesses is not constant */
};

/* The register that each letter stands for, REG_NONE for the zero register. */
struct op_fields {
	u8 reg[128];
};

/* Makes every letter stand for no register. */
void op_fields_init(struct op_fields *f);

/*
 * Fills in from a row, after insn_init().  What could only have written the
 * zero register becomes CLASS_NOP without registers.  An instruction that is
 * not in the tables becomes INSN_UNKNOWN.
 */
void op_row_apply(struct insn *in, const struct op_row *row,
		  const struct op_fields *f);

#endif
