/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bundles, on Itanium (two units for memory) and Itanium 2 (four). */
#include "issue_fixture.h"
#include "oracle.h"

#define ADD1 "40203401 "	/* addq $1,1,$1 */
#define ADD2 "40403402 "
#define ADD3 "40603403 "
#define ADD4 "40803404 "
#define ADD5 "40a03405 "
#define ADD6 "40c03406 "
#define ADD7 "40e03407 "
#define ADD8 "41003408 "
#define USE1 "40203403 "	/* addq $1,1,$3 */
#define LOAD1 "a4300000 "	/* ldq $1,0($16) */
#define LOAD2 "a4500008 "
#define LOAD6 "a4d00010 "
#define STORE4 "b4910000 "	/* stq $4,0($17) */
#define STORE5 "b4b10008 "
#define BEQ1 "e43fffff "
#define CMPEQ "402205a3 "	/* cmpeq $1,$2,$3 */
#define BNE3 "f47fffff "
#define SLL "48207722 "		/* sll $1,3,$2 */
#define SRL "48607684 "		/* srl $3,3,$4 */
#define SLL6 "48a07726 "	/* sll $5,3,$6 */
#define ADDT "58221403 "	/* addt $f1,$f2,$f3 */
#define ADDT12 "594b140c "
#define MULT "58221444 "
#define MULT15 "59ae144f "

struct row {
	const char *name, *words;
	const char *first;	/* offsets on Itanium */
	unsigned nops;
	const char *second;	/* on Itanium 2 */
	unsigned more_nops;
};

static const struct row rows[] = {
	/* MII: one slot is left over.  MMI with four units for memory. */
	{"two adds", ADD1 ADD2, "0 0", 1, "0 0", 1},
	/* M I I M I I: the third I has no unit, which splits. */
	{"six adds", ADD1 ADD2 ADD3 ADD4 ADD5 ADD6, "0 0 0 0 1 1", 0,
	 "0 0 0 0 0 0", 0},
	/* A stop inside a bundle: M_MI. */
	{"dependent", ADD1 USE1, "0 1", 1, "0 1", 1},
	{"a chain of three", ADD1 ADD1 ADD1, "0 1 2", 3, "0 1 2", 3},
	/* MFI. */
	{"load, FP, add", LOAD1 ADDT ADD2, "0 0 0", 0, "0 0 0", 0},
	/* M F I, M F I: all six. */
	{"two of them", LOAD1 ADDT ADD2 LOAD6 MULT15 ADD5, "0 0 0 0 0 0", 0,
	 "0 0 0 0 0 0", 0},
	/* MMF goes alone on the first Itanium, so it ends the cycle. */
	{"MMF, then MFI", LOAD1 LOAD2 ADDT LOAD6 MULT15 ADD5,
	 "0 0 0 1 1 1", 0, "0 0 0 1 1 1", 0},
	/* Shifts have only I: nop.m first, MII. */
	{"three shifts", SLL SRL SLL6, "0 0 1", 3, "0 0 1", 3},
	/* MMB: the branch is last, and nothing goes behind it. */
	{"load and branch", LOAD2 BEQ1, "0 0", 1, "0 0", 1},
	{"a lone branch", BEQ1, "0", 2, "0", 2},
	/* What a branch tests may be found out in its group. */
	{"compare and branch", CMPEQ BNE3, "0 0", 1, "0 0", 1},
	{"add and branch", ADD3 BNE3, "0 1", 4, "0 1", 4},
	/* Two units for loads, two for stores of four: MMI MMI. */
	{"two loads, two stores", LOAD1 LOAD2 STORE4 STORE5,
	 "0 0 1 1", 2, "0 0 0 0", 2},
	{"three loads", LOAD1 LOAD2 LOAD6, "0 0 1", 3, "0 0 1", 3},
};

/* Slots of all cycles together. */
static unsigned
slots_sum(const struct issued *r)
{
	unsigned sum = 0;

	for (unsigned k = 1; k <= 6; k++)
		sum += k * r->count[SIG_SLOTS_1 + k - 1];
	return sum;
}

static unsigned
check_row(const struct row *row, const struct sim_config *config,
	  const char *offsets, unsigned nops)
{
	struct code c = code_alpha(0x1000, row->words);
	struct issued r = issue_code(config, &c);

	if (!strcmp(offsets_text(&r, c.n), offsets) &&
	    r.count[SIG_ISSUE_NOP] == nops && slots_sum(&r) == c.n + nops)
		return 0;
	print_error("%s: got %s and %u no-ops, expected %s and %u\n",
		    row->name, offsets_text(&r, c.n),
		    r.count[SIG_ISSUE_NOP], offsets, nops);
	return 1;
}

static void
test_groups(void **state)
{
	struct sim_config one = itanium(2, 2, 2, true);
	struct sim_config two = itanium(4, 2, 2, false);
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(rows); i++) {
		wrong += check_row(&rows[i], &one, rows[i].first,
				   rows[i].nops);
		wrong += check_row(&rows[i], &two, rows[i].second,
				   rows[i].more_nops);
	}
	assert_int_equal(wrong, 0);
}

/* What goes in a cycle waits for the last of it. */
static void
test_waiting(void **state)
{
	struct sim_config c = itanium(4, 2, 2, false);
	struct code code = code_alpha(0x1000, ADDT12 ADD1 "598b1410 " ADD2);
	struct issued r = issue_code(&c, &code);

	/* addt $f12,$f11,$f16 waits four cycles, and addq $2 with it. */
	(void)state;
	assert_string_equal(offsets_text(&r, code.n), "0 0 4 4");
	assert_int_equal(r.count[SIG_ALU_OTHER], 3);
	assert_int_equal(r.cycles, 5);
}

/* Independent adds: six per cycle need four units for memory. */
static void
test_rates(void **state)
{
	struct code c = code_alpha(0x1000, ADD1 ADD2 ADD3 ADD4 ADD5 ADD6);
	struct sim_config two = itanium(4, 2, 2, false);
	struct code chain = code_repeat(code_alpha(0x1000, ADD1), 60);

	(void)state;
	c = code_repeat(c, 10);
	assert_int_equal(issue_code(&two, &c).count[SIG_ISSUE_6], 10);
	assert_int_equal(issue_code(&two, &c).count[SIG_SLOTS_6], 10);
	assert_int_equal(issue_code(&two, &c).cycles, 10);
	assert_int_equal(issue_code(&two, &chain).cycles, 60);
}

/* Any code whatever: all is issued, in order, and sums hold. */
static void
test_any(void **state)
{
	static const char words[] =
		ADD1 ADD2 ADD3 ADD4 ADD5 ADD6 ADD7 ADD8 USE1 LOAD1 LOAD2 LOAD6
		STORE4 STORE5 CMPEQ SLL SRL SLL6 ADDT ADDT12 MULT MULT15;
	const struct code list = code_alpha(0, words);
	struct sim_config machine[] = {
		itanium(2, 2, 2, true), itanium(4, 2, 2, false)};
	struct dice d = {.state = 47};

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		const struct sim_config *config = &machine[i & 1];
		struct code c = {.n = 1 + dice_below(&d, 30)};
		struct issued r;
		unsigned loads = 0;

		for (unsigned k = 0; k < c.n; k++) {
			c.insn[k] = list.insn[dice_below(&d, list.n)];
			c.insn[k].pc = 0x1000 + 4 * k;
		}
		r = issue_code(config, &c);
		for (unsigned k = 0; k < c.n; k++) {
			bool same = k && r.offset[k] == r.offset[k - 1];

			assert_true(!k || same ||
				    r.offset[k] > r.offset[k - 1]);
			loads = same ? loads : 0;
			loads += !!(c.insn[k].flags & INSN_LOADS);
			assert_true(loads <= 2);
		}
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
