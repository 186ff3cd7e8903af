/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decode_alpha(): known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mips_alpha_text.h"
#include "code/decode/decode.h"

#define PC 0x120000100u

struct row {
	u32 word;
	const char *source;	/* for an assembler */
	const char *expected;	/* as insn_text() writes it */
};

static const struct row rows[] = {
	{0x40220003, "addl $1,$2,$3", "alu dst=r3 src=r1,r2"},
	{0x403ff403, "addq $1,255,$3", "alu dst=r3 src=r1"},
	{0x43e20403, "addq $31,$2,$3", "alu dst=r3 src=r2"},
	{0x40220443, "s4addq $1,$2,$3", "alu dst=r3 src=r1,r2"},
	{0x40220363, "s8subl $1,$2,$3", "alu dst=r3 src=r1,r2"},
	{0x40220d23, "subqv $1,$2,$3", "alu dst=r3 src=r1,r2"},
	{0x43e201e0, "cmpbge $31,$2,$0", "logic dst=r0 src=r2"},
	{0x402207a3, "cmpule $1,$2,$3", "logic dst=r3 src=r1,r2"},
	{0x4422001f, "and $1,$2,$31", "nop"},
	{0x47ff041f, "bis $31,$31,$31", "nop"},
	{0x44210402, "bis $1,$1,$2", "logic dst=r2 src=r1"},
	{0x47e0f402, "bis $31,7,$2", "logic dst=r2"},
	{0x47e10502, "ornot $31,$1,$2", "logic dst=r2 src=r1"},
	{0x44220483, "cmoveq $1,$2,$3", "cmov dst=r3 src=r1,r2,r3"},
	{0x44211283, "cmovlbs $1,8,$3", "cmov dst=r3 src=r1,r3"},
	{0x44220cdf, "cmovgt $1,$2,$31", "nop"},
	{0x47e03c22, "amask 1,$2", "alu dst=r2"},
	{0x47e03d82, "implver $2", "alu dst=r2"},
	{0x48207722, "sll $1,3,$2", "shift dst=r2 src=r1"},
	{0x48220b43, "extwh $1,$2,$3", "shift dst=r3 src=r1,r2"},
	{0x48220763, "insql $1,$2,$3", "shift dst=r3 src=r1,r2"},
	{0x4821f622, "zapnot $1,15,$2", "shift dst=r2 src=r1"},
	{0x4c220003, "mull $1,$2,$3", "mul dst=r3 src=r1,r2"},
	{0x4c220c03, "mulqv $1,$2,$3", "mul64 dst=r3 src=r1,r2"},
	{0x4c215603, "umulh $1,10,$3", "mulh dst=r3 src=r1"},
	{0x73e10002, "sextb $1,$2", "alu dst=r2 src=r1"},
	{0x73e10602, "ctpop $1,$2", "alu dst=r2 src=r1"},
	{0x73e10662, "cttz $1,$2", "alu dst=r2 src=r1"},
	{0x70220623, "perr $1,$2,$3", "simd dst=r3 src=r1,r2"},
	{0x70220743, "minub8 $1,$2,$3", "simd dst=r3 src=r1,r2"},
	{0x73e106a2, "unpkbl $1,$2", "simd dst=r2 src=r1"},
	{0x703f0e02, "ftoit $f1,$2", "ftransfer fp dst=r2 src=f1"},
	{0x73ff0f02, "ftois $f31,$2", "ftransfer fp dst=r2"},
	{0x503f0482, "itoft $1,$f2", "ftransfer fp dst=f2 src=r1"},
	{0x53ff0082, "itofs $31,$f2", "ftransfer fp dst=f2"},
	{0x23defff0, "lda $30,-16($30)", "alu dst=r30 src=r30"},
	{0x23e10000, "lda $31,0($1)", "nop"},
	{0x27bb0001, "ldah $29,1($27)", "alu dst=r29 src=r27"},
	{0x28220000, "ldbu $1,0($2)", "alu L1 dst=r1 loaded addr=r2"},
	{0x30220000, "ldwu $1,0($2)", "alu L2 dst=r1 loaded addr=r2"},
	{0xa0220000, "ldl $1,0($2)", "alu L4 dst=r1 loaded addr=r2"},
	{0xa43f0000, "ldq $1,0($31)", "alu L8 dst=r1 loaded"},
	{0x2c220003, "ldq_u $1,3($2)", "alu L8 dst=r1 loaded addr=r2"},
	{0x2ffe0000, "unop", "nop"},
	{0x2be20000, "ldbu $31,0($2)", "nop"},
	{0xa3e20000, "ldl $31,0($2)", "prefetch addr=r2"},
	{0xa7e20000, "ldq $31,0($2)", "prefetch addr=r2"},
	{0x8be20000, "lds $f31,0($2)", "prefetch addr=r2"},
	{0xa8220000, "ldl_l $1,0($2)", "alu ll L4 dst=r1 loaded addr=r2"},
	{0xac220000, "ldq_l $1,0($2)", "alu ll L8 dst=r1 loaded addr=r2"},
	{0xb8220000, "stl_c $1,0($2)", "alu sc S? dst=r1 addr=r2 data=r1"},
	{0xbc220000, "stq_c $1,0($2)", "alu sc S? dst=r1 addr=r2 data=r1"},
	{0x38220000, "stb $1,0($2)", "alu S1 addr=r2 data=r1"},
	{0x34220000, "stw $1,0($2)", "alu S2 addr=r2 data=r1"},
	{0xb3e20000, "stl $31,0($2)", "alu S4 addr=r2"},
	{0xb75e0000, "stq $26,0($30)", "alu S8 addr=r30 data=r26"},
	{0x3c220000, "stq_u $1,0($2)", "alu S8 addr=r2 data=r1"},
	{0x88220000, "lds $f1,0($2)", "alu L4 dst=f1 loaded addr=r2"},
	{0x8c220000, "ldt $f1,0($2)", "alu L8 dst=f1 loaded addr=r2"},
	{0x84220000, "ldg $f1,0($2)", "alu L8 dst=f1 loaded addr=r2"},
	{0x98220000, "sts $f1,0($2)", "alu S4 addr=r2 data=f1"},
	{0x9c220000, "stt $f1,0($2)", "alu S8 addr=r2 data=f1"},
	{0x58221003, "adds $f1,$f2,$f3", "fadd fp dst=f3 src=f1,f2"},
	{0x5822b403, "addt/su $f1,$f2,$f3", "fadd fp dst=f3 src=f1,f2"},
	{0x58221043, "muls $f1,$f2,$f3", "fmul fp dst=f3 src=f1,f2"},
	{0x58220443, "mult/c $f1,$f2,$f3", "fmul_d fp dst=f3 src=f1,f2"},
	{0x5822b063, "divs/su $f1,$f2,$f3", "fdiv fp dst=f3 src=f1,f2"},
	{0x58221463, "divt $f1,$f2,$f3", "fdiv_d fp dst=f3 src=f1,f2"},
	{0x53e1b163, "sqrts/su $f1,$f3", "fsqrt fp dst=f3 src=f1"},
	{0x53e11563, "sqrtt $f1,$f3", "fsqrt_d fp dst=f3 src=f1"},
	{0x5822b4a3, "cmpteq/su $f1,$f2,$f3", "fadd fp dst=f3 src=f1,f2"},
	{0x5be1a5e3, "cvttq/svc $f1,$f3", "fcvt fp dst=f3 src=f1"},
	{0x5be15583, "cvtst $f1,$f3", "fcvt fp dst=f3 src=f1"},
	{0x5be1f783, "cvtqs/sui $f1,$f3", "fcvt fp dst=f3 src=f1"},
	{0x5fe10203, "cvtlq $f1,$f3", "fcvt fp dst=f3 src=f1"},
	{0x54221403, "addg $f1,$f2,$f3", "fadd fp dst=f3 src=f1,f2"},
	{0x54221043, "mulf $f1,$f2,$f3", "fmul fp dst=f3 src=f1,f2"},
	{0x5c210403, "cpys $f1,$f1,$f3", "fcpys fp dst=f3 src=f1"},
	{0x5c220423, "cpysn $f1,$f2,$f3", "fcpys fp dst=f3 src=f1,f2"},
	{0x5fff041f, "fnop", "nop fp"},
	{0x5c220563, "fcmovne $f1,$f2,$f3", "fcmov fp dst=f3 src=f1,f2,f3"},
	{0x5c210481, "mt_fpcr $f1", "fmove fp src=f1"},
	{0x5c2104a1, "mf_fpcr $f1", "fmove fp dst=f1"},
	{0xc3ffffff, "br $31,.", "alu jump"},
	{0xc35fffff, "br $26,.", "alu call dst=r26"},
	{0xd35fffff, "bsr $26,.", "alu call dst=r26"},
	{0xe43fffff, "beq $1,.", "alu cond src=r1"},
	{0xf03fffff, "blbs $1,.", "alu cond src=r1"},
	{0xfbffffff, "bge $31,.", "alu cond"},
	{0xd43fffff, "fbne $f1,.", "alu cond src=f1"},
	{0x6be10000, "jmp $31,($1)", "alu ind_jump src=r1"},
	{0x6b5b4000, "jsr $26,($27)", "alu ind_call dst=r26 src=r27"},
	{0x6bfa8000, "ret $31,($26)", "alu return src=r26"},
	{0x6822c000, "jsr_coroutine $1,($2)", "alu ind_call dst=r1 src=r2"},
	{0x00000083, "call_pal 0x83", "syscall"},
	{0x00000086, "call_pal 0x86", "sync"},
	{0x0000009e, "call_pal 0x9e", "sysreg dst=r0"},
	{0x0000009f, "call_pal 0x9f", "sysreg src=r16"},
	{0x603fc000, "rpcc $1", "sysreg dst=r1"},
	{0x60004000, "mb", "sync barrier drains"},
	{0x60004400, "wmb", "sync barrier"},
	{0x60000000, "trapb", "sync"},
	{0x63e1f800, "wh64 ($1)", "prefetch addr=r1"},
	{0x10000000, "word 0x10000000", "alu unknown"},
	{0x40000fe0, "word 0x40000fe0", "alu unknown"},
};

static void
put_word(u8 *at, u32 word)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (u8)(word >> 8 * i);
}

static bool
check(const struct row *row)
{
	char text[INSN_TEXT_MAX];
	struct insn in;
	u8 bytes[4];

	put_word(bytes, row->word);
	decode_alpha(&in, PC, bytes, 4);
	insn_text(&in, text);
	if (!strcmp(text, row->expected) && in.pc == PC && in.size == 4)
		return true;
	print_error("%s: got \"%s\", expected \"%s\"\n", row->source, text,
		    row->expected);
	return false;
}

static void
test_known_answers(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(rows); i++)
		wrong += !check(&rows[i]);
	assert_int_equal(wrong, 0);
}

/* Whatever the word, no zero register, and registers are in range. */
static void
check_registers(const u8 *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (list[i] == REG_NONE)
			continue;
		assert_int_not_equal(list[i], 31);
		assert_int_not_equal(list[i], REG_FP0 + 31);
		assert_in_range(list[i], 0, REG_FP0 + 30);
	}
}

static void
test_any_word(void **state)
{
	u32 random = 0x2545f491;

	(void)state;
	for (unsigned i = 0; i < 300000; i++) {
		struct insn in;
		u8 bytes[4];

		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		put_word(bytes, random);
		decode_alpha(&in, PC, bytes, 4);
		check_registers(in.dst, INSN_DST);
		check_registers(in.src, INSN_SRC);
		check_registers(in.addr, INSN_ADDR);
		check_registers(&in.data, 1);
		assert_in_range(in.cls, 0, CLASS_N - 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_answers),
		cmocka_unit_test(test_any_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
