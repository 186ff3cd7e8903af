/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of /proc/perf in both directions, and control words. */
#include "device/procperf.h"
#include "machine_fixture.h"

#include <errno.h>

#define EVEN 5
#define ODD 10
#define ANY 15

static const struct sim_event events[] = {
	{.code = 0, .counters = ANY, .scope = SCOPE_PROCESSOR, .n = 1,
	 .term = {{SIG_CYCLE_ISSUE, 1, 0, false}}},
	{.code = 1, .counters = ANY, .scope = SCOPE_TC, .n = 1,
	 .term = {{SIG_INSN, 1, 0, false}}},
	{.code = 9, .counters = EVEN, .scope = SCOPE_TC, .n = 1,
	 .term = {{SIG_IFETCH, 1, 0, false}}},
	{.code = 41, .counters = EVEN, .scope = SCOPE_TC, .n = 1,
	 .term = {{SIG_ALU_MDU, 1, 0, false}}},
	{.code = 45, .counters = ANY, .scope = SCOPE_TC, .n = 1,
	 .term = {{SIG_ALU_LOADUSE, 1, 0, false}}},
	{.code = 46, .counters = ODD, .scope = SCOPE_PROCESSOR, .n = 1,
	 .term = {{SIG_CYCLE_KILLED, 1, 0, false}}},
	{.code = 47, .counters = EVEN, .scope = SCOPE_VPE, .n = 1,
	 .term = {{SIG_ALU_OTHER, 1, 0, false}}},
};

static struct machine_map
procperf_machine(void)
{
	struct sim_config *config = fixture_config();
	struct machine_map map;

	config->n_events = SIM_COUNT(events);
	memcpy(config->event, events, sizeof events);
	map = fixture_machine(config);
	map.m->range_extension = true;
	return map;
}

static long
put(struct machine_map *map, const char *text, unsigned *line)
{
	return procperf_write(map, 0, text, strlen(text), line);
}

static void
must_put(struct machine_map *map, const char *text)
{
	unsigned line = 77;

	assert_int_equal(put(map, text, &line), strlen(text));
	assert_int_equal(line, 0);
}

static void
must_show(struct machine_map *map, const char *expected)
{
	char text[PROCPERF_TEXT];

	assert_int_equal(procperf_read(map, text), strlen(expected));
	assert_string_equal(text, expected);
}

static void
dump_of_an_idle_device(void **state)
{
	struct machine_map map = procperf_machine();

	(void)state;
	must_show(&map, "PerfCnt[0].Ctl : 0x80000000\n"
			"PerfCnt[0].Cnt : 0\n"
			"PerfCnt[1].Ctl : 0x80000000\n"
			"PerfCnt[1].Cnt : 0\n"
			"PerfCnt[2].Ctl : 0x80000000\n"
			"PerfCnt[2].Cnt : 0\n"
			"PerfCnt[3].Ctl : 0x00000000\n"
			"PerfCnt[3].Cnt : 0\n");
	fixture_close(&map);
}

/* The manual's Figure 3, with the digit that its last control word lacks. */
static void
dump_of_figure_3(void **state)
{
	struct machine_map map = procperf_machine();
	u64 *sig = map.m->slot[0].sig[0];

	(void)state;
	must_put(&map, "0 528 0\n1 0x5a8 886442\n2 800005a8 0\n"
		       "3 0x800005c8 0\n");
	sig[SIG_ALU_MDU] = 108399;
	sig[SIG_ALU_LOADUSE] = 285070;
	sig[SIG_CYCLE_KILLED] = 779389;
	must_show(&map, "PerfCnt[0].Ctl : 0x80000528\n"
			"PerfCnt[0].Cnt : 108399\n"
			"PerfCnt[1].Ctl : 0x800005a8\n"
			"PerfCnt[1].Cnt : 1171512\n"
			"PerfCnt[2].Ctl : 0x800005a8\n"
			"PerfCnt[2].Cnt : 285070\n"
			"PerfCnt[3].Ctl : 0x000005c8\n"
			"PerfCnt[3].Cnt : 779389\n");
	fixture_close(&map);
}

/* A dump of the widest values and all fields fits. */
static void
the_longest_dump_fits(void **state)
{
	struct machine_map map = procperf_machine();
	char text[PROCPERF_TEXT];
	size_t length;

	(void)state;
	for (unsigned n = 0; n < 4; n++)
		assert_int_equal(procperf_program(&map, n, 0xbfc1003f &
						  ~PROCPERF_ZERO &
						  ~(3u << 20),
						  ~0ull), 0);
	length = procperf_read(&map, text);
	assert_int_equal(length, 4 * (28 + 38));
	assert_string_equal(text + length - 21, "18446744073709551615\n");
	fixture_close(&map);
}

static void
range_extension_and_wrap(void **state)
{
	struct machine_map map = procperf_machine();
	u64 *insn = &map.m->slot[0].sig[0][SIG_INSN];
	char text[PROCPERF_TEXT];

	(void)state;
	must_put(&map, "0 28 4294967295");
	procperf_read(&map, text);
	assert_non_null(strstr(text, "PerfCnt[0].Cnt : 4294967295\n"));
	*insn = 2;
	procperf_read(&map, text);
	assert_non_null(strstr(text, "PerfCnt[0].Cnt : 4294967297\n"));
	map.m->range_extension = false;
	procperf_read(&map, text);
	assert_non_null(strstr(text, "PerfCnt[0].Cnt : 1\n"));
	*insn = 0;
	procperf_read(&map, text);
	assert_non_null(strstr(text, "PerfCnt[0].Cnt : 4294967295\n"));
	*insn = 1;
	procperf_read(&map, text);
	assert_non_null(strstr(text, "PerfCnt[0].Cnt : 0\n"));
	fixture_close(&map);
}

/* Suspended counters keep their values; the words as we define them. */
static void
suspend_and_resume(void **state)
{
	struct machine_map map = procperf_machine();
	u64 *insn = &map.m->slot[0].sig[0][SIG_INSN];

	(void)state;
	must_put(&map, "0 0x28 0\n");
	*insn = 5;
	must_put(&map, "suspend\n");
	*insn = 50;
	assert_int_equal(pmu_read(&map, 0), 5);
	must_put(&map, "resume\n");
	*insn = 51;
	assert_int_equal(pmu_read(&map, 0), 6);
	must_put(&map, " suspend\n1 28 9\n\tresume ");
	assert_int_equal(pmu_read(&map, 0), 6);
	assert_int_equal(pmu_read(&map, 1), 9);
	*insn = 52;
	assert_int_equal(pmu_read(&map, 0), 7);
	assert_int_equal(pmu_read(&map, 1), 10);
	fixture_close(&map);
}

static void
only_root_writes(void **state)
{
	struct machine_map map = procperf_machine();
	unsigned line = 5;

	(void)state;
	assert_int_equal(procperf_write(&map, 1000, "0 28 0", 6, &line),
			 -EPERM);
	assert_int_equal(line, 0);
	assert_int_equal(procperf_write(&map, 1, "", 0, &line), -EPERM);
	assert_int_equal(map.m->counter[0].control, 0);
	assert_int_equal(procperf_write(&map, 0, "", 0, &line), 0);
	fixture_close(&map);
}

/* What is written, and what counter n then holds. */
static const struct {
	const char *text;
	unsigned n;
	u32 control;
	u64 value;
} accepted[] = {
	{"0 0x0000028 0", 0, 0x80000028, 0},
	{"0 0x0000028 0\n", 0, 0x80000028, 0},
	{"0 28 1\n", 0, 0x80000028, 1},
	{"0 0X28 2\n", 0, 0x80000028, 2},
	{"3 0x80000028 3", 3, 0x00000028, 3},
	{"2 0x8000001f 4", 2, 0x8000001f, 4},
	{"  1\t5c8   5  \n\n", 1, 0x800005c8, 5},
	{"\n \n\t\n0 28 6\n \n", 0, 0x80000028, 6},
	{"0 28 0x10", 0, 0x80000028, 16},
	{"0 28 0Xff", 0, 0x80000028, 255},
	{"0 28 010", 0, 0x80000028, 10},
	{"00 0000000000028 7", 0, 0x80000028, 7},
	{"0 28 18446744073709551615", 0, 0x80000028, ~0ull},
	{"0 28 0xffffffffffffffff", 0, 0x80000028, ~0ull},
	{"0 28 1\n0 0 2\n", 0, 0x80000000, 2},
	{"0 200028 1", 0, 0x80200028, 1},   /* TC 0 */
	{"0 1200028 1", 0, 0x81200028, 1},  /* TC 4 */
	{"0 110028 1", 0, 0x80110028, 1},   /* VPE 1 */
	{"2 1105e8 1", 2, 0x801105e8, 1},   /* VPE event in VPE 1 */
	{"2 5e8 1", 2, 0x800005e8, 1},	    /* and in all */
	{"0 3fcf0028 1", 0, 0xbfcf0028, 1}, /* TCID and VPEID not looked at */
};

static void
lines_that_are_accepted(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(accepted); i++) {
		struct machine_map map = procperf_machine();
		const struct pmu_counter *c;

		must_put(&map, accepted[i].text);
		c = &map.m->counter[accepted[i].n];
		assert_int_equal(c->control, accepted[i].control);
		assert_true(pmu_read(&map, accepted[i].n) ==
			    accepted[i].value);
		fixture_close(&map);
	}
}

/* Each is refused, at the line given. */
static const struct {
	const char *text;
	unsigned line;
} refused[] = {
	{"0", 1},			{"0 28", 1},
	{"0 28 0 0", 1},		{"0 28 0 # comment", 1},
	{"4 28 0", 1},			{"9 28 0", 1},
	{"10 28 0", 1},			{"255 28 0", 1},
	{"-1 28 0", 1},			{"+1 28 0", 1},
	{"0x1 28 0", 1},		{"a 28 0", 1},
	{"1a 28 0", 1},			{"1. 28 0", 1},
	{"18446744073709551616 28 0", 1}, {"4294967296 28 0", 1},
	{"0 0x 0", 1},			{"0 x28 0", 1},
	{"0 28h 0", 1},			{"0 -28 0", 1},
	{"0 +28 0", 1},			{"0 0x0x28 0", 1},
	{"0 100000028 0", 1},		{"0 0x100000028 0", 1},
	{"0 10000000000000028 0", 1},	{"0 g 0", 1},
	{"0 28 -1", 1},			{"0 28 +1", 1},
	{"0 28 1e3", 1},		{"0 28 ff", 1},
	{"0 28 0x", 1},			{"0 28 0xg", 1},
	{"0 28 18446744073709551616", 1}, {"0 28 0x10000000000000000", 1},
	{"0 28 99999999999999999999", 1}, {"0 28 1.5", 1},
	{"0 28 0\r\n", 1},		{"\r\n", 1},
	{"0,28,0", 1},			{"0\v28 0 0", 1},
	{"suspend now", 1},		{"Suspend", 1},
	{"suspended", 1},		{"susp", 1},
	{"resume 0", 1},		{"RESUME", 1},
	{"stop", 1},			{"suspend resume", 1},
	{"0 40000028 0", 1},		{"0 1028 0", 1},
	{"0 2028 0", 1},		{"0 4028 0", 1},
	{"0 8028 0", 1},		{"0 300028 0", 1},
	{"0 1600028 0", 1},		{"0 3fe00028 0", 1},
	{"0 120028 0", 1},		{"0 1f0028 0", 1},
	{"0 fe8 0", 1},			/* event 127: reserved */
	{"0 48 0", 1},			/* event 2: not in this table */
	{"0 5c8 0", 1},			/* 46 is for odd counters */
	{"1 528 0", 1},			/* 41 is for even ones */
	{"3 128 0", 1},			/* 9 as well */
	{"0 100008 0", 1},		/* a processor event in a VPE */
	{"0 200008 0", 1},		/* and in a TC */
	{"1 2005c8 0", 1},
	{"0 2005e8 0", 1},		/* a VPE event in a TC */
	{"0 28 0\nx", 2},		{"0 28 0\n\n\n4 28 0\n", 4},
	{"resume\n1 28 0\n2 28\n3 28 0\n", 3},
};

static void
lines_that_are_refused(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(refused); i++) {
		struct machine_map map = procperf_machine();
		unsigned line = 0;

		if (put(&map, refused[i].text, &line) != -EINVAL)
			fail_msg("accepted: \"%s\"", refused[i].text);
		if (line != refused[i].line)
			fail_msg("line %u: \"%s\"", line, refused[i].text);
		fixture_close(&map);
	}
}

/* Characters that no text has; the length counts, not a null character. */
static void
bytes_that_are_no_text(void **state)
{
	struct machine_map map = procperf_machine();
	unsigned line;

	(void)state;
	assert_int_equal(procperf_write(&map, 0, "0 28 0\0", 7, &line),
			 -EINVAL);
	assert_int_equal(procperf_write(&map, 0, "\0\n", 2, &line), -EINVAL);
	assert_int_equal(procperf_write(&map, 0, "0 28 \xff", 6, &line),
			 -EINVAL);
	assert_int_equal(procperf_write(&map, 0, "0 28 12345", 7, &line), 7);
	assert_int_equal(pmu_read(&map, 0), 12);
	fixture_close(&map);
}

/* Lines before a bad one take effect, those behind it do not. */
static void
a_bad_line_ends_the_write(void **state)
{
	struct machine_map map = procperf_machine();
	unsigned line;

	(void)state;
	assert_int_equal(put(&map, "0 28 1\n1 28 2\n2 fe8 3\n3 28 4\n", &line),
			 -EINVAL);
	assert_int_equal(line, 3);
	assert_int_equal(pmu_read(&map, 0), 1);
	assert_int_equal(pmu_read(&map, 1), 2);
	assert_int_equal(map.m->counter[2].event, -1);
	assert_int_equal(map.m->counter[3].event, -1);
	fixture_close(&map);
}

/* A refused word leaves the counter as it was. */
static void
a_refused_word_changes_nothing(void **state)
{
	struct machine_map map = procperf_machine();
	struct pmu_counter before;
	unsigned line;

	(void)state;
	must_put(&map, "0 0x0020003f 12\n");
	before = map.m->counter[0];
	for (unsigned i = 0; i < SIM_COUNT(refused); i++) {
		if (refused[i].line > 1)
			continue;
		put(&map, refused[i].text, &line);
		assert_memory_equal(&before, &map.m->counter[0],
				    sizeof before);
	}
	fixture_close(&map);
}

static void
fields_reach_the_device(void **state)
{
	static const struct {
		u32 control;
		s32 event;
		u8 modes, scope, id;
		bool interrupt;
	} row[] = {
		{0x00000028, 1, 1 << MODE_USER, SCOPE_PROCESSOR, 0, false},
		{0x00000024, 1, 1 << MODE_SUPERVISOR, SCOPE_PROCESSOR, 0, false},
		{0x00000022, 1, 1 << MODE_KERNEL, SCOPE_PROCESSOR, 0, false},
		{0x00000021, 1, 1 << MODE_EXL, SCOPE_PROCESSOR, 0, false},
		{0x0000003f, 1, 15, SCOPE_PROCESSOR, 0, true},
		{0x00000010, 0, 0, SCOPE_PROCESSOR, 0, true},
		{0x00e00128, 2, 8, SCOPE_TC, 3, false},
		{0x00110528, 3, 8, SCOPE_VPE, 1, false},
	};
	struct machine_map map = procperf_machine();

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(row); i++) {
		const struct pmu_counter *c = &map.m->counter[2];

		assert_int_equal(procperf_program(&map, 2, row[i].control, 0),
				 0);
		assert_int_equal(c->event, row[i].event);
		assert_int_equal(c->modes, row[i].modes);
		assert_int_equal(c->scope, row[i].scope);
		assert_int_equal(c->scope_id, row[i].id);
		assert_int_equal(c->interrupt, row[i].interrupt);
	}
	fixture_close(&map);
}

/* Widened for the tool; the text stays that of the real device. */
static void
a_widened_device(void **state)
{
	struct machine_map map = procperf_machine();
	char text[PROCPERF_TEXT];
	unsigned line;

	(void)state;
	assert_int_equal(procperf_program(&map, 4, 0x528, 0), -EINVAL);
	map.m->n_counters = 8;
	assert_int_equal(procperf_program(&map, 4, 0x528, 3), 0);
	assert_int_equal(procperf_program(&map, 5, 0x528, 3), -EINVAL);
	assert_int_equal(procperf_program(&map, 7, 0x5c8, 3), 0);
	assert_int_equal(procperf_program(&map, 8, 0x528, 3), -EINVAL);
	assert_int_equal(map.m->counter[4].control, 0x80000528u);
	assert_int_equal(map.m->counter[7].control, 0x000005c8u);
	assert_int_equal(pmu_read(&map, 7), 3);
	assert_int_equal(put(&map, "4 28 0", &line), -EINVAL);
	procperf_read(&map, text);
	assert_non_null(strstr(text, "PerfCnt[3].Ctl : 0x00000000\n"));
	assert_null(strstr(text, "PerfCnt[4]"));
	fixture_close(&map);
}

/* Without range extension the register's width is the limit. */
static void
values_of_the_register(void **state)
{
	struct machine_map map = procperf_machine();
	unsigned line;

	(void)state;
	map.m->range_extension = false;
	must_put(&map, "0 28 4294967295\n1 28 0xffffffff");
	assert_int_equal(put(&map, "0 28 4294967296", &line), -EINVAL);
	assert_int_equal(put(&map, "0 28 0x100000000", &line), -EINVAL);
	assert_int_equal(pmu_read(&map, 0), 4294967295u);
	assert_int_equal(pmu_read(&map, 1), 4294967295u);
	fixture_close(&map);
}

/* A device of two counters: M is clear on the second. */
static void
a_smaller_device(void **state)
{
	struct machine_map map = procperf_machine();
	unsigned line;

	(void)state;
	map.m->config.n_counters = map.m->n_counters = 2;
	must_put(&map, "0 28 1\n1 80000028 2\n");
	assert_int_equal(put(&map, "2 28 0", &line), -EINVAL);
	must_show(&map, "PerfCnt[0].Ctl : 0x80000028\n"
			"PerfCnt[0].Cnt : 1\n"
			"PerfCnt[1].Ctl : 0x00000028\n"
			"PerfCnt[1].Cnt : 2\n");
	fixture_close(&map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dump_of_an_idle_device),
		cmocka_unit_test(dump_of_figure_3),
		cmocka_unit_test(the_longest_dump_fits),
		cmocka_unit_test(range_extension_and_wrap),
		cmocka_unit_test(suspend_and_resume),
		cmocka_unit_test(only_root_writes),
		cmocka_unit_test(lines_that_are_accepted),
		cmocka_unit_test(lines_that_are_refused),
		cmocka_unit_test(bytes_that_are_no_text),
		cmocka_unit_test(a_bad_line_ends_the_write),
		cmocka_unit_test(a_refused_word_changes_nothing),
		cmocka_unit_test(fields_reach_the_device),
		cmocka_unit_test(a_widened_device),
		cmocka_unit_test(values_of_the_register),
		cmocka_unit_test(a_smaller_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
