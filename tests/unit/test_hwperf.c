/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event counters of IRIX: turns, generations, and where a process's counts
 * go.  Signals are put into slots by hand.
 */
#include "device/hwperf.h"
#include "machine_fixture.h"

#include <errno.h>
#include <sys/wait.h>

static const struct {
	u16 code;
	u16 signal[2];
} events[] = {
	{0, {SIG_CYCLE_ISSUE}}, {2, {SIG_INSN_LOAD, SIG_WRONG_LOAD}},
	{3, {SIG_INSN_STORE}}, {15, {SIG_INSN}}, {18, {SIG_INSN_LOAD}},
};

static struct machine_map
hwperf_machine(void)
{
	struct sim_config *config = fixture_config();

	config->system = SYSTEM_IRIX;
	config->n_counters = 2;
	config->topo.tcs = 2;
	config->n_events = SIM_COUNT(events);
	for (unsigned i = 0; i < SIM_COUNT(events); i++)
		config->event[i] = (struct sim_event){
			.code = events[i].code,
			.counters = events[i].code < 16 ? 1 : 2,
			.n = events[i].signal[1] ? 2 : 1,
			.term = {{.signal = events[i].signal[0], .factor = 1},
				 {.signal = events[i].signal[1], .factor = 1}},
		};
	return fixture_machine(config);
}

static void
want(struct hwperf_control *c, unsigned event, unsigned modes)
{
	c->spec[event] = (u16)(event % 16 << HWPERF_EVENT_SHIFT | HWPERF_IE |
			       modes);
}

static bool
nobody_runs(s32 pid)
{
	(void)pid;
	return false;
}

static bool
all_run(s32 pid)
{
	(void)pid;
	return true;
}

/* So many more of all, on a context. */
static void
happen(struct machine_map *map, unsigned slot, unsigned tc, u64 n)
{
	u64 *sig = map->m->slot[slot].sig[tc];

	sig[SIG_CYCLE_ISSUE] += n;
	sig[SIG_INSN_STORE] += 2 * n;
	sig[SIG_INSN] += 10 * n;
	sig[SIG_INSN_LOAD] += 3 * n;
}

static void
must_read(struct machine_map *map, unsigned slot, unsigned event, u64 n)
{
	u64 value[HWPERF_EVENTS];

	assert_true(hwperf_read(map, slot, value) > 0);
	assert_int_equal(value[event], n);
}

static void
events_of_a_counter_take_turns(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0};
	unsigned slot = take_slot(&map);

	(void)state;
	want(&c, 3, HWPERF_U);
	want(&c, 15, HWPERF_U);
	want(&c, 18, HWPERF_U);
	happen(&map, slot, 0, 1000);
	assert_int_equal(hwperf_enable(&map, slot, 1, &c, all_run), 1);
	happen(&map, slot, 0, 1);
	hwperf_tick(&map, slot);
	happen(&map, slot, 0, 100);
	hwperf_tick(&map, slot);
	happen(&map, slot, 0, 10000);
	must_read(&map, slot, 3, 2 * 10001);
	must_read(&map, slot, 15, 10 * 100);
	must_read(&map, slot, 18, 3 * 10101);
	must_read(&map, slot, 0, 0);
	assert_int_equal(map.m->slot[slot].hwperf.counters.sum.turns[15], 1);
	assert_int_equal(map.m->slot[slot].hwperf.counters.sum.squares[15],
			 1000 * 1000);
	assert_int_equal(map.m->slot[slot].hwperf.counters.sum.cycles[3],
			 10001);
	/* Other events: what was counted stays. */
	c.spec[3] = 0;
	assert_int_equal(hwperf_modify(&map, slot, 1, &c), 2);
	happen(&map, slot, 0, 5);
	must_read(&map, slot, 3, 2 * 10001);
	must_read(&map, slot, 15, 10 * 105);
	fixture_close(&map);
}

static void
the_system_takes_turns_on_each_cpu(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0}, user = {0};
	unsigned slot = take_slot(&map);
	u64 value[HWPERF_EVENTS];

	(void)state;
	want(&user, 15, HWPERF_U);
	want(&c, 3, HWPERF_U | HWPERF_K);
	want(&c, 15, HWPERF_U | HWPERF_K);
	assert_int_equal(hwperf_enable(&map, slot, 0, &user, all_run), 1);
	assert_int_equal(hwperf_enable(&map, slot, 0, &c, all_run), -EBUSY);
	assert_int_equal(hwperf_system_enable(&map, 1, &c), -EPERM);
	assert_int_equal(hwperf_system_enable(&map, 0, &user), -EINVAL);
	happen(&map, slot, 0, 7);
	assert_int_equal(hwperf_system_enable(&map, 0, &c), 1);
	happen(&map, slot, 0, 1);
	happen(&map, slot, 1, 10);
	hwperf_tick(&map, slot);
	happen(&map, slot, 1, 100);
	assert_int_equal(hwperf_system_read(&map, value), 1);
	assert_int_equal(value[3], 2 * 11);
	assert_int_equal(value[15], 10 * 100);
	assert_int_equal(hwperf_cpu_read(&map, 0, value), 1);
	assert_int_equal(value[3], 2);
	assert_int_equal(value[15], 0);
	assert_int_equal(hwperf_cpu_read(&map, 1, value), 1);
	assert_int_equal(value[3], 20);
	assert_int_equal(hwperf_cpu_read(&map, 2, value), 0);
	/* The process has lost its counters, and what it had counted. */
	assert_int_equal(hwperf_read(&map, slot, value), 2);
	assert_int_equal(value[15], 70);
	assert_int_equal(hwperf_system_release(&map, 0), 0);
	assert_int_equal(hwperf_enable(&map, slot, 0, &user, all_run), 3);
	/* No process that counts runs: they are free. */
	assert_int_equal(hwperf_enable(&map, slot, 0, &c, nobody_runs), 2);
	fixture_close(&map);
}

/* A process that has been waited for: no host process has its number. */
static s32
gone(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void
counts_go_to_who_waits(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0};
	unsigned parent = take_slot(&map);
	int child = machine_slot_take(&map, gone(), getpid());
	int killed = machine_slot_take(&map, gone(), getpid());

	(void)state;
	want(&c, 15, HWPERF_U);
	assert_int_equal(hwperf_enable(&map, parent, 1, &c, all_run), 1);
	happen(&map, parent, 0, 1);
	hwperf_fork(&map, (unsigned)child, &map.m->slot[parent].hwperf);
	hwperf_fork(&map, (unsigned)killed, &map.m->slot[parent].hwperf);
	happen(&map, (unsigned)child, 0, 10);
	must_read(&map, (unsigned)child, 15, 100);
	hwperf_exit(&map, (unsigned)child);
	machine_slot_retire(&map, (unsigned)child);
	must_read(&map, parent, 15, 10);
	happen(&map, (unsigned)killed, 0, 100);
	assert_int_equal(hwperf_wait(&map, parent), 10 + 100);
	must_read(&map, parent, 15, 10 + 100 + 1000);
	assert_int_equal(hwperf_wait(&map, parent), 0);
	must_read(&map, parent, 15, 1110);
	/* Its own are those without children. */
	hwperf_exit(&map, parent);
	assert_int_equal(map.m->hwperf.n_log, 3);
	assert_int_equal(map.m->hwperf.log[0].value[15], 100);
	assert_int_equal(map.m->hwperf.log[1].value[15], 1000);
	assert_int_equal(map.m->hwperf.log[2].value[15], 10);
	fixture_close(&map);
}

/* More than there is room for end before their parent waits. */
static void
what_found_no_room_is_told(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0};
	unsigned parent = take_slot(&map);
	s32 pid = gone();

	(void)state;
	want(&c, 15, HWPERF_U);
	assert_int_equal(hwperf_arm(&map, &c), 0);
	hwperf_start(&map, parent);
	for (unsigned i = 0; i < HWPERF_ENDED + 2; i++) {
		unsigned child = (unsigned)machine_slot_take(&map, pid,
							     getpid());

		hwperf_fork(&map, child, &map.m->slot[parent].hwperf);
		happen(&map, child, 0, 1);
		hwperf_exit(&map, child);
		machine_slot_retire(&map, child);
	}
	hwperf_wait(&map, parent);
	must_read(&map, parent, 15, 10 * HWPERF_ENDED);
	assert_int_equal(map.m->hwperf.n_lost, 2);
	assert_int_equal(map.m->hwperf.n_log, HWPERF_ENDED + 2);
	/* Their room is free again. */
	assert_int_equal(hwperf_arm(&map, &c), 0);
	assert_int_equal(map.m->hwperf.n_lost, 0);
	hwperf_fork(&map, (unsigned)machine_slot_take(&map, pid, getpid()),
		    &map.m->slot[parent].hwperf);
	hwperf_wait(&map, parent);
	assert_int_equal(map.m->hwperf.ended_used, HWPERF_ENDED);
	fixture_close(&map);
}

static void
a_tool_counts_from_outside(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0};
	struct hwperf_process moved;
	struct hwperf_values sum;
	unsigned first, next;

	(void)state;
	assert_int_equal(hwperf_arm(&map, &c), -EINVAL);
	want(&c, 15, HWPERF_U);
	assert_int_equal(hwperf_arm(&map, &c), 0);
	first = take_slot(&map);
	hwperf_start(&map, first);
	happen(&map, first, 0, 1);
	hwperf_pause(&map, true);
	happen(&map, first, 0, 10);
	hwperf_pause(&map, false);
	happen(&map, first, 0, 100);
	hwperf_total(&map, &sum);
	assert_int_equal(sum.value[15], 1010);
	assert_int_equal(sum.all_cycles, 101);
	/* It executes another program. */
	hwperf_leave(&map, first, &moved);
	machine_slot_retire(&map, first);
	next = take_slot(&map);
	hwperf_arrive(&map, next, &moved);
	happen(&map, next, 0, 1000);
	hwperf_exit(&map, next);
	machine_slot_retire(&map, next);
	hwperf_total(&map, &sum);
	assert_int_equal(sum.value[15], 11010);
	/* The next one is not its first process. */
	first = take_slot(&map);
	hwperf_start(&map, first);
	assert_int_equal(hwperf_read(&map, first, sum.value), -EINVAL);
	fixture_close(&map);
}

static void
control_words_that_are_none(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0};
	unsigned slot = take_slot(&map);

	(void)state;
	assert_int_equal(hwperf_arm(&map, &c), -EINVAL);
	assert_int_equal(hwperf_profile(&map, slot, 0, &c), -EINVAL);
	assert_int_equal(hwperf_modify(&map, slot, 0, &c), -EINVAL);
	c.spec[3] = 3 << HWPERF_EVENT_SHIFT;
	assert_int_equal(hwperf_enable(&map, slot, 0, &c, all_run), -EINVAL);
	c.spec[3] = 4 << HWPERF_EVENT_SHIFT | HWPERF_U;
	assert_int_equal(hwperf_enable(&map, slot, 0, &c, all_run), -EINVAL);
	c.spec[3] = 3 << HWPERF_EVENT_SHIFT | HWPERF_S;
	assert_int_equal(hwperf_enable(&map, slot, 1, &c, all_run), -EPERM);
	c.spec[3] = 3 << HWPERF_EVENT_SHIFT | HWPERF_U;
	c.threshold[3] = 1;
	assert_int_equal(hwperf_enable(&map, slot, 0, &c, all_run), -EINVAL);
	c.threshold[3] = -1;
	c.spec[3] |= HWPERF_IE;
	assert_int_equal(hwperf_enable(&map, slot, 0, &c, all_run), -EINVAL);
	c.threshold[3] = 0;
	c.signal = 33;
	assert_int_equal(hwperf_enable(&map, slot, 0, &c, all_run), -EINVAL);
	c.signal = 32;
	assert_int_equal(hwperf_enable(&map, slot, 1, &c, all_run), 1);
	c.spec[3] = 3 << HWPERF_EVENT_SHIFT | HWPERF_EXL;
	assert_int_equal(hwperf_modify(&map, slot, 1, &c), 2);
	assert_int_equal(hwperf_release(&map, slot), 0);
	assert_int_equal(hwperf_release(&map, slot), -EINVAL);
	fixture_close(&map);
}

/* A control word that has modes alone counts what its number, 0, is: event 0
 * of the counter. */
static void
modes_alone_count_event_0(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0};
	unsigned slot = take_slot(&map);

	(void)state;
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		c.spec[i] = HWPERF_U;
	assert_int_equal(hwperf_enable(&map, slot, 1, &c, all_run), 1);
	hwperf_tick(&map, slot);
	hwperf_tick(&map, slot);
	happen(&map, slot, 0, 100);
	must_read(&map, slot, 2, 100);
	must_read(&map, slot, 18, 0);
	fixture_close(&map);
}

/* Counters are had without events, go on with events from zero after they were
 * released, and not after they were lost. */
static void
released_counters_go_on(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control none = {0}, user = {0}, system = {0};
	unsigned slot = take_slot(&map);

	(void)state;
	want(&user, 15, HWPERF_U);
	want(&system, 15, HWPERF_U | HWPERF_K);
	assert_int_equal(hwperf_modify(&map, slot, 1, &user), -EINVAL);
	assert_int_equal(hwperf_enable(&map, slot, 1, &none, all_run), 1);
	happen(&map, slot, 0, 1);
	assert_int_equal(hwperf_modify(&map, slot, 1, &user), 2);
	happen(&map, slot, 0, 100);
	assert_int_equal(hwperf_release(&map, slot), 0);
	must_read(&map, slot, 15, 10 * 100);
	assert_int_equal(hwperf_modify(&map, slot, 1, &user), 3);
	happen(&map, slot, 0, 7);
	must_read(&map, slot, 15, 10 * 7);
	assert_int_equal(hwperf_release(&map, slot), 0);
	assert_int_equal(hwperf_system_enable(&map, 0, &system), 1);
	assert_int_equal(hwperf_modify(&map, slot, 1, &user), -EBUSY);
	assert_int_equal(hwperf_system_release(&map, 0), 0);
	assert_int_equal(hwperf_modify(&map, slot, 1, &user), 4);
	assert_int_equal(hwperf_system_enable(&map, 0, &system), 2);
	assert_int_equal(hwperf_system_release(&map, 0), 0);
	assert_int_equal(hwperf_modify(&map, slot, 1, &user), -EINVAL);
	fixture_close(&map);
}

/* Counters that a process has started are its own, and what it has released
 * rests. */
static void
a_tool_pauses_what_it_armed(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_control c = {0};
	unsigned slot = take_slot(&map);

	(void)state;
	want(&c, 15, HWPERF_U);
	assert_int_equal(hwperf_arm(&map, &c), 0);
	hwperf_pause(&map, true);
	hwperf_start(&map, slot);
	happen(&map, slot, 0, 1);
	must_read(&map, slot, 15, 0);
	assert_int_equal(hwperf_enable(&map, slot, 1, &c, all_run), 2);
	happen(&map, slot, 0, 10);
	must_read(&map, slot, 15, 100);
	hwperf_pause(&map, false);
	hwperf_pause(&map, true);
	happen(&map, slot, 0, 100);
	must_read(&map, slot, 15, 1100);
	assert_int_equal(hwperf_release(&map, slot), 0);
	hwperf_pause(&map, false);
	happen(&map, slot, 0, 1000);
	must_read(&map, slot, 15, 1100);
	fixture_close(&map);
}

/* Of 1000 instructions 300 are loads, so 60 of 200 on wrong paths; of 1000 more
 * there is none, and what has been estimated is too much: programs see no count
 * fall, and what goes to a parent does not depend on whether they looked. */
static void
estimates_do_not_depend_on_looks(void **state)
{
	struct hwperf_values sum[2];

	(void)state;
	for (int look = 0; look < 2; look++) {
		struct machine_map map = hwperf_machine();
		struct hwperf_control c = {0};
		unsigned slot = take_slot(&map);

		want(&c, 2, HWPERF_U);
		assert_int_equal(hwperf_arm(&map, &c), 0);
		hwperf_start(&map, slot);
		happen(&map, slot, 0, 100);
		map.m->slot[slot].sig[0][SIG_WRONG_INSN] = 200;
		if (look)
			must_read(&map, slot, 2, 360);
		map.m->slot[slot].sig[0][SIG_INSN] += 1000;
		if (look)
			must_read(&map, slot, 2, 360);
		map.m->slot[slot].sig[0][SIG_INSN_LOAD] += 100;
		if (look)
			must_read(&map, slot, 2, 400 + 200 * 400 / 2000);
		hwperf_total(&map, &sum[look]);
		fixture_close(&map);
	}
	assert_int_equal(sum[0].value[2], 440);
	assert_int_equal(sum[1].value[2], 440);
}

/* A thread alone has 300 loads and 20 instructions on wrong paths; then two
 * have 300 and 600, the second one 80: of all 1200, that is 100 of 4000 by
 * 1200, or 30: 6 for one, 24 for the other. */
static void
threads_have_their_part_of_estimates(void **state)
{
	struct machine_map map = hwperf_machine();
	struct hwperf_thread first = {.tid = 7}, second = {.tid = 8};
	struct hwperf_thread *none[2] = {NULL}, *both[] = {&first, &second};
	struct hwperf_threads threads = {0};
	const struct hwperf_log *log = map.m->hwperf.log;
	struct hwperf_control c = {0};
	unsigned slot = take_slot(&map);

	(void)state;
	want(&c, 2, HWPERF_U);
	map.m->hwperf.threads = true;
	assert_int_equal(hwperf_arm(&map, &c), 0);
	hwperf_start(&map, slot);
	happen(&map, slot, 0, 100);
	map.m->slot[slot].sig[0][SIG_WRONG_INSN] = 20;
	hwperf_threads_rest(&map, slot, &first);
	hwperf_threads_split(&map, slot, &threads, none, 2);
	happen(&map, slot, 0, 100);
	happen(&map, slot, 1, 200);
	map.m->slot[slot].sig[1][SIG_WRONG_INSN] = 80;
	hwperf_threads_split(&map, slot, &threads, both, 2);
	hwperf_threads_rest(&map, slot, &first);
	hwperf_exit(&map, slot);
	assert_int_equal(map.m->hwperf.n_log, 3);
	assert_int_equal(log[0].value[2], 606);
	assert_int_equal(log[1].value[2], 624);
	assert_int_equal(log[2].value[2], 1230);
	fixture_close(&map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_a_counter_take_turns),
		cmocka_unit_test(the_system_takes_turns_on_each_cpu),
		cmocka_unit_test(counts_go_to_who_waits),
		cmocka_unit_test(what_found_no_room_is_told),
		cmocka_unit_test(a_tool_counts_from_outside),
		cmocka_unit_test(control_words_that_are_none),
		cmocka_unit_test(modes_alone_count_event_0),
		cmocka_unit_test(released_counters_go_on),
		cmocka_unit_test(a_tool_pauses_what_it_armed),
		cmocka_unit_test(estimates_do_not_depend_on_looks),
		cmocka_unit_test(threads_have_their_part_of_estimates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
