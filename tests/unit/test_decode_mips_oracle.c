/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode_mips() against capstone, over the code of the MIPS C library if it
 * is installed and over pseudo-random words: branch or not, loads, stores,
 * registers used and registers written.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <capstone/capstone.h>

#include "code/decode/decode.h"

#define LIBC "/usr/mipsel-linux-gnu/lib/libc.so.6"

/* Sets of registers, one bit each; REG_N does not fit into 64. */
typedef unsigned __int128 reg_set;

/* What both sides say about an instruction. */
struct view {
	enum insn_branch branch;
	bool loads, stores;
	reg_set used;	 /* read, written, forming an address */
	reg_set written;
};

struct named_branch {
	const char *name;
	enum insn_branch branch;
};

static const struct named_branch branches[] = {
	{"b", BRANCH_DIRECT_COND},	{"beq", BRANCH_DIRECT_COND},
	{"bne", BRANCH_DIRECT_COND},	{"beqz", BRANCH_DIRECT_COND},
	{"bnez", BRANCH_DIRECT_COND},	{"blez", BRANCH_DIRECT_COND},
	{"bgtz", BRANCH_DIRECT_COND},	{"bltz", BRANCH_DIRECT_COND},
	{"bgez", BRANCH_DIRECT_COND},	{"beql", BRANCH_DIRECT_COND},
	{"bnel", BRANCH_DIRECT_COND},	{"blezl", BRANCH_DIRECT_COND},
	{"bgtzl", BRANCH_DIRECT_COND},	{"bltzl", BRANCH_DIRECT_COND},
	{"bgezl", BRANCH_DIRECT_COND},	{"beqzl", BRANCH_DIRECT_COND},
	{"bnezl", BRANCH_DIRECT_COND},	{"bc1t", BRANCH_DIRECT_COND},
	{"bc1f", BRANCH_DIRECT_COND},	{"bc1tl", BRANCH_DIRECT_COND},
	{"bc1fl", BRANCH_DIRECT_COND},	{"bposge32", BRANCH_DIRECT_COND},
	{"bltzal", BRANCH_COND_CALL},	{"bgezal", BRANCH_COND_CALL},
	{"bltzall", BRANCH_COND_CALL},	{"bgezall", BRANCH_COND_CALL},
	{"bal", BRANCH_CALL},		{"jal", BRANCH_CALL},
	{"jalx", BRANCH_CALL},		{"j", BRANCH_JUMP},
	{"jr", BRANCH_IND_JUMP},	{"jr.hb", BRANCH_IND_JUMP},
	{"jalr", BRANCH_IND_CALL},	{"jalr.hb", BRANCH_IND_CALL},
};

static const char *const loads[] = {
	"lb", "lbu", "lh", "lhu", "lw", "lwl", "lwr", "ll", "lwc1", "ldc1",
	"lwxc1", "ldxc1", "luxc1", "lwx", "lhx", "lbux",
};

static const char *const stores[] = {
	"sb", "sh", "sw", "swl", "swr", "sc", "swc1", "sdc1", "swxc1",
	"sdxc1", "suxc1",
};

/* Their first operand is a source (or an accumulator named as implicit). */
static const char *const write_nothing_named[] = {
	"sb", "sh", "sw", "swl", "swr", "swc1", "sdc1", "swxc1", "sdxc1",
	"suxc1", "mtc0", "ctc1", "mthi", "mtlo", "teq", "tne", "tge", "tgeu",
	"tlt", "tltu", "teqi", "tnei", "tgei", "tgeiu", "tlti", "tltiu",
	"mult", "multu", "madd", "maddu", "msub", "msubu", "div", "divu",
	"jr", "jr.hb", "wrdsp", "cmp.eq.ph", "cmp.lt.ph", "cmp.le.ph",
	"cmpu.eq.qb", "cmpu.lt.qb", "cmpu.le.qb", "synci", "pref",
};

static bool
starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static bool
in_list(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

static reg_set
bit(unsigned reg)
{
	return reg == REG_NONE ? 0 : (reg_set)1 << reg;
}

/* Capstone's register to ours. */
static reg_set
reg_of(unsigned reg)
{
	if (reg > MIPS_REG_0 && reg <= MIPS_REG_31)
		return bit(reg - MIPS_REG_0);
	if (reg >= MIPS_REG_F0 && reg <= MIPS_REG_F31)
		return bit(REG_FP0 + reg - MIPS_REG_F0);
	if (reg >= MIPS_REG_AC0 && reg <= MIPS_REG_AC3)
		return bit(REG_HILO + reg - MIPS_REG_AC0);
	if (reg == MIPS_REG_HI || reg == MIPS_REG_LO)
		return bit(REG_HILO);
	if ((reg >= MIPS_REG_FCC0 && reg <= MIPS_REG_FCC7) ||
	    (reg >= MIPS_REG_DSPCCOND && reg <= MIPS_REG_DSPSCOUNT))
		return bit(REG_FLAGS);
	return 0;
}

/* jalr rd, rs; with one operand rd is $31. */
static bool
links_elsewhere(const cs_insn *ci)
{
	return starts_with(ci->mnemonic, "jalr") &&
	       ci->detail->mips.op_count == 2;
}

static enum insn_branch
branch_of(const cs_insn *ci)
{
	const cs_mips_op *op = ci->detail->mips.operands;
	enum insn_branch branch = BRANCH_NONE;

	for (size_t i = 0; i < SIM_COUNT(branches); i++)
		if (!strcmp(branches[i].name, ci->mnemonic))
			branch = branches[i].branch;
	if (branch == BRANCH_IND_CALL && links_elsewhere(ci) &&
	    op[0].reg == MIPS_REG_ZERO) {
		op++;
		branch = BRANCH_IND_JUMP;
	}
	if (branch == BRANCH_IND_JUMP && op[0].reg == MIPS_REG_RA)
		branch = BRANCH_RETURN;
	return branch;
}

static void
operands_of(const cs_insn *ci, struct view *v)
{
	const cs_mips *m = &ci->detail->mips;
	bool first_written = v->branch == BRANCH_NONE &&
		!in_list(write_nothing_named, SIM_COUNT(write_nothing_named),
			 ci->mnemonic);

	for (unsigned i = 0; i < m->op_count; i++) {
		const cs_mips_op *op = &m->operands[i];

		if (op->type == MIPS_OP_REG) {
			v->used |= reg_of(op->reg);
			if (i == 0 && first_written)
				v->written |= reg_of(op->reg);
		} else if (op->type == MIPS_OP_MEM) {
			v->used |= reg_of(op->mem.base);
		}
	}
}

/* The flags are read or written, and no operand says so. */
static void
correct_flags(const char *name, struct view *v)
{
	if (starts_with(name, "c.") || !strcmp(name, "ctc1") ||
	    !strcmp(name, "wrdsp"))
		v->written = bit(REG_FLAGS);
	else if (!starts_with(name, "bc1") && strcmp(name, "bposge32") &&
		 strcmp(name, "cfc1") && strcmp(name, "rddsp"))
		return;
	v->used |= bit(REG_FLAGS);
}

static void
drop_accumulator(struct view *v)
{
	v->used &= ~bit(REG_HILO);
	v->written &= ~bit(REG_HILO);
}

/* Where capstone's operands do not tell what the manual says. */
static void
correct(const cs_insn *ci, struct view *v)
{
	const cs_mips *m = &ci->detail->mips;
	const char *name = ci->mnemonic;
	reg_set first = reg_of(m->operands[0].reg);

	correct_flags(name, v);
	if (!strcmp(name, "rdhwr") || !strcmp(name, "cfc1") ||
	    !strcmp(name, "ctc1")) /* the other is not a general register */
		v->used = first | (v->used & bit(REG_FLAGS));
	else if (!strcmp(name, "mul")) /* leaves HI and LO alone */
		drop_accumulator(v);
	else if (starts_with(name, "mt") && m->op_count == 2)
		v->written = (v->written & ~first) |
			     reg_of(m->operands[1].reg);
	else if (m->operands[0].reg >= MIPS_REG_AC0 &&
		 m->operands[0].reg <= MIPS_REG_AC3)
		v->written |= first; /* mult $ac1, ... */
	else if (links_elsewhere(ci)) {
		v->written = first;
		v->used = first | reg_of(m->operands[1].reg);
	}
}

static struct view
view_of_capstone(const cs_insn *ci)
{
	const cs_detail *d = ci->detail;
	struct view v = {
		.branch = branch_of(ci),
		.loads = in_list(loads, SIM_COUNT(loads), ci->mnemonic),
		.stores = in_list(stores, SIM_COUNT(stores), ci->mnemonic),
	};

	operands_of(ci, &v);
	for (unsigned i = 0; i < d->regs_read_count; i++)
		v.used |= reg_of(d->regs_read[i]);
	for (unsigned i = 0; i < d->regs_write_count; i++)
		if (d->regs_write[i] != MIPS_REG_AT)
			v.written |= reg_of(d->regs_write[i]);
	v.used |= v.written;
	correct(ci, &v);
	return v;
}

static struct view
view_of_insn(const struct insn *in)
{
	struct view v = {
		.branch = in->branch,
		.loads = in->flags & INSN_LOADS,
		.stores = in->flags & INSN_STORES,
		.used = bit(in->data),
	};

	for (unsigned i = 0; i < INSN_ADDR; i++)
		v.used |= bit(in->addr[i]);
	for (unsigned i = 0; i < INSN_SRC; i++)
		v.used |= bit(in->src[i]);
	for (unsigned i = 0; i < INSN_DST; i++)
		v.written |= bit(in->dst[i]);
	v.used |= v.written;
	return v;
}

static void
print_set(const char *title, reg_set set)
{
	fprintf(stderr, " %s", title);
	for (unsigned i = 0; i < REG_N; i++)
		if (set & bit(i))
			fprintf(stderr, " %u", i);
}

static bool
agree(const cs_insn *ci, const struct insn *in, u32 word)
{
	struct view a = view_of_capstone(ci);
	struct view b = view_of_insn(in);

	if (!(in->flags & INSN_UNKNOWN) && a.branch == b.branch &&
	    a.loads == b.loads && a.stores == b.stores &&
	    (in->cls == CLASS_NOP ? !a.written :
	     a.used == b.used && a.written == b.written))
		return true;
	fprintf(stderr, "%08x %s %s: branch %d/%d load %d/%d store %d/%d",
		word, ci->mnemonic, ci->op_str, a.branch, b.branch, a.loads,
		b.loads, a.stores, b.stores);
	print_set("used", a.used);
	print_set("/", b.used);
	print_set("written", a.written);
	print_set("/", b.written);
	fputc('\n', stderr);
	return false;
}

struct tally {
	unsigned compared;
	unsigned differ;
	unsigned unknown_to_capstone;
};

struct oracle {
	csh handle;
	cs_insn *insn;
};

static int
open_oracle(void **state)
{
	static struct oracle o;

	if (cs_open(CS_ARCH_MIPS, CS_MODE_MIPS32, &o.handle) != CS_ERR_OK)
		return -1;
	cs_option(o.handle, CS_OPT_DETAIL, CS_OPT_ON);
	o.insn = cs_malloc(o.handle);
	*state = &o;
	return 0;
}

static int
close_oracle(void **state)
{
	struct oracle *o = *state;

	cs_free(o->insn, 1);
	return cs_close(&o->handle) != CS_ERR_OK;
}

static bool
capstone_decodes(struct oracle *o, u32 word)
{
	const u8 bytes[4] = {(u8)word, (u8)(word >> 8), (u8)(word >> 16),
			     (u8)(word >> 24)};
	const u8 *code = bytes;
	size_t size = sizeof bytes;
	u64 address = 0x1000;

	return cs_disasm_iter(o->handle, &code, &size, &address, o->insn);
}

static struct insn
decode(u32 word)
{
	const u8 bytes[4] = {(u8)word, (u8)(word >> 8), (u8)(word >> 16),
			     (u8)(word >> 24)};
	struct insn in;

	decode_mips(&in, 0x1000, bytes, sizeof bytes, false, false);
	return in;
}

static void *
read_file(const char *name)
{
	FILE *file = fopen(name, "rb");
	void *data = NULL;
	long size;

	if (!file)
		return NULL;
	if (!fseek(file, 0, SEEK_END) && (size = ftell(file)) > 0) {
		rewind(file);
		data = malloc((size_t)size);
		if (data && fread(data, (size_t)size, 1, file) != 1) {
			free(data);
			data = NULL;
		}
	}
	fclose(file);
	return data;
}

static const Elf32_Shdr *
find_section(const char *elf, const char *name)
{
	const Elf32_Ehdr *header = (const void *)elf;
	const Elf32_Shdr *sections = (const void *)(elf + header->e_shoff);
	const char *names = elf + sections[header->e_shstrndx].sh_offset;

	for (unsigned i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, name))
			return &sections[i];
	return NULL;
}

/* Compares word by word; what capstone does not know is not compared. */
static struct tally
compare_words(struct oracle *o, const char *code, size_t size)
{
	struct tally t = {0};
	u32 word;

	for (size_t at = 0; at + 4 <= size; at += 4) {
		struct insn in;

		memcpy(&word, code + at, sizeof word);
		if (!capstone_decodes(o, word)) {
			t.unknown_to_capstone++;
			continue;
		}
		in = decode(word);
		t.compared++;
		t.differ += !agree(o->insn, &in, word);
	}
	return t;
}

static void
test_libc(void **state)
{
	char *elf = read_file(LIBC);
	const Elf32_Shdr *text;
	struct tally t;

	if (!elf) {
		print_message("skipped: there is no " LIBC "\n");
		skip();
	}
	text = find_section(elf, ".text");
	assert_non_null(text);
	t = compare_words(*state, elf + text->sh_offset, text->sh_size);
	print_message("%u instructions compared\n", t.compared);
	free(elf);
	assert_true(t.compared > 100000);
	assert_true(t.unknown_to_capstone < 100);
	assert_int_equal(t.differ, 0);
}

/* Capstone takes words that MIPS32 release 2 has no instruction for. */
static bool
is_oddity(const struct oracle *o, u32 word)
{
	const char *name = o->insn->mnemonic;

	return starts_with(name, "bc3") ||
	       ((!strcmp(name, "clz") || !strcmp(name, "clo")) &&
		(word >> 16 & 31) != (word >> 11 & 31));
}

/* In the groups of encodings where most instructions are. */
static void
test_random_words(void **state)
{
	static const u8 opcodes[] = {
		0x00, 0x00, 0x01, 0x11, 0x11, 0x13, 0x1c, 0x1f, 0x1f, 0x1f,
		0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
		0x0c, 0x0d, 0x0e, 0x0f, 0x14, 0x15, 0x16, 0x17, 0x20, 0x21,
		0x22, 0x23, 0x24, 0x25, 0x26, 0x28, 0x29, 0x2a, 0x2b, 0x2e,
		0x30, 0x31, 0x33, 0x35, 0x38, 0x39, 0x3d,
	};
	struct tally t = {0};
	u32 random = 0x2545f491;

	for (unsigned i = 0; i < 500000; i++) {
		u32 word;
		struct insn in;

		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		word = (random & 0x03ffffff) |
		       (u32)opcodes[i % SIM_COUNT(opcodes)] << 26;
		in = decode(word);
		if (in.flags & INSN_UNKNOWN ||
		    !capstone_decodes(*state, word) ||
		    is_oddity(*state, word))
			continue;
		t.compared++;
		t.differ += !agree(((struct oracle *)*state)->insn, &in, word);
	}
	print_message("%u instructions compared\n", t.compared);
	assert_true(t.compared > 100000);
	assert_int_equal(t.differ, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libc),
		cmocka_unit_test(test_random_words),
	};

	return cmocka_run_group_tests(tests, open_oracle, close_oracle);
}
