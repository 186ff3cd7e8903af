/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which way conditional branches go, and where all direct ones do. */
#include "code/decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct {
	enum isa isa;
	const char *bytes;
	unsigned size;
	bool mips16, backward;
} directions[] = {
	{ISA_X86_64, "\x75\xfe", 2, false, true},
	{ISA_X86_64, "\x75\x10", 2, false, false},
	{ISA_I386, "\x0f\x85\x00\xff\xff\xff", 6, false, true},
	{ISA_I386, "\x0f\x85\xff\x00\x00\x00", 6, false, false},
	{ISA_X86_64, "\xe2\x80", 2, false, true},
	{ISA_ALPHA, "\xff\xff\x3f\xf4", 4, false, true},  /* bne $1,.  */
	{ISA_ALPHA, "\xff\xff\x2f\xf4", 4, false, false}, /* far away */
	{ISA_MIPSEL, "\xff\xff\x20\x14", 4, false, true}, /* bnez $1,. */
	{ISA_MIPSEL, "\xff\x7f\x20\x14", 4, false, false},
	{ISA_MIPS, "\x14\x20\xff\xff", 4, false, true},
	{ISA_MIPS, "\x14\x20\x7f\xff", 4, false, false},
	{ISA_MIPS, "\x2a\xff", 2, true, true},		/* bnez $2,. */
	{ISA_MIPS, "\x2a\x7f", 2, true, false},
	{ISA_MIPSEL, "\xff\x2a", 2, true, true},
	{ISA_MIPS, "\xf0\x10\x2a\x00", 4, true, true},	/* extended */
	{ISA_MIPS, "\xf7\xef\x2a\x1f", 4, true, false},
	{ISA_MIPSEL, "\x10\xf0\x00\x2a", 4, true, true},
};

static void
test_direction(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(directions); i++)
		if (decode_is_backward(directions[i].isa,
				       (const u8 *)directions[i].bytes,
				       directions[i].size,
				       directions[i].mips16) !=
		    directions[i].backward)
			fail_msg("branch number %u", i);
}

static const struct {
	enum isa isa;
	const char *bytes;
	unsigned size;
	u64 pc, target;
} targets[] = {
	{ISA_X86_64, "\x75\xfe", 2, 0x401000, 0x401000},	/* jne . */
	{ISA_X86_64, "\xf2\x75\x10", 3, 0x401000, 0x401013},	/* bnd jne */
	{ISA_X86_64, "\xeb\x10", 2, 0x401000, 0x401012},	/* jmp */
	{ISA_X86_64, "\xe2\x80", 2, 0x401000, 0x400f82},	/* loop */
	{ISA_X86_64, "\x0f\x85\x00\xff\xff\xff", 6, 0x401000, 0x400f06},
	{ISA_X86_64, "\xe8\xfb\xff\xff\xff", 5, 0xffffffff81000000,
	 0xffffffff81000000},					/* call . */
	{ISA_X86_64, "\xe9\x00\x01\x00\x00", 5, 0x401000, 0x401105},
	{ISA_X86_64, "\xc3", 1, 0x401000, 0},			/* ret */
	{ISA_X86_64, "\xff\xe0", 2, 0x401000, 0},		/* jmp *%rax */
	{ISA_X86_64, "\x83\xc0\x10", 3, 0x401000, 0},	/* add */
	{ISA_MIPSEL, "\xff\xff\x20\x14", 4, 0x80100000, 0x80100000},
	{ISA_MIPSEL, "\x02\x00\x20\x54", 4, 0x80100000, 0x8010000c},
	{ISA_MIPSEL, "\xff\xff\x00\x10", 4, 0x80100000, 0x80100000}, /* b . */
	{ISA_MIPS, "\x04\x11\x00\x02", 4, 0x400000, 0x40000c},	/* bal */
	{ISA_MIPSEL, "\x04\x00\x00\x08", 4, 0x8ffffffc, 0x90000010}, /* j */
	{ISA_MIPS, "\x0c\x00\x00\x04", 4, 0x80100000, 0x80000010}, /* jal */
	{ISA_MIPSEL, "\x08\x00\xe0\x03", 4, 0x400000, 0},	/* jr $31 */
	{ISA_MIPSEL, "\x04\x00\x02\x24", 4, 0x400000, 0},	/* li */
	{ISA_ALPHA, "\xff\xff\x3f\xf4", 4, 0x120000000, 0x120000000},
	{ISA_ALPHA, "\x01\x00\x40\xd3", 4, 0x120000000, 0x120000008}, /* bsr */
};

static void
test_target(void **state)
{
	struct insn in;

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(targets); i++) {
		enum isa isa = targets[i].isa;
		const u8 *data = (const u8 *)targets[i].bytes;
		u64 pc = targets[i].pc;

		if (isa == ISA_X86_64)
			decode_x86(&in, pc, data, targets[i].size, true);
		else if (isa == ISA_ALPHA)
			decode_alpha(&in, pc, data, targets[i].size);
		else
			decode_mips(&in, pc, data, targets[i].size,
				    isa == ISA_MIPS, false);
		if (decode_target(isa, &in, data) != targets[i].target)
			fail_msg("branch number %u", i);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_target),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
