/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MIPS16e.  Letters of the rows: x y z are the three-bit register fields
 * (bits 8, 5 and 2), r the full register of a move and w the other one (bit
 * 0), k $24 (the condition), p the stack pointer, l the link register, h the
 * accumulator.
 */
#include "mips_tables.h"

enum { SP = 29, RA = 31, EXTEND = 0x1e, JAL = 0x03 };

#define ALU(o) {.ops = o}
#define SHIFT(o) {.ops = o, .cls = CLASS_SHIFT}
#define CLS(o, c) {.ops = o, .cls = c}
#define COND(o) {.ops = o, .branch = BRANCH_DIRECT_COND}
#define JUMP(o, b) {.ops = o, .branch = b}
#define LOAD(o, n) {.ops = o, .flags = INSN_LOADS, .size_log2 = n}
#define STORE(o, n) {.ops = o, .flags = INSN_STORES, .size_log2 = n}

/* By bits 11 to 15. */
static const struct op_row main_rows[32] = {
	[0x00] = ALU("x<p"),			/* addiu rx, sp, n */
	[0x01] = ALU("x"),			/* addiu rx, pc, n */
	[0x02] = COND(""),			/* b */
	[0x03] = JUMP("l", BRANCH_CALL),	/* jal, jalx */
	[0x04] = COND("<x"),			/* beqz */
	[0x05] = COND("<x"),			/* bnez */
	[0x09] = ALU("x<x"),			/* addiu rx, n */
	[0x0a] = ALU("k<x"),			/* slti */
	[0x0b] = ALU("k<x"),			/* sltiu */
	[0x0d] = ALU("x"),			/* li */
	[0x0e] = ALU("k<x"),			/* cmpi */
	[0x10] = LOAD("y[x", 0),		/* lb */
	[0x11] = LOAD("y[x", 1),		/* lh */
	[0x12] = LOAD("x[p", 2),		/* lw rx, n(sp) */
	[0x13] = LOAD("y[x", 2),		/* lw */
	[0x14] = LOAD("y[x", 0),		/* lbu */
	[0x15] = LOAD("y[x", 1),		/* lhu */
	[0x16] = LOAD("x", 2),			/* lw rx, n(pc) */
	[0x18] = STORE("[x=y", 0),		/* sb */
	[0x19] = STORE("[x=y", 1),		/* sh */
	[0x1a] = STORE("[p=x", 2),		/* sw rx, n(sp) */
	[0x1b] = STORE("[x=y", 2),		/* sw */
};

/* Opcode 0x06, by bits 0 and 1; the amount is a number. */
static const struct op_row shift_rows[4] = {
	[0] = SHIFT("x<y"),			/* sll */
	[2] = SHIFT("x<y"),			/* srl */
	[3] = SHIFT("x<y"),			/* sra */
};

/* Opcode 0x08, by bit 4. */
static const struct op_row rria_rows[2] = {
	[0] = ALU("y<x"),			/* addiu ry, rx, n */
};

/* Opcode 0x0c, by bits 8 to 10; 4 is save_restore(). */
static const struct op_row i8_rows[8] = {
	[0] = COND("<k"),			/* bteqz */
	[1] = COND("<k"),			/* btnez */
	[2] = STORE("[p=l", 2),			/* sw ra, n(sp) */
	[3] = ALU("p<p"),			/* addiu sp, n */
	[5] = ALU("r<w"),			/* move r32, rz */
	[7] = ALU("y<r"),			/* move ry, r32 */
};

/* Opcode 0x1c, by bits 0 and 1. */
static const struct op_row rrr_rows[4] = {
	[1] = ALU("z<xy"),			/* addu */
	[3] = ALU("z<xy"),			/* subu */
};

/* Opcode 0x1d, by bits 0 to 4. */
static const struct op_row rr_rows[32] = {
	[0x01] = CLS("", CLASS_SYSCALL),	/* sdbbp */
	[0x02] = ALU("k<xy"),			/* slt */
	[0x03] = ALU("k<xy"),			/* sltu */
	[0x04] = SHIFT("y<yx"),			/* sllv */
	[0x05] = CLS("", CLASS_SYSCALL),	/* break */
	[0x06] = SHIFT("y<yx"),			/* srlv */
	[0x07] = SHIFT("y<yx"),			/* srav */
	[0x0a] = ALU("k<xy"),			/* cmp */
	[0x0b] = ALU("x<y"),			/* neg */
	[0x0c] = ALU("x<xy"),			/* and */
	[0x0d] = ALU("x<xy"),			/* or */
	[0x0e] = ALU("x<xy"),			/* xor */
	[0x0f] = ALU("x<y"),			/* not */
	[0x10] = CLS("x<h", CLASS_MFHILO),	/* mfhi */
	[0x12] = CLS("x<h", CLASS_MFHILO),	/* mflo */
	[0x18] = CLS("h<xy", CLASS_MULT),	/* mult */
	[0x19] = CLS("h<xy", CLASS_MULT),	/* multu */
	[0x1a] = CLS("h<xy", CLASS_DIV),	/* div */
	[0x1b] = CLS("h<xy", CLASS_DIV),	/* divu */
};

/* Opcode 0x1d, bits 0 to 4 zero: by bits 5 to 7. */
static const struct op_row jump_rows[8] = {
	[0] = JUMP("<x", BRANCH_IND_JUMP),	/* jr rx */
	[1] = JUMP("<l", BRANCH_RETURN),	/* jr ra */
	[2] = JUMP("l<x", BRANCH_IND_CALL),	/* jalr */
	[4] = JUMP("<x", BRANCH_IND_JUMP),	/* jrc rx */
	[5] = JUMP("<l", BRANCH_RETURN),	/* jrc ra */
	[6] = JUMP("l<x", BRANCH_IND_CALL),	/* jalrc */
};

/* Opcode 0x1d, bits 0 to 4 0x11: by bits 5 to 7. */
static const struct op_row convert_rows[8] = {
	[0] = ALU("x<x"),			/* zeb */
	[1] = ALU("x<x"),			/* zeh */
	[4] = ALU("x<x"),			/* seb */
	[5] = ALU("x<x"),			/* seh */
};

static struct op_row
rr_row(u32 code)
{
	unsigned function = mips_field(code, 0, 5);

	if (function == 0x00)
		return jump_rows[mips_field(code, 5, 3)];
	if (function == 0x11)
		return convert_rows[mips_field(code, 5, 3)];
	return rr_rows[function];
}

static struct op_row
find_row(u32 code)
{
	if (code >> 27 == JAL)
		return main_rows[JAL];
	switch (mips_field(code, 11, 5)) {
	case 0x06:
		return shift_rows[mips_field(code, 0, 2)];
	case 0x08:
		return rria_rows[mips_field(code, 4, 1)];
	case 0x0c:
		return i8_rows[mips_field(code, 8, 3)];
	case 0x1c:
		return rrr_rows[mips_field(code, 0, 2)];
	case 0x1d:
		return rr_row(code);
	default:
		return main_rows[mips_field(code, 11, 5)];
	}
}

/* $16 and $17, then $2 to $7. */
static u8
short_register(unsigned n)
{
	return (u8)(n < 2 ? n + 16 : n);
}

static void
set_fields(struct op_fields *f, u32 code)
{
	unsigned r = mips_field(code, 0, 5);

	if (mips_field(code, 8, 3) == 5) /* move r32, rz: halves swapped */
		r = mips_field(code, 3, 2) << 3 | mips_field(code, 5, 3);
	op_fields_init(f);
	f->reg['x'] = short_register(mips_field(code, 8, 3));
	f->reg['y'] = short_register(mips_field(code, 5, 3));
	f->reg['z'] = short_register(mips_field(code, 2, 3));
	f->reg['w'] = short_register(mips_field(code, 0, 3));
	f->reg['r'] = mips_gpr(r);
	f->reg['k'] = 24;
	f->reg['p'] = SP;
	f->reg['l'] = RA;
	f->reg['h'] = REG_HILO;
}

/* A list of registers, in the order of their accesses. */
struct reg_list {
	u8 reg[16];
	u8 n;
};

static void
append(struct reg_list *list, unsigned reg)
{
	list->reg[list->n++] = (u8)reg;
}

/* By the aregs field: $4 and up stored as arguments, $7 and down as statics. */
static const u8 n_args[16] = {
	0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 3, 3, 4, 0,
};
static const u8 n_statics[16] = {
	0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 0, 0,
};

/* $30, $23 .. $18 as counted by the xsregs field, then $17, $16, $7 .. $4. */
static void
list_saved(struct reg_list *list, u32 code)
{
	unsigned xsregs = mips_field(code, 24, 3);
	unsigned aregs = mips_field(code, 16, 4);

	if (code & 1 << 6)
		append(list, RA);
	for (unsigned i = xsregs; i > 0; i--)
		append(list, i == 7 ? 30 : 17 + i);
	if (code & 1 << 4)
		append(list, 17);
	if (code & 1 << 5)
		append(list, 16);
	for (unsigned i = 0; i < n_statics[aregs]; i++)
		append(list, 7 - i);
}

/* The arguments are in the caller's frame and are not restored. */
static void
decode_save(struct insn *in, u32 code)
{
	struct reg_list list = {.n = 0};

	for (unsigned i = 0; i < n_args[mips_field(code, 16, 4)]; i++)
		append(&list, 4 + i);
	list_saved(&list, code);
	in->n_store = list.n;
	if (!list.n)
		return;
	in->flags |= INSN_STORES;
	in->data = list.reg[0];
	for (unsigned i = 1; i < list.n; i++)
		insn_reg(in->src, INSN_SRC, list.reg[i]);
}

/* The stack pointer has to fit into the registers written. */
static void
decode_restore(struct insn *in, u32 code)
{
	struct reg_list list = {.n = 0};

	list_saved(&list, code);
	in->n_load = list.n;
	if (!list.n)
		return;
	in->flags |= INSN_LOADS;
	in->dst_loaded = true;
	for (unsigned i = 0; i < list.n; i++)
		insn_reg(in->dst, INSN_DST - 1, list.reg[i]);
}

/* Of the registers, only as many are named as struct insn has room for. */
static void
save_restore(struct insn *in, u32 code)
{
	in->flags |= INSN_MEM_KNOWN;
	in->size_log2 = 2;
	if (code & 1 << 7)
		decode_save(in, code);
	else
		decode_restore(in, code);
	insn_reg(in->addr, INSN_ADDR, SP);
	insn_reg(in->dst, INSN_DST, SP);
}

void
mips16_decode(struct insn *in, u32 code)
{
	const u32 svrs_mask = 0xff00, svrs = 0x6400;
	unsigned prefix = code >> 27;
	struct op_fields fields;
	struct op_row row;

	in->flags |= INSN_IS_MIPS16;
	if (prefix != 0 && prefix != EXTEND && prefix != JAL) {
		in->flags |= INSN_UNKNOWN;
		return;
	}
	if (prefix != JAL && (code & svrs_mask) == svrs) {
		save_restore(in, code);
		return;
	}
	row = find_row(code);
	set_fields(&fields, code);
	op_row_apply(in, &row, &fields);
}
