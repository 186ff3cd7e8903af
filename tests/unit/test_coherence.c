/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several CPUs and which has which line: by hand, and against a naive model
 * that keeps nothing but lists of lines. */
#include "core/coherence.h"
#include "core_fixture.h"
#include "oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CPUS 4
#define LINES 512		/* of coherence, of the streams */
#define STREAMS 60
#define ACCESSES 4000		/* per stream */
#define BASE 0x100000u
#define L1_LINE 32u
#define L2_LINE 128u
#define WAYS 2u

static struct sim_config config;
static struct core *core[CPUS];
static struct coherence *directory;
static u64 sig[CPUS][SIG_N];
static unsigned n_cpus;

/* ---- The naive model --------------------------------------------------- */

struct line {
	bool valid, dirty;
	u64 number, used;
};

struct cache {
	u32 sets;
	u32 bytes;		/* of a line */
	struct line line[256];
};

enum { DATA, CODE, SECOND, CACHES };

static struct {
	struct cache cache[CACHES];
	u64 want[SIG_N];
} naive[CPUS];

static struct {
	int owner;		/* -1: none */
	bool sharer[CPUS];
} dir[LINES];

static u64 now;

static struct line *
find(struct cache *c, u64 addr)
{
	u64 number = addr / c->bytes;
	struct line *set = &c->line[number % c->sets * WAYS];

	for (unsigned w = 0; w < WAYS; w++)
		if (set[w].valid && set[w].number == number)
			return &set[w];
	return NULL;
}

static struct line *
oldest(struct cache *c, u64 addr)
{
	struct line *set = &c->line[addr / c->bytes % c->sets * WAYS];
	struct line *best = &set[0];

	for (unsigned w = 1; w < WAYS; w++)
		if (set[w].used < best->used)
			best = &set[w];
	return best;
}

static bool
drop(struct cache *c, u64 addr)
{
	struct line *l = find(c, addr);
	bool dirty = l && l->dirty;

	if (l)
		memset(l, 0, sizeof *l);
	return dirty;
}

/* What is written back if CPU k loses a line of the second level. */
static bool
drop_first(unsigned k, u64 start)
{
	bool dirty = false;

	for (u64 a = start; a < start + L2_LINE; a += L1_LINE) {
		bool one = drop(&naive[k].cache[DATA], a);

		naive[k].want[SIG_DCACHE_WB] += one;
		dirty |= one;
		drop(&naive[k].cache[CODE], a);
	}
	return dirty;
}

/* CPU k is asked for a line: 0 it is not there, 1 clean, 2 dirty. */
static int
ask(unsigned k, u64 start, bool lose)
{
	struct line *second = find(&naive[k].cache[SECOND], start);
	bool dirty = second && second->dirty, data = false;

	if (!second)
		return 0;
	for (u64 a = start; a < start + L2_LINE; a += L1_LINE)
		data |= find(&naive[k].cache[DATA], a) != NULL;
	naive[k].want[SIG_EXT_DATA_HIT] += data;
	for (u64 a = start; a < start + L2_LINE && !lose; a += L1_LINE) {
		struct line *l = find(&naive[k].cache[DATA], a);

		if (!l || !l->dirty)
			continue;
		naive[k].want[SIG_DCACHE_WB]++;
		l->dirty = false;
		dirty = true;
	}
	second->dirty = false;
	if (lose) {
		dirty |= drop_first(k, start);
		drop(&naive[k].cache[SECOND], start);
	} else if (dirty) {
		naive[k].want[SIG_L2_WB]++;
		naive[k].want[SIG_MEMORY_WRITE]++;
	}
	return 1 + dirty;
}

static int
intervene(unsigned owner, u64 start, bool lose)
{
	int how = ask(owner, start, lose);

	naive[owner].want[SIG_EXT_INTERVENTION]++;
	naive[owner].want[SIG_EXT_INTERVENTION_E] += how == 1;
	naive[owner].want[SIG_EXT_INTERVENTION_M] += how == 2;
	return how;
}

/* Before CPU k stores; true if it has the line, and others have it, too. */
static bool
naive_own(unsigned k, u64 start)
{
	unsigned d = (unsigned)((start - BASE) / L2_LINE);
	bool any = false, shared;

	if (dir[d].owner == (int)k)
		return false;
	if (dir[d].owner >= 0)
		naive[k].want[SIG_OTHER_STORE_M] +=
			intervene((unsigned)dir[d].owner, start, true) == 2;
	for (unsigned i = 0; i < n_cpus; i++) {
		any |= dir[d].sharer[i];
		if (!dir[d].sharer[i] || i == k)
			continue;
		naive[i].want[SIG_EXT_INVALIDATE]++;
		if (ask(i, start, true))
			naive[i].want[SIG_EXT_INVALIDATE_HIT]++;
	}
	shared = any && find(&naive[k].cache[SECOND], start);
	naive[k].want[SIG_UPGRADE_SHARED] += shared;
	memset(&dir[d], 0, sizeof dir[d]);
	dir[d].owner = (int)k;
	return shared;
}

static void
naive_read_memory(unsigned k, u64 start, bool store, bool code)
{
	unsigned d = (unsigned)((start - BASE) / L2_LINE);
	bool any = false, there = false;

	naive[k].want[SIG_MEMORY_READ]++;
	if (store || dir[d].owner == (int)k)
		return;
	for (unsigned i = 0; i < n_cpus; i++) {
		any |= dir[d].sharer[i];
		there |= i != k && dir[d].sharer[i] &&
			 find(&naive[i].cache[SECOND], start);
	}
	naive[k].want[SIG_OTHER_READ_E] += there;
	if (dir[d].owner >= 0) {
		unsigned owner = (unsigned)dir[d].owner;
		int how = intervene(owner, start, false);

		naive[k].want[SIG_OTHER_READ_E] += how == 1;
		naive[k].want[SIG_OTHER_READ_M] += how == 2;
		dir[d].owner = -1;
		dir[d].sharer[owner] = how != 0;
	} else if (!any && !code) {
		dir[d].owner = (int)k;
		return;
	}
	dir[d].sharer[k] = true;
}

static void
second_room(unsigned k, u64 start)
{
	struct line *l = oldest(&naive[k].cache[SECOND], start);
	u64 out = l->number * L2_LINE;

	if (l->valid) {
		bool dirty = drop_first(k, out) | l->dirty;

		if (dirty) {
			unsigned d = (unsigned)((out - BASE) / L2_LINE);

			naive[k].want[SIG_L2_WB]++;
			naive[k].want[SIG_MEMORY_WRITE]++;
			if (dir[d].owner == (int)k)
				dir[d].owner = -1;
		}
	}
	*l = (struct line){true, false, start / L2_LINE, ++now};
}

static void
naive_access(unsigned k, u64 addr, bool store, bool code)
{
	struct cache *first = &naive[k].cache[code ? CODE : DATA];
	u64 start = addr / L2_LINE * L2_LINE;
	bool shared = store && naive_own(k, start);
	struct line *l = find(first, addr), *second;

	if (!l) {
		second = find(&naive[k].cache[SECOND], start);
		if (second) {
			second->used = ++now;
			naive[k].want[SIG_L2_STORE_S] += shared;
		} else {
			naive[k].want[SIG_L2_MISS]++;
			second_room(k, start);
			naive_read_memory(k, start, store, code);
		}
		l = oldest(first, addr);
		if (l->valid && l->dirty) {
			naive[k].want[SIG_DCACHE_WB]++;
			second = find(&naive[k].cache[SECOND],
				      l->number * L1_LINE);
			second->dirty = true;
			second->used = ++now;
		}
		*l = (struct line){true, false, addr / L1_LINE, 0};
		naive[k].want[SIG_DCACHE_MISS] += !code;
	}
	l->used = ++now;
	l->dirty |= store;
}

/* ---- Both side by side ------------------------------------------------- */

static void
open_machine(unsigned n, u32 l1_sets, u32 l2_sets)
{
	memset(&config, 0, sizeof config);
	memset(sig, 0, sizeof sig);
	memset(naive, 0, sizeof naive);
	memset(dir, 0, sizeof dir);
	n_cpus = n;
	config.l1d = config.l1i = (struct cache_config){
		.size = l1_sets * WAYS * L1_LINE, .ways = WAYS,
		.line = L1_LINE};
	config.l2 = (struct cache_config){
		.size = l2_sets * WAYS * L2_LINE, .ways = WAYS,
		.line = L2_LINE, .inclusive = true, .latency = 10};
	config.dtlb = config.itlb =
		(struct tlb_config){.entries = 8, .page_bits = 12};
	config.branch.entries = 16;
	config.mem.fsb = config.mem.wbb = config.mem.ldq = 64;
	config.mem.ifb = 8;
	directory = coherence_new(&config);
	assert_non_null(directory);
	for (unsigned i = 0; i < LINES; i++)
		dir[i].owner = -1;
	for (unsigned k = 0; k < n; k++) {
		core[k] = set_up_core(&config);
		core[k]->sig = sig[k];
		naive[k].cache[DATA].sets = naive[k].cache[CODE].sets =
			l1_sets;
		naive[k].cache[DATA].bytes = naive[k].cache[CODE].bytes =
			L1_LINE;
		naive[k].cache[SECOND].sets = l2_sets;
		naive[k].cache[SECOND].bytes = L2_LINE;
	}
}

static void
join_all(void)
{
	for (unsigned k = 0; k < n_cpus; k++)
		coherence_join(directory, core[k], k);
}

static void
close_machine(void)
{
	for (unsigned k = 0; k < n_cpus; k++)
		free(core[k]);
	coherence_free(directory);
}

static void
data(unsigned k, u64 va, bool store)
{
	static const struct block_access access = {
		.cycles_back = 1, .use = ACCESS_NEVER_USED, .reg = REG_NONE};

	core[k]->now += CYCLES(200) + 1;
	core_data(core[k], &access, va, 1, store);
}

static void
code(unsigned k, u64 va)
{
	u16 slot;

	core[k]->now += CYCLES(200) + 1;
	fetch_line(core[k], va / L1_LINE, (u32)core[k]->now,
		   core_cycle(core[k]), &slot);
}

static void
compare(void)
{
	static const u8 compared[] = {
		SIG_EXT_INTERVENTION, SIG_EXT_INTERVENTION_E,
		SIG_EXT_INTERVENTION_M, SIG_EXT_INVALIDATE,
		SIG_EXT_INVALIDATE_HIT, SIG_EXT_DATA_HIT, SIG_OTHER_READ_E,
		SIG_OTHER_READ_M, SIG_OTHER_STORE_M, SIG_UPGRADE_SHARED,
		SIG_L2_STORE_S,
		SIG_L2_WB, SIG_L2_MISS, SIG_MEMORY_READ, SIG_MEMORY_WRITE,
		SIG_DCACHE_WB, SIG_DCACHE_MISS,
	};

	for (unsigned k = 0; k < n_cpus; k++)
		for (unsigned i = 0; i < SIM_COUNT(compared); i++)
			assert_int_equal(sig[k][compared[i]],
					 naive[k].want[compared[i]]);
}

static void
test_random(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < STREAMS; seed++) {
		struct dice d = {.state = seed * 7919 + 5};
		u32 span = (16u << dice_below(&d, 6)) * L2_LINE;
		unsigned stores = dice_below(&d, 80);

		open_machine(2 + dice_below(&d, CPUS - 1),
			     2u << dice_below(&d, 4), 8u << dice_below(&d, 4));
		join_all();
		for (unsigned i = 0; i < ACCESSES; i++) {
			unsigned k = dice_below(&d, n_cpus);
			u64 va = BASE + dice_below(&d, span);
			bool fetch = dice_percent(&d, 10);
			bool store = !fetch && dice_percent(&d, stores);

			if (fetch)
				code(k, va);
			else
				data(k, va, store);
			naive_access(k, va, store, fetch);
			compare();
		}
		close_machine();
	}
}

/* ---- By hand ----------------------------------------------------------- */

static void
test_ping_pong(void **state)
{
	(void)state;
	open_machine(2, 4, 8);
	join_all();
	for (unsigned i = 0; i < 100; i++)
		data(i % 2, BASE + 8 * (i % 2), true);
	/* Each store but the first takes the line from the other one. */
	assert_int_equal(sig[0][SIG_EXT_INTERVENTION_M], 50);
	assert_int_equal(sig[1][SIG_EXT_INTERVENTION_M], 49);
	assert_int_equal(sig[0][SIG_OTHER_STORE_M], 49);
	assert_int_equal(sig[1][SIG_OTHER_STORE_M], 50);
	assert_int_equal(sig[0][SIG_DCACHE_MISS], 50);
	assert_int_equal(sig[1][SIG_DCACHE_MISS], 50);
	assert_int_equal(sig[0][SIG_EXT_INVALIDATE], 0);
	assert_int_equal(sig[0][SIG_L2_WB] + sig[1][SIG_L2_WB], 0);
	close_machine();
}

static void
test_producer(void **state)
{
	(void)state;
	open_machine(3, 4, 8);
	join_all();
	for (unsigned i = 0; i < 50; i++) {
		data(0, BASE, true);
		data(1, BASE, false);
		data(2, BASE, false);
	}
	/* The first reader asks the producer, which writes the line back; the
	 * next store tells both readers. */
	assert_int_equal(sig[0][SIG_EXT_INTERVENTION_M], 50);
	assert_int_equal(sig[0][SIG_L2_WB], 50);
	assert_int_equal(sig[0][SIG_UPGRADE_SHARED], 49);
	assert_int_equal(sig[0][SIG_L2_STORE_S], 0);
	for (unsigned k = 1; k < 3; k++) {
		assert_int_equal(sig[k][SIG_EXT_INVALIDATE], 49);
		assert_int_equal(sig[k][SIG_EXT_INVALIDATE_HIT], 49);
		assert_int_equal(sig[k][SIG_DCACHE_MISS], 50);
		assert_int_equal(sig[k][SIG_EXT_INTERVENTION], 0);
		assert_int_equal(sig[k][SIG_EXT_DATA_HIT], 49);
	}
	/* The second reader finds it with the other two, clean by then. */
	assert_int_equal(sig[1][SIG_OTHER_READ_M], 50);
	assert_int_equal(sig[1][SIG_OTHER_READ_E], 0);
	assert_int_equal(sig[2][SIG_OTHER_READ_M], 0);
	assert_int_equal(sig[2][SIG_OTHER_READ_E], 50);
	assert_int_equal(sig[0][SIG_OTHER_STORE_M], 0);
	close_machine();
}

static void
test_private(void **state)
{
	(void)state;
	open_machine(4, 4, 8);
	join_all();
	for (unsigned i = 0; i < 4000; i++)
		data(i % 4, BASE + i % 4 * 4096 + i * 40 % 4096, i % 3);
	for (unsigned k = 0; k < 4; k++)
		for (unsigned s = SIG_EXT_INTERVENTION; s <= SIG_L2_STORE_S;
		     s++)
			assert_int_equal(sig[k][s], 0);
	close_machine();
}

/* What a CPU had before the others came is its own. */
static void
test_join(void **state)
{
	(void)state;
	open_machine(2, 4, 8);
	data(0, BASE, true);
	data(0, BASE + L2_LINE, false);
	join_all();
	data(1, BASE, false);
	data(1, BASE + L2_LINE, true);
	assert_int_equal(sig[0][SIG_EXT_INTERVENTION], 2);
	assert_int_equal(sig[0][SIG_EXT_INTERVENTION_M], 1);
	assert_int_equal(sig[0][SIG_EXT_INTERVENTION_E], 1);
	data(0, BASE, true);
	assert_int_equal(sig[1][SIG_EXT_INVALIDATE_HIT], 1);
	assert_int_equal(sig[0][SIG_UPGRADE_SHARED], 1);
	close_machine();
}

/* More lines than the directory has room for at first, several times: it never
 * forgets the first reader of a line, or takes another's for it. */
static void
test_many(void **state)
{
	const unsigned many = 20000;

	(void)state;
	open_machine(2, 4, 8);
	join_all();
	for (unsigned i = 0; i < many; i++)
		data(0, BASE + (u64)i * L2_LINE, false);
	assert_int_equal(sig[1][SIG_EXT_INTERVENTION], 0);
	for (unsigned i = 0; i < many; i++) {
		data(1, BASE + (u64)i * L2_LINE, false);
		assert_int_equal(sig[0][SIG_EXT_INTERVENTION], i + 1);
		data(1, BASE + (u64)(i + many) * L2_LINE, false);
		assert_int_equal(sig[0][SIG_EXT_INTERVENTION], i + 1);
	}
	for (unsigned i = 0; i < many; i++) {
		data(0, BASE + (u64)i * L2_LINE, true);
		assert_int_equal(sig[1][SIG_EXT_INVALIDATE], i + 1);
	}
	close_machine();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_ping_pong),
		cmocka_unit_test(test_producer),
		cmocka_unit_test(test_private),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
