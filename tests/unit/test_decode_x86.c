/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86 decoder: known answers, worked out by hand from the manuals. */
#include "code/decode/decode.h"
#include "table/table_classes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * What an instruction is, in words: class, branch kind, flags, memory as
 * loads/stores*bytes (or ? when not vouched for), then registers: a= address,
 * s= sources, v= stored value, d= written.
 */
struct row {
	const char *bytes;
	const char *text;
};

static const struct row rows64[] = {
	{"90", "nop"},
	{"f3 90", "pause"},
	{"0f 1f 44 00 00", "nop"},
	{"66 2e 0f 1f 84 00 00 00 00 00", "nop"},
	{"f3 0f 1e fa", "nop"},
	{"41 90", "alu s=r8,ax d=r8,ax"},
	{"01 d8", "alu s=ax,bx d=ax,fl"},
	{"48 03 43 08", "alu load 1/0*8 a=bx s=ax d=ax,fl"},
	{"01 53 04", "alu load store 1/1*4 a=bx s=dx d=fl"},
	{"66 01 53 04", "alu load store 1/1*2 a=bx s=dx d=fl"},
	{"80 3c 33 00", "alu load 1/0*1 a=bx,si d=fl"},
	{"83 c0 01", "alu s=ax d=ax,fl"},
	{"83 d0 00", "flag s=ax,fl d=ax,fl"},
	{"f3 0f bc c1", "find s=cx d=ax,fl"},
	{"f3 0f bd c1", "count s=cx d=ax,fl"},
	{"66 0f 74 c1", "simd_compare s=x0,x1 d=x0"},
	{"66 0f 6e c0", "ftransfer s=ax d=x0"},
	{"0f 53 c1", "frcp fp s=x1 d=x0"},
	{"11 d8", "flag s=ax,bx,fl d=ax,fl"},
	{"04 05", "alu s=ax d=ax,fl"},
	{"31 c0", "alu s=ax d=ax,fl"},
	{"38 e7", "alu s=bx,ax d=fl"},
	{"40 38 e7", "alu s=di,sp d=fl"},
	{"88 e0", "alu s=ax d=ax"},
	{"8b 04 b7", "alu load 1/0*4 a=di,si d=ax loaded"},
	{"4a 8b 44 a5 10", "alu load 1/0*8 a=bp,r12 d=ax loaded"},
	{"48 8b 05 10 20 00 00", "alu load 1/0*8 d=ax loaded"},
	{"64 48 8b 04 25 28 00 00 00", "alu load 1/0*8 d=ax loaded"},
	{"8a 03", "alu load 1/0*1 a=bx s=ax d=ax loaded"},
	{"8a 23", "alu load 1/0*1 a=bx s=ax d=ax loaded"},
	{"66 8b 03", "alu load 1/0*2 a=bx s=ax d=ax loaded"},
	{"89 44 24 08", "alu store 0/1*4 a=sp v=ax"},
	{"88 67 01", "alu store 0/1*1 a=di v=ax"},
	{"4d 89 c1", "alu s=r8 d=r9"},
	{"c7 03 01 00 00 00", "alu store 0/1*4 a=bx"},
	{"b8 01 00 00 00", "alu d=ax"},
	{"b0 01", "alu s=ax d=ax"},
	{"b4 01", "alu s=ax d=ax"},
	{"48 8d 44 8b 08", "lea3 s=bx,cx d=ax"},
	{"48 8d 05 00 00 00 00", "lea d=ax"},
	{"0f b6 03", "alu load 1/0*1 a=bx d=ax loaded"},
	{"0f bf c1", "alu s=cx d=ax"},
	{"48 63 c7", "alu s=di d=ax"},
	{"48 63 07", "alu load 1/0*4 a=di d=ax loaded"},
	{"0f 38 f0 03", "alu load 1/0*4 a=bx d=ax loaded"},
	{"48 a1 88 77 66 55 44 33 22 11", "alu load 1/0*8 d=ax loaded"},
	{"c1 e0 04", "shift s=ax d=ax,fl"},
	{"d3 e8", "shift_cl s=ax,cx d=ax,fl"},
	{"d3 10", "shift load store 1/1*4 a=ax s=cx,fl d=fl"},
	{"0f a5 d0", "shift s=ax,dx,cx d=ax,fl"},
	{"0f a3 08", "flag load 1/0*4 a=ax s=cx d=fl"},
	{"0f ba 28 03", "flag load store 1/1*4 a=ax d=fl"},
	{"f3 0f b8 c1", "count s=cx d=ax,fl"},
	{"0f c8", "alu s=ax d=ax"},
	{"0f 44 c3", "cmov s=ax,bx,fl d=ax"},
	{"0f 94 c0", "flag s=ax,fl d=ax"},
	{"0f 94 03", "flag store 0/1*1 a=bx s=fl"},
	{"99", "alu s=ax d=dx"},
	{"ff c0", "alu s=ax d=ax,fl"},
	{"48 ff 0b", "alu load store 1/1*8 a=bx d=fl"},
	{"0f af c3", "mul s=ax,bx d=ax,fl"},
	{"48 0f af c3", "mul64 s=ax,bx d=ax,fl"},
	{"48 f7 e3", "mul2 s=ax,bx d=ax,dx,fl"},
	{"6b 03 05", "mul load 1/0*4 a=bx d=ax,fl"},
	{"f7 e3", "mul s=ax,bx d=ax,dx,fl"},
	{"f6 eb", "mul s=ax,bx d=ax,fl"},
	{"f7 f1", "div s=ax,dx,cx d=ax,dx,fl"},
	{"48 f7 fb", "div64 s=ax,dx,bx d=ax,dx,fl"},
	{"f6 33", "div load 1/0*1 a=bx s=ax d=ax,fl"},
	{"50", "alu store 0/1*8 a=sp v=ax d=sp"},
	{"41 57", "alu store 0/1*8 a=sp v=r15 d=sp"},
	{"66 50", "alu store 0/1*2 a=sp v=ax d=sp"},
	{"6a 01", "alu store 0/1*8 a=sp d=sp"},
	{"ff 33", "alu load store 1/1*8 a=bx,sp d=sp"},
	{"ff 34 33", "alu load store 1/1*8 a=bx,si s=sp d=sp"},
	{"5b", "alu load 1/0*8 a=sp d=bx,sp loaded"},
	{"41 5c", "alu load 1/0*8 a=sp d=r12,sp loaded"},
	{"8f 03", "alu load store 1/1*8 a=bx,sp d=sp"},
	{"9c", "alu store 0/1*8 a=sp s=fl d=sp"},
	{"9d", "alu load 1/0*8 a=sp d=fl,sp"},
	{"c9", "alu load 1/0*8 a=bp d=bp,sp loaded"},
	{"e8 00 00 00 00", "alu call store 0/1*8 a=sp d=sp"},
	{"ff d0", "alu icall store 0/1*8 a=sp s=ax d=sp"},
	{"ff 15 00 00 00 00", "alu icall load store 1/1*8 a=sp d=sp"},
	{"c3", "alu return load 1/0*8 a=sp d=sp"},
	{"f3 c3", "alu return load 1/0*8 a=sp d=sp"},
	{"c2 08 00", "alu return load 1/0*8 a=sp d=sp"},
	{"e9 00 00 00 00", "alu jump"},
	{"eb fe", "alu jump"},
	{"ff e0", "alu ijump s=ax"},
	{"ff 24 c5 00 00 00 00", "alu ijump load 1/0*8 a=ax"},
	{"74 10", "alu cond s=fl"},
	{"0f 8f 00 00 00 00", "alu cond s=fl"},
	{"e2 fe", "alu cond s=cx d=cx"},
	{"e1 fe", "alu cond s=cx,fl d=cx"},
	{"e3 fe", "alu cond s=cx"},
	{"a4", "string load store 1/1*1 a=si,di d=si,di"},
	{"48 a5", "string load store 1/1*8 a=si,di d=si,di"},
	{"f3 a4", "string rep load store ? a=si,di s=cx d=si,di,cx"},
	{"f3 48 ab", "string rep store ? a=di s=cx v=ax d=di,cx"},
	{"ab", "string store 0/1*4 a=di v=ax d=di"},
	{"f2 ae", "string rep load ? a=di s=ax,cx d=fl,di,cx"},
	{"a6", "string load 2/0*1 a=si,di d=fl,si,di"},
	{"ac", "string load 1/0*1 a=si s=ax d=ax,si loaded"},
	{"87 03", "xchg locked load store 1/1*4 a=bx v=ax d=ax loaded"},
	{"87 d8", "xchg s=ax,bx d=ax,bx"},
	{"f0 48 0f b1 0b", "alu locked load store 1/1*8 a=bx s=ax,cx d=ax,fl"},
	{"0f b1 0b", "alu load store 1/1*4 a=bx s=ax,cx d=ax,fl"},
	{"f0 0f c1 07", "xchg locked load store 1/1*4 a=di s=ax d=ax,fl"},
	{"f0 ff 00", "alu locked load store 1/1*4 a=ax d=fl"},
	{"f0 48 0f c7 0f",
	 "alu locked load store ? a=di s=ax,dx,bx,cx d=ax,dx,fl"},
	{"0f 05", "syscall ? s=ax,di,si,dx d=ax,cx"},
	{"cd 80", "syscall ? s=ax,bx,cx,dx d=ax"},
	{"0f 0b", "syscall ?"},
	{"0f a2", "sysreg ? s=ax,cx d=ax,bx,cx,dx"},
	{"0f 31", "sysreg ? d=ax,dx"},
	{"0f 01 d0", "sysreg ? s=cx d=ax,dx"},
	{"0f ae e8", "sync"},
	{"0f ae f0", "fence"},
	{"0f ae 3b", "sync a=bx"},
	{"0f 18 0b", "prefetch a=bx"},
	{"0f 0d 4f 40", "prefetch a=di"},
	{"0f ae 5c 24 04", "sysreg store 0/1*4 a=sp"},
	{"d7", "alu load 1/0*1 a=bx,ax s=ax d=ax loaded"},
	{"f2 0f 58 c1", "fadd fp s=x0,x1 d=x0"},
	{"f2 0f 58 03", "fadd fp load 1/0*8 a=bx s=x0 d=x0"},
	{"0f 58 03", "fadd fp load 2/0*8 a=bx s=x0 d=x0"},
	{"f3 0f 59 ca", "fmul fp s=x1,x2 d=x1"},
	{"66 0f 59 ca", "fmul_d fp s=x1,x2 d=x1"},
	{"f3 0f 5e 03", "fdiv fp load 1/0*4 a=bx s=x0 d=x0"},
	{"f2 44 0f 5e c1", "fdiv_d fp s=x8,x1 d=x8"},
	{"f2 0f 51 c1", "fsqrt_d fp s=x0,x1 d=x0"},
	{"0f 51 c1", "fsqrt fp s=x1 d=x0"},
	{"66 0f 2e c1", "fcmp fp s=x0,x1 d=fl"},
	{"f2 0f c2 c1 01", "fmin fp s=x0,x1 d=x0"},
	{"f2 0f 2a c7", "fcvt_x fp s=x0,di d=x0"},
	{"f2 48 0f 2c c1", "fcvt_x fp s=x1 d=ax"},
	{"f3 0f 5a c0", "fcvt_w fp s=x0 d=x0"},
	{"0f 57 c0", "fmove s=x0 d=x0"},
	{"f2 0f 10 03", "fmove load 1/0*8 a=bx d=x0 loaded"},
	{"f3 0f 10 c1", "fmove s=x0,x1 d=x0"},
	{"f3 0f 11 04 24", "fmove store 0/1*4 a=sp v=x0"},
	{"0f 28 c1", "fmove s=x1 d=x0"},
	{"66 0f 6f 03", "fmove load 2/0*8 a=bx d=x0 loaded"},
	{"0f 29 03", "fmove store 0/2*8 a=bx v=x0"},
	{"0f 16 03", "fmove load 1/0*8 a=bx s=x0 d=x0"},
	{"66 48 0f 6e c7", "ftransfer s=di d=x0"},
	{"66 0f 6e 07", "fmove load 1/0*4 a=di d=x0 loaded"},
	{"66 48 0f 7e c0", "fextract s=x0 d=ax"},
	{"66 0f d6 07", "fmove store 0/1*8 a=di v=x0"},
	{"66 0f d7 c1", "fextract s=x1 d=ax"},
	{"66 0f ef c1", "simd s=x0,x1 d=x0"},
	{"0f fe c1", "simd s=m0,m1 d=m0"},
	{"0f 6f 03", "fmove load 1/0*8 a=bx d=m0 loaded"},
	{"66 0f 72 d0 05", "simd_shift s=x0 d=x0"},
	{"66 0f 3a 63 c1 00", "simd s=x0,x1 d=cx,fl"},
	{"66 0f 38 17 c1", "simd_test s=x0,x1 d=fl"},
	{"66 0f f7 c1", "simd store ? a=di s=x0,x1"},
	{"c5 f5 58 c2", "fadd fp s=x1,x2 d=x0"},
	{"c5 f4 58 03", "fadd fp load 4/0*8 a=bx s=x1 d=x0"},
	{"c5 fb 59 03", "fmul_d fp load 1/0*8 a=bx s=x0 d=x0"},
	{"c5 fd 6f 07", "fmove load 4/0*8 a=di d=x0 loaded"},
	{"c5 fe 7f 07", "fmove store 0/4*8 a=di v=x0"},
	{"c4 e2 f1 b8 c2", "fmadd fp s=x0,x1,x2 d=x0"},
	{"c4 e3 75 4a c2 30", "fmove s=x1,x2,x3 d=x0"},
	{"c4 e2 6d 92 04 8f", "fmove load ? a=di,x1 s=x0,x2 d=x0,x2"},
	{"c4 e2 71 2c 07", "fmove load ? a=di s=x1 d=x0"},
	{"c4 e2 70 f2 c2", "alu s=cx,dx d=ax,fl"},
	{"c4 e2 73 f6 c3", "mul s=bx,dx d=ax,cx"},
	{"c4 e2 69 f7 c3", "shift s=bx,dx d=ax"},
	{"c4 e3 7b f0 c3 05", "shift s=bx d=ax"},
	{"c4 e2 79 18 07", "fmove load 1/0*4 a=di d=x0 loaded"},
	{"c5 f8 77", "fmove"},
	{"62 f1 7c 48 58 c1", "alu unknown ?"},
	{"dd 03", "fmove fp load 1/0*8 a=bx s=st d=st loaded"},
	{"db 2b", "fmove fp load ? a=bx s=st d=st loaded"},
	{"dd 1b", "fmove fp store 0/1*8 a=bx v=st d=st"},
	{"d8 03", "fadd fp load 1/0*4 a=bx s=st d=st"},
	{"de c9", "fmul_d fp s=st d=st"},
	{"d9 c9", "fxch fp s=st d=st"},
	{"d9 e0", "fcpys fp s=st d=st"},
	{"da c1", "fcmov fp s=st,fl d=st"},
	{"d9 fa", "fsqrt_x fp s=st d=st"},
	{"d8 33", "fdiv_x fp load 1/0*4 a=bx s=st d=st"},
	{"de f9", "fdiv_x fp s=st d=st"},
	{"d9 f8", "fdiv_d fp s=st d=st"},
	{"d9 fe", "fsqrt_d fp s=st d=st"},
	{"df e9", "fcmp fp s=st d=st,fl"},
	{"df e0", "sysreg fp s=ax,st d=ax"},
	{"df 2b", "fcvt fp load 1/0*8 a=bx s=st d=st"},
	{"d9 2b", "sysreg fp load 1/0*2 a=bx s=st d=st"},
	{"06", "alu unknown ?"},
};

static const struct row rows32[] = {
	{"40", "alu s=ax d=ax,fl"},
	{"4b", "alu s=bx d=bx,fl"},
	{"50", "alu store 0/1*4 a=sp v=ax d=sp"},
	{"5d", "alu load 1/0*4 a=sp d=bp,sp loaded"},
	{"1e", "alu store 0/1*4 a=sp d=sp"},
	{"60", "alu store ? a=sp s=ax,cx,dx,bx d=sp"},
	{"61", "alu load ? a=sp d=ax,cx,dx,bx"},
	{"e8 00 00 00 00", "alu call store 0/1*4 a=sp d=sp"},
	{"c3", "alu return load 1/0*4 a=sp d=sp"},
	{"ff 24 85 00 00 00 00", "alu ijump load 1/0*4 a=ax"},
	{"ff 10", "alu icall load store 1/1*4 a=ax,sp d=sp"},
	{"8b 45 08", "alu load 1/0*4 a=bp d=ax loaded"},
	{"a1 00 10 00 00", "alu load 1/0*4 d=ax loaded"},
	{"a2 00 10 00 00", "alu store 0/1*1 v=ax"},
	{"67 8b 07", "alu load 1/0*4 a=bx d=ax loaded"},
	{"67 8b 42 10", "alu load 1/0*4 a=bp,si d=ax loaded"},
	{"67 8b 06 00 10", "alu load 1/0*4 d=ax loaded"},
	{"8b 0d 00 10 00 00", "alu load 1/0*4 d=cx loaded"},
	{"27", "alu s=ax,fl d=ax,fl"},
	{"d4 0a", "div s=ax d=ax,fl"},
	{"d6", "alu s=ax,fl d=ax"},
	{"63 c8", "alu s=ax,cx d=ax,fl"},
	{"88 e0", "alu s=ax d=ax"},
	{"f7 fb", "div s=ax,dx,bx d=ax,dx,fl"},
	{"cd 80", "syscall ? s=ax,bx,cx,dx d=ax"},
	{"0f 34", "syscall ? s=ax,bx,cx,dx d=ax"},
	{"c5 f5 58 c2", "fadd fp s=x1,x2 d=x0"},
	{"c5 01", "sysreg load ? a=cx d=ax"},
	{"62 01", "alu load ? a=cx s=ax"},
	{"62 f1 7c 48 58 c1", "alu unknown ?"},
	{"c4 e2 f1 b8 c2", "fmadd fp s=x0,x1,x2 d=x0"},
	{"9a 00 00 00 00 07 00", "alu icall store ? a=sp d=sp"},
	{"f3 a5", "string rep load store ? a=si,di s=cx d=si,di,cx"},
	{"66 50", "alu store 0/1*2 a=sp v=ax d=sp"},
	{"d9 45 08", "fmove fp load 1/0*4 a=bp s=st d=st loaded"},
	{"f2 0f 10 45 08", "fmove load 1/0*8 a=bp d=x0 loaded"},
	{"82 c0 01", "alu s=ax d=ax,fl"},
};

static const char *const classes[CLASS_N] = {
#define NAME(id, name, ...) [CLASS_##id] = name,
	TABLE_CLASSES(NAME) TABLE_OPTIONAL_CLASSES(NAME)
#undef NAME
};

static const char *const branches[] = {
	[BRANCH_NONE] = "", [BRANCH_DIRECT_COND] = " cond",
	[BRANCH_JUMP] = " jump", [BRANCH_CALL] = " call",
	[BRANCH_IND_JUMP] = " ijump", [BRANCH_IND_CALL] = " icall",
	[BRANCH_RETURN] = " return", [BRANCH_REP] = " rep",
};

static const char *
reg_name(unsigned reg)
{
	static const char *const general[8] = {
		"ax", "cx", "dx", "bx", "sp", "bp", "si", "di",
	};
	static char name[8];

	if (reg < 8)
		return general[reg];
	if (reg < 16)
		snprintf(name, sizeof name, "r%u", reg);
	else if (reg >= REG_FP0 && reg < REG_FP0 + 16)
		snprintf(name, sizeof name, "x%u", reg - REG_FP0);
	else if (reg >= REG_FP0 + 16 && reg < REG_FP0 + 24)
		snprintf(name, sizeof name, "m%u", reg - REG_FP0 - 16);
	else
		return reg == REG_FLAGS ? "fl"
		       : reg == REG_FPSTATUS ? "st" : "?";
	return name;
}

static void
add(char *text, size_t size, const char *more)
{
	size_t n = strlen(text);

	snprintf(text + n, size - n, "%s", more);
}

static void
add_regs(char *text, size_t size, const char *name, const u8 *list, unsigned n)
{
	for (unsigned i = 0; i < n && list[i] != REG_NONE; i++) {
		add(text, size, i ? "," : name);
		add(text, size, reg_name(list[i]));
	}
}

static void
describe(const struct insn *in, char *text, size_t size)
{
	char memory[32];

	snprintf(text, size, "%s%s", classes[in->cls], branches[in->branch]);
	if (in->flags & INSN_UNKNOWN)
		add(text, size, " unknown");
	if (in->flags & INSN_IS_FP)
		add(text, size, " fp");
	if (in->flags & INSN_IS_LOCKED)
		add(text, size, " locked");
	if (in->flags & INSN_LOADS)
		add(text, size, " load");
	if (in->flags & INSN_STORES)
		add(text, size, " store");
	if (!(in->flags & INSN_MEM_KNOWN))
		add(text, size, " ?");
	else if (in->n_load || in->n_store) {
		snprintf(memory, sizeof memory, " %u/%u*%u", in->n_load,
			 in->n_store, 1u << in->size_log2);
		add(text, size, memory);
	}
	add_regs(text, size, " a=", in->addr, INSN_ADDR);
	add_regs(text, size, " s=", in->src, INSN_SRC);
	add_regs(text, size, " v=", &in->data, 1);
	add_regs(text, size, " d=", in->dst, INSN_DST);
	if (in->dst_loaded)
		add(text, size, " loaded");
}

static unsigned
from_hex(const char *hex, u8 *bytes)
{
	unsigned n = 0;

	for (char *end; *hex; hex = end + (*end == ' '))
		bytes[n++] = (u8)strtoul(hex, &end, 16);
	return n;
}

static void
check_rows(const struct row *rows, size_t n, bool is64)
{
	enum { PC = 0x401000 };
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++) {
		u8 bytes[16];
		char text[160];
		struct insn in;
		unsigned size = from_hex(rows[i].bytes, bytes);

		decode_x86(&in, PC, bytes, size, is64);
		assert_int_equal(in.pc, PC);
		assert_int_equal(in.size, size);
		describe(&in, text, sizeof text);
		if (strcmp(text, rows[i].text) == 0)
			continue;
		printf("%s\n  expected %s\n  got      %s\n", rows[i].bytes,
		       rows[i].text, text);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void
test_64_bit(void **state)
{
	(void)state;
	check_rows(rows64, SIM_COUNT(rows64), true);
}

static void
test_32_bit(void **state)
{
	(void)state;
	check_rows(rows32, SIM_COUNT(rows32), false);
}

/* No length, however wrong, makes the decoder read past the bytes given. */
static void
test_truncated(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIM_COUNT(rows64); i++) {
		u8 bytes[16];
		unsigned size = from_hex(rows64[i].bytes, bytes);

		for (unsigned n = 0; n < size; n++) {
			u8 *part = malloc(n ? n : 1);
			struct insn in;

			assert_non_null(part);
			memcpy(part, bytes, n);
			decode_x86(&in, 0, part, n, true);
			assert_int_equal(in.size, n);
			assert_true(n || in.flags & INSN_UNKNOWN);
			free(part);
		}
	}
}

static bool
all_registers(const struct insn *in)
{
	const u8 list[] = {in->addr[0], in->addr[1], in->src[0], in->src[1],
			   in->src[2], in->src[3], in->data, in->dst[0],
			   in->dst[1], in->dst[2], in->dst[3]};

	for (size_t i = 0; i < SIM_COUNT(list); i++)
		if (list[i] >= REG_N && list[i] != REG_NONE)
			return false;
	return true;
}

/* Every sequence of bytes gives valid fields, and no empty access. */
static void
test_random(void **state)
{
	u64 seed = 88172645463325252ull;

	(void)state;
	for (unsigned i = 0; i < 400000; i++) {
		u8 bytes[16];
		struct insn in;

		for (unsigned j = 0; j < sizeof bytes; j++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			bytes[j] = (u8)(seed >> 32);
		}
		decode_x86(&in, 0, bytes, 15, i & 1);
		assert_true(in.cls < CLASS_N);
		assert_true(in.kind < INSN_KINDS);
		assert_true(in.branch <= BRANCH_REP);
		assert_true(in.size_log2 <= 3);
		assert_true(all_registers(&in));
		if (!(in.flags & INSN_MEM_KNOWN))
			continue;
		assert_int_equal(!!in.n_load, !!(in.flags & INSN_LOADS));
		assert_int_equal(!!in.n_store, !!(in.flags & INSN_STORES));
	}
}

/* Which kind an instruction is, of those that few processors count. */
static void
test_kinds(void **state)
{
	static const struct {
		const char *bytes;
		u8 kind;
		bool is64;
	} rows[] = {
		{"0f d5 c8", INSN_MMX_MULTIPLY, true},
		{"66 0f d5 c8", INSN_PLAIN, true},
		{"0f 71 d0 04", INSN_MMX_SHIFT, true},
		{"0f 67 c8", INSN_MMX_PACK, true},
		{"0f 6a c8", INSN_MMX_UNPACK, true},
		{"0f df c8", INSN_MMX_LOGICAL, true},
		{"0f 64 c8", INSN_MMX_ARITHMETIC, true},
		{"0f 6f c8", INSN_PLAIN, true},
		{"0f e7 0e", INSN_STORE_WEAK, true},
		{"0f 2b 0e", INSN_STORE_WEAK, true},
		{"f3 0f 58 c8", INSN_SSE_SCALAR, true},
		{"0f 58 c8", INSN_PLAIN, true},
		{"0f 2f c8", INSN_SSE_SCALAR, true},
		{"f3 0f 6f 06", INSN_PLAIN, true},
		{"0f 18 06", INSN_PREFETCH_NTA, true},
		{"0f 18 0e", INSN_PLAIN, true},
		{"0f 18 16", INSN_PREFETCH_T1, true},
		{"0f 18 1e", INSN_PREFETCH_T2, true},
		{"0f 18 26", INSN_PLAIN, true},
		{"8e c0", INSN_SEGMENT_ES, true},
		{"8e d0", INSN_PLAIN, true},
		{"8e d8", INSN_SEGMENT_DS, true},
		{"0f a1", INSN_SEGMENT_FS, true},
		{"0f b5 06", INSN_SEGMENT_GS, true},
		{"07", INSN_SEGMENT_ES, false},
		{"1f", INSN_SEGMENT_DS, false},
		{"c5 06", INSN_SEGMENT_DS, false},
		{"0f a9", INSN_SEGMENT_GS, false},
	};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(rows); i++) {
		u8 bytes[16];
		unsigned size = from_hex(rows[i].bytes, bytes);
		struct insn in;

		decode_x86(&in, 0, bytes, size, rows[i].is64);
		print_message("# %s\n", rows[i].bytes);
		assert_int_equal(in.kind, rows[i].kind);
	}
}

/* What of general registers is read and written: r and w, by register, bytes
 * as a mask in hexadecimal; all of it is left out of what is written. */
static void
test_parts(void **state)
{
	static const struct {
		const char *bytes, *text;
	} rows[] = {
		{"b0 01", "r0:0 w0:1"},		{"b4 01", "r0:0 w0:2"},
		{"40 b4 01", "r4:0 w4:1"},	{"66 b8 01 00", "r0:0 w0:3"},
		{"b8 01 00 00 00", "w0:0"},	{"89 c3", "r0:f w3:0"},
		{"88 c3", "r3:0 r0:1 w3:1"},	{"00 e0", "r0:3 w0:1"},
		{"66 01 d8", "r0:3 r3:3 w0:3"}, {"88 23", "r0:2"},
		{"0f b6 c4", "r0:2 w0:0"},	{"0f b7 c1", "r1:3 w0:0"},
		{"d3 e0", "r0:f r1:1 w0:0"},	{"d3 e1", "r1:f w1:0"},
		{"98", "r0:3 w0:0"},		{"66 98", "r0:1 w0:3"},
		{"48 98", "r0:f w0:0"},		{"f6 e3", "r0:1 r3:1 w0:3"},
		{"f6 f3", "r0:3 r3:1 w0:3"},	{"f7 f3", "r0:f r2:f r3:f w0:0 w2:0"},
		{"66 f7 f3", "r0:3 r2:3 r3:3 w0:3 w2:3"},
		{"9e", "r0:2"},			{"9f", "r0:0 w0:2"},
		{"df e0", "r0:0 w0:3"},		{"0f 94 c0", "r0:0 w0:1"},
		{"0f b0 cb", "r3:1 r0:1 r1:1 w3:1 w0:1"},
		{"66 ad", "r0:0 w0:3 w6:0"},
	};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(rows); i++) {
		char text[80] = "", one[16];
		u8 bytes[16];
		unsigned size = from_hex(rows[i].bytes, bytes);
		struct insn in;

		decode_x86(&in, 0, bytes, size, true);
		if (in.data < 16)
			snprintf(text, sizeof text, " r%u:%x", in.data,
				 in.data_part);
		for (unsigned k = 0; k < INSN_SRC; k++) {
			snprintf(one, sizeof one, " r%u:%x", in.src[k],
				 in.src_part[k]);
			if (in.src[k] < 16)
				add(text, sizeof text, one);
		}
		for (unsigned k = 0; k < INSN_DST; k++) {
			snprintf(one, sizeof one, " w%u:%x", in.dst[k],
				 in.dst_part[k]);
			if (in.dst[k] < 16)
				add(text, sizeof text, one);
		}
		print_message("# %s\n", rows[i].bytes);
		assert_string_equal(text + 1, rows[i].text);
	}
}

/* What clears a register. */
static void
test_clears(void **state)
{
	static const char *const yes[] = {"31 c0", "29 db", "4d 31 c9",
					  "48 33 c0"};
	static const char *const no[] = {"66 31 c0", "30 c0", "31 d8", "01 c0",
					 "41 31 c0", "33 00"};
	struct insn in;
	u8 bytes[16];

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(yes); i++) {
		decode_x86(&in, 0, bytes, from_hex(yes[i], bytes), true);
		assert_true(in.flags & INSN_CLEARS);
	}
	for (size_t i = 0; i < SIM_COUNT(no); i++) {
		decode_x86(&in, 0, bytes, from_hex(no[i], bytes), true);
		assert_false(in.flags & INSN_CLEARS);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_64_bit),
		cmocka_unit_test(test_32_bit),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_clears),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
