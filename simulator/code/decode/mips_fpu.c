/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MIPS coprocessor 1: moves, branches, arithmetic, indexed accesses. */
#include "mips_tables.h"

enum { FMT_S = 16, FMT_D = 17, FMT_W = 20, FMT_L = 21, FMT_BRANCH = 8 };

#define FP(o, c) {.ops = o, .cls = c, .flags = INSN_IS_FP}
#define FSIGN(o) \
	{.ops = o, .cls = CLASS_FMOVE, .flags = INSN_IS_FP | INSN_FP_SIGN}
#define FMEM(o, f, n) \
	{.ops = o, .flags = INSN_IS_FP | (f), .size_log2 = n}

/* By bits 21 to 25, the format. */
static const struct op_row transfer_rows[8] = {
	[0] = FP("t<S", CLASS_FTRANSFER),	/* mfc1 */
	[2] = FP("t<c", CLASS_FTRANSFER),	/* cfc1 */
	[3] = FP("t<S", CLASS_FTRANSFER),	/* mfhc1 */
	[4] = FP("S<t", CLASS_FTRANSFER),	/* mtc1 */
	[6] = FP("c<t", CLASS_FTRANSFER),	/* ctc1 */
	[7] = FP("S<St", CLASS_FTRANSFER),	/* mthc1 */
};

/* By the function of formats S and D; the class is that of format S. */
static const struct op_row float_rows[64] = {
	[0x00] = FP("D<ST", CLASS_FADD),	/* add */
	[0x01] = FP("D<ST", CLASS_FADD),	/* sub */
	[0x02] = FP("D<ST", CLASS_FMUL),	/* mul */
	[0x03] = FP("D<ST", CLASS_FDIV),	/* div */
	[0x04] = FP("D<S", CLASS_FSQRT),	/* sqrt */
	[0x05] = FSIGN("D<S"),			/* abs */
	[0x06] = FP("D<S", CLASS_FMOVE),	/* mov */
	[0x07] = FSIGN("D<S"),			/* neg */
	[0x08] = FP("D<S", CLASS_FCVT),		/* round.l */
	[0x09] = FP("D<S", CLASS_FCVT),		/* trunc.l */
	[0x0a] = FP("D<S", CLASS_FCVT),		/* ceil.l */
	[0x0b] = FP("D<S", CLASS_FCVT),		/* floor.l */
	[0x0c] = FP("D<S", CLASS_FCVT),		/* round.w */
	[0x0d] = FP("D<S", CLASS_FCVT),		/* trunc.w */
	[0x0e] = FP("D<S", CLASS_FCVT),		/* ceil.w */
	[0x0f] = FP("D<S", CLASS_FCVT),		/* floor.w */
	[0x11] = FP("D<DSc", CLASS_FCMOV),	/* movf, movt */
	[0x12] = FP("D<DSt", CLASS_FCMOV),	/* movz */
	[0x13] = FP("D<DSt", CLASS_FCMOV),	/* movn */
	[0x15] = FP("D<S", CLASS_FDIV),		/* recip */
	[0x16] = FP("D<S", CLASS_FSQRT),	/* rsqrt */
	[0x20] = FP("D<S", CLASS_FCVT),		/* cvt.s */
	[0x21] = FP("D<S", CLASS_FCVT),		/* cvt.d */
	[0x24] = FP("D<S", CLASS_FCVT),		/* cvt.w */
	[0x25] = FP("D<S", CLASS_FCVT),		/* cvt.l */
};

static const struct op_row compare_row = FP("c<ST", CLASS_FCMP);
static const struct op_row no_row;

/* By the function; fused or chained multiply-adds are 0x20 and up. */
static const struct op_row indexed_rows[64] = {
	[0x00] = FMEM("D[st", INSN_LOADS, 2),	/* lwxc1 */
	[0x01] = FMEM("D[st", INSN_LOADS, 3),	/* ldxc1 */
	[0x05] = FMEM("D[st", INSN_LOADS, 3),	/* luxc1 */
	[0x08] = FMEM("[st=S", INSN_STORES, 2),	/* swxc1 */
	[0x09] = FMEM("[st=S", INSN_STORES, 3),	/* sdxc1 */
	[0x0d] = FMEM("[st=S", INSN_STORES, 3),	/* suxc1 */
	[0x0f] = {.ops = "[st", .cls = CLASS_PREFETCH}, /* prefx */
	[0x20] = FP("D<RST", CLASS_FMADD),	/* madd.s */
	[0x21] = FP("D<RST", CLASS_FMADD),	/* madd.d */
	[0x28] = FP("D<RST", CLASS_FMADD),	/* msub.s */
	[0x29] = FP("D<RST", CLASS_FMADD),	/* msub.d */
	[0x30] = FP("D<RST", CLASS_FMADD),	/* nmadd.s */
	[0x31] = FP("D<RST", CLASS_FMADD),	/* nmadd.d */
	[0x38] = FP("D<RST", CLASS_FMADD),	/* nmsub.s */
	[0x39] = FP("D<RST", CLASS_FMADD),	/* nmsub.d */
};

static u8
double_class(u8 cls)
{
	switch (cls) {
	case CLASS_FMUL:
		return CLASS_FMUL_D;
	case CLASS_FDIV:
		return CLASS_FDIV_D;
	case CLASS_FSQRT:
		return CLASS_FSQRT_D;
	default:
		return cls;
	}
}

static struct op_row
float_row(unsigned fmt, unsigned function)
{
	struct op_row row;

	if (function >= 0x30)
		return compare_row;
	row = float_rows[function];
	if (fmt == FMT_D)
		row.cls = double_class(row.cls);
	return row;
}

struct op_row
mips_cop1_row(u32 word)
{
	unsigned fmt = mips_field(word, 21, 5);
	unsigned function = mips_field(word, 0, 6);

	if (fmt < SIM_COUNT(transfer_rows))
		return transfer_rows[fmt];
	if (fmt == FMT_BRANCH)
		return (struct op_row){
			.ops = "<c",
			.branch = BRANCH_DIRECT_COND,
			.flags = INSN_FP_CONDITION |
				 (word & 1u << 17 ? INSN_LIKELY : 0),
		};
	if (fmt == FMT_S || fmt == FMT_D)
		return float_row(fmt, function);
	if ((fmt == FMT_W || fmt == FMT_L) && (function & ~1u) == 0x20)
		return float_rows[function];
	return no_row;
}

struct op_row
mips_cop1x_row(u32 word)
{
	return indexed_rows[mips_field(word, 0, 6)];
}
