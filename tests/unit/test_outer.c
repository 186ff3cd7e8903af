/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The levels behind the first one, by hand and against a naive model. */
#include "core_fixture.h"
#include "machine/machine_internal.h"
#include "core/memory.h"
#include "core/refresh.h"
#include "oracle.h"
#include "outer_oracle.h"

#define GEOMETRIES 240
#define ACCESSES 4000		/* per geometry */

/* ---- Both side by side ------------------------------------------------- */

static u64 sig[SIG_N], alone[ALONE_N];
static struct sim_config config;
static struct core *core;

static void
open_core(void)
{
	memset(sig, 0, sizeof sig);
	core = set_up_core(&config);
	core->sig = sig;
	core->alone = alone;
}

static void
data(u64 va, bool store)
{
	static const struct block_access access = {
		.cycles_back = 1, .use = ACCESS_NEVER_USED, .reg = REG_NONE};

	core->now += CYCLES(1) + 1;
	core_data(core, &access, va, 1, store);
	machine_alone_add(&config, alone, sig);
	memset(alone, 0, sizeof alone);
}

static void
code(u64 va)
{
	u16 slot;

	core->now += CYCLES(1) + 1;
	fetch_line(core, va / config.l1i.line, (u32)core->now,
		   core_cycle(core), &slot);
}

static void
random_level(struct dice *d, struct cache_config *c, u32 line, u32 size)
{
	u32 ways = DICE_PICK(d, 1, 1, 2, 2, 3, 4, 6, 8);

	if (ways % 3 == 0)
		size = size / 4 * 3;
	*c = (struct cache_config){
		.size = size << dice_below(d, 3),
		.ways = ways,
		.line = line << dice_below(d, 2),
		.policy = (u8)dice_below(d, 4),
		.write_through = dice_percent(d, 20),
		.no_write_allocate = dice_percent(d, 20),
		.inclusive = dice_percent(d, 50),
		.data_only = dice_percent(d, 15),
		.latency = 10,
		.way_entries = DICE_PICK(d, 0, 1, 16, 4096),
		.way_penalty = 3,
	};
}

/* The third level has what the second one loses. */
static void
make_victim(void)
{
	config.l2.data_only = config.l2.write_through = false;
	config.l2.no_write_allocate = false;
	config.l3.data_only = config.l3.write_through = false;
	config.l3.no_write_allocate = config.l3.inclusive = false;
	if (config.l3.line != config.l2.line) {
		config.l3.size = config.l3.size / config.l3.line *
				 config.l2.line;
		config.l3.line = config.l2.line;
	}
	config.l3.victim = true;
}

/* A first level with LRU and fills that are there at once. */
static void
random_config(struct dice *d)
{
	u32 line = DICE_PICK(d, 32, 64);

	memset(&config, 0, sizeof config);
	config.l1d = config.l1i = (struct cache_config){
		.size = 1024u << dice_below(d, 3),
		.ways = DICE_PICK(d, 1, 2, 4),
		.line = line,
	};
	config.l1d.write_through = dice_percent(d, 25);
	config.l1d.no_write_allocate = dice_percent(d, 25);
	if (dice_percent(d, 90))
		random_level(d, &config.l2, line, 4096);
	if (config.l2.size && dice_percent(d, 60))
		random_level(d, &config.l3, config.l2.line, 16384);
	if (config.l3.size && dice_percent(d, 40))
		make_victim();
	config.dtlb = config.itlb =
		(struct tlb_config){.entries = 8, .page_bits = 12};
	config.branch.entries = 16;
	config.mem.fsb = config.mem.wbb = config.mem.ldq = 64;
	config.mem.ifb = 8;
}

struct level_names {
	const char *prefix;
	u16 first, prefetch, walk, access, miss, out, writeback, way[2];
};

static const struct level_names names[LEVELS] = {
	{"l2", SIG_L2_IFETCH_M, SIG_L2_PREFETCH_M, SIG_L2_WALK_M, SIG_L2_ACCESS, SIG_L2_MISS, SIG_L2_OUT,
	 SIG_L2_WB, {SIG_L2_WAY_I, SIG_L2_WAY_D}},
	{"l3", SIG_L3_IFETCH_M, SIG_L3_PREFETCH_M, SIG_L3_WALK_M, SIG_L3_ACCESS, SIG_L3_MISS, SIG_L3_OUT,
	 SIG_L3_WB, {SIG_L3_WAY, SIG_L3_WAY}},
};

static void
compare_level(const struct naive_level *l, const struct level_names *name)
{
	u64 access = 0, miss = 0;

	for (unsigned what = 0; what < OUTER_REQUESTS; what++) {
		const u64 *got = what == OUTER_PREFETCH
					 ? &sig[name->prefetch]
				 : what == OUTER_WALK ? &sig[name->walk]
					 : &sig[name->first + 3 * what];

		assert_int_equal(got[0], l->found[what][MODIFIED]);
		assert_int_equal(got[1], l->found[what][EXCLUSIVE]);
		assert_int_equal(got[2], l->found[what][MISS]);
		access += got[0] + got[1] + got[2];
		miss += got[2];
	}
	assert_int_equal(sig[name->access], access);
	assert_int_equal(sig[name->miss], miss);
	assert_int_equal(sig[name->out], l->out);
	assert_int_equal(sig[name->writeback], l->writeback);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(sig[name->way[i]],
				 name->way[0] != name->way[1]
					 ? l->way_miss[i]
					 : l->way_miss[0] + l->way_miss[1]);
	assert_true(l->writeback <= l->out);
	/* What came in is there, or has left. */
	assert_true(l->config->victim || miss <= l->out + l->config->size / l->config->line +
			    l->found[OUTER_WRITE][MISS]);
}

static void
compare(const struct naive *o)
{
	assert_int_equal(sig[SIG_MEMORY_READ], o->reads);
	assert_int_equal(sig[SIG_MEMORY_WRITE], o->writes);
	assert_int_equal(sig[SIG_DCACHE_WB], o->data_writeback);
	assert_int_equal(sig[SIG_DCACHE_MISS_LOAD], o->load_miss);
	assert_int_equal(sig[SIG_DCACHE_MISS_STORE], o->store_miss);
	assert_int_equal(sig[SIG_L3_VICTIM], o->victims);
	for (unsigned i = 0; i < o->n; i++)
		compare_level(&o->level[i], &names[i]);
}

/* First-level misses are the requests of the level behind it. */
static void
conserved(const struct naive *o)
{
	const struct naive_level *l = &o->level[0];
	u64 reads = 0;

	if (!o->n)
		return;
	for (unsigned k = 0; k < 3; k++)
		reads += l->found[OUTER_LOAD][k] + l->found[OUTER_STORE][k];
	assert_int_equal(reads, sig[SIG_DCACHE_FILL]);
	if (o->config->l1d.write_through || o->config->l1d.no_write_allocate)
		return;
	assert_int_equal(sig[SIG_DCACHE_FILL], sig[SIG_DCACHE_MISS]);
	/* A line that was there when it was filled is there when it is
	 * written back. */
	if (l->config->inclusive)
		assert_int_equal(l->found[OUTER_WRITE][MISS], 0);
}

static void
stream(struct naive *o, struct dice *d, unsigned n)
{
	u64 base = 0x10000, span = 1024u << dice_below(d, 8), at = 0;
	unsigned stores = dice_below(d, 70), fetches = dice_below(d, 40);

	while (n--) {
		if (dice_percent(d, 10))
			at = dice_below(d, (u32)span);
		at = (at + dice_below(d, 48)) % span;
		if (dice_percent(d, fetches)) {
			code(base + at / 2);
			naive_code(o, base + at / 2);
		} else {
			bool store = dice_percent(d, stores);

			data(base + at, store);
			naive_data(o, base + at, store);
		}
		compare(o);
	}
}

static void
test_random(void **state)
{
	static struct naive o;

	(void)state;
	for (unsigned seed = 0; seed < GEOMETRIES; seed++) {
		struct dice d = {.state = seed * 7919 + 11};

		random_config(&d);
		open_core();
		naive_init(&o, &config);
		for (unsigned i = 0; i < 4; i++)
			stream(&o, &d, ACCESSES / 4);
		conserved(&o);
		naive_free(&o);
		free(core);
	}
}

/* ---- By hand ----------------------------------------------------------- */

static void
hand_config(void)
{
	memset(&config, 0, sizeof config);
	config.l1d = config.l1i =
		(struct cache_config){.size = 64, .ways = 1, .line = 32};
	config.dtlb = config.itlb =
		(struct tlb_config){.entries = 8, .page_bits = 12};
	config.branch.entries = 16;
	config.mem = (struct memory_config){
		.latency = 60, .bus_fill = 10, .bus_writeback = 7,
		.fsb = 4, .ldq = 4, .wbb = 4, .ifb = 2};
}

/* Latencies of both levels and of memory behind them. */
static void
test_latencies(void **state)
{
	(void)state;
	hand_config();
	config.l2 = (struct cache_config){
		.size = 128, .ways = 1, .line = 64, .latency = 8};
	config.l3 = (struct cache_config){
		.size = 512, .ways = 1, .line = 64, .latency = 20};
	open_core();
	assert_int_equal(memory_fill(core, 0x1000, 100, OUTER_LOAD), 160);
	assert_int_equal(memory_fill(core, 0x1020, 200, OUTER_LOAD), 208);
	/* Out of the second level, but not of the third. */
	assert_int_equal(memory_fill(core, 0x1080, 300, OUTER_LOAD), 360);
	assert_int_equal(memory_fill(core, 0x1000, 400, OUTER_LOAD), 420);
	assert_int_equal(sig[SIG_L2_PENDING], 60 + 60 + 20);
	assert_int_equal(sig[SIG_MEMORY_READ], 2);
	assert_int_equal(sig[SIG_BUS_BUSY], 20);
	assert_int_equal(sig[SIG_L2_LOAD_E], 1);
	assert_int_equal(sig[SIG_L2_LOAD_MISS], 3);
	assert_int_equal(sig[SIG_L3_LOAD_E], 1);
	assert_int_equal(sig[SIG_L2_OUT], 2);
	assert_int_equal(sig[SIG_L3_OUT], 0);
	free(core);
}

/* One line after the other: of 32 bytes for data, of 64 for instructions.
 * What is asked for before that can come before. */
static void
test_repeats(void **state)
{
	(void)state;
	hand_config();
	config.l1i.line = 64;
	config.l2 = (struct cache_config){
		.size = 256, .ways = 1, .line = 64, .latency = 8, .repeat = 5};
	config.l3 = (struct cache_config){
		.size = 4096, .ways = 1, .line = 64, .latency = 20,
		.repeat = 16};
	open_core();
	for (unsigned i = 0; i < 8; i++)
		memory_fill(core, 0x1000 + i * 64, 100 * i, OUTER_LOAD);
	/* 0x1100 to 0x11c0 are there. */
	assert_int_equal(memory_fill(core, 0x1100, 1000, OUTER_LOAD), 1008);
	assert_int_equal(memory_fill(core, 0x1120, 1001, OUTER_LOAD), 1013);
	assert_int_equal(memory_fill(core, 0x1140, 1001, OUTER_IFETCH), 1018);
	assert_int_equal(memory_fill(core, 0x1180, 1001, OUTER_STORE), 1028);
	assert_int_equal(memory_fill(core, 0x1100, 1036, OUTER_LOAD), 1044);
	assert_int_equal(memory_fill(core, 0x1100, 1031, OUTER_LOAD), 1039);
	assert_int_equal(memory_fill(core, 0x1100, 1033, OUTER_LOAD), 1049);
	/* The others are in the third level. */
	assert_int_equal(memory_fill(core, 0x1000, 2000, OUTER_LOAD), 2020);
	assert_int_equal(memory_fill(core, 0x1040, 2001, OUTER_LOAD), 2036);
	assert_int_equal(memory_fill(core, 0x1080, 2002, OUTER_IFETCH), 2052);
	free(core);
}

/* Two ways, one entry of prediction for two sets. */
static void
test_ways(void **state)
{
	(void)state;
	hand_config();
	config.l2 = (struct cache_config){
		.size = 256, .ways = 2, .line = 64, .latency = 8,
		.way_entries = 1, .way_penalty = 5};
	open_core();
	memory_fill(core, 0x1000, 0, OUTER_LOAD);	/* set 0 way 0 */
	memory_fill(core, 0x1080, 100, OUTER_LOAD);	/* set 0 way 1 */
	assert_int_equal(memory_fill(core, 0x1080, 200, OUTER_LOAD), 208);
	assert_int_equal(memory_fill(core, 0x1000, 300, OUTER_LOAD), 313);
	assert_int_equal(memory_fill(core, 0x1000, 400, OUTER_IFETCH), 408);
	assert_int_equal(memory_fill(core, 0x1080, 500, OUTER_IFETCH), 513);
	memory_writeback(core, 0x1000, 600);	/* knows its way */
	assert_int_equal(memory_fill(core, 0x1080, 700, OUTER_LOAD), 708);
	assert_int_equal(sig[SIG_L2_WAY_D], 1);
	assert_int_equal(sig[SIG_L2_WAY_I], 1);
	free(core);
}

/* What was used without the model is there then: data by line numbers, none of which
 * is a 0, and each line that code touches; not in the first level, and behind it
 * nothing is on its way. */
static void
test_refresh(void **state)
{
	static const u64 line[] = {0, 0x2000 >> 6, 0, 0x2080 >> 6};
	u64 before;

	(void)state;
	hand_config();
	config.l2 = (struct cache_config){
		.size = 1024, .ways = 4, .line = 64, .latency = 8};
	open_core();
	before = core_cycle(core);
	core_refresh_code(core, 0x10f8, 16);
	core_refresh(core, line, SIM_COUNT(line), 6);
	assert_int_equal(sig[SIG_L2_IFETCH_MISS], 2);
	assert_int_equal(sig[SIG_L2_LOAD_MISS], 2);
	assert_int_equal(sig[SIG_ITLB_MISS], 1);
	assert_int_equal(sig[SIG_DTLB_MISS], 1);
	assert_true(core_cycle(core) >= before + 4 * config.mem.bus_fill);
	assert_int_equal(memory_fill(core, 0x10e0, core_cycle(core),
				     OUTER_IFETCH), core_cycle(core) + 8);
	memset(sig, 0, sizeof sig);
	data(0x2000, false);
	data(0x2080, true);
	data(0x2040, false);
	code(0x1100);
	assert_int_equal(sig[SIG_DCACHE_MISS], 3);
	assert_int_equal(sig[SIG_ICACHE_MISS], 1);
	assert_int_equal(sig[SIG_L2_MISS], 1);
	assert_int_equal(sig[SIG_DTLB_MISS], 0);
	free(core);
}

/* A line that leaves an inclusive level takes the first level's along. */
static void
test_inclusion(void **state)
{
	(void)state;
	hand_config();
	config.l1d.size = 256;		/* 8 lines */
	config.l2 = (struct cache_config){
		.size = 128, .ways = 1, .line = 64, .latency = 8,
		.inclusive = true};
	open_core();
	data(0x1000, true);
	data(0x1020, true);
	data(0x1040, false);
	code(0x1060);
	assert_int_equal(sig[SIG_DCACHE_MISS], 3);
	assert_int_equal(sig[SIG_L2_MISS], 2);
	data(0x2080, false);		/* replaces 0x1000..0x103f */
	assert_int_equal(sig[SIG_DCACHE_WB], 2);
	assert_int_equal(sig[SIG_L2_WB], 1);
	assert_int_equal(sig[SIG_MEMORY_WRITE], 1);
	data(0x1040, false);
	assert_int_equal(sig[SIG_DCACHE_MISS], 4);	/* still there */
	data(0x1020, false);
	assert_int_equal(sig[SIG_DCACHE_MISS], 5);
	data(0x20c0, false);		/* replaces 0x1040..0x107f */
	code(0x1060);
	assert_int_equal(sig[SIG_ICACHE_MISS], 2);
	free(core);
}

/* What a store that finds a clean line does to its state. */
static void
test_states(void **state)
{
	(void)state;
	hand_config();
	config.l2 = (struct cache_config){
		.size = 1024, .ways = 2, .line = 128, .latency = 8};
	open_core();
	memory_fill(core, 0x1000, 0, OUTER_LOAD);
	memory_fill(core, 0x1020, 100, OUTER_STORE);	/* clean: upgraded */
	memory_fill(core, 0x1040, 200, OUTER_STORE);	/* modified by now */
	memory_fill(core, 0x1060, 300, OUTER_IFETCH);
	memory_writeback(core, 0x1020, 400);
	memory_fill(core, 0x2000, 500, OUTER_LOAD);
	memory_writeback(core, 0x2000, 600);		/* clean until now */
	memory_fill(core, 0x2000, 700, OUTER_LOAD);
	assert_int_equal(sig[SIG_L2_STORE_E], 1);
	assert_int_equal(sig[SIG_L2_STORE_M], 1);
	assert_int_equal(sig[SIG_L2_IFETCH_M], 1);
	assert_int_equal(sig[SIG_L2_WRITE_M], 1);
	assert_int_equal(sig[SIG_L2_WRITE_E], 1);
	assert_int_equal(sig[SIG_L2_LOAD_M], 1);
	assert_int_equal(sig[SIG_L2_LOAD_MISS], 2);
	assert_int_equal(sig[SIG_L2_ACCESS], 8);
	free(core);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latencies),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_refresh),
		cmocka_unit_test(test_inclusion),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
