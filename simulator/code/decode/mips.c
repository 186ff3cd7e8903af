/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MIPS32 release 2 with FPU, DSP and MT extensions: 32-bit encodings. */
#include "decode.h"
#include "mips_tables.h"

#define ALU(o) {.ops = o}
#define CLS(o, c) {.ops = o, .cls = c}
#define SHIFT(o) CLS(o, CLASS_SHIFT)
#define CMOV(o) CLS(o, CLASS_CMOV)
#define COND(o) {.ops = o, .branch = BRANCH_DIRECT_COND}
#define LIKELY(o) \
	{.ops = o, .branch = BRANCH_DIRECT_COND, .flags = INSN_LIKELY}
#define COND_CALL(o, f) {.ops = o, .branch = BRANCH_COND_CALL, .flags = f}
#define JUMP(o, b) {.ops = o, .branch = b}
#define LOAD(o, n) {.ops = o, .flags = INSN_LOADS, .size_log2 = n}
#define STORE(o, n) {.ops = o, .flags = INSN_STORES, .size_log2 = n}
#define FLOAD(o, n) \
	{.ops = o, .flags = INSN_LOADS | INSN_IS_FP, .size_log2 = n}
#define FSTORE(o, n) \
	{.ops = o, .flags = INSN_STORES | INSN_IS_FP, .size_log2 = n}
/* QEMU makes one to four accesses of these. */
#define LOAD_PART(o) \
	{.ops = o, .flags = INSN_LOADS, .size_log2 = 2, .varies = true}
#define STORE_PART(o) \
	{.ops = o, .flags = INSN_STORES, .size_log2 = 2, .varies = true}

static const struct op_row main_rows[64] = {
	[0x02] = JUMP("", BRANCH_JUMP),		/* j */
	[0x03] = JUMP("l", BRANCH_CALL),	/* jal */
	[0x04] = COND("<st"),			/* beq */
	[0x05] = COND("<st"),			/* bne */
	[0x06] = COND("<s"),			/* blez */
	[0x07] = COND("<s"),			/* bgtz */
	[0x08] = ALU("t<s"),			/* addi */
	[0x09] = ALU("t<s"),			/* addiu */
	[0x0a] = ALU("t<s"),			/* slti */
	[0x0b] = ALU("t<s"),			/* sltiu */
	[0x0c] = ALU("t<s"),			/* andi */
	[0x0d] = ALU("t<s"),			/* ori */
	[0x0e] = ALU("t<s"),			/* xori */
	[0x0f] = ALU("t"),			/* lui */
	[0x14] = LIKELY("<st"),			/* beql */
	[0x15] = LIKELY("<st"),			/* bnel */
	[0x16] = LIKELY("<s"),			/* blezl */
	[0x17] = LIKELY("<s"),			/* bgtzl */
	[0x1d] = JUMP("l", BRANCH_CALL),	/* jalx */
	[0x20] = LOAD("t[s", 0),		/* lb */
	[0x21] = LOAD("t[s", 1),		/* lh */
	[0x22] = LOAD_PART("t<t[s"),		/* lwl */
	[0x23] = LOAD("t[s", 2),		/* lw */
	[0x24] = LOAD("t[s", 0),		/* lbu */
	[0x25] = LOAD("t[s", 1),		/* lhu */
	[0x26] = LOAD_PART("t<t[s"),		/* lwr */
	[0x28] = STORE("[s=t", 0),		/* sb */
	[0x29] = STORE("[s=t", 1),		/* sh */
	[0x2a] = STORE_PART("[s=t"),		/* swl */
	[0x2b] = STORE("[s=t", 2),		/* sw */
	[0x2e] = STORE_PART("[s=t"),		/* swr */
	[0x2f] = CLS("[s", CLASS_SYSREG),	/* cache */
	[0x30] = {.ops = "t[s", .flags = INSN_LOADS | INSN_IS_LL,
		  .size_log2 = 2},		/* ll */
	[0x31] = FLOAD("T[s", 2),		/* lwc1 */
	[0x33] = CLS("[s", CLASS_PREFETCH),	/* pref */
	[0x35] = FLOAD("T[s", 3),		/* ldc1 */
	[0x38] = {.ops = "t[s=t", .flags = INSN_STORES | INSN_IS_SC,
		  .size_log2 = 2, .varies = true}, /* sc */
	[0x39] = FSTORE("[s=T", 2),		/* swc1 */
	[0x3d] = FSTORE("[s=T", 3),		/* sdc1 */
};

static const struct op_row special_rows[64] = {
	[0x00] = SHIFT("d<t"),			/* sll */
	[0x01] = CMOV("d<dsc"),			/* movf, movt */
	[0x02] = SHIFT("d<t"),			/* srl, rotr */
	[0x03] = SHIFT("d<t"),			/* sra */
	[0x04] = SHIFT("d<ts"),			/* sllv */
	[0x06] = SHIFT("d<ts"),			/* srlv, rotrv */
	[0x07] = SHIFT("d<ts"),			/* srav */
	[0x08] = JUMP("<s", BRANCH_IND_JUMP),	/* jr */
	[0x09] = JUMP("d<s", BRANCH_IND_CALL),	/* jalr */
	[0x0a] = CMOV("d<dst"),			/* movz */
	[0x0b] = CMOV("d<dst"),			/* movn */
	[0x0c] = CLS("", CLASS_SYSCALL),	/* syscall */
	[0x0d] = CLS("", CLASS_SYSCALL),	/* break */
	[0x0f] = {.ops = "", .cls = CLASS_SYNC,
		  .flags = INSN_IS_BARRIER | INSN_DRAINS}, /* sync */
	[0x10] = CLS("d<A", CLASS_MFHILO),	/* mfhi */
	[0x11] = CLS("a<s", CLASS_MTHILO),	/* mthi */
	[0x12] = CLS("d<A", CLASS_MFHILO),	/* mflo */
	[0x13] = CLS("a<s", CLASS_MTHILO),	/* mtlo */
	[0x18] = CLS("a<st", CLASS_MULT),	/* mult */
	[0x19] = CLS("a<st", CLASS_MULT),	/* multu */
	[0x1a] = CLS("h<st", CLASS_DIV),	/* div */
	[0x1b] = CLS("h<st", CLASS_DIV),	/* divu */
	[0x20] = ALU("d<st"),			/* add */
	[0x21] = ALU("d<st"),			/* addu */
	[0x22] = ALU("d<st"),			/* sub */
	[0x23] = ALU("d<st"),			/* subu */
	[0x24] = ALU("d<st"),			/* and */
	[0x25] = ALU("d<st"),			/* or */
	[0x26] = ALU("d<st"),			/* xor */
	[0x27] = ALU("d<st"),			/* nor */
	[0x2a] = ALU("d<st"),			/* slt */
	[0x2b] = ALU("d<st"),			/* sltu */
	[0x30] = ALU("<st"),			/* tge */
	[0x31] = ALU("<st"),			/* tgeu */
	[0x32] = ALU("<st"),			/* tlt */
	[0x33] = ALU("<st"),			/* tltu */
	[0x34] = ALU("<st"),			/* teq */
	[0x36] = ALU("<st"),			/* tne */
};

static const struct op_row regimm_rows[32] = {
	[0x00] = COND("<s"),			/* bltz */
	[0x01] = COND("<s"),			/* bgez */
	[0x02] = LIKELY("<s"),			/* bltzl */
	[0x03] = LIKELY("<s"),			/* bgezl */
	[0x08] = ALU("<s"),			/* tgei */
	[0x09] = ALU("<s"),			/* tgeiu */
	[0x0a] = ALU("<s"),			/* tlti */
	[0x0b] = ALU("<s"),			/* tltiu */
	[0x0c] = ALU("<s"),			/* teqi */
	[0x0e] = ALU("<s"),			/* tnei */
	[0x10] = COND_CALL("l<s", 0),		/* bltzal */
	[0x11] = COND_CALL("l<s", 0),		/* bgezal */
	[0x12] = COND_CALL("l<s", INSN_LIKELY),	/* bltzall */
	[0x13] = COND_CALL("l<s", INSN_LIKELY),	/* bgezall */
	[0x1c] = {.ops = "<c", .branch = BRANCH_DIRECT_COND,
		  .flags = INSN_IS_DSP},	/* bposge32 */
	[0x1f] = CLS("[s", CLASS_SYNC),		/* synci */
};

static const struct op_row special2_rows[64] = {
	[0x00] = CLS("a<ast", CLASS_MULT),	/* madd */
	[0x01] = CLS("a<ast", CLASS_MULT),	/* maddu */
	[0x02] = CLS("d<st", CLASS_MUL),	/* mul */
	[0x04] = CLS("a<ast", CLASS_MULT),	/* msub */
	[0x05] = CLS("a<ast", CLASS_MULT),	/* msubu */
	[0x20] = ALU("d<s"),			/* clz */
	[0x21] = ALU("d<s"),			/* clo */
	[0x3f] = CLS("", CLASS_SYSCALL),	/* sdbbp */
};

/* By bits 21 to 25; 16 and up are the CO functions (eret, wait, tlbp...). */
static const struct op_row cop0_rows[32] = {
	[0x00] = CLS("t", CLASS_SYSREG),	/* mfc0 */
	[0x04] = CLS("<t", CLASS_SYSREG),	/* mtc0 */
	[0x08] = CLS("d", CLASS_SYSREG),	/* mftr */
	[0x0a] = CLS("d", CLASS_SYSREG),	/* rdpgpr */
	[0x0b] = CLS("t", CLASS_SYSREG),	/* di, ei, dmt, emt, dvpe... */
	[0x0c] = CLS("<t", CLASS_SYSREG),	/* mttr */
	[0x0e] = CLS("<t", CLASS_SYSREG),	/* wrpgpr */
	[0x10] = CLS("", CLASS_SYSREG),
	[0x18] = CLS("", CLASS_SYSREG),
};

static struct op_row
find_row(u32 word)
{
	switch (word >> 26) {
	case 0x00:
		return special_rows[mips_field(word, 0, 6)];
	case 0x01:
		return regimm_rows[mips_field(word, 16, 5)];
	case 0x10:
		return cop0_rows[mips_field(word, 21, 5)];
	case 0x11:
		return mips_cop1_row(word);
	case 0x13:
		return mips_cop1x_row(word);
	case 0x1c:
		return special2_rows[mips_field(word, 0, 6)];
	case 0x1f:
		return mips_dsp_row(word);
	default:
		return main_rows[word >> 26];
	}
}

static void
set_fields(struct op_fields *f, u32 word)
{
	op_fields_init(f);
	f->reg['s'] = mips_gpr(mips_field(word, 21, 5));
	f->reg['t'] = mips_gpr(mips_field(word, 16, 5));
	f->reg['d'] = mips_gpr(mips_field(word, 11, 5));
	f->reg['l'] = 31;
	f->reg['R'] = (u8)(REG_FP0 + mips_field(word, 21, 5));
	f->reg['T'] = (u8)(REG_FP0 + mips_field(word, 16, 5));
	f->reg['S'] = (u8)(REG_FP0 + mips_field(word, 11, 5));
	f->reg['D'] = (u8)(REG_FP0 + mips_field(word, 6, 5));
	f->reg['a'] = (u8)(REG_HILO + mips_field(word, 11, 2));
	f->reg['A'] = (u8)(REG_HILO + mips_field(word, 21, 2));
	f->reg['h'] = REG_HILO;
	f->reg['c'] = REG_FLAGS;
}

/* What the register of a jump says about its purpose. */
static void
refine_branch(struct insn *in, u32 word)
{
	unsigned rs = mips_field(word, 21, 5);

	if (in->branch == BRANCH_IND_CALL && in->dst[0] == REG_NONE)
		in->branch = BRANCH_IND_JUMP;	/* jalr $0, rs */
	if (in->branch == BRANCH_IND_JUMP && rs == 31)
		in->branch = BRANCH_RETURN;
	if (word >> 16 == 0x0411)
		in->branch = BRANCH_CALL;	/* bal: bgezal $0 */
}

/* Accumulators 1 to 3 belong to the DSP extension. */
static bool
is_dsp_accumulator(u8 reg)
{
	return reg > REG_HILO && reg <= REG_HILO + 3;
}

static void
decode_word(struct insn *in, u32 word)
{
	struct op_row row = find_row(word);
	struct op_fields fields;

	set_fields(&fields, word);
	op_row_apply(in, &row, &fields);
	if (in->branch != BRANCH_NONE)
		refine_branch(in, word);
	if (is_dsp_accumulator(in->dst[0]) || is_dsp_accumulator(in->src[0]))
		in->flags |= INSN_IS_DSP;
}

static u32
halfword(const u8 *data, bool big_endian)
{
	return big_endian ? data[0] << 8 | data[1] : data[1] << 8 | data[0];
}

void
decode_mips(struct insn *in, u64 pc, const u8 *data, unsigned size,
	    bool big_endian, bool mips16)
{
	u32 first = halfword(data, big_endian);
	u32 second = size == 4 ? halfword(data + 2, big_endian) : 0;

	insn_init(in, pc, size);
	if (mips16)
		mips16_decode(in, size == 4 ? first << 16 | second : first);
	else if (size != 4)
		in->flags |= INSN_UNKNOWN;
	else
		decode_word(in, big_endian ? first << 16 | second :
					     second << 16 | first);
}
