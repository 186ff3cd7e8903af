/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alpha operate instructions: integer, BWX, CIX, FIX, MVI, floating point. */
#include "alpha_tables.h"

#define ALU(o) {.ops = o}
#define LOGIC(o) CLS(o, CLASS_LOGIC)
#define SHIFT(o) CLS(o, CLASS_SHIFT)
#define CMOV(o) CLS(o, CLASS_CMOV)
#define CLS(o, c) {.ops = o, .cls = c}
#define FP(o, c) {.ops = o, .cls = c, .flags = INSN_IS_FP}

/* The integer groups, by the function field, bits 5 to 11. */
static const struct op_row inta_rows[128] = {
	[0x00] = ALU("c<ab"),	/* addl */
	[0x02] = ALU("c<ab"),	/* s4addl */
	[0x09] = ALU("c<ab"),	/* subl */
	[0x0b] = ALU("c<ab"),	/* s4subl */
	[0x0f] = LOGIC("c<ab"),	/* cmpbge */
	[0x12] = ALU("c<ab"),	/* s8addl */
	[0x1b] = ALU("c<ab"),	/* s8subl */
	[0x1d] = LOGIC("c<ab"),	/* cmpult */
	[0x20] = ALU("c<ab"),	/* addq */
	[0x22] = ALU("c<ab"),	/* s4addq */
	[0x29] = ALU("c<ab"),	/* subq */
	[0x2b] = ALU("c<ab"),	/* s4subq */
	[0x2d] = LOGIC("c<ab"),	/* cmpeq */
	[0x32] = ALU("c<ab"),	/* s8addq */
	[0x3b] = ALU("c<ab"),	/* s8subq */
	[0x3d] = LOGIC("c<ab"),	/* cmpule */
	[0x40] = ALU("c<ab"),	/* addl/v */
	[0x49] = ALU("c<ab"),	/* subl/v */
	[0x4d] = LOGIC("c<ab"),	/* cmplt */
	[0x60] = ALU("c<ab"),	/* addq/v */
	[0x69] = ALU("c<ab"),	/* subq/v */
	[0x6d] = LOGIC("c<ab"),	/* cmple */
};

static const struct op_row intl_rows[128] = {
	[0x00] = LOGIC("c<ab"),	/* and */
	[0x08] = LOGIC("c<ab"),	/* bic */
	[0x14] = CMOV("c<abc"),	/* cmovlbs */
	[0x16] = CMOV("c<abc"),	/* cmovlbc */
	[0x20] = LOGIC("c<ab"),	/* bis */
	[0x24] = CMOV("c<abc"),	/* cmoveq */
	[0x26] = CMOV("c<abc"),	/* cmovne */
	[0x28] = LOGIC("c<ab"),	/* ornot */
	[0x40] = LOGIC("c<ab"),	/* xor */
	[0x44] = CMOV("c<abc"),	/* cmovlt */
	[0x46] = CMOV("c<abc"),	/* cmovge */
	[0x48] = LOGIC("c<ab"),	/* eqv */
	[0x61] = ALU("c<b"),	/* amask */
	[0x64] = CMOV("c<abc"),	/* cmovle */
	[0x66] = CMOV("c<abc"),	/* cmovgt */
	[0x6c] = ALU("c"),	/* implver */
};

static const struct op_row ints_rows[128] = {
	[0x02] = SHIFT("c<ab"),	/* mskbl */
	[0x06] = SHIFT("c<ab"),	/* extbl */
	[0x0b] = SHIFT("c<ab"),	/* insbl */
	[0x12] = SHIFT("c<ab"),	/* mskwl */
	[0x16] = SHIFT("c<ab"),	/* extwl */
	[0x1b] = SHIFT("c<ab"),	/* inswl */
	[0x22] = SHIFT("c<ab"),	/* mskll */
	[0x26] = SHIFT("c<ab"),	/* extll */
	[0x2b] = SHIFT("c<ab"),	/* insll */
	[0x30] = SHIFT("c<ab"),	/* zap */
	[0x31] = SHIFT("c<ab"),	/* zapnot */
	[0x32] = SHIFT("c<ab"),	/* mskql */
	[0x34] = SHIFT("c<ab"),	/* srl */
	[0x36] = SHIFT("c<ab"),	/* extql */
	[0x39] = SHIFT("c<ab"),	/* sll */
	[0x3b] = SHIFT("c<ab"),	/* insql */
	[0x3c] = SHIFT("c<ab"),	/* sra */
	[0x52] = SHIFT("c<ab"),	/* mskwh */
	[0x57] = SHIFT("c<ab"),	/* inswh */
	[0x5a] = SHIFT("c<ab"),	/* extwh */
	[0x62] = SHIFT("c<ab"),	/* msklh */
	[0x67] = SHIFT("c<ab"),	/* inslh */
	[0x6a] = SHIFT("c<ab"),	/* extlh */
	[0x72] = SHIFT("c<ab"),	/* mskqh */
	[0x77] = SHIFT("c<ab"),	/* insqh */
	[0x7a] = SHIFT("c<ab"),	/* extqh */
};

static const struct op_row intm_rows[128] = {
	[0x00] = CLS("c<ab", CLASS_MUL),	/* mull */
	[0x20] = CLS("c<ab", CLASS_MUL64),	/* mulq */
	[0x30] = CLS("c<ab", CLASS_MULH),	/* umulh */
	[0x40] = CLS("c<ab", CLASS_MUL),	/* mull/v */
	[0x60] = CLS("c<ab", CLASS_MUL64),	/* mulq/v */
};

static const struct op_row fpti_rows[128] = {
	[0x00] = ALU("c<b"),			/* sextb */
	[0x01] = ALU("c<b"),			/* sextw */
	[0x30] = ALU("c<b"),			/* ctpop */
	[0x31] = CLS("c<ab", CLASS_SIMD),	/* perr */
	[0x32] = ALU("c<b"),			/* ctlz */
	[0x33] = ALU("c<b"),			/* cttz */
	[0x34] = CLS("c<b", CLASS_SIMD),	/* unpkbw */
	[0x35] = CLS("c<b", CLASS_SIMD),	/* unpkbl */
	[0x36] = CLS("c<b", CLASS_SIMD),	/* pkwb */
	[0x37] = CLS("c<b", CLASS_SIMD),	/* pklb */
	[0x38] = CLS("c<ab", CLASS_SIMD),	/* minsb8 */
	[0x39] = CLS("c<ab", CLASS_SIMD),	/* minsw4 */
	[0x3a] = CLS("c<ab", CLASS_SIMD),	/* minub8 */
	[0x3b] = CLS("c<ab", CLASS_SIMD),	/* minuw4 */
	[0x3c] = CLS("c<ab", CLASS_SIMD),	/* maxub8 */
	[0x3d] = CLS("c<ab", CLASS_SIMD),	/* maxuw4 */
	[0x3e] = CLS("c<ab", CLASS_SIMD),	/* maxsb8 */
	[0x3f] = CLS("c<ab", CLASS_SIMD),	/* maxsw4 */
	[0x70] = FP("c<A", CLASS_FTRANSFER),	/* ftoit */
	[0x78] = FP("c<A", CLASS_FTRANSFER),	/* ftois */
};

/*
 * The floating-point groups, by bits 5 to 10: the rest of the function field
 * selects rounding and traps.
 */
static const struct op_row itfp_rows[64] = {
	[0x04] = FP("C<a", CLASS_FTRANSFER),	/* itofs */
	[0x0a] = FP("C<B", CLASS_FSQRT),	/* sqrtf */
	[0x0b] = FP("C<B", CLASS_FSQRT),	/* sqrts */
	[0x14] = FP("C<a", CLASS_FTRANSFER),	/* itoff */
	[0x24] = FP("C<a", CLASS_FTRANSFER),	/* itoft */
	[0x2a] = FP("C<B", CLASS_FSQRT_D),	/* sqrtg */
	[0x2b] = FP("C<B", CLASS_FSQRT_D),	/* sqrtt */
};

/* VAX formats. */
static const struct op_row fltv_rows[64] = {
	[0x00] = FP("C<AB", CLASS_FADD),	/* addf */
	[0x01] = FP("C<AB", CLASS_FADD),	/* subf */
	[0x02] = FP("C<AB", CLASS_FMUL),	/* mulf */
	[0x03] = FP("C<AB", CLASS_FDIV),	/* divf */
	[0x1e] = FP("C<B", CLASS_FCVT),		/* cvtdg */
	[0x20] = FP("C<AB", CLASS_FADD),	/* addg */
	[0x21] = FP("C<AB", CLASS_FADD),	/* subg */
	[0x22] = FP("C<AB", CLASS_FMUL_D),	/* mulg */
	[0x23] = FP("C<AB", CLASS_FDIV_D),	/* divg */
	[0x25] = FP("C<AB", CLASS_FADD),	/* cmpgeq */
	[0x26] = FP("C<AB", CLASS_FADD),	/* cmpglt */
	[0x27] = FP("C<AB", CLASS_FADD),	/* cmpgle */
	[0x2c] = FP("C<B", CLASS_FCVT),		/* cvtgf */
	[0x2d] = FP("C<B", CLASS_FCVT),		/* cvtgd */
	[0x2f] = FP("C<B", CLASS_FCVT),		/* cvtgq */
	[0x3c] = FP("C<B", CLASS_FCVT),		/* cvtqf */
	[0x3e] = FP("C<B", CLASS_FCVT),		/* cvtqg */
};

/* IEEE formats. */
static const struct op_row flti_rows[64] = {
	[0x00] = FP("C<AB", CLASS_FADD),	/* adds */
	[0x01] = FP("C<AB", CLASS_FADD),	/* subs */
	[0x02] = FP("C<AB", CLASS_FMUL),	/* muls */
	[0x03] = FP("C<AB", CLASS_FDIV),	/* divs */
	[0x20] = FP("C<AB", CLASS_FADD),	/* addt */
	[0x21] = FP("C<AB", CLASS_FADD),	/* subt */
	[0x22] = FP("C<AB", CLASS_FMUL_D),	/* mult */
	[0x23] = FP("C<AB", CLASS_FDIV_D),	/* divt */
	[0x24] = FP("C<AB", CLASS_FADD),	/* cmptun */
	[0x25] = FP("C<AB", CLASS_FADD),	/* cmpteq */
	[0x26] = FP("C<AB", CLASS_FADD),	/* cmptlt */
	[0x27] = FP("C<AB", CLASS_FADD),	/* cmptle */
	[0x2c] = FP("C<B", CLASS_FCVT),		/* cvtts, cvtst */
	[0x2f] = FP("C<B", CLASS_FCVT),		/* cvttq */
	[0x3c] = FP("C<B", CLASS_FCVT),		/* cvtqs */
	[0x3e] = FP("C<B", CLASS_FCVT),		/* cvtqt */
};

/* Format-independent. */
static const struct op_row fltl_rows[64] = {
	[0x10] = FP("C<B", CLASS_FCVT),		/* cvtlq */
	[0x20] = FP("C<AB", CLASS_FCPYS),	/* cpys */
	[0x21] = FP("C<AB", CLASS_FCPYS),	/* cpysn */
	[0x22] = FP("C<AB", CLASS_FCPYS),	/* cpyse */
	[0x24] = FP("<A", CLASS_FMOVE),		/* mt_fpcr */
	[0x25] = FP("A", CLASS_FMOVE),		/* mf_fpcr */
	[0x2a] = FP("C<ABC", CLASS_FCMOV),	/* fcmoveq */
	[0x2b] = FP("C<ABC", CLASS_FCMOV),	/* fcmovne */
	[0x2c] = FP("C<ABC", CLASS_FCMOV),	/* fcmovlt */
	[0x2d] = FP("C<ABC", CLASS_FCMOV),	/* fcmovge */
	[0x2e] = FP("C<ABC", CLASS_FCMOV),	/* fcmovle */
	[0x2f] = FP("C<ABC", CLASS_FCMOV),	/* fcmovgt */
	[0x30] = FP("C<B", CLASS_FCVT),		/* cvtql */
};

static const struct {
	const struct op_row *rows;
	unsigned bits;	/* of the function field */
} groups[] = {
	[0x10 - 0x10] = {inta_rows, 7},
	[0x11 - 0x10] = {intl_rows, 7},
	[0x12 - 0x10] = {ints_rows, 7},
	[0x13 - 0x10] = {intm_rows, 7},
	[0x14 - 0x10] = {itfp_rows, 6},
	[0x15 - 0x10] = {fltv_rows, 6},
	[0x16 - 0x10] = {flti_rows, 6},
	[0x17 - 0x10] = {fltl_rows, 6},
	[0x1c - 0x10] = {fpti_rows, 7},
};

struct op_row
alpha_operate_row(u32 word)
{
	unsigned group = (word >> 26) - 0x10;

	return groups[group].rows[alpha_field(word, 5, groups[group].bits)];
}
