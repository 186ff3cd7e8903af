/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markers of regions, by their bytes. */
#include "code/decode/decode.h"
#include "code/decode/mark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ADDRESS 0x400000u

/* A jump over 16 bytes, and one that is none. */
static const struct {
	enum isa isa;
	const char *bytes;
	unsigned size;
	bool marks;
} jumps[] = {
	{ISA_X86_64, "\xeb\x10", 2, true},		/* jmp .+18 */
	{ISA_I386, "\xe9\x10\x00\x00\x00", 5, true},
	{ISA_X86_64, "\xeb\xf0", 2, false},		/* backward */
	{ISA_X86_64, "\xeb\x7f", 2, false},		/* too far */
	{ISA_X86_64, "\xeb\x04", 2, false},		/* too near */
	{ISA_X86_64, "\x74\x10", 2, false},		/* je */
	{ISA_X86_64, "\xe8\x10\x00\x00\x00", 5, false},	/* call */
	{ISA_ALPHA, "\x04\x00\xe0\xc3", 4, true},	/* br $31,.+20 */
	{ISA_ALPHA, "\x04\x00\x40\xc3", 4, false},	/* br $26 */
	{ISA_MIPSEL, "\x05\x00\x00\x10", 4, true},	/* b .+24 */
	{ISA_MIPS, "\x10\x00\x00\x05", 4, true},
	{ISA_MIPS, "\x10\x20\x00\x05", 4, false},	/* beq $1,$0 */
	{ISA_MIPSEL, "\x05\x00\x00\x14", 4, false},	/* bne */
};

static void
decode(enum isa isa, u64 pc, const u8 *bytes, unsigned size, struct insn *in)
{
	if (isa == ISA_X86_64 || isa == ISA_I386)
		decode_x86(in, pc, bytes, size, isa == ISA_X86_64);
	else if (isa == ISA_ALPHA)
		decode_alpha(in, pc, bytes, size);
	else
		decode_mips(in, pc, bytes, size, isa == ISA_MIPS, false);
}

static void
test_skips(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(jumps); i++) {
		unsigned size = jumps[i].size;
		unsigned n = mark_insns(jumps[i].isa);
		u8 bytes[2][16] = {{0}};	/* the second is a no-op */
		struct insn in[2];
		u64 at = 0;

		memcpy(bytes[0], jumps[i].bytes, size);
		decode(jumps[i].isa, ADDRESS, bytes[0], size, &in[0]);
		decode(jumps[i].isa, ADDRESS + size, bytes[1], 4, &in[1]);
		assert_int_equal(mark_skips(jumps[i].isa, in,
					    (const u8(*)[16])bytes, n, &at),
				 jumps[i].marks ? 16 : 0);
		if (jumps[i].marks)
			assert_int_equal(at, in[n - 1].pc + in[n - 1].size);
	}
}

static void
expect(const char *bytes, unsigned n, bool marks, bool begins,
       const char *name)
{
	struct mark m;

	assert_int_equal(mark_read((const u8 *)bytes, n, &m), marks);
	if (!marks)
		return;
	assert_int_equal(m.begins, begins);
	assert_string_equal(m.name, name);
}

static void
test_read(void **state)
{
	char longest[9 + MARK_NAME + 1] = "pmcsim:rB";

	(void)state;
	expect("pmcsim:rBparse", 15, true, true, "parse");
	expect("pmcsim:rEparse\0\0\0", 18, true, false, "parse");
	expect("pmcsim:rBx", 11, true, true, "x");
	expect("pmcsim:rXparse", 15, false, false, NULL); /* of another kind */
	expect("pmcsim:rB\0\0\0", 12, false, false, NULL); /* no name */
	expect("pmcsim:rBparse", 14, false, false, NULL); /* no end */
	expect("pmcsin:rBparse", 15, false, false, NULL);
	memset(longest + 9, 'n', MARK_NAME - 1);
	expect(longest, 9 + MARK_NAME, true, true, longest + 9);
	memset(longest + 9, 'n', MARK_NAME);
	expect(longest, sizeof longest, false, false, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_skips),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
