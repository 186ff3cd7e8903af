/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefetchers by hand, and against naive ones. */
#include "core_fixture.h"
#include "prefetch_naive.h"
#include "machine/machine_internal.h"

#define MACHINES 200
#define ACCESSES 3000

static u64 sig[SIG_N], alone[ALONE_N];
static struct sim_config config;
static struct core *core;

/* Loads of a program, four bytes each. */
#define FIRST 0x1000u
#define PLACE(insn) (4 * (insn))

static struct block block = {.vaddr = FIRST};

static void
open_core(void)
{
	memset(sig, 0, sizeof sig);
	core = set_up_core(&config);
	core->sig = sig;
	core->alone = alone;
	core->prev = &block;
}

/* The only block, whose instruction number insn loads or stores so many bytes cycles
 * after the one before; at which cycle it does. */
static u64
access_data(unsigned insn, u64 va, unsigned bytes, bool store, u64 cycles)
{
	const struct block_access access = {
		.cycles_back = 0, .use = ACCESS_NEVER_USED, .reg = REG_NONE,
		.insn = (u16)insn, .place = (u16)PLACE(insn)};
	u64 t;

	core->now += CYCLES(cycles) + 1;
	t = core_cycle(core);
	core_data(core, &access, va, bytes, store);
	machine_alone_add(&config, alone, sig);
	memset(alone, 0, sizeof alone);
	return t;
}

static void
small_machine(void)
{
	memset(&config, 0, sizeof config);
	config.l1d = config.l1i = (struct cache_config){
		.size = 4096, .ways = 4, .line = 64};
	config.l2 = (struct cache_config){
		.size = 16384, .ways = 8, .line = 64, .latency = 10};
	config.dtlb = config.itlb =
		(struct tlb_config){.entries = 8, .page_bits = 12};
	config.branch.entries = 16;
	config.mem = (struct memory_config){
		.latency = 100, .fsb = 64, .wbb = 64, .ldq = 64, .ifb = 8};
}

/* ---- By hand ---------------------------------------------------------- */

/* 32 lines one by one, 200 cycles each, from the beginning of a page. */
static void
go(unsigned insn, u64 from, s64 step, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		access_data(insn, from + (u64)(step * i), 1, false, 200);
}

static void
test_next(void **state)
{
	(void)state;
	small_machine();
	config.n_prefetchers = 1;
	config.prefetcher[0] = (struct prefetch_config){
		.kind = PREFETCH_NEXT, .fills = PREFETCH_FILLS_L1D,
		.degree = 1, .buffers = 2};
	open_core();
	/* The first one misses; each of the others is there, but for those that
	 * begin a page. */
	go(0, 0x10000, 64, 128);
	assert_int_equal(sig[SIG_DCACHE_MISS], 2);
	assert_int_equal(sig[SIG_PREFETCH_L1D], 126);
	assert_int_equal(sig[SIG_PREFETCH_L1D_USED], 126);
	assert_int_equal(sig[SIG_L2_PREFETCH_MISS], 126);
	/* Every third line: all in vain. */
	go(0, 0x20000, 192, 21);
	assert_int_equal(sig[SIG_DCACHE_MISS], 2 + 21);
	assert_int_equal(sig[SIG_PREFETCH_L1D], 126 + 21);
	assert_int_equal(sig[SIG_PREFETCH_L1D_USED], 126);
	free(core);
}

static void
test_stride(void **state)
{
	(void)state;
	small_machine();
	config.n_prefetchers = 1;
	config.prefetcher[0] = (struct prefetch_config){
		.kind = PREFETCH_STRIDE, .fills = PREFETCH_FILLS_L1D,
		.degree = 1, .buffers = 4, .entries = 16, .confidence = 2};
	open_core();
	/* Distances of 200 from the second on, the same for the second time from
	 * the fourth on: 20 of a page, of which 5 to 20 are foreseen. */
	go(1, 0x10000, 200, 20);
	assert_int_equal(sig[SIG_DCACHE_MISS], 4);
	assert_int_equal(sig[SIG_PREFETCH_L1D_USED], 16);
	/* Down, too; and two in turn, each with its own. */
	for (unsigned i = 0; i < 20; i++) {
		access_data(2, 0x21fc0 - 128 * i, 1, false, 200);
		access_data(3, 0x30000 + 64 * i, 1, false, 200);
	}
	assert_int_equal(sig[SIG_DCACHE_MISS], 4 + 4 + 4);
	/* By one instruction in turn: never the same. */
	for (unsigned i = 0; i < 10; i++)
		access_data(4, (i & 1 ? 0x50000 : 0x60000) + 64 * i, 1, false,
			    200);
	assert_int_equal(sig[SIG_DCACHE_MISS], 12 + 10);
	free(core);
}

static void
test_stream(void **state)
{
	(void)state;
	small_machine();
	config.n_prefetchers = 1;
	config.prefetcher[0] = (struct prefetch_config){
		.kind = PREFETCH_STREAM, .fills = PREFETCH_FILLS_L2,
		.degree = 2, .buffers = 16, .entries = 4, .confidence = 2,
		.distance = 4};
	open_core();
	/* All miss the first level; behind the third line, the second one is
	 * asked in time. */
	go(0, 0x10000, 64, 64);
	assert_int_equal(sig[SIG_DCACHE_MISS], 64);
	assert_int_equal(sig[SIG_L2_LOAD_MISS], 3);
	assert_int_equal(sig[SIG_PREFETCH_L2], 61);
	assert_int_equal(sig[SIG_PREFETCH_L2_USED], 61);
	/* Too fast: each has been asked for, and comes late. */
	for (unsigned i = 0; i < 64; i++)
		access_data(0, 0x20fc0 - 64 * i, 1, false, 10);
	assert_int_equal(sig[SIG_PREFETCH_L2_LATE] +
			 sig[SIG_PREFETCH_L2_USED], 61 + 61);
	assert_true(sig[SIG_PREFETCH_L2_LATE] > 40);
	assert_int_equal(sig[SIG_MEMORY_READ], 128);
	free(core);
}

/* ---- Against naive ones ----------------------------------------------- */

static void
random_unit(struct dice *d, struct prefetch_config *p)
{
	*p = (struct prefetch_config){
		.kind = (u8)dice_below(d, PREFETCH_STREAM + 1),
		.fills = config.l2.size && dice_percent(d, 60)
				 ? PREFETCH_FILLS_L2
				 : PREFETCH_FILLS_L1D,
		.degree = (u8)(1 + dice_below(d, 4)),
		.buffers = (u8)DICE_PICK(d, 1, 2, 5, 16, 32)};
	if (p->kind == PREFETCH_NEXT)
		return;
	p->entries = DICE_PICK(d, 1, 4, 16, 64);
	p->confidence = (u8)(1 + dice_below(d, 4));
	if (p->kind == PREFETCH_STREAM) {
		p->distance = (u8)(1 + dice_below(d, 20));
		p->reach = (u8)DICE_PICK(d, 0, 1, 4, 9);
	}
}

static void
random_machine(struct dice *d)
{
	small_machine();
	config.l1d.size = 1024u << dice_below(d, 3);
	config.l1d.ways = DICE_PICK(d, 1, 2, 4, 8);
	config.l2.ways = DICE_PICK(d, 1, 2, 3, 4, 8);
	config.l2.size = config.l2.ways * 64 * (16u << dice_below(d, 3));
	if (dice_percent(d, 20))
		memset(&config.l2, 0, sizeof config.l2);
	config.mem.latency = DICE_PICK(d, 20, 60, 200);
	config.mem.bus_fill = (u16)dice_below(d, 12);
	config.mem.bus_writeback = (u16)dice_below(d, 5);
	config.n_prefetchers = 1 + dice_below(d, SIM_PREFETCHERS);
	for (u32 i = 0; i < config.n_prefetchers; i++)
		random_unit(d, &config.prefetcher[i]);
}

static void
compare(const struct naive *o)
{
	static const u16 found[4][3] = {
		{SIG_L2_LOAD_MISS, SIG_L2_LOAD_E, SIG_L2_LOAD_M},
		{SIG_L2_STORE_MISS, SIG_L2_STORE_E, SIG_L2_STORE_M},
		{SIG_L2_WRITE_MISS, SIG_L2_WRITE_E, SIG_L2_WRITE_M},
		{SIG_L2_PREFETCH_MISS, SIG_L2_PREFETCH_E, SIG_L2_PREFETCH_M}};

	assert_int_equal(sig[SIG_DCACHE_MISS_LOAD], o->miss[0]);
	assert_int_equal(sig[SIG_DCACHE_MISS_STORE], o->miss[1]);
	assert_int_equal(sig[SIG_PREFETCH_L1D], o->brought);
	assert_int_equal(sig[SIG_PREFETCH_L1D_USED], o->brought_used);
	assert_int_equal(sig[SIG_PREFETCH_L2], o->ahead);
	assert_int_equal(sig[SIG_PREFETCH_L2_USED], o->ahead_used);
	assert_int_equal(sig[SIG_PREFETCH_L2_LATE], o->late);
	assert_int_equal(sig[SIG_PREFETCH_DROPPED], o->dropped);
	assert_int_equal(sig[SIG_MEMORY_READ], o->reads);
	assert_int_equal(sig[SIG_MEMORY_WRITE], o->writes);
	for (unsigned what = 0; what < 4; what++)
		for (unsigned k = 0; k < 3; k++)
			assert_int_equal(sig[found[what][k]],
					 o->found[what][k]);
}

/* Instructions that go up, down, in steps, or anywhere. */
static u64
next_address(struct dice *d, unsigned insn, u64 before)
{
	static const s64 step[] = {8, -8, 64, 24, 200, -72, 0, 128};

	if (insn % 8 == 6 || dice_percent(d, 3))
		return 0x100000 + dice_below(d, 0x8000);
	return before + (u64)step[insn % 8];
}

static void
test_random(void **state)
{
	static struct naive o;

	(void)state;
	for (unsigned seed = 0; seed < MACHINES; seed++) {
		struct dice d = {.state = seed * 7919 + 5};
		u64 at[16];
		unsigned kinds = 1 + dice_below(&d, 8);

		random_machine(&d);
		open_core();
		naive_init(&o, &config);
		for (unsigned i = 0; i < SIM_COUNT(at); i++)
			at[i] = 0x100000 + dice_below(&d, 0x8000);
		for (unsigned i = 0; i < ACCESSES; i++) {
			unsigned insn = dice_below(&d, kinds);
			bool store = insn % 8 == 2 && dice_percent(&d, 30);
			unsigned bytes = DICE_PICK(&d, 1, 8);
			u64 t, va = at[insn] = next_address(&d, insn, at[insn]);

			t = access_data(insn, va, bytes, store,
					1 + dice_below(&d, 60));
			naive_access(&o, FIRST + PLACE(insn), va, bytes, store, t);
			compare(&o);
		}
		free(core);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next),
		cmocka_unit_test(test_stride),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
