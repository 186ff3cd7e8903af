/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MIPS SPECIAL3: bit fields, DSP ASE release 1, fork and yield, rdhwr. */
#include "mips_tables.h"

#define ALU(o) {.ops = o}
#define DSP(o, c) {.ops = o, .cls = c, .flags = INSN_IS_DSP}
#define SIMD(o) DSP(o, CLASS_SIMD)
#define DLOAD(o, n) \
	{.ops = o, .flags = INSN_IS_DSP | INSN_LOADS, .size_log2 = n}

static const struct op_row special3_rows[64] = {
	[0x00] = ALU("t<s"),			/* ext */
	[0x04] = ALU("t<ts"),			/* ins */
	[0x08] = {.ops = "<st", .flags = INSN_IS_FORK},
	[0x09] = {.ops = "d<s", .flags = INSN_IS_YIELD},
	[0x0c] = SIMD("t<tsc"),			/* insv */
	[0x3b] = {.ops = "t", .cls = CLASS_SYSREG}, /* rdhwr */
};

/* The groups below are told apart by bits 6 to 10. */
static const struct op_row indexed_rows[32] = {
	[0x00] = DLOAD("d[st", 2),		/* lwx */
	[0x04] = DLOAD("d[st", 1),		/* lhx */
	[0x06] = DLOAD("d[st", 0),		/* lbux */
};

static const struct op_row addu_qb_rows[32] = {
	[0x00] = SIMD("dc<st"),			/* addu.qb */
	[0x01] = SIMD("dc<st"),			/* subu.qb */
	[0x04] = SIMD("dc<st"),			/* addu_s.qb */
	[0x05] = SIMD("dc<st"),			/* subu_s.qb */
	[0x06] = DSP("dc<st", CLASS_MUL),	/* muleu_s.ph.qbl */
	[0x07] = DSP("dc<st", CLASS_MUL),	/* muleu_s.ph.qbr */
	[0x0a] = SIMD("dc<st"),			/* addq.ph */
	[0x0b] = SIMD("dc<st"),			/* subq.ph */
	[0x0e] = SIMD("dc<st"),			/* addq_s.ph */
	[0x0f] = SIMD("dc<st"),			/* subq_s.ph */
	[0x10] = SIMD("dc<st"),			/* addsc */
	[0x11] = SIMD("dc<stc"),		/* addwc */
	[0x12] = SIMD("d<st"),			/* modsub */
	[0x14] = SIMD("d<s"),			/* raddu.w.qb */
	[0x16] = SIMD("dc<st"),			/* addq_s.w */
	[0x17] = SIMD("dc<st"),			/* subq_s.w */
	[0x1c] = DSP("dc<st", CLASS_MUL),	/* muleq_s.w.phl */
	[0x1d] = DSP("dc<st", CLASS_MUL),	/* muleq_s.w.phr */
	[0x1f] = DSP("dc<st", CLASS_MUL),	/* mulq_rs.ph */
};

static const struct op_row cmpu_eq_qb_rows[32] = {
	[0x00] = SIMD("c<st"),			/* cmpu.eq.qb */
	[0x01] = SIMD("c<st"),			/* cmpu.lt.qb */
	[0x02] = SIMD("c<st"),			/* cmpu.le.qb */
	[0x03] = SIMD("d<stc"),			/* pick.qb */
	[0x04] = SIMD("d<st"),			/* cmpgu.eq.qb */
	[0x05] = SIMD("d<st"),			/* cmpgu.lt.qb */
	[0x06] = SIMD("d<st"),			/* cmpgu.le.qb */
	[0x08] = SIMD("c<st"),			/* cmp.eq.ph */
	[0x09] = SIMD("c<st"),			/* cmp.lt.ph */
	[0x0a] = SIMD("c<st"),			/* cmp.le.ph */
	[0x0b] = SIMD("d<stc"),			/* pick.ph */
	[0x0c] = SIMD("d<st"),			/* precrq.qb.ph */
	[0x0e] = SIMD("d<st"),			/* packrl.ph */
	[0x0f] = SIMD("dc<st"),			/* precrqu_s.qb.ph */
	[0x14] = SIMD("d<st"),			/* precrq.ph.w */
	[0x15] = SIMD("dc<st"),			/* precrq_rs.ph.w */
};

static const struct op_row absq_s_ph_rows[32] = {
	[0x02] = SIMD("d"),			/* repl.qb */
	[0x03] = SIMD("d<t"),			/* replv.qb */
	[0x04] = SIMD("d<t"),			/* precequ.ph.qbl */
	[0x05] = SIMD("d<t"),			/* precequ.ph.qbr */
	[0x06] = SIMD("d<t"),			/* precequ.ph.qbla */
	[0x07] = SIMD("d<t"),			/* precequ.ph.qbra */
	[0x09] = SIMD("dc<t"),			/* absq_s.ph */
	[0x0a] = SIMD("d"),			/* repl.ph */
	[0x0b] = SIMD("d<t"),			/* replv.ph */
	[0x0c] = SIMD("d<t"),			/* preceq.w.phl */
	[0x0d] = SIMD("d<t"),			/* preceq.w.phr */
	[0x11] = SIMD("dc<t"),			/* absq_s.w */
	[0x1b] = SIMD("d<t"),			/* bitrev */
	[0x1c] = SIMD("d<t"),			/* preceu.ph.qbl */
	[0x1d] = SIMD("d<t"),			/* preceu.ph.qbr */
	[0x1e] = SIMD("d<t"),			/* preceu.ph.qbla */
	[0x1f] = SIMD("d<t"),			/* preceu.ph.qbra */
};

static const struct op_row shll_qb_rows[32] = {
	[0x00] = SIMD("dc<t"),			/* shll.qb */
	[0x01] = SIMD("d<t"),			/* shrl.qb */
	[0x02] = SIMD("dc<ts"),			/* shllv.qb */
	[0x03] = SIMD("d<ts"),			/* shrlv.qb */
	[0x08] = SIMD("dc<t"),			/* shll.ph */
	[0x09] = SIMD("d<t"),			/* shra.ph */
	[0x0a] = SIMD("dc<ts"),			/* shllv.ph */
	[0x0b] = SIMD("d<ts"),			/* shrav.ph */
	[0x0c] = SIMD("dc<t"),			/* shll_s.ph */
	[0x0d] = SIMD("d<t"),			/* shra_r.ph */
	[0x0e] = SIMD("dc<ts"),			/* shllv_s.ph */
	[0x0f] = SIMD("d<ts"),			/* shrav_r.ph */
	[0x14] = SIMD("dc<t"),			/* shll_s.w */
	[0x15] = SIMD("d<t"),			/* shra_r.w */
	[0x16] = SIMD("dc<ts"),			/* shllv_s.w */
	[0x17] = SIMD("d<ts"),			/* shrav_r.w */
};

static const struct op_row dpa_w_ph_rows[32] = {
	[0x03] = DSP("a<ast", CLASS_MULT),	/* dpau.h.qbl */
	[0x04] = DSP("ac<ast", CLASS_MULT),	/* dpaq_s.w.ph */
	[0x05] = DSP("ac<ast", CLASS_MULT),	/* dpsq_s.w.ph */
	[0x06] = DSP("ac<ast", CLASS_MULT),	/* mulsaq_s.w.ph */
	[0x07] = DSP("a<ast", CLASS_MULT),	/* dpau.h.qbr */
	[0x0b] = DSP("a<ast", CLASS_MULT),	/* dpsu.h.qbl */
	[0x0c] = DSP("ac<ast", CLASS_MULT),	/* dpaq_sa.l.w */
	[0x0d] = DSP("ac<ast", CLASS_MULT),	/* dpsq_sa.l.w */
	[0x0f] = DSP("a<ast", CLASS_MULT),	/* dpsu.h.qbr */
	[0x10] = DSP("ac<ast", CLASS_MULT),	/* maq_sa.w.phl */
	[0x12] = DSP("ac<ast", CLASS_MULT),	/* maq_sa.w.phr */
	[0x14] = DSP("ac<ast", CLASS_MULT),	/* maq_s.w.phl */
	[0x16] = DSP("ac<ast", CLASS_MULT),	/* maq_s.w.phr */
};

static const struct op_row extr_w_rows[32] = {
	[0x00] = DSP("tc<a", CLASS_MFHILO),	/* extr.w */
	[0x01] = DSP("tc<as", CLASS_MFHILO),	/* extrv.w */
	[0x02] = DSP("tc<ac", CLASS_MFHILO),	/* extp */
	[0x03] = DSP("tc<asc", CLASS_MFHILO),	/* extpv */
	[0x04] = DSP("tc<a", CLASS_MFHILO),	/* extr_r.w */
	[0x05] = DSP("tc<as", CLASS_MFHILO),	/* extrv_r.w */
	[0x06] = DSP("tc<a", CLASS_MFHILO),	/* extr_rs.w */
	[0x07] = DSP("tc<as", CLASS_MFHILO),	/* extrv_rs.w */
	[0x0a] = DSP("tc<ac", CLASS_MFHILO),	/* extpdp */
	[0x0b] = DSP("tc<asc", CLASS_MFHILO),	/* extpdpv */
	[0x0e] = DSP("tc<a", CLASS_MFHILO),	/* extr_s.h */
	[0x0f] = DSP("tc<as", CLASS_MFHILO),	/* extrv_s.h */
	[0x12] = SIMD("d<c"),			/* rddsp */
	[0x13] = SIMD("c<s"),			/* wrdsp */
	[0x1a] = DSP("a<a", CLASS_MTHILO),	/* shilo */
	[0x1b] = DSP("a<as", CLASS_MTHILO),	/* shilov */
	[0x1f] = DSP("ac<asc", CLASS_MTHILO),	/* mthlip */
};

static const struct op_row bshfl_rows[32] = {
	[0x02] = ALU("d<t"),			/* wsbh */
	[0x10] = ALU("d<t"),			/* seb */
	[0x18] = ALU("d<t"),			/* seh */
};

static const struct op_row *const groups[64] = {
	[0x0a] = indexed_rows,
	[0x10] = addu_qb_rows,
	[0x11] = cmpu_eq_qb_rows,
	[0x12] = absq_s_ph_rows,
	[0x13] = shll_qb_rows,
	[0x20] = bshfl_rows,
	[0x30] = dpa_w_ph_rows,
	[0x38] = extr_w_rows,
};

struct op_row
mips_dsp_row(u32 word)
{
	unsigned function = mips_field(word, 0, 6);

	if (groups[function])
		return groups[function][mips_field(word, 6, 5)];
	return special3_rows[function];
}
