/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which way conditional branches go. */
#include "qemu/decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct {
	enum decode_isa isa;
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

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
