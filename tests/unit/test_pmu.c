/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device core: select, filter, width, stop and resume. */
#include "machine_fixture.h"
#include "machine/pmu.h"

#include <sys/wait.h>

enum {
	EVENT_CYCLES,	/* code 0, any counter */
	EVENT_INSN,	/* code 1, any counter */
	EVENT_ACCESS,	/* code 10, counters 0 and 2 */
	EVENT_WB,	/* code 10, counters 1 and 3 */
	EVENT_MEMORY,	/* code 11: loads + stores + prefetches */
	EVENT_MASKED,	/* code 12: by unit mask, by factor, and per cycle */
	EVENT_DECODED,	/* code 13, counter 0: loads, of wrong paths too */
	EVENTS
};

static struct sim_config *
pmu_config(void)
{
	struct sim_config *config = fixture_config();

	config->n_events = EVENTS;
	config->event[EVENT_CYCLES] = (struct sim_event){
		.code = 0, .counters = 15, .scope = SCOPE_PROCESSOR, .n = 2,
		.term = {{SIG_CYCLE_ISSUE, 1, 0, false},
			 {SIG_CYCLE_KILLED, 1, 0, false}}};
	config->event[EVENT_INSN] = (struct sim_event){
		.code = 1, .counters = 15, .n = 1,
		.term = {{SIG_INSN, 1, 0, false}}};
	config->event[EVENT_ACCESS] = (struct sim_event){
		.code = 10, .counters = 5, .n = 1,
		.term = {{SIG_DACCESS, 1, 0, false}}};
	config->event[EVENT_WB] = (struct sim_event){
		.code = 10, .counters = 10, .n = 1,
		.term = {{SIG_DCACHE_WB, 1, 0, false}}};
	config->event[EVENT_MEMORY] = (struct sim_event){
		.code = 11, .counters = 15, .n = 3,
		.term = {{SIG_INSN_LOAD, 1, 0, false},
			 {SIG_INSN_STORE, 1, 0, false},
			 {SIG_INSN_PREFETCH, 1, 0, false}}};
	config->event[EVENT_MASKED] = (struct sim_event){
		.code = 12, .counters = 15, .n = 3, .n_per_cycle = 3,
		.per_cycle = {SIG_CYCLE_ISSUE, SIG_ALU_MDU, SIG_ALU_FPU},
		.term = {{SIG_JUMP, 1, 8, false},
			 {SIG_CALL, 3, 6, false},
			 {SIG_RETURN, 2, 0, false}}};
	config->event[EVENT_DECODED] = (struct sim_event){
		.code = 13, .counters = 1, .n = 2,
		.term = {{SIG_INSN_LOAD, 1, 0, false},
			 {SIG_WRONG_LOAD, 1, 0, false}}};
	/* A system call costs 100 kernel instructions, a signal 7. */
	config->ledger.cause[LEDGER_SYSCALL].mode = MODE_KERNEL;
	config->ledger.cause[LEDGER_SYSCALL].cost[SIG_INSN] = 100;
	config->ledger.cause[LEDGER_SIGNAL].mode = MODE_EXL;
	config->ledger.cause[LEDGER_SIGNAL].cost[SIG_INSN] = 7;
	return config;
}

static struct pmu_select
select_user(s32 event)
{
	return (struct pmu_select){.event = event, .modes = 1 << MODE_USER,
				   .scope = SCOPE_PROCESSOR};
}

/* Signals of context tc, of processes that have ended. */
static u64 *
signals_of(struct machine_map *map, unsigned tc)
{
	return map->m->slot[0].sig[tc];
}

static void
events_by_code_and_counter(void **state)
{
	static const struct {
		unsigned counter, code;
		int event;
	} row[] = {
		{0, 0, EVENT_CYCLES}, {3, 0, EVENT_CYCLES},
		{0, 10, EVENT_ACCESS}, {1, 10, EVENT_WB},
		{2, 10, EVENT_ACCESS}, {3, 10, EVENT_WB},
		{4, 10, EVENT_ACCESS}, {255, 10, EVENT_WB},
		{1, 13, -1}, {1, 127, -1},
	};
	struct sim_config *config = pmu_config();

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(row); i++)
		assert_int_equal(pmu_find_event(config, row[i].counter,
						row[i].code), row[i].event);
	config->n_counters = 0;
	assert_int_equal(pmu_find_event(config, 0, 0), -1);
}

static void
a_counter_starts_where_it_is_told(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select insn = select_user(EVENT_INSN);

	(void)state;
	assert_int_equal(pmu_read(&map, 0), 0);
	signals_of(&map, 0)[SIG_INSN] = 1000;
	assert_int_equal(pmu_read(&map, 0), 0);
	pmu_program(&map, 0, &insn, 5);
	assert_int_equal(pmu_read(&map, 0), 5);
	signals_of(&map, 0)[SIG_INSN] += 37;
	assert_int_equal(pmu_read(&map, 0), 42);
	assert_int_equal(pmu_read(&map, 1), 0);
	pmu_program(&map, 0, &insn, 0);
	assert_int_equal(pmu_read(&map, 0), 0);
	assert_int_equal(event_sum(&map, &insn), 1037);
	fixture_close(&map);
}

static void
an_event_adds_its_signals(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select memory = select_user(EVENT_MEMORY);
	u64 *sig = signals_of(&map, 2);

	(void)state;
	pmu_program(&map, 0, &memory, 0);
	sig[SIG_INSN_LOAD] = 1;
	sig[SIG_INSN_STORE] = 20;
	sig[SIG_INSN_PREFETCH] = 300;
	sig[SIG_INSN] = 4000;
	assert_int_equal(pmu_read(&map, 0), 321);
	fixture_close(&map);
}

/* What running blocks add counts as well. */
static void
running_blocks_count(void **state)
{
	static const struct count count[] = {{SIG_INSN, 3}};
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select insn = select_user(EVENT_INSN);
	unsigned slot = take_slot(&map);
	struct machine_segment *segment = take_segment(&map, slot);
	struct block *b = add_block(segment, count, 1, 0);

	(void)state;
	b->execs = 100;
	pmu_program(&map, 0, &insn, 1);
	b->execs += 7;
	assert_int_equal(pmu_read(&map, 0), 22);
	machine_slot_retire(&map, slot);
	assert_int_equal(pmu_read(&map, 0), 22);
	munmap(segment, MACHINE_SEGMENT);
	fixture_close(&map);
}

static void
modes_add_up(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	u64 expected[1 << MODE_N];

	(void)state;
	signals_of(&map, 0)[SIG_INSN] = 50000;
	signals_of(&map, 0)[SIG_OS_SYSCALL] = 3;
	signals_of(&map, 0)[SIG_OS_SIGNAL] = 2;
	for (unsigned modes = 0; modes < 1 << MODE_N; modes++) {
		struct pmu_select select = select_user(EVENT_INSN);

		expected[modes] = (modes & 1 ? 14 : 0) + (modes & 2 ? 300 : 0) +
				  (modes & 8 ? 50000 : 0);
		select.modes = (u8)modes;
		assert_int_equal(event_sum(&map, &select),
				 expected[modes]);
	}
	fixture_close(&map);
}

static void
scopes_filter(void **state)
{
	static const struct {
		u8 scope, id;
		u64 sum;
	} row[] = {
		{SCOPE_PROCESSOR, 0, 11111}, {SCOPE_PROCESSOR, 4, 11111},
		{SCOPE_VPE, 0, 111}, {SCOPE_VPE, 1, 11000},
		{SCOPE_TC, 0, 1}, {SCOPE_TC, 2, 100}, {SCOPE_TC, 4, 10000},
	};
	struct machine_map map = fixture_machine(pmu_config());

	(void)state;
	for (unsigned tc = 0, n = 1; tc < 5; tc++, n *= 10)
		signals_of(&map, tc)[SIG_INSN] = n;
	for (unsigned i = 0; i < SIM_COUNT(row); i++) {
		struct pmu_select select = select_user(EVENT_INSN);

		select.scope = row[i].scope;
		select.scope_id = row[i].id;
		assert_int_equal(event_sum(&map, &select), row[i].sum);
	}
	fixture_close(&map);
}

static void
registers_wrap_and_values_do_not(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select insn = select_user(EVENT_INSN);

	(void)state;
	pmu_program(&map, 0, &insn, 0xffffffffu);
	assert_int_equal(pmu_read_register(&map, 0), 0xffffffffu);
	signals_of(&map, 0)[SIG_INSN] = 1;
	assert_int_equal(pmu_read_register(&map, 0), 0);
	assert_true(pmu_read(&map, 0) == 0x100000000ull);
	signals_of(&map, 0)[SIG_INSN] = 0x500000003ull;
	assert_int_equal(pmu_read_register(&map, 0), 2);
	assert_true(pmu_read(&map, 0) == 0x600000002ull);
	map.m->config.counter_bits = 40;
	assert_true(pmu_read_register(&map, 0) == 0x600000002ull);
	signals_of(&map, 0)[SIG_INSN] = 1ull << 40;
	assert_true(pmu_read_register(&map, 0) == 0xffffffffu);
	map.m->config.counter_bits = 64;
	assert_true(pmu_read_register(&map, 0) == 0x100ffffffffull);
	fixture_close(&map);
}

static void
stop_and_resume(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select insn = select_user(EVENT_INSN);
	u64 *sig = signals_of(&map, 0);

	(void)state;
	pmu_program(&map, 0, &insn, 0);
	sig[SIG_INSN] += 10;
	pmu_stop(&map);
	sig[SIG_INSN] += 100;
	assert_int_equal(pmu_read(&map, 0), 10);
	pmu_stop(&map);
	assert_int_equal(pmu_read(&map, 0), 10);
	/* Programmed while stopped: counts from the resumption on. */
	pmu_program(&map, 1, &insn, 7);
	sig[SIG_INSN] += 1000;
	assert_int_equal(pmu_read(&map, 1), 7);
	pmu_resume(&map);
	assert_int_equal(pmu_read(&map, 0), 10);
	sig[SIG_INSN] += 10000;
	pmu_resume(&map);
	assert_int_equal(pmu_read(&map, 0), 10010);
	assert_int_equal(pmu_read(&map, 1), 10007);
	fixture_close(&map);
}

/* Threads that take no turns spoil what counts then, and only that. */
static void
programming_forgets_what_is_unrepeatable(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select insn = select_user(EVENT_INSN);

	(void)state;
	pmu_mark_unrepeatable(map.m);
	assert_false(pmu_unrepeatable(map.m));
	pmu_program(&map, 0, &insn, 0);
	pmu_program(&map, 1, &insn, 0);
	assert_false(pmu_unrepeatable(map.m));
	pmu_mark_unrepeatable(map.m);
	assert_true(pmu_unrepeatable(map.m));
	pmu_program(&map, 0, &insn, 0);
	assert_true(pmu_unrepeatable(map.m));
	pmu_program(&map, 1, &insn, 0);
	assert_false(pmu_unrepeatable(map.m));
	pmu_stop(&map);
	pmu_mark_unrepeatable(map.m);
	assert_false(pmu_unrepeatable(map.m));
	pmu_resume(&map);
	pmu_mark_unrepeatable(map.m);
	assert_true(pmu_unrepeatable(map.m));
	fixture_close(&map);
}

/* Widened, all counters go on and stop together. */
static void
many_counters_at_once(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	u64 value[SIM_WIDE_COUNTERS];

	(void)state;
	map.m->n_counters = SIM_WIDE_COUNTERS;
	for (unsigned n = 0; n < SIM_WIDE_COUNTERS; n++) {
		struct pmu_select select = select_user(
			pmu_find_event(&map.m->config, n, 10));

		pmu_program(&map, n, &select, n);
	}
	signals_of(&map, 1)[SIG_DACCESS] = 1000;
	signals_of(&map, 1)[SIG_DCACHE_WB] = 2000;
	pmu_stop(&map);
	signals_of(&map, 1)[SIG_DACCESS] = 0;
	pmu_read_all(&map, 0, SIM_WIDE_COUNTERS, value);
	for (unsigned n = 0; n < SIM_WIDE_COUNTERS; n++)
		assert_int_equal(value[n], n + (n & 1 ? 2000 : 1000));
	pmu_read_all(&map, 254, 2, value);
	assert_int_equal(value[0], 1254);
	assert_int_equal(value[1], 2255);
	fixture_close(&map);
}

/* A sum that falls behind its start for an instant is no huge number. */
static void
a_sum_may_fall_back(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select insn = select_user(EVENT_INSN);

	(void)state;
	signals_of(&map, 0)[SIG_INSN] = 10;
	pmu_program(&map, 0, &insn, 3);
	signals_of(&map, 0)[SIG_INSN] = 9;
	assert_int_equal(pmu_read(&map, 0), 3);
	signals_of(&map, 0)[SIG_INSN] = 12;
	assert_int_equal(pmu_read(&map, 0), 5);
	fixture_close(&map);
}

/* Half of 1000 are loads, and of 100 on wrong paths 50; then, while a counter
 * counts, a tenth of 1000, and of 200 on wrong paths 20. */
static void
wrong_paths_are_of_their_time(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select loads = select_user(EVENT_DECODED);
	u64 *sig = signals_of(&map, 0);

	(void)state;
	sig[SIG_INSN] = 1000;
	sig[SIG_INSN_LOAD] = 500;
	sig[SIG_WRONG_INSN] = 100;
	assert_int_equal(event_sum(&map, &loads), 550);
	pmu_program(&map, 0, &loads, 0);
	sig[SIG_INSN] += 1000;
	assert_int_equal(pmu_read(&map, 0), 0);
	sig[SIG_INSN_LOAD] += 100;
	sig[SIG_WRONG_INSN] += 200;
	assert_int_equal(pmu_read(&map, 0), 120);
	pmu_stop(&map);
	pmu_resume(&map);
	sig[SIG_INSN] += 10;
	sig[SIG_INSN_LOAD] += 10;
	sig[SIG_WRONG_INSN] += 3;
	assert_int_equal(pmu_read(&map, 0), 133);
	assert_int_equal(event_sum(&map, &loads), 610 + 303 * 610 / 2010);
	fixture_close(&map);
}

/* Another process, attached to the file, programs and reads the device. */
static void
one_device_for_all_processes(void **state)
{
	struct machine_map map = fixture_machine(pmu_config());
	struct pmu_select insn = select_user(EVENT_INSN);
	pid_t child;
	int status;

	(void)state;
	pmu_program(&map, 0, &insn, 0);
	child = fork();
	if (!child) {
		struct machine_map own;

		if (machine_attach(&own, map.fd))
			_exit(1);
		signals_of(&own, 0)[SIG_INSN] = 9;
		pmu_program(&own, 1, &insn, 100);
		_exit(pmu_read(&own, 0) == 9 ? 0 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	signals_of(&map, 0)[SIG_INSN]++;
	assert_int_equal(pmu_read(&map, 0), 10);
	assert_int_equal(pmu_read(&map, 1), 101);
	fixture_close(&map);
}

/* Mask bit 8: direct jumps; 4 or 2: calls, three times; always: returns. */
static void
unit_masks_choose_terms(void **state)
{
	static const struct {
		u8 mask;
		u64 sum;
	} sums[] = {{0, 2000}, {8, 2007}, {4, 2150}, {2, 2150}, {6, 2150},
		    {14, 2157}, {15, 2157}, {1, 2000}};
	struct machine_map map = fixture_machine(pmu_config());
	u64 *sig = signals_of(&map, 0);
	struct pmu_select select = select_user(EVENT_MASKED);

	(void)state;
	sig[SIG_JUMP] = 7;
	sig[SIG_CALL] = 50;
	sig[SIG_RETURN] = 1000;
	for (size_t i = 0; i < SIM_COUNT(sums); i++) {
		select.mask = sums[i].mask;
		assert_int_equal(event_sum(&map, &select), sums[i].sum);
	}
	fixture_close(&map);
}

/* 100 cycles with one happening, 20 with two, 3 with more, of 523. */
static void
thresholds_count_cycles(void **state)
{
	static const struct {
		u8 threshold;
		u64 at_least;
	} sums[] = {{1, 123}, {2, 23}, {3, 3}, {4, 0}, {255, 0}};
	struct machine_map map = fixture_machine(pmu_config());
	u64 *sig = signals_of(&map, 0);
	struct pmu_select select = select_user(EVENT_MASKED);

	(void)state;
	sig[SIG_CYCLE_ISSUE] = 100;
	sig[SIG_ALU_MDU] = 20;
	sig[SIG_ALU_FPU] = 3;
	sig[SIG_CYCLE_KILLED] = 400;
	sig[SIG_RETURN] = 77;
	for (size_t i = 0; i < SIM_COUNT(sums); i++) {
		select.threshold = sums[i].threshold;
		select.invert = false;
		assert_int_equal(event_sum(&map, &select),
				 sums[i].at_least);
		select.invert = true;
		assert_int_equal(event_sum(&map, &select),
				 523 - sums[i].at_least);
	}
	fixture_close(&map);
}

/* Two happenings are one, over all modes together. */
static void
happenings_are_divided(void **state)
{
	struct sim_config config = {.n_events = 1};
	struct pmu_select select = select_user(0);
	u64 sig[SIG_N] = {[SIG_ISSUE_1] = 3, [SIG_ISSUE_2] = 2};

	(void)state;
	config.event[0] = (struct sim_event){
		.code = 1, .counters = 3, .divide = 2, .n = 2,
		.term = {{SIG_ISSUE_1, 1, 0, false},
			 {SIG_ISSUE_2, 2, 0, false}}};
	assert_int_equal(pmu_event_count(&config, &select, sig), 3);
	sig[SIG_ISSUE_1]++;
	assert_int_equal(pmu_event_count(&config, &select, sig), 4);
	config.event[0].divide = 0;
	assert_int_equal(pmu_event_count(&config, &select, sig), 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(happenings_are_divided),
		cmocka_unit_test(events_by_code_and_counter),
		cmocka_unit_test(a_counter_starts_where_it_is_told),
		cmocka_unit_test(an_event_adds_its_signals),
		cmocka_unit_test(running_blocks_count),
		cmocka_unit_test(modes_add_up),
		cmocka_unit_test(scopes_filter),
		cmocka_unit_test(registers_wrap_and_values_do_not),
		cmocka_unit_test(stop_and_resume),
		cmocka_unit_test(programming_forgets_what_is_unrepeatable),
		cmocka_unit_test(many_counters_at_once),
		cmocka_unit_test(unit_masks_choose_terms),
		cmocka_unit_test(thresholds_count_cycles),
		cmocka_unit_test(a_sum_may_fall_back),
		cmocka_unit_test(wrong_paths_are_of_their_time),
		cmocka_unit_test(one_device_for_all_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
