/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data side against the naive one, over many geometries. */
#include "make_access.h"
#include "oracle_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define GEOMETRIES 320
#define ACCESSES 4800		/* per geometry */
#define RUN 8			/* accesses per block */
#define KIND_PAGES 9		/* of streams; the others are random */

/* One core under test, and what it should do. */
struct rig {
	struct oracle_rig m;
	struct block_access access[RUN];
	u64 base, at;		/* of the stream */
	unsigned kind, stride;
};

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
	oracle_rig_tlbs(d, c);
	oracle_rig_idle(c);
	c->pipe.miss_counts_secondary = true;
}

static void
open_rig(struct rig *r)
{
	oracle_rig_open(&r->m);
	for (unsigned i = 0; i < RUN; i++)
		r->access[i] = (struct block_access){
			.clock_back = RUN - 1 - i,
			.cycles_back = (u16)(RUN - i),
			.use = ACCESS_NO_USE,
			.insn = (u16)i,
			.reg = REG_NONE,
		};
}

/* Where streams begin: low, high, and where the tables wrap around. */
static void
next_stream(struct rig *r)
{
	static const u64 base[] = {
		0x1000, 0x10000000, 0x400000ull << 12, 0x7fffffe00000ull,
		0x7ffffff00000ull - 0x21000, 0x555555554000ull,
	};

	r->base = base[dice_below(&r->m.dice, SIM_COUNT(base))];
	r->at = dice_below(&r->m.dice, 1u << 16);
	if (r->kind != KIND_PAGES)
		r->kind = dice_below(&r->m.dice, 6);
	r->stride = DICE_PICK(&r->m.dice, 4, 8, 12, 64, 136, 1024, 4096, 4100);
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
		return r->base + dice_below(&r->m.dice, 0x10000);
	case 2:			/* from one to the next, as a list goes */
		r->at = (r->at * 1103515245 + 12345) % 0x80000;
		return r->base + r->at;
	case 3:			/* mostly the same few lines */
		if (dice_percent(&r->m.dice, 90))
			return r->base + dice_below(&r->m.dice, 700);
		return r->base + dice_below(&r->m.dice, 0x100000);
	case 4:			/* the same entry of the shadow tables */
		return r->base + r->at % 4096 +
		       (u64)dice_below(&r->m.dice, 5) * shadow;
	case KIND_PAGES:	/* the same places in the table of pages */
		if (dice_percent(&r->m.dice, 2))
			return r->base + dice_below(&r->m.dice, 400) * 4096;
		return r->base + dice_below(&r->m.dice, 4096) +
		       (dice_below(&r->m.dice, 4) * SHADOW_PAGES +
			dice_below(&r->m.dice, 6)) * 4096ull;
	default:		/* around the ends of pages */
		return r->base + dice_below(&r->m.dice, 40) * 4096 + 4096 - 40 +
		       dice_below(&r->m.dice, 48);
	}
}

/* As the engine does it. */
static void
one_access(struct rig *r, const struct block_access *a)
{
	unsigned largest = r->m.config.l1d.line < 32 ? 4 : 5;
	unsigned log2 = dice_below(&r->m.dice, largest + 1);
	u64 va = next_address(r);
	bool store = dice_percent(&r->m.dice, 35);
	u64 t = core_cycle(r->m.core) - a->cycles_back;

	if (!dice_percent(&r->m.dice, 15))
		va &= ~((1ull << log2) - 1);
	make_access(r->m.core, a, va, log2, store);
	oracle_data(&r->m.oracle, va, 1u << log2, store, t);
}

static void
compare(const struct rig *r, unsigned seed)
{
	const struct oracle_counts *n = &r->m.oracle.n;

	oracle_rig_equal(&r->m, SIG_DCACHE_MISS, n->miss, seed);
	oracle_rig_equal(&r->m, SIG_DCACHE_FILL, n->fill, seed);
	oracle_rig_equal(&r->m, SIG_DCACHE_WB, n->writeback, seed);
	oracle_rig_equal(&r->m, SIG_SPLIT, n->split, seed);
	oracle_rig_equal(&r->m, SIG_DACCESS, n->split, seed);
	oracle_rig_equal(&r->m, SIG_DTLB_MISS, n->dtlb, seed);
	oracle_rig_equal(&r->m, SIG_JTLB_D_MISS, n->jtlb_d, seed);
	oracle_rig_equal(&r->m, SIG_L2_ACCESS, n->l2_access, seed);
	oracle_rig_equal(&r->m, SIG_L2_MISS, n->l2_miss, seed);
	oracle_rig_equal(&r->m, SIG_L2_WB, n->l2_writeback, seed);
}

/* Runs accesses; every so many the clocks are made to overflow. */
static void
run(struct rig *r, unsigned accesses, unsigned jump, unsigned seed)
{
	static struct block_detail detail;
	static struct block block = {.detail = &detail};
	struct core *c = r->m.core;

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
		r.m.dice.state = seed * 7919 + 3;
		random_config(&r.m.dice, &r.m.config);
		open_rig(&r);
		run(&r, ACCESSES, 0, seed);
		oracle_rig_close(&r.m);
	}
}

/* The same when the clocks are renormalised again and again. */
static void
test_renormalised(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 1000; seed < 1120; seed++) {
		r.m.dice.state = seed * 7919 + 3;
		random_config(&r.m.dice, &r.m.config);
		r.m.config.l1d.policy = r.m.config.dtlb.policy = POLICY_LRU;
		open_rig(&r);
		run(&r, 2400, 64, seed);
		assert_true(core_cycle(r.m.core) >
			    30ull * RENORM_CYCLES);
		assert_true(r.m.core->now < CYCLES(RENORM_CYCLES));
		oracle_rig_close(&r.m);
	}
}

/* What the second level gets to see, and what it keeps. */
static void
test_second_level(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 2000; seed < 2080; seed++) {
		r.m.dice.state = seed * 7919 + 3;
		random_config(&r.m.dice, &r.m.config);
		oracle_rig_second_level(&r.m, 16384);
		open_rig(&r);
		run(&r, 3200, 0, seed);
		assert_true(r.m.sig[SIG_L2_MISS] > 0);
		oracle_rig_close(&r.m);
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
		r.m.dice.state = seed * 7919 + 3;
		random_config(&r.m.dice, &r.m.config);
		r.m.config.dtlb = r.m.config.itlb = (struct tlb_config){
			.entries = 8, .page_bits = 12, .policy = POLICY_LRU};
		r.m.config.jtlb = (struct tlb_config){
			.entries = 64, .page_bits = 12 + seed % 2,
			.policy = POLICY_LRU};
		r.kind = KIND_PAGES;
		open_rig(&r);
		assert_true(r.m.core->dtlb.usual);
		run(&r, 8 * JTLB_LOG, 0, seed);
		assert_true(r.m.sig[SIG_DTLB_MISS] > 4 * JTLB_LOG);
		assert_in_range(r.m.sig[SIG_JTLB_D_MISS], 100, JTLB_LOG);
		oracle_rig_close(&r.m);
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
