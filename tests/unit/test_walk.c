/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks of page tables, by hand and against a naive one. */
#include "core_fixture.h"
#include "core/walk.h"
#include "oracle.h"

#include <string.h>

#define SEEN 8192

static u64 sig[SIG_N], alone[ALONE_N];
static struct sim_config config;
static struct core *core;

/* All that is read fits the second level. */
static void
open_core(unsigned levels, unsigned kept)
{
	memset(&config, 0, sizeof config);
	config.l1d = config.l1i = (struct cache_config){
		.size = 4096, .ways = 4, .line = 64};
	config.l2 = (struct cache_config){
		.size = 1 << 22, .ways = 64, .line = 64, .latency = 12};
	config.dtlb = config.itlb =
		(struct tlb_config){.entries = 2, .page_bits = 12};
	config.jtlb = (struct tlb_config){.entries = 4, .page_bits = 12};
	config.branch.entries = 16;
	config.mem = (struct memory_config){
		.latency = 100, .fsb = 8, .wbb = 8, .ldq = 8, .ifb = 8};
	config.pipe.tlb_refill = 5;
	config.pipe.refill_is_hardware = true;
	config.walk = (struct walk_config){.levels = (u8)levels, .kept = (u8)kept};
	memset(sig, 0, sizeof sig);
	core = set_up_core(&config);
	core->sig = sig;
	core->alone = alone;
}

static u32
walk(u64 va)
{
	core->now += CYCLES(1000);
	walk_tables(core, va);
	return core->refill;
}

/* What a load waits for its page. */
static u64
load(u64 va)
{
	static const struct block_access access = {
		.use = ACCESS_NEVER_USED, .reg = REG_NONE};
	u64 before;

	core->now += CYCLES(1000) + 1;
	before = core_cycle(core);
	core_data(core, &access, va, 1, false);
	return core_cycle(core) - before;
}

static void
test_by_hand(void **state)
{
	(void)state;
	open_core(4, 2);
	/* Four tables, from memory. */
	assert_int_equal(walk(0x10000000), 5 + 400);
	assert_int_equal(sig[SIG_WALK_READ], 4);
	assert_int_equal(sig[SIG_L2_WALK_MISS], 4);
	/* Its neighbour: an entry of the same line. */
	assert_int_equal(walk(0x10001000), 5 + 12);
	/* Eight pages on: the next line. */
	assert_int_equal(walk(0x10008000), 5 + 100);
	/* The next 2 MB: three entries of lines that are known, one new. */
	assert_int_equal(walk(0x10200000), 5 + 3 * 12 + 100);
	/* And the next, whose entry takes the place of the first one's. */
	assert_int_equal(walk(0x10400000), 5 + 3 * 12 + 100);
	assert_int_equal(walk(0x10201000), 5 + 12);
	assert_int_equal(walk(0x10001000), 5 + 4 * 12);
	assert_int_equal(sig[SIG_L2_WALK_E], 1 + 3 + 3 + 1 + 4);
	free(core);
}

/* A load waits for it, whose page no TLB has. */
static void
test_load(void **state)
{
	(void)state;
	open_core(4, 2);
	assert_int_equal(load(0x10000000), 5 + 400);
	assert_int_equal(sig[SIG_DTLB_WALK], 405);
	assert_int_equal(load(0x10000000), 0);
	assert_int_equal(load(0x10003000), 5 + 12);
	assert_int_equal(sig[SIG_DTLB_WALK], 405 + 17);
	assert_int_equal(sig[SIG_ALU_DTLB], 405 + 17);
	free(core);
}

struct naive {
	u64 line[SEEN], region[WALK_KEPT];
	unsigned lines, regions;
};

/* A line that was read before, or is read now; the cycles. */
static u32
naive_read(struct naive *n, u64 line)
{
	for (unsigned i = 0; i < n->lines; i++)
		if (n->line[i] == line)
			return 12;
	n->line[n->lines++] = line;
	return 100;
}

/* Regions in the order of their last use, the last one in front. */
static bool
naive_keep(struct naive *n, unsigned kept, u64 region)
{
	unsigned i = 0;
	bool there;

	while (i < n->regions && n->region[i] != region)
		i++;
	there = i < n->regions;
	if (!there && n->regions < kept)
		n->regions++;
	if (!there)
		i = n->regions - 1;
	memmove(n->region + 1, n->region, i * sizeof *n->region);
	n->region[0] = region;
	return there;
}

static void
test_random(void **state)
{
	static struct naive n;

	(void)state;
	for (unsigned seed = 0; seed < 40; seed++) {
		struct dice d = {.state = seed * 7919 + 3};
		unsigned levels = 1 + dice_below(&d, 5);
		unsigned kept = 1 + dice_below(&d, WALK_KEPT);
		u64 span = 1ull << (21 + dice_below(&d, 9));

		open_core(levels, kept);
		memset(&n, 0, sizeof n);
		for (unsigned i = 0; i < 1000; i++) {
			u64 va = 0x7f0000000000 +
				 dice_below(&d, (u32)(span >> 12)) * 4096ull;
			u32 cycles = 5;
			bool there = levels > 1 &&
				     naive_keep(&n, kept, va >> 21);

			for (unsigned l = there ? 1 : levels; l--;)
				cycles += naive_read(
					&n, ((u64)l << 50 |
					     (va >> (12 + 9 * l)) / 8));
			assert_int_equal(walk(va), cycles);
		}
		free(core);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
