/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the x86 decoder says for the Pentium and the P6: known answers. */
#include "code/decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { I386 = 0, X86_64 = 1 };

/*
 * Pipes (NP, UV, PU, PV, FX, XC), prefixes that cost a cycle, cycles of
 * microcode, micro-operations; then flags: k implicit stack, w writes a part
 * of a register, r reads a part, s segment load, x serialises, b barrier,
 * d one that waits for all.
 */
struct row {
	const char *bytes;
	bool is64;
	const char *source;
	const char *expected;
};

static const struct row rows[] = {
	{"89 d8", 0, "mov eax,ebx", "UV 0 0 1"},
	{"8b 03", 0, "mov eax,[ebx]", "UV 0 0 1"},
	{"89 03", 0, "mov [ebx],eax", "UV 0 0 2"},
	{"01 d8", 0, "add eax,ebx", "UV 0 0 1"},
	{"03 03", 0, "add eax,[ebx]", "UV 0 0 2"},
	{"01 03", 0, "add [ebx],eax", "UV 0 0 4"},
	{"83 c0 01", 0, "add eax,1", "UV 0 0 1"},
	{"83 43 04 01", 0, "add dword [ebx+4],1", "NP 0 0 4"},
	{"83 03 01", 0, "add dword [ebx],1", "UV 0 0 4"},
	{"83 04 8b 01", 0, "add dword [ebx+ecx*4],1", "UV 0 0 4"},
	{"81 05 00 10 00 00 01 00 00 00", 0, "add dword [0x1000],1",
	 "NP 0 0 4"},
	{"c7 03 01 00 00 00", 0, "mov dword [ebx],1", "UV 0 0 3"},
	{"c7 45 10 01 00 00 00", 0, "mov dword [ebp+16],1", "NP 0 0 3"},
	{"c7 44 24 04 01 00 00 00", 0, "mov dword [esp+4],1", "NP 0 0 3"},
	{"b8 01 00 00 00", 0, "mov eax,1", "UV 0 0 1"},
	{"a1 00 10 00 00", 0, "mov eax,[0x1000]", "UV 0 0 1"},
	{"40", 0, "inc eax", "UV 0 0 1"},
	{"ff c0", 1, "inc eax", "UV 0 0 1"},
	{"48 ff c0", 1, "inc rax", "UV 0 0 1"},
	{"8d 44 8b 08", 0, "lea eax,[ebx+ecx*4+8]", "UV 0 0 1"},
	{"85 c0", 0, "test eax,eax", "UV 0 0 1"},
	{"a8 01", 0, "test al,1", "UV 0 0 1 r"},
	{"f6 c3 01", 0, "test bl,1", "NP 0 0 1 r"},
	{"90", 0, "nop", "UV 0 0 1"},
	{"50", 0, "push eax", "UV 0 0 3 k"},
	{"6a 01", 0, "push 1", "UV 0 0 3 k"},
	{"58", 0, "pop eax", "UV 0 0 2 k"},
	{"ff 33", 0, "push dword [ebx]", "NP 0 2 4 k"},
	{"8f 03", 0, "pop dword [ebx]", "NP 0 3 5 k"},
	{"60", 0, "pusha", "NP 0 5 18 k"},
	{"11 d8", 0, "adc eax,ebx", "PU 0 0 2"},
	{"83 d0 00", 0, "adc eax,0", "PU 0 0 2"},
	{"13 03", 0, "adc eax,[ebx]", "PU 0 0 3"},
	{"11 03", 0, "adc [ebx],eax", "PU 0 0 6"},
	{"66 83 d0 00", 0, "adc ax,0", "PU 1 0 2 wr"},
	{"66 03 06", 0, "add ax,[esi]", "UV 1 0 2 wr"},
	{"00 d0", 0, "add al,dl", "UV 0 0 1 wr"},
	{"8a 16", 0, "mov dl,[esi]", "UV 0 0 1 wr"},
	{"c1 e0 04", 0, "shl eax,4", "PU 0 0 1"},
	{"d1 e0", 0, "shl eax,1", "PU 0 0 1"},
	{"d1 d0", 0, "rcl eax,1", "PU 0 0 2"},
	{"c1 c0 04", 0, "rol eax,4", "NP 0 0 1"},
	{"c1 d0 04", 0, "rcl eax,4", "NP 0 8 9"},
	{"d3 e0", 0, "shl eax,cl", "NP 0 4 1"},
	{"d3 23", 0, "shl dword [ebx],cl", "NP 0 5 4"},
	{"74 00", 0, "jz", "PV 0 0 1"},
	{"0f 84 00 00 00 00", 0, "jz near", "PV 0 0 1"},
	{"eb 00", 0, "jmp", "PV 0 0 1"},
	{"e8 00 00 00 00", 0, "call", "PV 0 0 4 k"},
	{"ff d0", 0, "call eax", "NP 0 2 5 k"},
	{"ff e0", 0, "jmp eax", "NP 0 2 1"},
	{"c3", 0, "ret", "NP 0 2 4 k"},
	{"e2 00", 0, "loop", "NP 0 5 11"},
	{"f7 d8", 0, "neg eax", "NP 0 0 1"},
	{"f7 e3", 0, "mul ebx", "NP 0 0 3"},
	{"f6 f3", 0, "div bl", "NP 0 17 3 r"},
	{"66 f7 f3", 0, "div bx", "NP 1 25 4 r"},
	{"f7 f3", 0, "div ebx", "NP 0 41 4"},
	{"f6 fb", 0, "idiv bl", "NP 0 22 3 r"},
	{"66 f7 fb", 0, "idiv bx", "NP 1 30 4 r"},
	{"f7 fb", 0, "idiv ebx", "NP 0 46 4"},
	{"0f af c3", 0, "imul eax,ebx", "NP 1 0 1"},
	{"0f b6 c3", 0, "movzx eax,bl", "NP 1 3 1 r"},
	{"0f 94 c0", 0, "setz al", "NP 1 1 1 wr"},
	{"0f 94 03", 0, "setz [ebx]", "NP 1 2 3"},
	{"0f 44 c3", 0, "cmovz eax,ebx", "NP 1 0 2"},
	{"0f 44 03", 0, "cmovz eax,[ebx]", "NP 1 0 3"},
	{"0f a3 c8", 0, "bt eax,ecx", "NP 1 4 1"},
	{"0f c8", 0, "bswap eax", "NP 1 1 2"},
	{"87 d8", 0, "xchg eax,ebx", "NP 0 3 3"},
	{"87 03", 0, "xchg [ebx],eax", "NP 0 9 8"},
	{"f0 ff 03", 0, "lock inc dword [ebx]", "UV 1 0 4"},
	{"99", 0, "cdq", "NP 0 2 1"},
	{"a5", 0, "movsd", "NP 0 4 5"},
	{"f3 a5", 0, "rep movsd", "NP 0 1 5"},
	{"ac", 0, "lodsb", "NP 0 2 2 wr"},
	{"fc", 0, "cld", "NP 0 2 4"},
	{"8e d8", 0, "mov ds,eax", "NP 0 3 8 s"},
	{"07", 0, "pop es", "NP 0 3 8 ks"},
	{"0f a1", 0, "pop fs", "NP 1 3 8 ks"},
	{"0f a2", 0, "cpuid", "NP 1 14 23 x"},
	{"cf", 0, "iret", "NP 0 8 50 kx"},
	{"0f ae f0", 0, "mfence", "NP 1 0 1 bd"},
	{"2e 8b 03", 0, "mov eax,cs:[ebx]", "UV 1 0 1"},
	{"65 66 8b 03", 0, "mov ax,gs:[ebx]", "UV 2 0 1 wr"},
	{"d9 03", 0, "fld dword [ebx]", "FX 0 0 1"},
	{"db 2b", 0, "fld tbyte [ebx]", "NP 0 3 4"},
	{"db 03", 0, "fild dword [ebx]", "NP 0 3 4"},
	{"d9 1b", 0, "fstp dword [ebx]", "NP 0 2 2"},
	{"db 1b", 0, "fistp dword [ebx]", "NP 0 6 4"},
	{"d8 c1", 0, "fadd st,st(1)", "FX 0 0 1"},
	{"d8 03", 0, "fadd dword [ebx]", "FX 0 0 2"},
	{"de c9", 0, "fmulp", "FX 0 0 1"},
	{"d9 c9", 0, "fxch st(1)", "XC 0 0 1"},
	{"d9 e0", 0, "fchs", "FX 0 0 1"},
	{"d9 e8", 0, "fld1", "NP 0 2 2"},
	{"d9 fa", 0, "fsqrt", "NP 0 0 1"},
	{"d9 fe", 0, "fsin", "NP 0 0 50"},
	{"df e0", 0, "fnstsw ax", "NP 0 6 7 wr"},
	/* What neither of them has. */
	{"f2 0f 58 c1", 1, "addsd xmm0,xmm1", "NP 0 0 1 v"},
	{"66 0f 58 c1", 1, "addpd xmm0,xmm1", "NP 0 0 2 v"},
	{"0f 28 03", 1, "movaps xmm0,[rbx]", "NP 0 0 2 v"},
	{"0f 58 03", 1, "addps xmm0,[rbx]", "NP 0 0 4 v"},
	{"0f fc c1", 0, "paddb mm0,mm1", "UV 0 0 1 m"},
	{"66 0f fc c1", 0, "paddb xmm0,xmm1", "NP 0 0 2 v"},
	{"0f 6f 03", 0, "movq mm0,[ebx]", "PU 0 0 1 m"},
	{"0f 7f 03", 0, "movq [ebx],mm0", "PU 0 0 2 m"},
	{"0f 2a c1", 0, "cvtpi2ps xmm0,mm1", "UV 0 0 1 mv"},
	{"0f 77", 0, "emms", "NP 0 0 11 me"},
	{"c5 f8 77", 0, "vzeroupper", "NP 0 0 1"},
	{"0f 18 03", 0, "prefetchnta [ebx]", "NP 1 0 1"},
	{"c5 f5 58 c2", 1, "vaddpd ymm0,ymm1,ymm2", "NP 0 0 4 v"},
	{"48 8b 03", 1, "mov rax,[rbx]", "UV 0 0 1"},
	{"41 50", 1, "push r8", "UV 0 0 3 k"},
};

static void
describe(const struct insn *in, char *text, size_t size)
{
	static const char *const pairs[] = {"NP", "UV", "PU", "PV", "FX", "XC"};
	static const struct {
		u32 flag;
		char letter;
	} flags[] = {
		{INSN_IS_STACK, 'k'},	 {INSN_WRITES_PART, 'w'},
		{INSN_READS_PART, 'r'},	 {INSN_IS_SEGMENT, 's'},
		{INSN_IS_SERIAL, 'x'},	 {INSN_IS_BARRIER, 'b'},
		{INSN_IS_MMX, 'm'},	 {INSN_IS_EMMS, 'e'},
		{INSN_IS_SSE, 'v'},	 {INSN_DRAINS, 'd'},
	};
	char letters[16] = " ";
	size_t n = 1;

	for (size_t i = 0; i < SIM_COUNT(flags); i++)
		if (in->flags & flags[i].flag)
			letters[n++] = flags[i].letter;
	snprintf(text, size, "%s %u %u %u%s", pairs[in->pair], in->prefixes,
		 in->micro, in->uops, n > 1 ? letters : "");
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
test_known_answers(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(rows); i++) {
		u8 bytes[16];
		char text[64];
		struct insn in;
		unsigned size = from_hex(rows[i].bytes, bytes);

		decode_x86(&in, 0x1000, bytes, size, rows[i].is64);
		describe(&in, text, sizeof text);
		if (!strcmp(text, rows[i].expected))
			continue;
		print_error("%s: got \"%s\", expected \"%s\"\n",
			    rows[i].source, text, rows[i].expected);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* No sequence of bytes makes what later code does not expect. */
static void
test_random(void **state)
{
	u64 seed = 0x9e3779b97f4a7c15;

	(void)state;
	for (unsigned i = 0; i < 300000; i++) {
		u8 bytes[16];
		struct insn in;

		for (unsigned j = 0; j < sizeof bytes; j++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			bytes[j] = (u8)(seed >> 32);
		}
		decode_x86(&in, 0, bytes, 1 + i % 15, i & 1);
		assert_true(in.pair <= PAIR_FXCH);
		assert_true(in.uops >= 1);
		assert_true(in.pair != PAIR_V || in.branch != BRANCH_NONE);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_answers),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
