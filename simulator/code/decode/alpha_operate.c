/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alpha operate instructions: integer, BWX, CIX, FIX, MVI, floating point. */
#include "alpha_tables.h"

#define ALU(t, o) {.name = t, .ops = o}
#define LOGIC(t, o) CLS(t, o, CLASS_LOGIC)
#define SHIFT(t, o) CLS(t, o, CLASS_SHIFT)
#define CMOV(t, o) CLS(t, o, CLASS_CMOV)
#define CLS(t, o, c) {.name = t, .ops = o, .cls = c}
#define FP(t, o, c) {.name = t, .ops = o, .cls = c, .flags = INSN_IS_FP}

/* The integer groups, by the function field, bits 5 to 11. */
static const struct op_row inta_rows[128] = {
	[0x00] = ALU("addl", "c<ab"),
	[0x02] = ALU("s4addl", "c<ab"),
	[0x09] = ALU("subl", "c<ab"),
	[0x0b] = ALU("s4subl", "c<ab"),
	[0x0f] = LOGIC("cmpbge", "c<ab"),
	[0x12] = ALU("s8addl", "c<ab"),
	[0x1b] = ALU("s8subl", "c<ab"),
	[0x1d] = LOGIC("cmpult", "c<ab"),
	[0x20] = ALU("addq", "c<ab"),
	[0x22] = ALU("s4addq", "c<ab"),
	[0x29] = ALU("subq", "c<ab"),
	[0x2b] = ALU("s4subq", "c<ab"),
	[0x2d] = LOGIC("cmpeq", "c<ab"),
	[0x32] = ALU("s8addq", "c<ab"),
	[0x3b] = ALU("s8subq", "c<ab"),
	[0x3d] = LOGIC("cmpule", "c<ab"),
	[0x40] = ALU("addl/v", "c<ab"),
	[0x49] = ALU("subl/v", "c<ab"),
	[0x4d] = LOGIC("cmplt", "c<ab"),
	[0x60] = ALU("addq/v", "c<ab"),
	[0x69] = ALU("subq/v", "c<ab"),
	[0x6d] = LOGIC("cmple", "c<ab"),
};

static const struct op_row intl_rows[128] = {
	[0x00] = LOGIC("and", "c<ab"),
	[0x08] = LOGIC("andnot", "c<ab"),
	[0x14] = CMOV("cmovlbs", "c<abc"),
	[0x16] = CMOV("cmovlbc", "c<abc"),
	[0x20] = LOGIC("or", "c<ab"),
	[0x24] = CMOV("cmoveq", "c<abc"),
	[0x26] = CMOV("cmovne", "c<abc"),
	[0x28] = LOGIC("ornot", "c<ab"),
	[0x40] = LOGIC("xor", "c<ab"),
	[0x44] = CMOV("cmovlt", "c<abc"),
	[0x46] = CMOV("cmovge", "c<abc"),
	[0x48] = LOGIC("eqv", "c<ab"),
	[0x61] = ALU("amask", "c<b"),
	[0x64] = CMOV("cmovle", "c<abc"),
	[0x66] = CMOV("cmovgt", "c<abc"),
	[0x6c] = ALU("implver", "c"),
};

static const struct op_row ints_rows[128] = {
	[0x02] = SHIFT("mskbl", "c<ab"),
	[0x06] = SHIFT("extbl", "c<ab"),
	[0x0b] = SHIFT("insbl", "c<ab"),
	[0x12] = SHIFT("mskwl", "c<ab"),
	[0x16] = SHIFT("extwl", "c<ab"),
	[0x1b] = SHIFT("inswl", "c<ab"),
	[0x22] = SHIFT("mskll", "c<ab"),
	[0x26] = SHIFT("extll", "c<ab"),
	[0x2b] = SHIFT("insll", "c<ab"),
	[0x30] = SHIFT("zap", "c<ab"),
	[0x31] = SHIFT("zapnot", "c<ab"),
	[0x32] = SHIFT("mskql", "c<ab"),
	[0x34] = SHIFT("srl", "c<ab"),
	[0x36] = SHIFT("extql", "c<ab"),
	[0x39] = SHIFT("sll", "c<ab"),
	[0x3b] = SHIFT("insql", "c<ab"),
	[0x3c] = SHIFT("sra", "c<ab"),
	[0x52] = SHIFT("mskwh", "c<ab"),
	[0x57] = SHIFT("inswh", "c<ab"),
	[0x5a] = SHIFT("extwh", "c<ab"),
	[0x62] = SHIFT("msklh", "c<ab"),
	[0x67] = SHIFT("inslh", "c<ab"),
	[0x6a] = SHIFT("extlh", "c<ab"),
	[0x72] = SHIFT("mskqh", "c<ab"),
	[0x77] = SHIFT("insqh", "c<ab"),
	[0x7a] = SHIFT("extqh", "c<ab"),
};

static const struct op_row intm_rows[128] = {
	[0x00] = CLS("mull", "c<ab", CLASS_MUL),
	[0x20] = CLS("mulq", "c<ab", CLASS_MUL64),
	[0x30] = CLS("umulh", "c<ab", CLASS_MULH),
	[0x40] = CLS("mull/v", "c<ab", CLASS_MUL),
	[0x60] = CLS("mulq/v", "c<ab", CLASS_MUL64),
};

static const struct op_row fpti_rows[128] = {
	[0x00] = ALU("sextb", "c<b"),
	[0x01] = ALU("sextw", "c<b"),
	[0x30] = ALU("ctpop", "c<b"),
	[0x31] = CLS("perr", "c<ab", CLASS_SIMD),
	[0x32] = ALU("ctlz", "c<b"),
	[0x33] = ALU("cttz", "c<b"),
	[0x34] = CLS("unpkbw", "c<b", CLASS_SIMD),
	[0x35] = CLS("unpkbl", "c<b", CLASS_SIMD),
	[0x36] = CLS("pkwb", "c<b", CLASS_SIMD),
	[0x37] = CLS("pklb", "c<b", CLASS_SIMD),
	[0x38] = CLS("minsb8", "c<ab", CLASS_SIMD),
	[0x39] = CLS("minsw4", "c<ab", CLASS_SIMD),
	[0x3a] = CLS("minub8", "c<ab", CLASS_SIMD),
	[0x3b] = CLS("minuw4", "c<ab", CLASS_SIMD),
	[0x3c] = CLS("maxub8", "c<ab", CLASS_SIMD),
	[0x3d] = CLS("maxuw4", "c<ab", CLASS_SIMD),
	[0x3e] = CLS("maxsb8", "c<ab", CLASS_SIMD),
	[0x3f] = CLS("maxsw4", "c<ab", CLASS_SIMD),
	[0x70] = FP("ftoit", "c<A", CLASS_FTRANSFER),
	[0x78] = FP("ftois", "c<A", CLASS_FTRANSFER),
};

/*
 * The floating-point groups, by bits 5 to 10: the rest of the function field
 * selects rounding and traps.
 */
static const struct op_row itfp_rows[64] = {
	[0x04] = FP("itofs", "C<a", CLASS_FTRANSFER),
	[0x0a] = FP("sqrtf", "C<B", CLASS_FSQRT),
	[0x0b] = FP("sqrts", "C<B", CLASS_FSQRT),
	[0x14] = FP("itoff", "C<a", CLASS_FTRANSFER),
	[0x24] = FP("itoft", "C<a", CLASS_FTRANSFER),
	[0x2a] = FP("sqrtg", "C<B", CLASS_FSQRT_D),
	[0x2b] = FP("sqrtt", "C<B", CLASS_FSQRT_D),
};

/* VAX formats. */
static const struct op_row fltv_rows[64] = {
	[0x00] = FP("addf", "C<AB", CLASS_FADD),
	[0x01] = FP("subf", "C<AB", CLASS_FADD),
	[0x02] = FP("mulf", "C<AB", CLASS_FMUL),
	[0x03] = FP("divf", "C<AB", CLASS_FDIV),
	[0x1e] = FP("cvtdg", "C<B", CLASS_FCVT),
	[0x20] = FP("addg", "C<AB", CLASS_FADD),
	[0x21] = FP("subg", "C<AB", CLASS_FADD),
	[0x22] = FP("mulg", "C<AB", CLASS_FMUL_D),
	[0x23] = FP("divg", "C<AB", CLASS_FDIV_D),
	[0x25] = FP("cmpgeq", "C<AB", CLASS_FADD),
	[0x26] = FP("cmpglt", "C<AB", CLASS_FADD),
	[0x27] = FP("cmpgle", "C<AB", CLASS_FADD),
	[0x2c] = FP("cvtgf", "C<B", CLASS_FCVT),
	[0x2d] = FP("cvtgd", "C<B", CLASS_FCVT),
	[0x2f] = FP("cvtgq", "C<B", CLASS_FCVT),
	[0x3c] = FP("cvtqf", "C<B", CLASS_FCVT),
	[0x3e] = FP("cvtqg", "C<B", CLASS_FCVT),
};

/* IEEE formats. */
static const struct op_row flti_rows[64] = {
	[0x00] = FP("adds", "C<AB", CLASS_FADD),
	[0x01] = FP("subs", "C<AB", CLASS_FADD),
	[0x02] = FP("muls", "C<AB", CLASS_FMUL),
	[0x03] = FP("divs", "C<AB", CLASS_FDIV),
	[0x20] = FP("addt", "C<AB", CLASS_FADD),
	[0x21] = FP("subt", "C<AB", CLASS_FADD),
	[0x22] = FP("mult", "C<AB", CLASS_FMUL_D),
	[0x23] = FP("divt", "C<AB", CLASS_FDIV_D),
	[0x24] = FP("cmptun", "C<AB", CLASS_FADD),
	[0x25] = FP("cmpteq", "C<AB", CLASS_FADD),
	[0x26] = FP("cmptlt", "C<AB", CLASS_FADD),
	[0x27] = FP("cmptle", "C<AB", CLASS_FADD),
	[0x2c] = FP("cvtts", "C<B", CLASS_FCVT),
	[0x2f] = FP("cvttq", "C<B", CLASS_FCVT),
	[0x3c] = FP("cvtqs", "C<B", CLASS_FCVT),
	[0x3e] = FP("cvtqt", "C<B", CLASS_FCVT),
};

/* Format-independent. */
static const struct op_row fltl_rows[64] = {
	[0x10] = FP("cvtlq", "C<B", CLASS_FCVT),
	[0x20] = FP("cpys", "C<AB", CLASS_FCPYS),
	[0x21] = FP("cpysn", "C<AB", CLASS_FCPYS),
	[0x22] = FP("cpyse", "C<AB", CLASS_FCPYS),
	[0x24] = FP("mt_fpcr", "<A", CLASS_FMOVE),
	[0x25] = FP("mf_fpcr", "A", CLASS_FMOVE),
	[0x2a] = FP("fcmoveq", "C<ABC", CLASS_FCMOV),
	[0x2b] = FP("fcmovne", "C<ABC", CLASS_FCMOV),
	[0x2c] = FP("fcmovlt", "C<ABC", CLASS_FCMOV),
	[0x2d] = FP("fcmovge", "C<ABC", CLASS_FCMOV),
	[0x2e] = FP("fcmovle", "C<ABC", CLASS_FCMOV),
	[0x2f] = FP("fcmovgt", "C<ABC", CLASS_FCMOV),
	[0x30] = FP("cvtql", "C<B", CLASS_FCVT),
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
