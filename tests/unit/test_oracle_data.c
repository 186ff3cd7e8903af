/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data side against the naive one, over many geometries. */
#include "core_fixture.h"
#include "fast.h"
#include "oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GEOMETRIES 320
#define ACCESSES 4800		/* per geometry */
#define RUN 8			/* accesses per block */
#define KIND_PAGES 9		/* of streams; the others are random */

/* One core under test, and what it should do. */
struct rig {
	struct sim_config config;
	struct core *core;
	u64 sig[SIG_N];
	u64 outcome[2][BRANCH_OUTCOMES];
	struct oracle oracle;
	struct dice dice;
	struct block_access access[RUN];
	u64 base, at;		/* of the stream */
	unsigned kind, stride;
};

/* Fills are there at once, so that only contents matter. */
static void
random_config(struct dice *d, struct sim_config *c)
{
	memset(c, 0, sizeof *c);
	do {
		c->l1d = (struct cache_config){
			.size = 1024u << dice_below(d, 7),
			.ways = DICE_PICK(d, 1, 2, 4, 8, 16),
			.line = DICE_PICK(d, 32, 64, 128),
			.policy = (u8)dice_below(d, 4),
			.write_through = dice_percent(d, 20),
			.no_write_allocate = dice_percent(d, 25),
		};
	} while (c->l1d.size / c->l1d.line < c->l1d.ways);
	c->l1i = (struct cache_config){.size = 1024, .ways = 1, .line = 32};
	dice_tlb(d, &c->dtlb, DICE_PICK(d, 12, 13, 14), 4);
	c->itlb = c->dtlb;
	if (dice_percent(d, 70))
		dice_tlb(d, &c->jtlb, c->dtlb.page_bits + dice_below(d, 2), 4);
	c->branch = (struct branch_config){.entries = 16};
	c->mem.fsb = c->mem.wbb = c->mem.ldq = 64;
	c->mem.ifb = 8;
	c->pipe.miss_counts_secondary = true;
}

static void
open_rig(struct rig *r)
{
	memset(r->sig, 0, sizeof r->sig);
	r->core = set_up_core(&r->config);
	r->core->sig = r->sig;
	r->core->outcome = r->outcome;
	oracle_init(&r->oracle, &r->config);
	for (unsigned i = 0; i < RUN; i++)
		r->access[i] = (struct block_access){
			.clock_back = RUN - 1 - i,
			.cycles_back = (u16)(RUN - i),
			.use = ACCESS_NO_USE,
			.insn = (u16)i,
			.reg = REG_NONE,
		};
}

static void
close_rig(struct rig *r)
{
	free(r->core);
	oracle_free(&r->oracle);
}

/* Where streams begin: low, high, and where the tables wrap around. */
static void
next_stream(struct rig *r)
{
	static const u64 base[] = {
		0x1000, 0x10000000, 0x400000ull << 12, 0x7fffffe00000ull,
		0x7ffffff00000ull - 0x21000, 0x555555554000ull,
	};

	r->base = base[dice_below(&r->dice, SIM_COUNT(base))];
	r->at = dice_below(&r->dice, 1u << 16);
	if (r->kind != KIND_PAGES)
		r->kind = dice_below(&r->dice, 6);
	r->stride = DICE_PICK(&r->dice, 4, 8, 12, 64, 136, 1024, 4096, 4100);
}

static u64
next_address(struct rig *r)
{
	u32 shadow = SHADOW_ENTRIES << SHADOW_GRANULE_BITS;

	switch (r->kind) {
	case 0:			/* along an array */
		r->at = (r->at + r->stride) % 0x40000;
		return r->base + r->at;
	case 1:			/* anywhere in 64 kB */
		return r->base + dice_below(&r->dice, 0x10000);
	case 2:			/* from one to the next, as a list goes */
		r->at = (r->at * 1103515245 + 12345) % 0x80000;
		return r->base + r->at;
	case 3:			/* mostly the same few lines */
		if (dice_percent(&r->dice, 90))
			return r->base + dice_below(&r->dice, 700);
		return r->base + dice_below(&r->dice, 0x100000);
	case 4:			/* the same entry of the shadow tables */
		return r->base + r->at % 4096 +
		       (u64)dice_below(&r->dice, 5) * shadow;
	case KIND_PAGES:	/* the same places in the table of pages */
		if (dice_percent(&r->dice, 2))
			return r->base + dice_below(&r->dice, 400) * 4096;
		return r->base + dice_below(&r->dice, 4096) +
		       (dice_below(&r->dice, 4) * SHADOW_PAGES +
			dice_below(&r->dice, 6)) * 4096ull;
	default:		/* around the ends of pages */
		return r->base + dice_below(&r->dice, 40) * 4096 + 4096 - 40 +
		       dice_below(&r->dice, 48);
	}
}

/* As the engine does it. */
static void
one_access(struct rig *r, const struct block_access *a)
{
	unsigned largest = r->config.l1d.line < 32 ? 4 : 5;
	unsigned log2 = dice_below(&r->dice, largest + 1);
	u64 va = next_address(r);
	bool store = dice_percent(&r->dice, 35);
	struct core *c = r->core;
	u64 t = core_cycle(c) - a->cycles_back;

	if (!dice_percent(&r->dice, 15))
		va &= ~((1ull << log2) - 1);
	if ((store && r->config.l1d.write_through) ||
	    !fast_data(c, a, va, log2, store))
		core_data(c, a, va, 1u << log2, store);
	oracle_data(&r->oracle, va, 1u << log2, store, t);
}

static void
equal(const struct rig *r, enum sim_signal s, u64 expected, unsigned seed)
{
	if (r->sig[s] == expected)
		return;
	printf("# geometry %u: size %u ways %u line %u policy %u wt %d nwa %d;"
	       " dtlb %u ways %u bits %u policy %u; jtlb %u/%u\n",
	       seed, r->config.l1d.size, r->config.l1d.ways,
	       r->config.l1d.line, r->config.l1d.policy,
	       r->config.l1d.write_through, r->config.l1d.no_write_allocate,
	       r->config.dtlb.entries, r->config.dtlb.ways,
	       r->config.dtlb.page_bits, r->config.dtlb.policy,
	       r->config.jtlb.entries, r->config.jtlb.ways);
	fail_msg("%s: %llu, expected %llu", signal_name(s),
		 (unsigned long long)r->sig[s], (unsigned long long)expected);
}

static void
compare(const struct rig *r, unsigned seed)
{
	const struct oracle_counts *n = &r->oracle.n;

	equal(r, SIG_DCACHE_MISS, n->miss, seed);
	equal(r, SIG_DCACHE_FILL, n->fill, seed);
	equal(r, SIG_DCACHE_WB, n->writeback, seed);
	equal(r, SIG_SPLIT, n->split, seed);
	equal(r, SIG_DACCESS, n->split, seed);
	equal(r, SIG_DTLB_MISS, n->dtlb, seed);
	equal(r, SIG_JTLB_D_MISS, n->jtlb_d, seed);
	equal(r, SIG_L2_ACCESS, n->l2_access, seed);
	equal(r, SIG_L2_MISS, n->l2_miss, seed);
	equal(r, SIG_L2_WB, n->l2_writeback, seed);
}

/* Runs accesses; every so many the clocks are made to overflow. */
static void
run(struct rig *r, unsigned accesses, unsigned jump, unsigned seed)
{
	static struct block_detail detail;
	static struct block block = {.detail = &detail};
	struct core *c = r->core;

	for (unsigned n = 0; n < accesses; n += RUN) {
		if (n % 400 == 0)
			next_stream(r);
		c->now += CYCLES(RUN) + RUN + 1;
		if (jump && n % jump == 0)
			c->now += CYCLES(RENORM_CYCLES);
		if (c->now >= c->deadline)
			core_attend(c, &block);
		for (unsigned i = 0; i < RUN; i++) {
			one_access(r, &r->access[i]);
			compare(r, seed);
		}
	}
}

static void
test_contents(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 0; seed < GEOMETRIES; seed++) {
		r.dice.state = seed * 7919 + 3;
		random_config(&r.dice, &r.config);
		open_rig(&r);
		run(&r, ACCESSES, 0, seed);
		close_rig(&r);
	}
}

/* The same when the clocks are renormalised again and again. */
static void
test_renormalised(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 1000; seed < 1120; seed++) {
		r.dice.state = seed * 7919 + 3;
		random_config(&r.dice, &r.config);
		r.config.l1d.policy = r.config.dtlb.policy = POLICY_LRU;
		open_rig(&r);
		run(&r, 2400, 64, seed);
		assert_true(core_cycle(r.core) >
			    30ull * RENORM_CYCLES);
		assert_true(r.core->now < CYCLES(RENORM_CYCLES));
		close_rig(&r);
	}
}

/* What the second level gets to see, and what it keeps. */
static void
test_second_level(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 2000; seed < 2080; seed++) {
		r.dice.state = seed * 7919 + 3;
		random_config(&r.dice, &r.config);
		r.config.l2 = (struct cache_config){
			.size = 16384u << dice_below(&r.dice, 4),
			.ways = DICE_PICK(&r.dice, 1, 2, 4, 8, 16),
			.line = DICE_PICK(&r.dice, 32, 64, 128),
			.policy = (u8)dice_below(&r.dice, 4),
		};
		open_rig(&r);
		run(&r, 3200, 0, seed);
		assert_true(r.sig[SIG_L2_MISS] > 0);
		close_rig(&r);
	}
}

/* A micro-TLB of 8 entries in front of one of 64, so many misses that the log
 * of uses is shortened again and again. */
static void
test_pages(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 3000; seed < 3004; seed++) {
		r.dice.state = seed * 7919 + 3;
		random_config(&r.dice, &r.config);
		r.config.dtlb = r.config.itlb = (struct tlb_config){
			.entries = 8, .page_bits = 12, .policy = POLICY_LRU};
		r.config.jtlb = (struct tlb_config){
			.entries = 64, .page_bits = 12 + seed % 2,
			.policy = POLICY_LRU};
		r.kind = KIND_PAGES;
		open_rig(&r);
		assert_true(r.core->dtlb.usual);
		run(&r, 8 * JTLB_LOG, 0, seed);
		assert_true(r.sig[SIG_DTLB_MISS] > 4 * JTLB_LOG);
		assert_in_range(r.sig[SIG_JTLB_D_MISS], 100, JTLB_LOG);
		close_rig(&r);
	}
	r.kind = 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_renormalised),
		cmocka_unit_test(test_second_level),
		cmocka_unit_test(test_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
