/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clock ticks that evict lines: by hand, and against a naive model. */
#include "merge_fixture.h"
#include "core/tick.h"

#include <string.h>

#define LINE 32u
#define SETS 8u
#define WAYS 4u
#define LINES (SETS * WAYS)
#define PERIOD 1000u

static u64 sig[SIG_N];
static struct sim_config config;
static struct core *core;

/* Ticks that touch so many lines of code, and of data, the last one in part. */
static void
open_core(unsigned code, unsigned data)
{
	struct ledger_config *ledger = &config.ledger;

	memset(&config, 0, sizeof config);
	config.l1i = config.l1d = (struct cache_config){
		.size = LINES * LINE, .ways = WAYS, .line = LINE};
	config.itlb = config.dtlb = (struct tlb_config){
		.entries = 8, .ways = 8, .page_bits = 12};
	config.branch.entries = 16;
	config.mem = (struct memory_config){
		.latency = 20, .fsb = 4, .ldq = 4, .wbb = 4, .ifb = 2};
	config.tick_evicts = true;
	ledger->tick_cycles = PERIOD;
	ledger->tick_code = code * LINE;
	ledger->tick_data = data * LINE - (data != 0);
	memset(sig, 0, sizeof sig);
	core = set_up_core(&config);
	core->sig = sig;
}

static void
close_core(void)
{
	free(core->pages);
	free(core);
}

/* It is that cycle, when a block is entered. */
static void
attend(u64 cycle)
{
	core->now = CYCLES(cycle) + (u32)core->now;
	core_attend(core, &block_none);
}

/* A line of code; true if it is there. */
static bool
fetch(u64 line)
{
	u64 before = sig[SIG_ICACHE_MISS];
	u16 where;

	core->now += CYCLES(100) + 1;
	fetch_line(core, line, (u32)core->now, core_cycle(core), &where);
	return sig[SIG_ICACHE_MISS] == before;
}

/* The same of data. */
static bool
access_line(u64 line, bool store)
{
	u64 before = sig[SIG_DCACHE_MISS];
	struct data_result r = {0};

	core->now += CYCLES(100) + 1;
	data_access(core, line * LINE, store, (u32)core->now, core_cycle(core),
		    &r);
	return sig[SIG_DCACHE_MISS] == before;
}

/*
 * Lines 0 to 31 fill four ways of eight sets.  A tick that touches three lines
 * takes the oldest of sets 0, 1 and 2, which are 0, 1 and 2; the next one those
 * of sets 3, 4 and 5.
 */
static void
the_oldest_lines_go(void **state)
{
	(void)state;
	open_core(3, 0);
	config.ledger.tick_cycles = core->tick = 10000;
	for (u64 line = 0; line < LINES; line++)
		assert_false(fetch(line));
	attend(9999);
	assert_true(core->deadline == CYCLES(10000));
	for (u64 line = 0; line < LINES; line++)
		assert_true(fetch(line));
	attend(13200);
	assert_true(core->deadline == CYCLES(20000));
	for (u64 line = 3; line < LINES; line++)
		assert_true(fetch(line));
	for (u64 line = 0; line < 3; line++)
		assert_false(fetch(line));
	attend(20000);
	for (u64 line = 6; line < LINES; line++)
		assert_true(fetch(line));
	for (u64 line = 3; line < 6; line++)
		assert_false(fetch(line));
	close_core();
}

/*
 * The kernel writes back what it evicts, in its own time and counts.  Of the
 * lines that it brings it has stored to 5, which the program writes back when it
 * evicts them.
 */
static void
nothing_else_is_counted(void **state)
{
	u64 before[SIG_N];

	(void)state;
	open_core(LINES, LINES);
	config.ledger.tick_stored = 5 * LINE;
	for (u64 line = 0; line < LINES; line++) {
		assert_false(access_line(line, line % 2));
		assert_false(fetch(line));
	}
	for (u64 line = 0; line < LINES; line++)
		assert_true(access_line(line, line % 2));
	memcpy(before, sig, sizeof sig);
	attend(core_cycle(core));
	assert_memory_equal(before, sig, sizeof sig);
	for (u64 line = 0; line < LINES; line++) {
		assert_false(access_line(line, false));
		assert_false(fetch(line));
	}
	assert_int_equal(sig[SIG_DCACHE_WB], 5);
	close_core();
}

/* However late it is looked at, and never if there is a real kernel. */
static void
a_tick_is_due_once_a_period(void **state)
{
	(void)state;
	open_core(1, 0);
	attend(PERIOD - 1);
	assert_int_equal(core->tick_line[0], 0);
	attend(7 * PERIOD + 10);
	assert_int_equal(core->tick_line[0], 1);
	assert_true(core->deadline == CYCLES(8 * PERIOD));
	attend(8 * PERIOD);
	assert_int_equal(core->tick_line[0], 2);
	tick_stop(core);
	attend(9 * PERIOD);
	assert_int_equal(core->tick_line[0], 2);
	close_core();
}

/* ---- The naive model --------------------------------------------------- */

struct naive {
	u64 line[SETS][WAYS];	/* of each set, the oldest first; 0: none */
	u64 kernel;		/* the next of its lines */
};

/* True if the line was there. */
static bool
naive_access(struct naive *o, u64 line)
{
	u64 *set = o->line[line % SETS];
	unsigned i = 0;
	bool there;

	while (i < WAYS - 1 && set[i] != line)
		i++;
	there = set[i] == line;
	if (!there)
		i = 0;
	for (; i < WAYS - 1; i++)
		set[i] = set[i + 1];
	set[WAYS - 1] = line;
	return there;
}

static void
naive_tick(struct naive *o, unsigned lines)
{
	while (lines--)
		naive_access(o, 1000000 * SETS + o->kernel++);
}

static void
agrees_with_lists(void **state)
{
	enum { CODE = 5, DATA = 3 };
	struct naive code = {.kernel = 0}, data = {.kernel = 0};
	u64 next = PERIOD;
	u32 rnd = 3;

	(void)state;
	open_core(CODE, DATA);
	for (unsigned i = 0; i < 100000; i++) {
		u64 line = 1 + random_next(&rnd) % 40;
		bool store = random_next(&rnd) % 2;

		assert_int_equal(fetch(line), naive_access(&code, line));
		assert_int_equal(access_line(line, store),
				 naive_access(&data, line));
		if (core->now >= core->deadline)
			core_attend(core, &block_none);
		if (core_cycle(core) < next)
			continue;
		naive_tick(&code, CODE);
		naive_tick(&data, DATA);
		while (next <= core_cycle(core))
			next += PERIOD;
	}
	close_core();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_lines_go),
		cmocka_unit_test(nothing_else_is_counted),
		cmocka_unit_test(a_tick_is_due_once_a_period),
		cmocka_unit_test(agrees_with_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
