/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots, on the 21064 (pairs of an aligned quadword) and the 21164 (groups
 * of four): which instructions issue together, latencies, sums.
 */
#include "issue_fixture.h"
#include "oracle.h"

/* Instructions by name, one word each. */
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
#define CHASE "a4210000 "	/* ldq $1,0($1) */
#define STORE4 "b4910000 "	/* stq $4,0($17) */
#define STORE5 "b4b10008 "
#define FSTORE "9c310010 "	/* stt $f1,16($17) */
#define BEQ1 "e43fffff "
#define FBEQ "c43fffff "
#define JMP "6bfb0000 "
#define SLL "48207722 "		/* sll $1,3,$2 */
#define SRL "48607684 "		/* srl $3,3,$4 */
#define MULL "4c210001 "	/* mull $1,$1,$1 */
#define MULQ "4c210401 "
#define UMULH "4c210601 "
#define MULL4 "4c430004 "	/* mull $2,$3,$4 */
#define ADDT "58221403 "	/* addt $f1,$f2,$f3 */
#define ADDT3 "58621403 "	/* addt $f3,$f2,$f3 */
#define ADDT12 "594b140c "	/* addt $f10,$f11,$f12 */
#define MULT "58221444 "	/* mult $f1,$f2,$f4 */
#define MULT15 "59ae144f "
#define DIVT3 "58621463 "	/* divt $f3,$f2,$f3 */
#define CPYS5 "5c210405 "	/* cpys $f1,$f1,$f5 */
#define CPYS6 "5c420406 "
#define CMPEQ "402205a3 "	/* cmpeq $1,$2,$3 */
#define BNE3 "f47fffff "
#define CMOVNE "446404c5 "	/* cmovne $3,$4,$5 */
#define LOCKED "ac300000 "
#define COND "bc300000 "
#define MB "60004000 "
#define NOP "47ff041f "
#define FNOP "5fff041f "

struct group {
	const char *name, *words, *offsets;
	u64 pc;
};

static const struct group ev4_groups[] = {
	{"two integer operates", ADD1 ADD2, "0 1", 0},
	{"integer, floating", ADD1 ADDT, "0 0", 0},
	{"floating, integer", ADDT ADD1, "0 0", 0},
	{"two floating", ADDT MULT, "0 1", 0},
	{"the pair is not aligned", ADD1 ADDT, "0 1", 4},
	{"two aligned pairs", ADD1 ADDT ADD2 MULT, "0 0 1 1", 0},
	{"half a pair first", ADD1 ADDT ADD2, "0 1 1", 4},
	{"integer, store", ADD1 STORE4, "0 0", 0},
	{"integer, floating store", ADD1 FSTORE, "0 1", 0},
	{"floating, floating store", ADDT FSTORE, "0 0", 0},
	{"floating, store", ADDT STORE4, "0 1", 0},
	{"load, integer", LOAD1 ADD2, "0 0", 0},
	{"load, floating", LOAD1 ADDT, "0 0", 0},
	{"load, load", LOAD1 LOAD2, "0 1", 0},
	{"load, store", LOAD1 STORE4, "0 1", 0},
	{"load, branch", LOAD1 BEQ1, "0 3", 0},
	{"load, another branch", LOAD2 BEQ1, "0 0", 0},
	{"integer, branch", ADD2 BEQ1, "0 0", 0},
	{"floating, branch", ADDT BEQ1, "0 1", 0},
	{"floating, floating branch", ADDT12 FBEQ, "0 0", 0},
	{"integer, floating branch", ADD1 FBEQ, "0 1", 0},
	{"integer, jump", ADD1 JMP, "0 0", 0},
	{"integer, mb", ADD1 MB, "0 0", 0},
	{"integer, floating no-op", ADD1 FNOP, "0 0", 0},
	{"floating, floating no-op", ADDT FNOP, "0 1", 0},
	{"dependent", ADD1 USE1, "0 1", 0},
};

static const struct group ev5_groups[] = {
	{"all four", ADD1 ADD2 ADDT MULT, "0 0 0 0", 0},
	{"in any order", ADDT ADD1 MULT ADD2, "0 0 0 0", 0},
	{"three integer", ADD1 ADD2 ADD3 ADDT, "0 0 1 1", 0},
	{"the group drains first", ADD1 ADD2 ADD3 ADD4 ADD5 ADD6,
	 "0 0 1 1 2 2", 0},
	{"what is left of a group goes alone", ADD1 ADD2 ADD3 NOP ADD4,
	 "0 0 1 1 2", 0},
	{"one of a group, then the next group", ADD1 ADD2 ADD3, "0 1 1", 12},
	{"shifts have one pipe", SLL SRL, "0 1", 0},
	{"shift and add", ADD1 SRL, "0 0", 0},
	{"two loads", LOAD1 LOAD2 ADDT MULT, "0 0 0 0", 0},
	{"load and store", LOAD1 STORE4, "0 1", 0},
	{"store and load", STORE4 LOAD1, "0 1", 0},
	{"two stores", STORE4 STORE5, "0 1", 0},
	{"store and add", STORE4 ADD1, "0 0", 0},
	{"load-locked", ADD2 LOCKED, "0 0", 0},
	{"load-locked and shift", SRL LOCKED, "0 1", 0},
	{"store-conditional", ADD2 COND, "0 0", 0},
	{"two copies of signs", CPYS5 CPYS6, "0 0", 0},
	{"two adds", ADDT ADDT12, "0 1", 0},
	{"add and copy", ADDT CPYS5, "0 0", 0},
	{"no-ops of both kinds", NOP NOP FNOP FNOP, "0 0 0 0", 0},
	{"three floating no-ops", FNOP FNOP FNOP, "0 0 1", 0},
	{"two multiplications", MULT MULT15, "0 1", 0},
	{"compare and branch", CMPEQ BNE3, "0 0", 0},
	{"add and branch", ADD3 BNE3, "0 1", 0},
	{"compare and conditional move", CMPEQ CMOVNE, "0 0", 0},
	{"compare and use", CMPEQ ADD3, "0 1", 0},
	{"integer and branches", ADD1 BEQ1, "0 1", 0},
	{"independent of the branch", ADD2 BEQ1, "0 0", 0},
	{"floating branch", ADD2 FBEQ, "0 0", 0},
	{"floating branch and add", ADDT12 FBEQ, "0 1", 0},
	{"jump", ADD2 JMP, "0 0", 0},
};

static void
check_groups(const struct sim_config *config, const struct group *g, size_t n)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++) {
		struct code c = code_alpha(0x1000 + g[i].pc, g[i].words);
		struct issued r = issue_code(config, &c);

		if (!strcmp(offsets_text(&r, c.n), g[i].offsets))
			continue;
		print_error("%s: got %s, expected %s\n", g[i].name,
			    offsets_text(&r, c.n), g[i].offsets);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void
test_ev4_pairs(void **state)
{
	struct sim_config c = ev4();

	(void)state;
	check_groups(&c, ev4_groups, SIM_COUNT(ev4_groups));
}

static void
test_ev5_groups(void **state)
{
	struct sim_config c = ev5();

	(void)state;
	check_groups(&c, ev5_groups, SIM_COUNT(ev5_groups));
}

/* Rates of long runs: cycles of 96 instructions. */
static void
test_rates(void **state)
{
	static const struct {
		const char *name, *words;
		unsigned ev4, ev5;
	} rates[] = {
		{"independent adds",
		 ADD1 ADD2 ADD3 ADD4 ADD5 ADD6 ADD7 ADD8, 96, 48},
		{"a chain of adds", ADD1, 96, 96},
		{"integer and floating", ADD1 ADDT, 48, 48},
		{"half and half", ADD1 ADD2 ADDT MULT, 96, 24},
		{"a chain of loads", CHASE, 95 * 3 + 1, 95 * 2 + 1},
		{"of products", MULL, 95 * 21 + 1, 95 * 8 + 1},
		{"of long products", MULQ, 95 * 23 + 1, 95 * 12 + 1},
		{"of FP adds", ADDT3, 95 * 6 + 1, 95 * 4 + 1},
		{"of FP divisions", DIVT3, 95 * 63 + 1, 95 * 22 + 1},
	};
	struct sim_config four = ev4(), five = ev5();

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(rates); i++) {
		struct code c = code_alpha(0x1000, rates[i].words);

		c = code_repeat(c, 96 / c.n);
		assert_int_equal(c.n, 96);
		print_message("# %s\n", rates[i].name);
		assert_int_equal(issue_code(&four, &c).cycles, rates[i].ev4);
		assert_int_equal(issue_code(&five, &c).cycles, rates[i].ev5);
	}
}

/* Latencies: cycles without issue between two instructions, their cause. */
static void
test_latencies(void **state)
{
	struct sim_config four = ev4(), five = ev5();
	struct code load = code_alpha(0x1000, LOAD1 USE1);
	struct code high = code_alpha(0x1000, UMULH USE1);
	struct code busy = code_alpha(0x1000, MULL MULL4);
	struct issued r;

	(void)state;
	r = issue_code(&four, &load);
	assert_int_equal(r.count[SIG_ALU_LOADUSE], 2);
	r = issue_code(&five, &load);
	assert_int_equal(r.count[SIG_ALU_LOADUSE], 1);
	assert_int_equal(r.count[SIG_ISSUE_SPLIT], 1);
	r = issue_code(&five, &high);
	assert_string_equal(offsets_text(&r, 2), "0 14");
	assert_int_equal(r.count[SIG_ALU_MDU], 13);
	r = issue_code(&five, &busy);
	assert_string_equal(offsets_text(&r, 2), "0 4");
	assert_int_equal(r.count[SIG_ALU_MDU], 3);
}

/* A compare's result that is there at once cannot be there before. */
static void
test_no_latency(void **state)
{
	struct sim_config five = ev5();
	struct code moves = code_alpha(0x1000, CMPEQ CMOVNE ADD3);
	struct issued r;

	(void)state;
	five.pipe.cls[CLASS_LOGIC].latency = 0;
	r = issue_code(&five, &moves);
	assert_string_equal(offsets_text(&r, 3), "0 0 1");
	assert_int_equal(r.count[SIG_ALU_OTHER], 0);
}

/* A group of which only a part could issue. */
static void
test_split(void **state)
{
	struct sim_config five = ev5();
	struct code c = code_alpha(0x1000, ADD1 ADD2 ADD3 ADD4 ADD5 NOP NOP);
	struct issued r = issue_code(&five, &c);

	(void)state;
	assert_string_equal(offsets_text(&r, c.n), "0 0 1 1 2 2 3");
	assert_int_equal(r.count[SIG_ISSUE_SPLIT], 2);
	assert_int_equal(r.count[SIG_ISSUE_1], 1);
	assert_int_equal(r.count[SIG_ISSUE_2], 3);
}

/* Can these masks be given a pipe each?  By trying all. */
static bool
legal(const unsigned *mask, unsigned n, unsigned taken)
{
	if (!n)
		return true;
	for (unsigned p = 0; p < 8; p++)
		if (*mask >> p & 1 && !(taken >> p & 1) &&
		    legal(mask + 1, n - 1, taken | 1u << p))
			return true;
	return false;
}

static unsigned
mask_of(const struct sim_config *c, const struct insn *in)
{
	unsigned form = issue_form(in);

	return form == FORM_CLASS ? c->pipe.cls[in->cls].ports
				  : c->pipe.issue.ports[form];
}

/* Each cycle of r is one that the rule allows. */
static void
check_legal(const struct sim_config *config, const struct code *c,
	    const struct issued *r)
{
	const struct issue_config *rule = &config->pipe.issue;

	for (unsigned i = 0, k; i < c->n; i = k) {
		unsigned mask[ISSUE_MAX], loads = 0, stores = 0, n = 0;

		for (k = i; k < c->n && r->offset[k] == r->offset[i]; k++) {
			assert_true(n < rule->width);
			mask[n++] = mask_of(config, &c->insn[k]);
			loads += !!(c->insn[k].flags & INSN_LOADS);
			stores += !!(c->insn[k].flags & INSN_STORES);
			assert_int_equal(c->insn[k].pc / rule->group_bytes,
					 c->insn[i].pc / rule->group_bytes);
		}
		assert_true(k == c->n || r->offset[k] > r->offset[i]);
		assert_true(legal(mask, n, 0));
		if (rule->accesses)
			assert_true(loads + stores <= rule->accesses);
		if (rule->store_alone)
			assert_true(stores == 0 || loads + stores == 1);
	}
}

/* Any code whatever: sums, and cycles that the rules allow. */
static void
test_any(void **state)
{
	static const char words[] =
		ADD1 ADD2 ADD3 ADD4 ADD5 ADD6 ADD7 ADD8 USE1 LOAD1 LOAD2
		CHASE STORE4 STORE5 FSTORE SLL SRL MULL MULQ UMULH MULL4 ADDT
		ADDT3 ADDT12 MULT MULT15 DIVT3 CPYS5 CPYS6 CMPEQ CMOVNE
		LOCKED COND MB NOP;
	const struct code list = code_alpha(0, words);
	struct sim_config machine[] = {ev4(), ev5()};
	struct dice d = {.state = 43};

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		const struct sim_config *config = &machine[i & 1];
		u64 pc = 0x1000 + 4 * dice_below(&d, 4), cycles = 0;
		struct code c = {.n = 1 + dice_below(&d, 30)};
		struct block *b;
		struct issued r;

		for (unsigned k = 0; k < c.n; k++) {
			c.insn[k] = list.insn[dice_below(&d, list.n)];
			c.insn[k].pc = pc + 4 * k;
		}
		r = issue_code(config, &c);
		check_legal(config, &c, &r);
		arena_used = 0;
		b = code_block(config, &c);
		for (int s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
			cycles += count_of(b, (enum sim_signal)s);
		assert_int_equal(cycles, b->cycles);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ev4_pairs),
		cmocka_unit_test(test_ev5_groups),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_latencies),
		cmocka_unit_test(test_no_latency),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
