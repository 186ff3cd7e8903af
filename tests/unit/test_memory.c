/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers, the bus, and cycles with something outstanding. */
#include "block_text.h"
#include "machine/machine_internal.h"
#include "make_access.h"
#include "core/memory.h"
#include "oracle.h"
#include "pipeline/window.h"

#include <stdio.h>

#define CYCLES_MAX 200000

static struct core core;
static u64 sig[SIG_N], alone[ALONE_N];

static void
start_core(const struct sim_config *c)
{
	memset(sig, 0, sizeof sig);
	memset(alone, 0, sizeof alone);
	memset(&core, 0, sizeof core);
	assert_int_equal(pipeline_init(&core, c), 0);
	core.sig = sig;
	core.alone = alone;
}

static struct sim_config *
memory_config(void)
{
	struct sim_config *c = pipeline_config();

	c->mem = (struct memory_config){
		.latency = 50, .bus_fill = 16, .bus_writeback = 12, .beat = 4,
		.fsb = 4, .ldq = 4, .wbb = 4, .ifb = 2};
	return c;
}

/* ---- Buffers ---------------------------------------------------------- */

static void
test_known_queue(void **state)
{
	struct queue *q = &core.fsb;
	u64 start;

	(void)state;
	start_core(memory_config());
	assert_int_equal(queue_take(&core, q, 10, &start), 0);
	assert_int_equal(start, 10);
	queue_put(q, 60);
	assert_int_equal(queue_take(&core, q, 20, &start), 0);
	queue_put(q, 40);
	assert_int_equal(queue_take(&core, q, 25, &start), 0);
	queue_put(q, 70);
	assert_int_equal(queue_take(&core, q, 30, &start), 0);
	queue_put(q, 80);
	/* Full: the first to be done is done at 40. */
	assert_int_equal(queue_take(&core, q, 35, &start), 5);
	assert_int_equal(start, 40);
	queue_put(q, 90);
	queue_account(&core, q, 100);
	/* One of four is a quarter: 10..20 and 80..90; two are a half:
	 * 20..25 and 70..80; more from 25 to 70. */
	assert_int_equal(sig[SIG_FSB_Q1], 0);
	assert_int_equal(sig[SIG_FSB_Q2], 10 + 10 + 5 + 10);
	assert_int_equal(sig[SIG_FSB_Q3], 45);
	assert_int_equal(q->n, 0);
}

/* Entries in use in each cycle, written down one by one. */
static u8 used[CYCLES_MAX];

/* Those that are not the program's. */
static bool left[CYCLES_MAX];

static void
naive_levels(unsigned capacity, u64 end, u64 level[3])
{
	memset(level, 0, 3 * sizeof *level);
	for (u64 t = 0; t < end; t++) {
		if (!used[t] || left[t])
			continue;
		if (used[t] * 4u < capacity)
			level[0]++;
		else if (used[t] * 2u <= capacity)
			level[1]++;
		else
			level[2]++;
	}
}

/* How a buffer is accounted: as things happen, ahead, or as soon as an entry is
 * free. */
enum how { AS_IT_IS, AHEAD, SOON };

/* Takes an entry at cycle t and gives it back at done; what was accounted
 * ahead is taken back now and then. */
static u64
take_entry(u64 t, enum how how)
{
	u64 start;

	if (how == AHEAD)
		return queue_take_ahead(&core, &core.wbb, t);
	if (how == SOON) {
		start = queue_start(&core, &core.wbb, t);
		if (start != QUEUE_BUSY)
			return start;
	}
	queue_take(&core, &core.wbb, t, &start);
	return start;
}

static void
put_entry(u64 start, u64 done, enum how how, struct dice *d)
{
	if (how == AHEAD)
		queue_put_ahead(&core, &core.wbb, start, done);
	else if (how == SOON)
		queue_put_soon(&core, &core.wbb, start, done);
	else
		queue_put(&core.wbb, done);
	if (dice_percent(d, 5))
		core_take_back(&core);
}

/* Now and then the program is left for a while: when it goes on. */
static u64
leave(u64 t, struct dice *d)
{
	u64 back = t + 1 + dice_below(d, 60);

	memory_leave(&core, t);
	memory_return(&core, back);
	memset(left + t, true, back - t);
	return back;
}

static void
random_queue(unsigned capacity, unsigned gap, enum how how, struct dice *d)
{
	struct sim_config *c = memory_config();
	struct oracle_buffer naive = {.capacity = capacity};
	u64 t = 0, level[3];

	c->mem.wbb = (u16)capacity;
	start_core(c);
	memset(used, 0, sizeof used);
	memset(left, 0, sizeof left);
	while (t < CYCLES_MAX - 500) {
		u64 start, done;

		t += dice_below(d, dice_percent(d, 50) ? 3 : gap);
		if (dice_percent(d, 5))
			t = leave(t, d);
		start = take_entry(t, how);
		assert_int_equal(start, oracle_take(&naive, t));
		t = start;
		done = t + 1 + dice_below(d, 10 * capacity + 20) % 300;
		put_entry(start, done, how, d);
		oracle_put(&naive, done);
		for (u64 i = start; i < done; i++)
			used[i]++;
	}
	queue_account(&core, &core.wbb, CYCLES_MAX);
	naive_levels(capacity, CYCLES_MAX, level);
	assert_int_equal(sig[SIG_WBB_Q1], level[0]);
	assert_int_equal(sig[SIG_WBB_Q2], level[1]);
	assert_int_equal(sig[SIG_WBB_Q3], level[2]);
	assert_true(level[0] + level[1] + level[2] <= CYCLES_MAX);
}

static void
test_random_queues(void **state)
{
	static const u8 capacity[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64};
	struct dice d = {.state = 41};

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(capacity); i++)
		for (enum how how = AS_IT_IS; how <= SOON; how++) {
			random_queue(capacity[i], 30, how, &d);
			random_queue(capacity[i], 300, how, &d);
		}
}

/* ---- The bus ---------------------------------------------------------- */

static void
test_known_bus(void **state)
{
	(void)state;
	start_core(memory_config());
	assert_int_equal(memory_fill(&core, 0x1000, 100, true), 150);
	/* The bus is busy until 116. */
	assert_int_equal(memory_fill(&core, 0x2000, 101, true), 166);
	assert_int_equal(sig[SIG_DCACHE_PENDING], 66);
	/* A write-back takes it from 132 to 144; fetches come behind it. */
	memory_writeback(&core, 0x3000, 110);
	assert_int_equal(core.bus_free, 144);
	assert_int_equal(memory_fill(&core, 0x4000, 120, false), 194);
	assert_int_equal(sig[SIG_DCACHE_PENDING], 66);
	assert_int_equal(memory_fill(&core, 0x5000, 1000, true), 1050);
	assert_int_equal(sig[SIG_DCACHE_PENDING], 116);
	assert_int_equal(sig[SIG_L2_ACCESS], 0);
}

static void
test_random_bus(void **state)
{
	struct dice d = {.state = 43};
	u64 t = 0, free = 0, pending = 0, edges = 0;

	(void)state;
	start_core(memory_config());
	memset(used, 0, sizeof used);
	while (free < CYCLES_MAX - 200 && t < CYCLES_MAX - 200) {
		unsigned what = dice_below(&d, 3);
		u64 begin, ready;

		t += dice_below(&d, dice_percent(&d, 80) ? 20 : 200);
		begin = t > free ? t : free;
		if (what == 0) {
			memory_writeback(&core, 0x1000, t);
			free = begin + 12;
			continue;
		}
		ready = memory_fill(&core, 0x1000, t, what == 1);
		assert_int_equal(ready, begin + 50);
		free = begin + 16;
		for (u64 i = t; what == 1 && i < ready; i++)
			used[i] = 1;
	}
	for (u64 i = 0; i < CYCLES_MAX; i++) {
		pending += used[i];
		edges += used[i] && (!i || !used[i - 1]);
	}
	assert_int_equal(sig[SIG_DCACHE_PENDING], pending);
	assert_int_equal(sig[SIG_DCACHE_PENDING_EDGE], edges);
	assert_true(edges > 10);
	assert_true(pending > CYCLES_MAX / 4);
}

static void
test_second_level(void **state)
{
	struct sim_config *c = memory_config();

	(void)state;
	c->l2 = (struct cache_config){
		.size = 128, .ways = 2, .line = 64, .latency = 12};
	start_core(c);
	/* Both halves of a line: one miss, one hit. */
	assert_int_equal(memory_fill(&core, 0x1000, 100, true), 150);
	assert_int_equal(memory_fill(&core, 0x1020, 200, true), 212);
	assert_int_equal(sig[SIG_L2_ACCESS], 2);
	assert_int_equal(sig[SIG_L2_MISS], 1);
	assert_int_equal(sig[SIG_L2_PENDING], 50);
	/* A write-back makes it dirty; two more lines push it out. */
	memory_writeback(&core, 0x1000, 300);
	assert_int_equal(sig[SIG_L2_ACCESS], 3);
	memory_fill(&core, 0x2000, 400, true);
	assert_int_equal(sig[SIG_L2_WB], 0);
	/* The bus is busy until 416, and with the dirty line until 428. */
	assert_int_equal(memory_fill(&core, 0x3000, 401, false), 478);
	assert_int_equal(sig[SIG_L2_WB], 1);
	assert_int_equal(sig[SIG_L2_MISS], 3);
	assert_int_equal(sig[SIG_L2_PENDING], 50 + 78);
	assert_int_equal(sig[SIG_L2_PENDING_EDGE], 2);
	/* Of data: two from memory, one from the second level. */
	assert_int_equal(sig[SIG_DCACHE_PENDING], 50 + 12 + 50);
	assert_int_equal(sig[SIG_DCACHE_PENDING_EDGE], 3);
	/* Lines come from 100 to 116 and from 400 on, one behind another. */
	assert_int_equal(sig[SIG_BUS_BUSY_EDGE], 2);
	/* Loads alone, each until three beats more are here: two of them so
	 * far, and two at a time. */
	assert_int_equal(sig[SIG_L2_LOAD_OCCUPANCY], 2 * (50 + 3 * 4));
	memory_fill(&core, 0x4000, 600, OUTER_STORE);
	memory_fill(&core, 0x5000, 1000, OUTER_LOAD);
	memory_fill(&core, 0x6000, 1020, OUTER_LOAD);
	memory_fill(&core, 0x7000, 1040, OUTER_IFETCH);
	assert_int_equal(sig[SIG_L2_LOAD_OCCUPANCY], 4 * (50 + 3 * 4));
	assert_int_equal(sig[SIG_L2_LOAD_PENDING], 3 * (50 + 3 * 4) + 20);
	assert_int_equal(sig[SIG_L2_LOAD_PENDING_EDGE], 3);
}

/* ---- Alignment -------------------------------------------------------- */

static void
test_misaligned(void **state)
{
	static const struct block_access a = {.cycles_back = 1};
	struct sim_config *c = memory_config();
	u64 before;

	(void)state;
	c->pipe.misaligned = 3;
	start_core(c);
	before = core_cycle(&core);
	core_misaligned(&core, &a, false);
	core_misaligned(&core, &a, true);
	core_misaligned(&core, &a, false);
	assert_int_equal(sig[SIG_MISALIGNED_LOAD], 2);
	assert_int_equal(sig[SIG_MISALIGNED_STORE], 1);
	assert_int_equal(sig[SIG_ALU_OTHER], 9);
	assert_int_equal(core_cycle(&core) - before, 9);
	c->pipe.misaligned = 0;
}

/* ---- Occupancy is time ------------------------------------------------ */

static const u8 occupied[][3] = {
	{SIG_FSB_Q1, SIG_FSB_Q2, SIG_FSB_Q3},
	{SIG_LDQ_Q1, SIG_LDQ_Q2, SIG_LDQ_Q3},
	{SIG_WBB_Q1, SIG_WBB_Q2, SIG_WBB_Q3},
};

static void
test_occupancy(void **state)
{
	static const struct block_access load = {
		.cycles_back = 1, .use = ACCESS_NEVER_USED, .reg = 1};
	struct dice d = {.state = 47};
	u64 cycles;

	(void)state;
	start_core(memory_config());
	for (unsigned n = 0; n < 30000; n++) {
		core.now += CYCLES(1 + dice_below(&d, 30)) + 2;
		core_data(&core, &load, 0x10000 + dice_below(&d, 1u << 20), 1,
			  dice_percent(&d, 40));
	}
	core_settle(&core);
	cycles = core_cycle(&core);
	for (unsigned i = 0; i < SIM_COUNT(occupied); i++) {
		u64 sum = 0;

		for (unsigned k = 0; k < 3; k++)
			sum += sig[occupied[i][k]];
		assert_true(sum > cycles / 20);
		assert_true(sum <= cycles);
	}
	assert_true(sig[SIG_DCACHE_PENDING] <= cycles + 50);
	assert_true(sig[SIG_DCACHE_FILL] - sig[SIG_DCACHE_WB] <
		    sig[SIG_DCACHE_FILL]);
	assert_true(sig[SIG_ALU_FSB] + sig[SIG_ALU_WBB] + sig[SIG_ALU_LDQ] <
		    cycles);
}

/* ---- Misses with nothing else under way -------------------------------- */

#define FAR_APART 300

static void
random_access(struct dice *d)
{
	struct block_access a = {
		.clock_back = 1, .cycles_back = (u16)dice_below(d, 4),
		.use = (u16)(2 + dice_below(d, 5)), .reg = 1};
	bool store = dice_percent(d, 20);

	if (dice_percent(d, 10))
		a.use = ACCESS_NEVER_USED;
	else if (dice_percent(d, 70))
		a.flags |= ACCESS_USE_IS_NEXT;
	if (dice_percent(d, 20))
		a.flags |= ACCESS_USE_IS_ADDRESS;
	core.now += CYCLES(4 + dice_below(d, dice_percent(d, 50)
						    ? 20 : FAR_APART)) + 2;
	a.alone = block_alone(&a);
	make_access(&core, &a, 0x10000 + dice_below(d, 1u << 17),
		    dice_below(d, 4), store);
}

/* Many accesses, and when they are done. */
static u64
run_random(u64 seed)
{
	struct dice d = {.state = seed};

	for (unsigned n = 0; n < 20000; n++)
		random_access(&d);
	pending_until(&core, core_cycle(&core));
	core_settle(&core);
	return core_cycle(&core);
}

/* Loads that were alone and waited for. */
static u64
count_waits(void)
{
	u64 sum = 0;

	for (unsigned kind = ALONE_WAITS; kind < ALONE_N; kind++)
		sum += alone[kind];
	return sum;
}

/* What a core counts and when it is done, where the usual kind of cache is
 * known to be one, and where it is not. */
static u64
count_random(struct sim_config *c, bool plain, u64 *fills, u64 *waits)
{
	u64 done;

	start_core(c);
	assert_true(core.plain);
	core.plain = plain;
	core_route(&core);
	done = run_random(11);
	*fills = alone[ALONE_FILLS];
	*waits = count_waits();
	machine_alone_add(c, alone, sig);
	return done;
}

static void
test_alone(void **state)
{
	struct sim_config *c = memory_config();
	u64 expected[SIG_N], cycles, fills, waits;

	(void)state;
	c->pipe.dtlb_replay = 2;
	c->pipe.tlb_refill = 70;
	cycles = count_random(c, false, &fills, &waits);
	assert_int_equal(fills + waits, 0);
	memcpy(expected, sig, sizeof sig);
	assert_int_equal(count_random(c, true, &fills, &waits), cycles);
	assert_true(fills > 1000);
	assert_true(waits > 1000);
	for (unsigned s = 0; s < SIG_N; s++)
		assert_int_equal(sig[s], expected[s]);
	assert_true(sig[SIG_DCACHE_WB] > 1000);
	c->pipe.dtlb_replay = c->pipe.tlb_refill = 0;
}

/* The same where the level behind has most lines: with the short paths for
 * that, and without. */
static u64
count_near(struct sim_config *c, bool near, u64 *loads, u64 *waits)
{
	u64 done;

	start_core(c);
	assert_true(core.access != core_access);
	if (!near) {
		core.access = core_access;
		core.load_other = access_load_other;
		core.near = NULL;
		core_route(&core);
	}
	done = run_random(12);
	*loads = alone[ALONE_NEAR_E] + alone[ALONE_NEAR_M];
	*waits = count_waits();
	machine_alone_add(c, alone, sig);
	return done;
}

static void
random_near(struct sim_config *c, struct dice *d)
{
	bool wide = dice_percent(d, 30);

	c->l1d = (struct cache_config){
		.size = 8192, .ways = wide ? 4 : DICE_PICK(d, 1, 2, 4),
		.line = wide ? 64 : 32, .write_through = dice_percent(d, 50),
		.no_write_allocate = dice_percent(d, 70)};
	c->l2 = (struct cache_config){
		.ways = DICE_PICK(d, 1, 2, 3, 4, 8), .line = 64,
		.policy = (u8)dice_below(d, 4),
		.write_through = dice_percent(d, 20), .latency = 9,
		.repeat = DICE_PICK(d, 0, 4, 12)};
	c->l2.size = c->l2.ways == 3 ? 49152 : 65536;
	c->dtlb.entries = 32;
	c->mem.beat = DICE_PICK(d, 1, 2, 4);
	c->mem.fsb = DICE_PICK(d, 1, 3, 6);
	c->mem.ldq = DICE_PICK(d, 2, 3, 6);
	c->mem.wbb_bytes = dice_percent(d, 50) ? 32 : 0;
	c->mem.wbb_drain_at = 2;
	c->mem.wbb_drain_after = dice_percent(d, 50) ? 256 : 0;
	c->mem.wbb_cycles = 5;
}

static void
test_near(void **state)
{
	struct sim_config *c = memory_config(), before = *c;
	struct dice d = {.state = 5};
	u64 all = 0;

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		u64 expected[SIG_N], cycles, loads, waits;

		random_near(c, &d);
		cycles = count_near(c, false, &loads, &waits);
		assert_int_equal(loads + waits, 0);
		memcpy(expected, sig, sizeof sig);
		assert_int_equal(count_near(c, true, &loads, &waits), cycles);
		assert_true(loads > 50);
		all += waits;
		for (unsigned s = 0; s < SIG_N; s++)
			assert_int_equal(sig[s], expected[s]);
	}
	assert_true(all > 5000);
	*c = before;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_queue),
		cmocka_unit_test(test_random_queues),
		cmocka_unit_test(test_known_bus),
		cmocka_unit_test(test_random_bus),
		cmocka_unit_test(test_second_level),
		cmocka_unit_test(test_misaligned),
		cmocka_unit_test(test_occupancy),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
