/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alpha: memory, branch, jump, PALcode and miscellaneous instructions. */
#include "decode.h"
#include "alpha_tables.h"

#define ALU(o) {.ops = o}
#define CLS(o, c) {.ops = o, .cls = c}
#define JUMP(o, b) {.ops = o, .branch = b}
#define COND(o) {.ops = o, .branch = BRANCH_DIRECT_COND}
#define LOAD(o, n) {.ops = o, .flags = INSN_LOADS, .size_log2 = n}
#define LINKED(o, n) \
	{.ops = o, .flags = INSN_LOADS | INSN_IS_LL, .size_log2 = n}
#define STORE(o, n) {.ops = o, .flags = INSN_STORES, .size_log2 = n}
#define STORE_COND(o, n) \
	{.ops = o, .flags = INSN_STORES | INSN_IS_SC, .size_log2 = n, \
	 .varies = true}

static const struct op_row main_rows[64] = {
	[0x08] = ALU("a<b"),			/* lda */
	[0x09] = ALU("a<b"),			/* ldah */
	[0x0a] = LOAD("a[b", 0),		/* ldbu */
	[0x0b] = LOAD("a[b", 3),		/* ldq_u */
	[0x0c] = LOAD("a[b", 1),		/* ldwu */
	[0x0d] = STORE("[b=a", 1),		/* stw */
	[0x0e] = STORE("[b=a", 0),		/* stb */
	[0x0f] = STORE("[b=a", 3),		/* stq_u */
	[0x20] = LOAD("A[b", 2),		/* ldf */
	[0x21] = LOAD("A[b", 3),		/* ldg */
	[0x22] = LOAD("A[b", 2),		/* lds */
	[0x23] = LOAD("A[b", 3),		/* ldt */
	[0x24] = STORE("[b=A", 2),		/* stf */
	[0x25] = STORE("[b=A", 3),		/* stg */
	[0x26] = STORE("[b=A", 2),		/* sts */
	[0x27] = STORE("[b=A", 3),		/* stt */
	[0x28] = LOAD("a[b", 2),		/* ldl */
	[0x29] = LOAD("a[b", 3),		/* ldq */
	[0x2a] = LINKED("a[b", 2),		/* ldl_l */
	[0x2b] = LINKED("a[b", 3),		/* ldq_l */
	[0x2c] = STORE("[b=a", 2),		/* stl */
	[0x2d] = STORE("[b=a", 3),		/* stq */
	[0x2e] = STORE_COND("a[b=a", 2),	/* stl_c */
	[0x2f] = STORE_COND("a[b=a", 3),	/* stq_c */
	[0x30] = JUMP("a", BRANCH_CALL),	/* br */
	[0x31] = COND("<A"),			/* fbeq */
	[0x32] = COND("<A"),			/* fblt */
	[0x33] = COND("<A"),			/* fble */
	[0x34] = JUMP("a", BRANCH_CALL),	/* bsr */
	[0x35] = COND("<A"),			/* fbne */
	[0x36] = COND("<A"),			/* fbge */
	[0x37] = COND("<A"),			/* fbgt */
	[0x38] = COND("<a"),			/* blbc */
	[0x39] = COND("<a"),			/* beq */
	[0x3a] = COND("<a"),			/* blt */
	[0x3b] = COND("<a"),			/* ble */
	[0x3c] = COND("<a"),			/* blbs */
	[0x3d] = COND("<a"),			/* bne */
	[0x3e] = COND("<a"),			/* bge */
	[0x3f] = COND("<a"),			/* bgt */
};

/* Opcode 0x1a, by the two bits of the hint. */
static const struct op_row jump_rows[4] = {
	JUMP("a<b", BRANCH_IND_JUMP),		/* jmp */
	JUMP("a<b", BRANCH_IND_CALL),		/* jsr */
	JUMP("a<b", BRANCH_RETURN),		/* ret */
	JUMP("a<b", BRANCH_IND_CALL),		/* jsr_coroutine */
};

/* Opcode 0x18, by bits 10 to 15. */
static const struct op_row misc_rows[64] = {
	[0x00] = CLS("", CLASS_SYNC),		/* trapb */
	[0x01] = CLS("", CLASS_SYNC),		/* excb */
	[0x10] = {.ops = "", .cls = CLASS_SYNC,
		  .flags = INSN_IS_BARRIER | INSN_DRAINS}, /* mb */
	[0x11] = {.ops = "", .cls = CLASS_SYNC,
		  .flags = INSN_IS_BARRIER},	/* wmb */
	[0x20] = CLS("[b", CLASS_PREFETCH),	/* fetch */
	[0x28] = CLS("[b", CLASS_PREFETCH),	/* fetch_m */
	[0x30] = CLS("a", CLASS_SYSREG),	/* rpcc */
	[0x38] = CLS("a", CLASS_SYSREG),	/* rc */
	[0x3a] = CLS("[b", CLASS_PREFETCH),	/* ecb */
	[0x3c] = CLS("a", CLASS_SYSREG),	/* rs */
	[0x3e] = CLS("[b", CLASS_PREFETCH),	/* wh64 */
	[0x3f] = CLS("[b", CLASS_PREFETCH),	/* wh64en */
};

static const struct op_row pal_row = CLS("", CLASS_SYSCALL);
static const struct op_row imb_row = CLS("", CLASS_SYNC);
static const struct op_row rduniq_row = CLS("v", CLASS_SYSREG);
static const struct op_row wruniq_row = CLS("<m", CLASS_SYSREG);

static struct op_row
pal_call_row(u32 word)
{
	switch (alpha_field(word, 0, 26)) {
	case 0x86:
		return imb_row;
	case 0x9e:
		return rduniq_row;
	case 0x9f:
		return wruniq_row;
	default:
		return pal_row;
	}
}

static struct op_row
find_row(u32 word)
{
	unsigned opcode = word >> 26;

	if ((opcode >= 0x10 && opcode <= 0x17) || opcode == 0x1c)
		return alpha_operate_row(word);
	switch (opcode) {
	case 0x00:
		return pal_call_row(word);
	case 0x18:
		return misc_rows[alpha_field(word, 10, 6)];
	case 0x1a:
		return jump_rows[alpha_field(word, 14, 2)];
	default:
		return main_rows[opcode];
	}
}

static u8
general(unsigned n)
{
	return n == ALPHA_ZERO ? REG_NONE : (u8)n;
}

static u8
floating(unsigned n)
{
	return n == ALPHA_ZERO ? REG_NONE : (u8)(REG_FP0 + n);
}

/* Integer operates have a literal instead of Rb when bit 12 is set. */
static bool
has_literal(u32 word)
{
	unsigned opcode = word >> 26;

	return ((opcode >= 0x10 && opcode <= 0x13) || opcode == 0x1c) &&
	       alpha_field(word, 12, 1);
}

static void
set_fields(struct op_fields *f, u32 word)
{
	unsigned a = alpha_field(word, 21, 5);
	unsigned b = alpha_field(word, 16, 5);
	unsigned c = alpha_field(word, 0, 5);

	op_fields_init(f);
	f->reg['a'] = general(a);
	f->reg['b'] = has_literal(word) ? REG_NONE : general(b);
	f->reg['c'] = general(c);
	f->reg['A'] = floating(a);
	f->reg['B'] = floating(b);
	f->reg['C'] = floating(c);
	f->reg['v'] = 0;
	f->reg['m'] = 16;
}

/* To the zero register, ldq_u, ldbu, ldwu do nothing, the others prefetch. */
static void
drop_load(struct insn *in, u32 word)
{
	unsigned opcode = word >> 26;

	in->flags &= ~(u32)(INSN_LOADS | INSN_IS_LL);
	in->n_load = 0;
	in->size_log2 = 0;
	if (opcode <= 0x0c) {
		in->cls = CLASS_NOP;
		in->addr[0] = REG_NONE;
	} else {
		in->cls = CLASS_PREFETCH;
	}
}

void
decode_alpha(struct insn *in, u64 pc, const u8 *data, unsigned size)
{
	struct op_fields fields;
	struct op_row row;
	u32 word;

	insn_init(in, pc, size);
	if (size != 4) {
		in->flags |= INSN_UNKNOWN;
		return;
	}
	word = data[0] | data[1] << 8 | data[2] << 16 | (u32)data[3] << 24;
	row = find_row(word);
	set_fields(&fields, word);
	op_row_apply(in, &row, &fields);
	if (in->flags & INSN_LOADS && in->dst[0] == REG_NONE)
		drop_load(in, word);
	if (word >> 26 == 0x30 && in->dst[0] == REG_NONE)
		in->branch = BRANCH_JUMP;	/* br $31 */
}
