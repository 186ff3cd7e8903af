/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alpha: memory, branch, jump, PALcode and miscellaneous instructions. */
#include "decode.h"
#include "alpha_tables.h"

#define ALU(t, o) {.name = t, .ops = o}
#define CLS(t, o, c) {.name = t, .ops = o, .cls = c}
#define JUMP(t, o, b) {.name = t, .ops = o, .branch = b}
#define COND(t, o) {.name = t, .ops = o, .branch = BRANCH_DIRECT_COND}
#define FP_COND(t) \
	{.name = t, .ops = "<A", .flags = INSN_FP_CONDITION, \
	 .branch = BRANCH_DIRECT_COND}
#define LOAD(t, o, n) {.name = t, .ops = o, .flags = INSN_LOADS, .size_log2 = n}
#define LINKED(t, o, n) \
	{.name = t, .ops = o, .flags = INSN_LOADS | INSN_IS_LL, .size_log2 = n}
#define STORE(t, o, n) \
	{.name = t, .ops = o, .flags = INSN_STORES, .size_log2 = n}
#define STORE_COND(t, o, n) \
	{.name = t, .ops = o, .flags = INSN_STORES | INSN_IS_SC, \
	 .size_log2 = n, .varies = true}
#define SYNC(t, f) {.name = t, .ops = "", .cls = CLASS_SYNC, .flags = f}

static const struct op_row main_rows[64] = {
	[0x08] = ALU("lda", "a<b"),
	[0x09] = ALU("ldah", "a<b"),
	[0x0a] = LOAD("ldbu", "a[b", 0),
	[0x0b] = LOAD("ldq_u", "a[b", 3),
	[0x0c] = LOAD("ldwu", "a[b", 1),
	[0x0d] = STORE("stw", "[b=a", 1),
	[0x0e] = STORE("stb", "[b=a", 0),
	[0x0f] = STORE("stq_u", "[b=a", 3),
	[0x20] = LOAD("ldf", "A[b", 2),
	[0x21] = LOAD("ldg", "A[b", 3),
	[0x22] = LOAD("lds", "A[b", 2),
	[0x23] = LOAD("ldt", "A[b", 3),
	[0x24] = STORE("stf", "[b=A", 2),
	[0x25] = STORE("stg", "[b=A", 3),
	[0x26] = STORE("sts", "[b=A", 2),
	[0x27] = STORE("stt", "[b=A", 3),
	[0x28] = LOAD("ldl", "a[b", 2),
	[0x29] = LOAD("ldq", "a[b", 3),
	[0x2a] = LINKED("ldl_l", "a[b", 2),
	[0x2b] = LINKED("ldq_l", "a[b", 3),
	[0x2c] = STORE("stl", "[b=a", 2),
	[0x2d] = STORE("stq", "[b=a", 3),
	[0x2e] = STORE_COND("stl_c", "a[b=a", 2),
	[0x2f] = STORE_COND("stq_c", "a[b=a", 3),
	[0x30] = JUMP("br", "a", BRANCH_CALL),
	[0x31] = FP_COND("fbeq"),
	[0x32] = FP_COND("fblt"),
	[0x33] = FP_COND("fble"),
	[0x34] = JUMP("bsr", "a", BRANCH_CALL),
	[0x35] = FP_COND("fbne"),
	[0x36] = FP_COND("fbge"),
	[0x37] = FP_COND("fbgt"),
	[0x38] = COND("blbc", "<a"),
	[0x39] = COND("beq", "<a"),
	[0x3a] = COND("blt", "<a"),
	[0x3b] = COND("ble", "<a"),
	[0x3c] = COND("blbs", "<a"),
	[0x3d] = COND("bne", "<a"),
	[0x3e] = COND("bge", "<a"),
	[0x3f] = COND("bgt", "<a"),
};

/* Opcode 0x1a, by the two bits of the hint. */
static const struct op_row jump_rows[4] = {
	JUMP("jmp", "a<b", BRANCH_IND_JUMP),
	JUMP("jsr", "a<b", BRANCH_IND_CALL),
	JUMP("ret", "a<b", BRANCH_RETURN),
	JUMP("jcr", "a<b", BRANCH_IND_CALL),
};

/* Opcode 0x18, by bits 10 to 15. */
static const struct op_row misc_rows[64] = {
	[0x00] = CLS("trapb", "", CLASS_SYNC),
	[0x01] = CLS("excb", "", CLASS_SYNC),
	[0x10] = SYNC("mb", INSN_IS_BARRIER | INSN_DRAINS),
	[0x11] = SYNC("wmb", INSN_IS_BARRIER),
	[0x20] = CLS("fetch", "[b", CLASS_PREFETCH),
	[0x28] = CLS("fetch_m", "[b", CLASS_PREFETCH),
	[0x30] = CLS("rpcc", "a", CLASS_SYSREG),
	[0x38] = CLS("rc", "a", CLASS_SYSREG),
	[0x3a] = CLS("ecb", "[b", CLASS_PREFETCH),
	[0x3c] = CLS("rs", "a", CLASS_SYSREG),
	[0x3e] = CLS("wh64", "[b", CLASS_PREFETCH),
	[0x3f] = CLS("wh64en", "[b", CLASS_PREFETCH),
};

static const struct op_row pal_row = CLS("call_pal", "", CLASS_SYSCALL);
static const struct op_row imb_row = CLS("imb", "", CLASS_SYNC);
static const struct op_row rduniq_row = CLS("rduniq", "v", CLASS_SYSREG);
static const struct op_row wruniq_row = CLS("wruniq", "<m", CLASS_SYSREG);

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

struct op_row
alpha_row(u32 word)
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

bool
alpha_has_literal(u32 word)
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
	f->reg['b'] = alpha_has_literal(word) ? REG_NONE : general(b);
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
	row = alpha_row(word);
	set_fields(&fields, word);
	op_row_apply(in, &row, &fields);
	if (in->flags & INSN_LOADS && in->dst[0] == REG_NONE)
		drop_load(in, word);
	if (word >> 26 == 0x30 && in->dst[0] == REG_NONE)
		in->branch = BRANCH_JUMP;	/* br $31 */
}
