/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static schedules against a scoreboard that issues one instruction after
 * the other: single blocks, and what is charged between two of them.
 */
#include "core/edge.h"
#include "pipeline/inorder.h"
#include "scoreboard.h"

#include <stdio.h>

#define PAIRS 20000

static const struct mix plain = {
	.loads = 30, .stores = 15, .regs = 8, .length = 8};
static const struct mix units = {
	.loads = 20, .stores = 10, .muls = 8, .divs = 3, .fadds = 8,
	.regs = 10, .length = 12};

/* How far the charge between blocks is off. */
struct error {
	unsigned more, less;	/* pairs charged too much, too little */
	u64 most;		/* cycles too much, in one pair */
	u64 charged, due;	/* cycles, all pairs */
};

static u64
cycles_alone(const struct block *b, const struct pipeline_config *pipe)
{
	struct scoreboard s = {.pipe = pipe};

	board_block(&s, b);
	return s.free;
}

static void
test_single(void **state)
{
	const struct sim_config *c = pipeline_config();
	struct dice d = {.state = 17};

	(void)state;
	for (unsigned i = 0; i < PAIRS; i++) {
		const struct mix *mix = i & 1 ? &plain : &units;
		struct block *b;
		u64 stall = 0;

		arena_used = 0;
		b = random_block(0x1000, mix, &d, c, i & 2 ? "beq" : NULL);
		assert_int_equal(b->cycles, cycles_alone(b, &c->pipe));
		for (int s = SIG_CYCLE_KILLED; s < SIG_N; s++)
			stall += count_of(b, (enum sim_signal)s);
		assert_int_equal(b->cycles, b->n_insn + stall);
	}
}

/* What is charged between p and q, and what it should be. */
static void
try_pair(const struct block *p, const struct block *q, u64 slack,
	 const struct pipeline_config *pipe, struct error *e)
{
	struct scoreboard s = {.pipe = pipe};
	u64 stall[SIG_N] = {0}, sum = 0, charged, due;
	struct edge edge;

	schedule_edge(&edge, p, q, slack);
	charged = edge_charge(&edge, stall);
	for (int i = 0; i < SIG_N; i++)
		sum += stall[i];
	assert_int_equal(sum, charged);
	board_block(&s, p);
	assert_true(s.free <= p->cycles);
	s.free = p->cycles + slack;
	board_block(&s, q);
	due = s.free - p->cycles - slack - q->cycles;
	e->more += charged > due;
	e->less += charged < due;
	if (charged > due && charged - due > e->most)
		e->most = charged - due;
	e->charged += charged;
	e->due += due;
}

static struct error
try_pairs(const struct mix *mix, const char *end, unsigned length)
{
	const struct sim_config *c = pipeline_config();
	struct dice d = {.state = 23};
	struct error e = {0};
	struct mix second = *mix;

	second.length = (u8)length;
	for (unsigned i = 0; i < PAIRS; i++) {
		struct block *p, *q;

		arena_used = 0;
		p = random_block(0x1000, mix, &d, c, end);
		q = random_block(0x2000, &second, &d, c, NULL);
		try_pair(p, q, end ? 0 : dice_below(&d, 3), &c->pipe, &e);
	}
	printf("# second of up to %u: %u of %u charged more, %u less, at most "
	       "%llu too many, %llu for %llu\n", length, e.more, PAIRS,
	       e.less, (unsigned long long)e.most,
	       (unsigned long long)e.charged, (unsigned long long)e.due);
	return e;
}

/*
 * Where one block follows another the charge is never too small.  It is too
 * large where a stall of the second block would have passed meanwhile.
 */
static void
test_pairs(void **state)
{
	struct error e;

	(void)state;
	e = try_pairs(&plain, NULL, 1);
	assert_int_equal(e.more + e.less, 0);
	assert_true(e.due > 500);
	e = try_pairs(&units, NULL, 1);
	assert_int_equal(e.more + e.less, 0);
	assert_true(e.due > 10000);
	e = try_pairs(&plain, NULL, 8);
	assert_int_equal(e.less, 0);
	assert_true(e.charged - e.due <= e.due / 100);
	e = try_pairs(&units, NULL, 12);
	assert_int_equal(e.less, 0);
	assert_true(e.charged - e.due <= e.due / 100);
	/* Behind a jump its bubble has passed already. */
	e = try_pairs(&plain, "j", 8);
	assert_int_equal(e.more + e.less, 0);
	e = try_pairs(&units, "j", 12);
	assert_int_equal(e.less, 0);
	assert_true(e.charged - e.due <= e.due / 100);
}

/* Cycles of a walk through blocks: charged, and as they should be. */
static void
walk(const struct mix *mix, unsigned permille)
{
	const struct sim_config *c = pipeline_config();
	struct scoreboard s = {.pipe = &c->pipe};
	struct dice d = {.state = 29};
	struct block *block[64], *p = NULL;
	u64 stall[SIG_N] = {0}, cycles = 0, off;
	struct edge edge;

	arena_used = 0;
	for (unsigned i = 0; i < SIM_COUNT(block); i++)
		block[i] = random_block(0x1000 + i * 0x100, mix, &d, c, NULL);
	for (unsigned i = 0; i < 100000; i++) {
		struct block *q = block[dice_below(&d, SIM_COUNT(block))];

		if (p) {
			schedule_edge(&edge, p, q, 0);
			cycles += edge_charge(&edge, stall);
		}
		cycles += q->cycles;
		board_block(&s, q);
		p = q;
	}
	off = cycles > s.free ? cycles - s.free : s.free - cycles;
	printf("# walk, blocks of up to %u: %llu cycles, %llu by the "
	       "scoreboard\n", mix->length, (unsigned long long)cycles,
	       (unsigned long long)s.free);
	assert_true(off * 1000 <= s.free * permille);
}

/*
 * What a block owes is forgotten behind the block that follows it: long
 * latencies across short blocks cost less than they should.
 */
static void
test_walks(void **state)
{
	struct mix mix = plain;

	(void)state;
	walk(&mix, 1);
	mix.length = 3;
	walk(&mix, 5);
	mix = units;
	walk(&mix, 70);
	mix.length = 3;
	walk(&mix, 120);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
