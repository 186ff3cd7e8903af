/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What processors of today do not execute: known answers, from the manuals. */
#include "code/decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct row {
	const char *bytes;
	/* "move", "zero", or what fuses and when: z zero, c carry, s signed, o
	 * others; of a branch, when alone. */
	const char *text;
};

static const struct row rows64[] = {
	/* Moves of all of a register. */
	{"89 c3", "move"}, {"48 89 c3", "move"}, {"8b d8", "move"},
	{"41 89 c0", "move"}, {"66 89 c3", ""}, {"88 c3", ""},
	{"8b 03", ""}, {"89 03", ""}, {"b8 01 00 00 00", ""},
	{"48 63 c3", ""}, {"0f b6 c3", ""}, {"48 87 c3", ""},
	{"0f 28 c1", "move"}, {"66 0f 28 c1", "move"}, {"0f 28 01", ""},
	{"66 0f 6f c1", "move"}, {"f3 0f 6f c1", "move"}, {"0f 6f c1", ""},
	{"f3 0f 10 c1", ""}, {"c5 f8 28 c1", "move"},
	{"c5 fd 6f c1", "move"},
	/* Zero, whatever was there. */
	{"31 c0", "zero logic zcso"}, {"4d 31 c9", "zero logic zcso"},
	{"29 db", "zero sum zcs"}, {"31 d8", "logic zcso"},
	{"41 31 c0", "logic zcso"}, {"66 31 c0", "logic zcso"},
	{"66 0f ef c0", "zero"}, {"66 0f ef c1", ""}, {"0f ef c0", ""},
	{"66 44 0f ef c0", ""}, {"66 45 0f ef c0", "zero"},
	{"0f 57 c9", "zero"}, {"66 0f 57 c9", "zero"},
	{"c5 f9 ef c0", "zero"}, {"c5 f1 ef c1", "zero"},
	{"c5 f1 ef c0", ""}, {"c5 f0 57 c1", "zero"},
	/* Compares and the like. */
	{"39 d8", "compare zcs"}, {"3c 05", "compare zcs"},
	{"83 f8 05", "compare zcs"}, {"80 fb 05", "compare zcs"},
	{"85 c0", "compare zcso"}, {"a8 01", "compare zcso"},
	{"f7 c3 01 00 00 00", "compare zcso"}, {"f7 d3", ""},
	{"01 d8", "sum zcs"}, {"83 e8 01", "sum zcs"},
	{"21 d8", "sum zcso"}, {"09 d8", "logic zcso"},
	{"83 c8 01", "logic zcso"}, {"83 d8 01", ""}, {"11 d8", ""},
	{"ff c9", "step zs"}, {"fe c1", "step zs"}, {"48 ff c0", "step zs"},
	{"39 03", ""}, {"3b 03", ""}, {"83 3b 05", ""}, {"ff 0b", ""},
	{"d1 e0", ""}, {"0f af c3", ""}, {"c3", ""}, {"ff d0", ""},
	/* Branches. */
	{"74 05", "z"}, {"75 05", "z"}, {"72 05", "c"}, {"73 05", "c"},
	{"76 05", "c"}, {"77 05", "c"}, {"7c 05", "s"}, {"7f 05", "s"},
	{"78 05", "o"}, {"7a 05", "o"}, {"70 05", "o"},
	{"0f 84 00 01 00 00", "z"}, {"0f 8e 00 01 00 00", "s"},
	{"e2 05", ""}, {"e3 05", ""}, {"eb 05", ""},
};

static const struct row rows32[] = {
	{"48", "step zs"}, {"40", "step zs"}, {"89 c3", "move"},
	{"33 c0", "zero logic zcso"},
};

static unsigned
from_hex(const char *text, u8 bytes[16])
{
	unsigned n = 0;
	char *end;

	for (; *text; text = *end ? end + 1 : end)
		bytes[n++] = (u8)strtoul(text, &end, 16);
	return n;
}

/* Adds a word, behind a space if it is not the first. */
static void
say(char *text, const char *word)
{
	if (*text)
		strcat(text, " ");
	strcat(text, word);
}

static void
describe(const struct insn *in, char *text)
{
	static const char *const fuses[] = {"compare", "sum", "step", "logic"};
	char when[8] = "";

	*text = '\0';
	if (in->flags & INSN_MOVES)
		say(text, "move");
	if (in->flags & INSN_ZEROES)
		say(text, "zero");
	for (unsigned i = 0; i < SIM_COUNT(fuses); i++)
		if (in->fuse & 1u << i)
			say(text, fuses[i]);
	for (unsigned i = 0; i < 4; i++)
		if (in->condition & 1u << i)
			strncat(when, &"zcso"[i], 1);
	if (*when)
		say(text, when);
}

static void
check(const struct row *rows, size_t n, bool is64)
{
	for (size_t i = 0; i < n; i++) {
		u8 bytes[16];
		struct insn in;
		char text[80];

		decode_x86(&in, 0x1000, bytes, from_hex(rows[i].bytes, bytes),
			   is64);
		describe(&in, text);
		print_message("# %s\n", rows[i].bytes);
		assert_string_equal(text, rows[i].text);
	}
}

static void
test_64_bit(void **state)
{
	(void)state;
	check(rows64, SIM_COUNT(rows64), true);
}

static void
test_32_bit(void **state)
{
	(void)state;
	check(rows32, SIM_COUNT(rows32), false);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_64_bit),
		cmocka_unit_test(test_32_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
