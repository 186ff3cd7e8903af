/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pctr(4): functions, the bit that enables both counters, errors, widths. */
#include "device/pctr.h"
#include "machine_fixture.h"

#include <errno.h>

#define P6 (PCTR_P6_ENABLE | PCTR_P6_USER)

static struct machine_map
pctr_machine(enum counter_control control)
{
	struct sim_config *config = fixture_config();

	config->system = SYSTEM_OPENBSD;
	config->counter_control = control;
	config->n_counters = 2;
	config->counter_bits = 40;
	config->n_events = 4;
	config->event[0] = (struct sim_event){
		.code = 0x16, .counters = 3, .n = 1, .n_per_cycle = 2,
		.per_cycle = {SIG_RETIRE_1, SIG_RETIRE_2},
		.term = {{SIG_INSN, 1, 0, false}}};
	config->event[1] = (struct sim_event){
		.code = 0x10, .counters = 1, .n = 1,
		.term = {{SIG_INSN_FPU, 1, 0, false}}};
	config->event[2] = (struct sim_event){
		.code = 0x2e, .counters = 3, .n = 2,
		.term = {{SIG_L2_LOAD_M, 1, 8, false},
			 {SIG_L2_LOAD_MISS, 1, 1, false}}};
	config->event[3] = (struct sim_event){
		.code = 0x48, .counters = 3, .n = 1,
		.cycles = SIG_DCACHE_PENDING,
		.edges = SIG_DCACHE_PENDING_EDGE,
		.term = {{SIG_MISS_OCCUPANCY, 1, 0, false}}};
	config->ledger.cause[LEDGER_SYSCALL].mode = MODE_KERNEL;
	config->ledger.cause[LEDGER_SYSCALL].cost[SIG_INSN] = 100;
	config->ledger.cause[LEDGER_SYSCALL].cost[SIG_CYCLE_ISSUE] = 150;
	return fixture_machine(config);
}

static u64 *
signals_of(struct machine_map *map)
{
	return map->m->slot[0].sig[0];
}

static u64
counter(struct machine_map *map, unsigned n)
{
	struct pctr_state state;

	pctr_read(map, &state);
	return state.counter[n];
}

static void
select_ok(struct machine_map *map, unsigned n, u32 function)
{
	assert_int_equal(pctr_select(map, n, function, true), 0);
}

static void
modes_of_a_pentium(void **state)
{
	struct machine_map map = pctr_machine(CONTROL_CESR);

	(void)state;
	select_ok(&map, 0, PCTR_P5_USER | 0x16);
	select_ok(&map, 1, PCTR_P5_KERNEL | 0x16);
	signals_of(&map)[SIG_INSN] += 7;
	signals_of(&map)[SIG_OS_SYSCALL] += 3;
	assert_int_equal(counter(&map, 0), 7);
	assert_int_equal(counter(&map, 1), 300);
	select_ok(&map, 1, PCTR_P5_KERNEL | PCTR_P5_USER | 0x16);
	assert_int_equal(counter(&map, 1), 0);
	signals_of(&map)[SIG_INSN] += 5;
	signals_of(&map)[SIG_OS_SYSCALL] += 1;
	assert_int_equal(counter(&map, 1), 105);
	assert_int_equal(counter(&map, 0), 12);
	select_ok(&map, 0, 0x16);
	signals_of(&map)[SIG_INSN] += 5;
	assert_int_equal(counter(&map, 0), 0);
	fixture_close(&map);
}

/* 4 cycles with one instruction, 3 with two or more. */
static void
cycles_of_a_pentium_event(void **state)
{
	struct machine_map map = pctr_machine(CONTROL_CESR);

	(void)state;
	select_ok(&map, 0, PCTR_P5_USER | PCTR_P5_CYCLES | 0x16);
	select_ok(&map, 1, PCTR_P5_USER | PCTR_P5_CYCLES | 0x2e);
	signals_of(&map)[SIG_INSN] += 10;
	signals_of(&map)[SIG_RETIRE_1] += 4;
	signals_of(&map)[SIG_RETIRE_2] += 3;
	assert_int_equal(counter(&map, 0), 7);
	assert_int_equal(counter(&map, 1), 0);
	fixture_close(&map);
}

static void
counter_0_enables_both(void **state)
{
	struct machine_map map = pctr_machine(CONTROL_EVTSEL);
	u64 *sig = signals_of(&map);

	(void)state;
	select_ok(&map, 1, P6 | 0x16);
	sig[SIG_INSN] += 10;
	assert_int_equal(counter(&map, 1), 0);
	select_ok(&map, 0, PCTR_P6_ENABLE);
	sig[SIG_INSN] += 20;
	assert_int_equal(counter(&map, 1), 20);
	select_ok(&map, 0, 0);
	sig[SIG_INSN] += 40;
	assert_int_equal(counter(&map, 1), 20);
	select_ok(&map, 0, P6 | 0x16);
	sig[SIG_INSN] += 3;
	assert_int_equal(counter(&map, 0), 3);
	assert_int_equal(counter(&map, 1), 23);
	fixture_close(&map);
}

static void
masks_and_thresholds(void **state)
{
	struct machine_map map = pctr_machine(CONTROL_EVTSEL);
	u64 *sig = signals_of(&map);

	(void)state;
	select_ok(&map, 0, P6 | 8 << 8 | 0x2e);
	select_ok(&map, 1, P6 | 1u << 24 | PCTR_P6_INVERT | 0x16);
	sig[SIG_L2_LOAD_M] += 5;
	sig[SIG_L2_LOAD_MISS] += 70;
	sig[SIG_RETIRE_1] += 4;
	sig[SIG_RETIRE_2] += 3;
	sig[SIG_CYCLE_ISSUE] += 7;
	sig[SIG_ALU_DMISS] += 100;
	assert_int_equal(counter(&map, 0), 5);
	assert_int_equal(counter(&map, 1), 100);
	select_ok(&map, 0, P6 | 9 << 8 | 0x2e);
	sig[SIG_L2_LOAD_M] += 5;
	sig[SIG_L2_LOAD_MISS] += 70;
	assert_int_equal(counter(&map, 0), 75);
	fixture_close(&map);
}

/* Where more than one at a time is not told apart, there are cycles with any
 * and their beginnings. */
static void
cycles_and_edges(void **state)
{
	static const struct {
		u32 flags;
		unsigned count;
	} row[] = {
		{0, 90}, {1u << 24, 60}, {1u << 24 | PCTR_P6_INVERT, 40},
		{PCTR_P6_EDGE, 5}, {1u << 24 | PCTR_P6_EDGE, 5},
	};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(row); i++) {
		struct machine_map map = pctr_machine(CONTROL_EVTSEL);
		u64 *sig = signals_of(&map);

		select_ok(&map, 0, P6 | row[i].flags | 0x48);
		sig[SIG_MISS_OCCUPANCY] += 90;
		sig[SIG_DCACHE_PENDING] += 60;
		sig[SIG_DCACHE_PENDING_EDGE] += 5;
		sig[SIG_ALU_DMISS] += 100;
		assert_int_equal(counter(&map, 0), row[i].count);
		fixture_close(&map);
	}
}

static void
errors(void **state)
{
	static const struct {
		u32 function;
		unsigned n;
		int p5, p6;
	} row[] = {
		{0x16, 0, 0, 0},
		{0x1ff, 0, 0, 0},
		{0x200, 0, -EINVAL, 0},
		{PCTR_P6_ENABLE | 0x16, 1, -EINVAL, 0},
		{1u << 19, 0, -EINVAL, -EINVAL},
		{1u << 20, 0, -EINVAL, -EINVAL},
		{1u << 21, 0, -EINVAL, -EINVAL},
		{PCTR_P6_EDGE | 0x16, 0, -EINVAL, -EINVAL},
		{PCTR_P6_EDGE | 0x48, 0, -EINVAL, 0},
		{2u << 24 | PCTR_P6_EDGE | 0x48, 0, -EINVAL, -EINVAL},
		{2u << 24 | 0x48, 0, -EINVAL, -EINVAL},
		{2u << 24 | 0x16, 0, -EINVAL, 0},
		{2u << 24 | 0x10, 0, -EINVAL, -EINVAL},
		{0x16, 2, -ENODEV, -ENODEV},
	};
	struct machine_map p5 = pctr_machine(CONTROL_CESR);
	struct machine_map p6 = pctr_machine(CONTROL_EVTSEL);

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(row); i++) {
		assert_int_equal(pctr_select(&p5, row[i].n, row[i].function,
					     true), row[i].p5);
		assert_int_equal(pctr_select(&p6, row[i].n, row[i].function,
					     true), row[i].p6);
		assert_int_equal(pctr_select(&p5, row[i].n, row[i].function,
					     false), -EPERM);
	}
	p5.m->config.n_counters = 0;
	assert_int_equal(pctr_select(&p5, 0, 0x16, true), -ENODEV);
	assert_int_equal(pctr_cpuid(&p5.m->config), 0);
	assert_int_equal(pctr_cpuid(&p6.m->config) >> 8, 6);
	fixture_close(&p5);
	fixture_close(&p6);
}

static void
what_a_read_gives(void **state)
{
	struct machine_map map = pctr_machine(CONTROL_CESR);
	struct pctr_state now;

	(void)state;
	select_ok(&map, 1, PCTR_P5_USER | 0x16);
	signals_of(&map)[SIG_INSN] = (1ull << 40) + 9;
	signals_of(&map)[SIG_CYCLE_ISSUE] = 1000;
	signals_of(&map)[SIG_ALU_DMISS] = 30;
	signals_of(&map)[SIG_OS_SYSCALL] = 2;
	pctr_read(&map, &now);
	assert_int_equal(now.function[0], 0);
	assert_int_equal(now.function[1], PCTR_P5_USER | 0x16);
	assert_int_equal(now.counter[1], 9);
	assert_int_equal(now.tsc, 1330);
	assert_int_equal(now.idle, 0);
	map.m->config.n_counters = 0;
	pctr_read(&map, &now);
	assert_int_equal(now.counter[1], 0);
	assert_int_equal(now.tsc, 1330);
	fixture_close(&map);
}

/* An event that only counter 0 can count does not count on counter 1. */
static void
a_counter_of_its_own(void **state)
{
	struct machine_map map = pctr_machine(CONTROL_EVTSEL);

	(void)state;
	select_ok(&map, 0, P6 | 0x10);
	select_ok(&map, 1, P6 | 0x10);
	signals_of(&map)[SIG_INSN_FPU] = 6;
	assert_int_equal(counter(&map, 0), 6);
	assert_int_equal(counter(&map, 1), 0);
	fixture_close(&map);
}

/* The ledger has instructions and cycles, and nothing else. */
static void
what_the_ledger_has(void **state)
{
	static const struct {
		u32 function;
		bool accounted;
	} row[] = {
		{P6 | PCTR_P6_KERNEL | 0x16, true},
		{P6 | PCTR_P6_KERNEL | 0x2e | 0xf << PCTR_P6_MASK_SHIFT, false},
		{P6 | 0x2e, true},	/* of user mode only */
		{P6 | PCTR_P6_KERNEL | 1 << PCTR_P6_THRESHOLD_SHIFT | 0x16,
		 false},
		{P6 | PCTR_P6_KERNEL | PCTR_P6_INVERT |
		 1 << PCTR_P6_THRESHOLD_SHIFT | 0x16, false},
		{P6 | PCTR_P6_KERNEL | 0x77, true}, /* counts nothing */
	};
	struct machine_map map = pctr_machine(CONTROL_EVTSEL);

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(row); i++) {
		select_ok(&map, 0, row[i].function);
		assert_int_equal(pctr_others(map.m, 0) == OTHERS_KNOWN,
				 row[i].accounted);
	}
	select_ok(&map, 0, row[1].function);
	map.m->system = true;
	assert_int_equal(pctr_others(map.m, 0), OTHERS_KNOWN);
	fixture_close(&map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modes_of_a_pentium),
		cmocka_unit_test(cycles_of_a_pentium_event),
		cmocka_unit_test(counter_0_enables_both),
		cmocka_unit_test(masks_and_thresholds),
		cmocka_unit_test(cycles_and_edges),
		cmocka_unit_test(errors),
		cmocka_unit_test(what_a_read_gives),
		cmocka_unit_test(a_counter_of_its_own),
		cmocka_unit_test(what_the_ledger_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
