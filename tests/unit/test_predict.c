/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictors with a structure of their own, by hand and against naive ones. */
#include "block_text.h"
#include "core_fixture.h"
#include "core/fast.h"
#include "predict_naive.h"

#include <stdio.h>
#include <stdlib.h>

#define STEPS 20000

static u64 sig[SIG_N];
static u64 outcome[2][BRANCH_OUTCOMES];
static struct sim_config config;
static struct core *core;

static void
open_core(const struct branch_config *branch)
{
	config = *pipeline_config();
	config.branch = *branch;
	config.l1i = (struct cache_config){.size = 512, .ways = 2, .line = 32};
	config.l1d = config.l1i;
	config.pipe.mispredict = 7;
	config.pipe.indirect = 9;
	config.pipe.taken_bubble = 1;
	config.mem = (struct memory_config){
		.latency = 1, .fsb = 1, .ldq = 1, .wbb = 1, .ifb = 1};
	memset(sig, 0, sizeof sig);
	memset(outcome, 0, sizeof outcome);
	core = set_up_core(&config);
	core->sig = sig;
	core->outcome = outcome;
}

/* One branch at pc, four bytes long, to target; cycles it cost. */
static u64
branch(u8 kind, u64 pc, u64 target, bool backward)
{
	static struct block_detail detail;
	struct block p = {.vaddr = pc, .fall = pc + 4,
			  .fall_low = (u32)pc + 4, .branch = kind,
			  .traits = backward ? TRAIT_BACKWARD : 0,
			  .kind = KIND_SLOW,
			  .bht_index = predict_place(&config, pc),
			  .detail = &detail};
	struct block t = {.vaddr = target, .detail = &detail};
	u64 before = core_cycle(core);

	core_leave(core, &p, &t);
	return core_cycle(core) - before;
}

static u64
cond(u64 pc, bool taken, bool backward)
{
	return branch(BRANCH_DIRECT_COND, pc, taken ? 0x9000 : pc + 4,
		      backward);
}

static u64
misses(void)
{
	return outcome[0][2] + outcome[0][3];
}

/* ---- By hand ----------------------------------------------------------- */

/* Of the Pentium: four ways, two bits, allocated taken and strongly so. */
static const struct branch_config pentium = {
	.kind = PREDICT_BTB, .entries = 256, .ways = 4, .initial = 3};

static void
test_pentium(void **state)
{
	(void)state;
	open_core(&pentium);
	/* Not taken and unknown: right, and it stays unknown. */
	assert_int_equal(cond(0x1000, false, true), 0);
	assert_int_equal(cond(0x1000, false, true), 0);
	assert_int_equal(sig[SIG_BTB_MISS], 2);
	assert_int_equal(sig[SIG_BTB_TAKEN_OR_HIT], 0);
	/* Taken and unknown: wrong; strongly taken from then on. */
	assert_int_equal(cond(0x1000, true, true), 7);
	assert_int_equal(cond(0x1000, true, true), 1);
	assert_int_equal(cond(0x1000, false, true), 7);
	assert_int_equal(cond(0x1000, false, true), 7);
	assert_int_equal(cond(0x1000, false, true), 0);
	assert_int_equal(sig[SIG_BTB_HIT], 4);
	assert_int_equal(sig[SIG_BTB_TAKEN_OR_HIT], 5);
	assert_int_equal(misses(), 3);
	/* Jumps, calls, returns: the first time unknown, without a stack. */
	assert_int_equal(branch(BRANCH_CALL, 0x2000, 0x5000, false), 9);
	assert_int_equal(branch(BRANCH_CALL, 0x2000, 0x5000, false), 1);
	assert_int_equal(branch(BRANCH_JUMP, 0x2100, 0x5000, false), 9);
	assert_int_equal(branch(BRANCH_JUMP, 0x2100, 0x5000, false), 0);
	assert_int_equal(sig[SIG_JUMP_MISS], 2);
	assert_int_equal(branch(BRANCH_RETURN, 0x5100, 0x2004, false), 9);
	assert_int_equal(branch(BRANCH_RETURN, 0x5100, 0x2004, false), 1);
	assert_int_equal(branch(BRANCH_RETURN, 0x5100, 0x2200, false), 9);
	assert_int_equal(sig[SIG_RETURN_NOPRED], 1);
	assert_int_equal(sig[SIG_RETURN_MISS], 1);
	assert_int_equal(branch(BRANCH_IND_JUMP, 0x2300, 0x6000, false), 9);
	assert_int_equal(branch(BRANCH_IND_JUMP, 0x2300, 0x6000, false), 1);
	assert_int_equal(sig[SIG_JUMP_IND_MISS], 1);
	free(core);
}

/* Of the P6: four outcomes of each branch, the decoder behind it, a stack. */
static void
test_p6(void **state)
{
	static const struct branch_config p6 = {
		.kind = PREDICT_BTB, .entries = 512, .ways = 4, .initial = 2,
		.history_bits = 4, .static_backward = true,
		.decode_redirect = 5, .return_entries = 16};
	u64 before;

	(void)state;
	open_core(&p6);
	/* Backward and taken: the decoder finds it. */
	assert_int_equal(cond(0x1000, true, true), 1 + 5);
	assert_int_equal(sig[SIG_BRANCH_DECODE], 1);
	assert_int_equal(sig[SIG_IFU_REDIRECT], 5);
	/* Backward and not taken: wrong.  Forward: taken is wrong. */
	assert_int_equal(cond(0x1100, false, true), 7);
	assert_int_equal(cond(0x1200, true, false), 7);
	assert_int_equal(cond(0x1300, false, false), 0);
	assert_int_equal(sig[SIG_BRANCH_DECODE], 2);
	/* Every other time: learned with the history. */
	for (unsigned i = 0; i < 20; i++)
		cond(0x1400, i & 1, true);
	before = misses();
	for (unsigned i = 0; i < 100; i++)
		cond(0x1400, i & 1, true);
	assert_int_equal(misses(), before);
	/* Known by the stack even if the buffer does not have it. */
	assert_int_equal(branch(BRANCH_CALL, 0x2000, 0x5000, false), 1 + 5);
	assert_int_equal(branch(BRANCH_RETURN, 0x5100, 0x2004, false), 1 + 5);
	branch(BRANCH_CALL, 0x2100, 0x5000, false);
	assert_int_equal(branch(BRANCH_RETURN, 0x5100, 0x2104, false), 1);
	assert_int_equal(branch(BRANCH_RETURN, 0x5100, 0x2104, false), 9);
	assert_int_equal(sig[SIG_RETURN_NOPRED], 1);
	assert_int_equal(sig[SIG_RETURN_MISS], 0);
	assert_int_equal(sig[SIG_JUMP_MISS], 0);
	free(core);
}

static void
fetch(u64 va)
{
	u16 slot;

	core->now += CYCLES(1) + 1;
	fetch_line(core, va / 32, (u32)core->now, core_cycle(core), &slot);
}

/* Of the 21064 and 21164: bits that come and go with the line. */
static void
test_icache(void **state)
{
	static const struct branch_config one = {
		.kind = PREDICT_ICACHE, .pc_shift = 2, .counter_bits = 1};
	static const struct branch_config two = {
		.kind = PREDICT_ICACHE, .pc_shift = 2, .counter_bits = 2};

	(void)state;
	open_core(&one);
	fetch(0x1000);
	assert_int_equal(cond(0x1004, true, true), 1);
	assert_int_equal(cond(0x1008, true, false), 7);
	for (unsigned i = 0; i < 10; i++)	/* every other time: never */
		assert_int_equal(cond(0x1008, i & 1, false), 7);
	assert_int_equal(cond(0x1008, true, false), 1);
	/* Two other lines of the set take its place: forgotten. */
	fetch(0x1100);
	fetch(0x1200);
	fetch(0x1000);
	assert_int_equal(cond(0x1008, false, false), 0);
	free(core);
	open_core(&two);
	fetch(0x1000);
	assert_int_equal(cond(0x1008, true, true), 1);	/* weakly: strongly */
	assert_int_equal(cond(0x1008, false, true), 7);
	assert_int_equal(cond(0x1008, false, true), 7);
	assert_int_equal(cond(0x1008, false, true), 0);
	/* Not there at all: the sign. */
	assert_int_equal(cond(0x3000, true, true), 1);
	assert_int_equal(cond(0x3000, false, true), 7);
	free(core);
}

static const struct branch_config ev6 = {
	.kind = PREDICT_TOURNAMENT, .initial = 1, .pc_shift = 2,
	.entries = 1024, .history_bits = 10, .global_bits = 12,
	.counter_bits = 3, .return_entries = 32, .target_entries = 64};

/* Of the 21264: patterns of one branch, and of one that follows another. */
static void
test_tournament(void **state)
{
	struct dice d = {.state = 5};
	u64 before, wrong = 0;

	(void)state;
	open_core(&ev6);
	for (unsigned i = 0; i < 400; i++)
		cond(0x1000, i % 5 != 0, true);
	before = misses();
	for (unsigned i = 0; i < 400; i++)
		cond(0x1000, i % 5 != 0, true);
	assert_int_equal(misses(), before);
	/* The second one does what the first did, which comes as a surprise. */
	for (unsigned i = 0; i < 20000; i++) {
		bool taken = dice_percent(&d, 50);

		cond(0x1000, taken, true);
		before = misses();
		cond(0x2000, taken, false);
		wrong += i > 10000 ? misses() - before : 0;
	}
	assert_true(wrong < 2000);
	assert_int_equal(branch(BRANCH_JUMP, 0x3000, 0x5000, false), 0);
	assert_int_equal(sig[SIG_BTB_HIT] + sig[SIG_BTB_MISS], 0);
	free(core);
}

/* Lengths of histories as in Seznec and Michaud's, and more base counters than
 * branches. */
static const struct branch_config today = {
	.kind = PREDICT_TAGE, .initial = 1, .entries = 1024,
	.return_entries = 16, .target_entries = 64,
	.tage = {.tables = 4, .entries = 1024, .tag_bits = 11,
		 .counter_bits = 3, .useful_bits = 2, .age = 262144,
		 .history = {5, 15, 44, 130}},
	.targets = {.tables = 3, .entries = 256, .tag_bits = 9,
		    .counter_bits = 2, .useful_bits = 1, .age = 262144,
		    .history = {8, 24, 72}}};

/* Wrong predictions of the second half of a pattern's repetitions. */
static u64
of_pattern(const bool *pattern, unsigned n)
{
	u64 before = 0;

	for (unsigned i = 0; i < 400 * n; i++) {
		if (i == 200 * n)
			before = misses();
		cond(0x1000, pattern[i % n], true);
	}
	return misses() - before;
}

/* What histories of that length know, and what none knows. */
static void
test_tage(void **state)
{
	struct dice d = {.state = 9};
	bool pattern[30], loop[1000];
	u64 before, wrong;

	(void)state;
	open_core(&today);
	for (unsigned i = 0; i < 30; i++)
		pattern[i] = dice_percent(&d, 50);
	assert_int_equal(of_pattern(pattern, 30), 0);
	/* 1000 outcomes are more than 130: its end comes as a surprise. */
	memset(loop, true, sizeof loop);
	loop[999] = false;
	assert_int_equal(of_pattern(loop, 1000), 200);
	assert_int_equal(of_pattern(loop + 900, 100), 0);
	before = misses();
	for (unsigned i = 0; i < 20000; i++)
		cond(0x2000, dice_percent(&d, 50), true);
	wrong = misses() - before;
	assert_true(wrong > 9500 && wrong < 10500);
	free(core);
}

/* Jumps in turn to five places, and to where the one before it went. */
static void
test_targets(void **state)
{
	static const u64 places[] = {0x5000, 0x6040, 0x5000, 0x7080, 0x5000};
	struct dice d = {.state = 3};
	u64 before = 0, wrong = 0;

	(void)state;
	open_core(&today);
	for (unsigned i = 0; i < 2000; i++) {
		if (i == 1000)
			before = sig[SIG_JUMP_IND_MISS];
		branch(BRANCH_IND_JUMP, 0x1000, places[i % 5], false);
	}
	assert_int_equal(sig[SIG_JUMP_IND_MISS], before);
	for (unsigned i = 0; i < 8000; i++) {
		u64 place = 0x5000 + 0x40 * dice_below(&d, 4);

		branch(BRANCH_IND_JUMP, 0x2000, place, false);
		before = sig[SIG_JUMP_IND_MISS];
		branch(BRANCH_IND_JUMP, 0x3000, place + 0x1000, false);
		if (i >= 4000)
			wrong += sig[SIG_JUMP_IND_MISS] - before;
	}
	assert_true(wrong < 400);	/* 3000 without histories */
	free(core);
}

/* Calls deeper than the stack come back wrong. */
static void
test_deep(void **state)
{
	(void)state;
	open_core(&ev6);
	for (u64 i = 0; i < 1000; i++)
		branch(BRANCH_CALL, 0x1000 + 16 * i, 0x1000 + 16 * (i + 1),
		       false);
	for (u64 i = 1000; i--;)
		branch(BRANCH_RETURN, 0x9000, 0x1004 + 16 * i, false);
	assert_int_equal(sig[SIG_RETURN_MISS] + sig[SIG_RETURN_NOPRED],
			 1000 - 32);
	free(core);
}

/* ---- Against naive models ---------------------------------------------- */

static void
random_tage(struct dice *d, struct tage_config *t)
{
	u32 bits = 0;

	t->tables = 1 + dice_below(d, 4);
	t->entries = 2u << dice_below(d, 6);
	t->tag_bits = (u8)(1 + dice_below(d, 12));
	t->counter_bits = (u8)(1 + dice_below(d, 3));
	t->useful_bits = (u8)(1 + dice_below(d, 3));
	t->age = DICE_PICK(d, 1, 30, 400, 3000);
	for (u32 i = 0; i < t->tables; i++) {
		bits += 1 + dice_below(d, DICE_PICK(d, 3, 30, 64));
		t->history[i] = (u16)bits;
	}
}

static void
random_branch(struct dice *d, struct branch_config *b)
{
	*b = (struct branch_config){
		.kind = (u8)DICE_PICK(d, PREDICT_BTB, PREDICT_BTB,
				      PREDICT_TOURNAMENT, PREDICT_TAGE,
				      PREDICT_TAGE),
		.initial = (u8)dice_below(d, 4),
		.pc_shift = (u8)dice_below(d, 3),
		.history_bits = (u8)dice_below(d, 6),
	};
	if (b->kind == PREDICT_BTB) {
		b->entries = 8u << dice_below(d, 4);
		b->ways = dice_percent(d, 20) ? 0 : 1u << dice_below(d, 3);
		b->policy = dice_percent(d, 50) ? POLICY_LRU : POLICY_FIFO;
		b->static_backward = dice_percent(d, 50);
		b->decode_redirect = 4;
	} else if (b->kind == PREDICT_TAGE) {
		b->entries = 1u << dice_below(d, 6);
		b->target_entries = dice_percent(d, 80) << dice_below(d, 6);
		b->history_bits = 0;
		random_tage(d, &b->tage);
		if (b->target_entries && dice_percent(d, 80))
			random_tage(d, &b->targets);
	} else {
		b->entries = 1u << dice_below(d, 6);
		b->history_bits++;
		b->global_bits = (u8)(1 + dice_below(d, 8));
		b->counter_bits = (u8)(1 + dice_below(d, 3));
	}
}

static void
compare(const struct naive *n)
{
	for (unsigned o = 0; o < BRANCH_OUTCOMES; o++)
		assert_int_equal(outcome[0][o], n->outcome[o]);
	assert_int_equal(sig[SIG_BTB_HIT], n->hit);
	assert_int_equal(sig[SIG_BTB_MISS], n->miss);
	assert_int_equal(sig[SIG_BTB_TAKEN_OR_HIT], n->taken_or_hit);
	assert_int_equal(sig[SIG_BRANCH_DECODE], n->decode);
	if (n->b->kind == PREDICT_TAGE)
		assert_int_equal(sig[SIG_JUMP_IND_MISS], n->indirect);
	if (n->b->kind != PREDICT_BTB)
		return;
	assert_int_equal(sig[SIG_JUMP_MISS], n->jump);
	assert_int_equal(sig[SIG_JUMP_IND_MISS], n->indirect);
	assert_int_equal(sig[SIG_RETURN_MISS], n->wrong_return);
	assert_int_equal(sig[SIG_RETURN_NOPRED], n->unknown);
}

static void
test_random(void **state)
{
	static const u8 kinds[] = {BRANCH_JUMP, BRANCH_CALL, BRANCH_IND_JUMP,
				   BRANCH_RETURN};
	static struct naive n;

	(void)state;
	for (unsigned seed = 0; seed < 60; seed++) {
		struct dice d = {.state = seed * 7919 + 11};
		struct branch_config b;

		random_branch(&d, &b);
		open_core(&b);
		naive_init(&n, &b);
		for (unsigned i = 0; i < STEPS / 10; i++) {
			u64 pc = 0x1000 + dice_below(&d, 90) * 4;
			u64 target = 0x9000 + dice_below(&d, 2) * 64;
			u8 kind = kinds[pc / 4 % 4];
			bool taken = dice_percent(&d, (unsigned)pc % 101);

			if (pc & 64) {
				branch(kind, pc, target, false);
				naive_jump(&n, kind, pc, target);
			} else {
				cond(pc, taken, pc & 8);
				naive_cond(&n, pc, taken, pc & 8);
			}
			compare(&n);
		}
		free(core);
	}
}

/* ---- Blocks, clocks ---------------------------------------------------- */

static void
test_blocks(void **state)
{
	struct block *b;

	(void)state;
	open_core(&pentium);
	b = BUILD(0x1000, &config, {"beq", 0, 1, 2});
	assert_int_equal(b->kind, KIND_OWN);
	b = BUILD(0x1000, &config, {"j", 0, 0, 0});
	assert_int_equal(b->kind, KIND_SLOW);
	free(core);
	open_core(&ev6);
	b = BUILD(0x1000, &config, {"beq", 0, 1, 2});
	assert_int_equal(b->kind, KIND_OWN);
	b = BUILD(0x1000, &config, {"j", 0, 0, 0});
	assert_int_equal(b->kind, KIND_NONE);
	free(core);
}

/* Every branch of a program: where it was found last is remembered, and the
 * rest is as if each were looked for. */
static void
test_held(void **state)
{
	static const u8 kinds[] = {BRANCH_DIRECT_COND, BRANCH_JUMP,
				   BRANCH_DIRECT_COND, BRANCH_CALL,
				   BRANCH_IND_JUMP, BRANCH_RETURN};
	static struct block_detail detail;
	static struct block p[90];
	static struct naive n;
	struct branch_config b = pentium;
	struct dice d = {.state = 11};

	(void)state;
	b.entries = 32;
	open_core(&b);
	config.pipe.taken_bubble = 0;
	naive_init(&n, &b);
	for (unsigned i = 0; i < SIM_COUNT(p); i++)
		p[i] = (struct block){
			.vaddr = 0x1000 + i * 4, .fall = 0x1004 + i * 4,
			.kind = KIND_HELD, .branch = kinds[i % 6],
			.detail = &detail};
	for (unsigned i = 0; i < STEPS; i++) {
		unsigned at = dice_below(&d, 1 + i % SIM_COUNT(p));
		struct block t = {.vaddr = 0x9000};
		bool cond = p[at].branch == BRANCH_DIRECT_COND;
		bool taken = dice_percent(&d, at % 101);
		u64 cost;

		if (!cond)
			t.vaddr += dice_below(&d, 2) * 64;
		else if (!taken)
			t.vaddr = p[at].fall;
		if (!fast_held(core, &p[at], &t, &cost))
			core_held(core, &p[at], &t);
		if (cond)
			naive_cond(&n, block_branch_pc(&p[at]), taken, false);
		else
			naive_jump(&n, p[at].branch, block_branch_pc(&p[at]),
				   t.vaddr);
		compare(&n);
	}
	free(core);
}

/* A stamp's clock that runs over leaves the order as it was. */
static void
test_tick(void **state)
{
	struct dice d = {.state = 71};
	u64 key[64], used[64] = {0};
	u32 stamp[64] = {0}, clock = UINT32_MAX - 500;
	u16 next[64] = {0};
	struct array a;

	(void)state;
	array_init(&a, 64, 16, POLICY_LRU, key, stamp, next);
	for (u64 n = 1; n <= 1000; n++) {
		u32 s = dice_below(&d, 64), first = s - s % 16, oldest = first;

		stamp[s] = array_tick(&a, &clock);
		key[s] = s;
		used[s] = n;
		for (u32 w = first; w < first + 16; w++)
			if (used[w] < used[oldest])
				oldest = w;
		assert_int_equal(array_victim(&a, s / 16), oldest);
	}
	assert_true(clock < 1000);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pentium),
		cmocka_unit_test(test_p6),
		cmocka_unit_test(test_icache),
		cmocka_unit_test(test_tournament),
		cmocka_unit_test(test_tage),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
