/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables whose events are all on one list, each with the counters that can
 * count it: unit masks, factors, happenings per cycle.
 */
#include "table/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* What follows the machine of small.yaml. */
static const char events[] =
	"counters: {number: 2, bits: 40}\n"
	"system: openbsd\n"
	"events:\n"
	"  all:\n"
	"    - {code: 0x79, name: CLK, label: clocks, text: Clocks.,\n"
	"       precision: timing, signals: [cycle.*, \"stall.*\"]}\n"
	"    - {code: 0xc1, name: FLOPS, label: flops, text: F.,\n"
	"       counters: [0], precision: exact, signals: [insn.fpu]}\n"
	"    - {code: 0x11, name: ASSIST, label: assists, text: A.,\n"
	"       counters: [1], precision: zero, reason: none occur}\n"
	"    - code: 0x29\n"
	"      name: L2\n"
	"      label: l2\n"
	"      text: L2.\n"
	"      masked: mesi\n"
	"      precision: structural\n"
	"      per_cycle: [insn, insn.int]\n"
	"      signals: [l2.access@8, l2.miss@6*3, -l2.writeback*2]\n"
	"    - {code: 0xc8, name: TICKS, label: ticks, text: T.,\n"
	"       precision: ledger, signals: [os.tick]}\n"
	"reserved: {all: [{first: 1, last: 3}]}\n"
	"groups: [{name: two, text: Two., all: [0x29, 0x79]}]\n"
	"metrics:\n"
	"  - {name: m, label: m, text: M., unit: ratio, digits: 2,\n"
	"     formulas: [{numerator: [{code: 0x29, factor: 1}],\n"
	"                 denominator: [{code: 0x79, factor: 1}]}]}\n";

#define TABLES TEST_DATA_DIR "/tables/"

static char path[] = "/tmp/pmcsim-all-XXXXXX.yaml";

/* Loads small.yaml with these events, from replaced by to. */
static int
load(const char *from, const char *to, struct pmcsim_cpu **cpu,
     struct pmcsim_error *error)
{
	FILE *in = fopen(TABLES "small.yaml", "r"), *out = fopen(path, "w");
	const char *at = strstr(events, from);
	char line[200];

	assert_non_null(in);
	assert_non_null(out);
	assert_non_null(at);
	while (fgets(line, sizeof line, in) && strcmp(line, "counters:\n"))
		fputs(line, out);
	fprintf(out, "%.*s%s%s", (int)(at - events), events, to,
		at + strlen(from));
	fclose(in);
	assert_int_equal(fclose(out), 0);
	return pmcsim_cpu_load(path, cpu, error);
}

static struct pmcsim_cpu *
good(void)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	if (load("", "", &cpu, &error))
		fail_msg("%s", error.text);
	return cpu;
}

static void
counters_say_what_they_can_count(void **state)
{
	static const struct {
		unsigned code, counters;
		bool reserved;
	} want[] = {{0x79, 3, 0}, {0xc1, 1, 0}, {0x11, 2, 0}, {0x29, 3, 0},
		    {0xc8, 3, 0}, {1, 3, 1},	{3, 3, 1}};
	struct pmcsim_cpu *cpu = good();

	(void)state;
	assert_int_equal(pmcsim_cpu_system(cpu), PMCSIM_OPENBSD);
	for (size_t i = 0; i < SIM_COUNT(want); i++)
		for (unsigned n = 0; n < 2; n++) {
			const struct pmcsim_event *e =
				pmcsim_cpu_event(cpu, n, want[i].code);

			assert_int_equal(e != NULL, want[i].counters >> n & 1);
			if (e)
				assert_int_equal(e->reserved,
						 want[i].reserved);
		}
	pmcsim_cpu_free(cpu);
}

static void
terms_have_masks_and_factors(void **state)
{
	struct pmcsim_cpu *cpu = good();
	const struct pmcsim_event *public = pmcsim_cpu_event(cpu, 0, 0x29);
	const struct sim_event *e = cpu->config.event;

	(void)state;
	assert_int_equal(public->masked, PMCSIM_MASK_MESI);
	assert_true(public->per_cycle);
	while (e->code != 0x29)
		e++;
	assert_int_equal(e->n, 3);
	assert_int_equal(e->term[0].signal, SIG_L2_ACCESS);
	assert_int_equal(e->term[0].mask, 8);
	assert_int_equal(e->term[0].factor, 1);
	assert_int_equal(e->term[1].signal, SIG_L2_MISS);
	assert_int_equal(e->term[1].mask, 6);
	assert_int_equal(e->term[1].factor, 3);
	assert_int_equal(e->term[2].signal, SIG_L2_WB);
	assert_int_equal(e->term[2].mask, 0);
	assert_int_equal(e->term[2].factor, 2);
	assert_true(e->term[2].less && !e->term[1].less);
	assert_int_equal(e->n_per_cycle, 2);
	assert_int_equal(e->per_cycle[1], SIG_INSN_INT);
	pmcsim_cpu_free(cpu);
}

static void
groups_and_metrics_use_the_list(void **state)
{
	struct pmcsim_cpu *cpu = good();
	struct pmcsim_count count[2] = {
		{.code = 0x29, .value.shown = 3},
		{.code = 0x79, .value.shown = 12},
	};
	const struct pmcsim_group *group;
	double value;
	size_t n;

	(void)state;
	group = pmcsim_cpu_groups(cpu, &n);
	assert_int_equal(n, 1);
	assert_int_equal(group->n_even, 2);
	assert_int_equal(group->n_odd, 0);
	assert_int_equal(group->even[1], 0x79);
	assert_int_equal(pmcsim_metric_value(cpu, cpu->metric, count, 2,
					     &value), 0);
	assert_true(value == 0.25);
	pmcsim_cpu_free(cpu);
}

static void
mistakes_are_named(void **state)
{
	static const struct {
		const char *from, *to, *sentence;
	} edit[] = {
		{"counters: [0]", "counters: [2]",
		 "there is no counter 2 for event FLOPS"},
		{"@8", "@0", "'l2.access@0': a mask (@) or factor (*) is 1 "
			     "to 255"},
		{"@8", "@x", "'l2.access@x': a mask (@) or factor (*) is 1 "
			     "to 255"},
		{"*2]", "*256]", "'-l2.writeback*256': a mask (@) or factor "
				 "(*) is 1 to 255"},
		{"l2.access@8", "l2.axis@8", "unknown signal 'l2.axis@8'"},
		{"*2]", "*2]\n      divide: 2",
		 "'-l2.writeback*2' is taken off what is divided"},
		{"[insn.fpu]", "[icache.access], divide: 2",
		 "'icache.access' cannot be divided"},
		{"[insn.fpu]", "[\"icache.*\"], divide: 2",
		 "'icache.*' cannot be divided"},
		{"      masked: mesi\n", "", "'l2.access@8' has a mask, but "
					     "the event is not masked"},
		{"insn.int", "insn.*", "unknown signal 'insn.*'"},
		{"      per_cycle:", "      edges: l2.edge\n      per_cycle:",
		 "unknown signal 'l2.edge'"},
		{"      per_cycle:", "      cycles: insn\n      per_cycle:",
		 "unknown signal 'insn'"},
		{"  all:\n", "  even: [{code: 9, name: N, label: n, text: T, "
			     "precision: zero, reason: r}]\n  all:\n",
		 "events are on the lists even and odd, or on the list all"},
		{"0xc8", "0xc1", "event 193 is on the all list twice"},
		{"code: 0xc8,", "code: 0xc1, variant: true,",
		 "event TICKS is a variant, which no counter can tell, but "
		 "adds up other signals"},
		{"system: openbsd\n", "system: openbsd\nevents_of: p6\n",
		 "events_of: p6: this table has lists of its own, beside "
		 "that of all events"},
		{"system: openbsd\n", "system: openbsd\nevents_of: mips34k\n",
		 "events_of: mips34k: this table has lists of its own, beside "
		 "that of all events"},
		{"[0x29, 0x79]", "[0x29, 0x7a]",
		 "group two names event 122, which is not on the all list"},
	};
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(edit); i++) {
		const char *said;

		assert_int_equal(load(edit[i].from, edit[i].to, &cpu, &error),
				 -EINVAL);
		said = strchr(error.text, ' ');
		assert_non_null(said);
		assert_string_equal(said + 1, edit[i].sentence);
	}
}

/* Found by its name, not by its code, and nothing that a counter selects. */
static void
variants_share_a_code(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	const struct pmcsim_event *event;
	size_t n;

	(void)state;
	assert_int_equal(load("code: 0x11, name: ASSIST",
			      "code: 0x79, variant: true, name: ASSIST", &cpu,
			      &error), 0);
	event = pmcsim_cpu_events(cpu, &n);
	assert_string_equal(event[n - 4].name, "CLK");
	assert_false(event[n - 4].variant);
	assert_string_equal(event[n - 3].name, "ASSIST");
	assert_true(event[n - 3].variant);
	assert_string_equal(pmcsim_cpu_event(cpu, 1, 0x79)->name, "CLK");
	assert_int_equal(cpu->config.n_events, 4);
	pmcsim_cpu_free(cpu);
}

/* All but the machine is the other table's. */
static void
events_of_another_table(void **state)
{
	struct pmcsim_cpu *one, *two;
	struct pmcsim_error error;
	const struct pmcsim_event *a, *b;
	size_t n, m;

	(void)state;
	assert_int_equal(setenv("PMCSIM_EVENTS", TEST_DATA_DIR "/../../events",
				1), 0);
	assert_int_equal(pmcsim_cpu_load("itanium2", &one, &error), 0);
	assert_int_equal(pmcsim_cpu_load("madison", &two, &error), 0);
	a = pmcsim_cpu_events(one, &n);
	b = pmcsim_cpu_events(two, &m);
	assert_int_equal(n, 497);
	assert_int_equal(m, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(a[i].name, b[i].name);
		assert_int_equal(a[i].code, b[i].code);
	}
	assert_int_equal(one->config.n_events, two->config.n_events);
	assert_memory_equal(one->config.event, two->config.event,
			    one->config.n_events * sizeof *one->config.event);
	assert_true(one->config.clock_hz < two->config.clock_hz);
	pmcsim_cpu_free(one);
	pmcsim_cpu_free(two);
}

/* A table that has more events than the other one, which come to it. */
static void
events_of_another_table_and_more(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *one, *two;
	size_t n, m;

	(void)state;
	assert_int_equal(pmcsim_cpu_load("p5", &one, &error), 0);
	assert_int_equal(pmcsim_cpu_load("p55c", &two, &error), 0);
	pmcsim_cpu_events(one, &n);
	pmcsim_cpu_events(two, &m);
	assert_int_equal(n, 38);
	assert_int_equal(m, 38 + 35);
	assert_string_equal(pmcsim_cpu_event(two, 0, 0x16)->name,
			    "INSTRUCTIONS_EXECUTED");
	/* A code can mean one thing on one counter, another on the other. */
	assert_string_equal(pmcsim_cpu_event(two, 0, 0x37)->name,
			    "MISPREDICTED_OR_UNPREDICTED_RETURNS");
	assert_string_equal(pmcsim_cpu_event(two, 1, 0x37)->name,
			    "PREDICTED_RETURNS");
	assert_null(pmcsim_cpu_event(two, 1, 0x39));
	assert_null(pmcsim_cpu_event(one, 0, 0x39));
	pmcsim_cpu_free(one);
	pmcsim_cpu_free(two);
	/* Or it means another thing than there. */
	assert_int_equal(pmcsim_cpu_load("r10000v2", &one, &error), 0);
	pmcsim_cpu_events(one, &n);
	assert_int_equal(n, 32);
	assert_string_equal(pmcsim_cpu_event(one, 0, 6)->name,
			    "BRANCH_DECODED");
	assert_string_equal(pmcsim_cpu_event(one, 0, 14)->name, "VCC");
	assert_string_equal(pmcsim_cpu_event(one, 0, 15)->name,
			    "INSTR_GRAD0");
	pmcsim_cpu_free(one);
}

static void
data_adds_up(const u32 cost[SIG_N])
{
	assert_int_equal(cost[SIG_DCACHE_MISS],
			 cost[SIG_DCACHE_MISS_LOAD] +
				 cost[SIG_DCACHE_MISS_STORE]);
	assert_int_equal(cost[SIG_DACCESS_STORE],
			 cost[SIG_STORE_HIT] + cost[SIG_DCACHE_MISS_STORE]);
	assert_true(cost[SIG_DCACHE_FILL_STORE] <= cost[SIG_DCACHE_FILL]);
}

/* Of Linux, IRIX and Tru64: loads and stores, hits and misses add up. */
static void
costs_tell_loads_from_stores(void **state)
{
	static const char *const name[] = {"mips34k", "r10000", "ev5"};
	struct pmcsim_error error;

	(void)state;
	for (unsigned n = 0; n < SIM_COUNT(name); n++) {
		struct pmcsim_cpu *cpu;

		assert_int_equal(pmcsim_cpu_load(name[n], &cpu, &error), 0);
		for (int i = 0; i < LEDGER_N; i++) {
			const u32 *cost = cpu->config.ledger.cause[i].cost;

			assert_int_equal(cost[SIG_DACCESS_LOAD],
					 cost[SIG_INSN_LOAD]);
			assert_int_equal(cost[SIG_DACCESS_STORE],
					 cost[SIG_INSN_STORE]);
			data_adds_up(cost);
		}
		assert_true(cpu->config.ledger.cause[LEDGER_SYSCALL]
				    .cost[SIG_JUMP] > 0);
		pmcsim_cpu_free(cpu);
	}
}

/* Those of processors of today, whose string instructions access memory many times. */
static void
costs_of_today_keep_to_the_rules(void **state)
{
	static const char *const name[] = {"skylake", "zen3", "cortex-a72",
					   "cortex-a53", "u74"};
	static const u16 parts[][2] = {
		{SIG_BRANCH_TAKEN, SIG_BRANCH_COND},
		{SIG_BRANCH_MISS, SIG_BRANCH_COND},
		{SIG_ICACHE_MISS, SIG_IFETCH},
		{SIG_DCACHE_WAIT, SIG_DCACHE_PENDING},
		{SIG_L2_MISS, SIG_L2_ACCESS},
		{SIG_L3_MISS, SIG_L3_ACCESS},
		{SIG_JTLB_I_MISS, SIG_ITLB_MISS},
		{SIG_JTLB_D_MISS, SIG_DTLB_MISS},
	};
	struct pmcsim_error error;

	(void)state;
	for (unsigned n = 0; n < SIM_COUNT(name); n++) {
		struct pmcsim_cpu *cpu;

		assert_int_equal(pmcsim_cpu_load(name[n], &cpu, &error), 0);
		for (int i = 0; i < LEDGER_N; i++) {
			const u32 *cost = cpu->config.ledger.cause[i].cost;
			u32 cycles = 0;

			for (int s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
				cycles += cost[s];
			assert_int_equal(cycles > 0, i != LEDGER_REFILL);
			assert_int_equal(cost[SIG_INSN], cost[SIG_INSN_INT]);
			assert_int_equal(cost[SIG_DACCESS],
					 cost[SIG_DACCESS_LOAD] +
						 cost[SIG_DACCESS_STORE]);
			data_adds_up(cost);
			assert_int_equal(cost[SIG_ICACHE_WAIT],
					 cost[SIG_IFU_ICACHE]);
			for (unsigned k = 0; k < SIM_COUNT(parts); k++)
				assert_true(cost[parts[k][0]] <=
					    cost[parts[k][1]]);
		}
		pmcsim_cpu_free(cpu);
	}
}

/* A kernel on a processor that graduates several instructions per cycle. */
static void
costs_of_irix_keep_to_the_rules(void **state)
{
	static const char *const name[] = {"r10000", "r12000"};
	struct pmcsim_error error;

	(void)state;
	for (unsigned n = 0; n < SIM_COUNT(name); n++) {
		const struct sim_config *c;
		struct pmcsim_cpu *cpu;
		u32 refill = 0;

		assert_int_equal(pmcsim_cpu_load(name[n], &cpu, &error), 0);
		c = &cpu->config;
		assert_int_equal(c->ledger.tick_cycles, c->clock_hz / 100);
		for (int i = 0; i < LEDGER_N; i++) {
			const u32 *cost = c->ledger.cause[i].cost;
			u32 cycles = 0;

			/* One cost for calls of all kinds. */
			if (i > LEDGER_TICK) {
				assert_int_equal(cost[SIG_INSN], 0);
				continue;
			}
			for (int s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
				cycles += cost[s];
			if (i == LEDGER_REFILL)
				refill = cycles;
			assert_true(cost[SIG_INSN] >= cost[SIG_CYCLE_ISSUE]);
			assert_true(cost[SIG_INSN] <=
				    4 * cost[SIG_CYCLE_ISSUE]);
			assert_int_equal(cost[SIG_INSN], cost[SIG_INSN_INT]);
			assert_true(cost[SIG_INSN_ISSUED] < cost[SIG_INSN]);
			assert_int_equal(cost[SIG_DACCESS],
					 cost[SIG_INSN_LOAD] +
						 cost[SIG_INSN_STORE]);
			assert_int_equal(cost[SIG_L2_ACCESS],
					 cost[SIG_ICACHE_MISS] +
						 cost[SIG_DCACHE_MISS] +
						 cost[SIG_DCACHE_WB]);
			assert_int_equal(cost[SIG_L2_MISS],
					 cost[SIG_L2_IFETCH_MISS] +
						 cost[SIG_L2_LOAD_MISS] +
						 cost[SIG_L2_STORE_MISS]);
			assert_int_equal(cost[SIG_L2_MISS],
					 cost[SIG_MEMORY_READ]);
			assert_true(cost[SIG_L2_WB] <= cost[SIG_L2_MISS]);
		}
		assert_int_equal(refill, c->pipe.tlb_refill);
		pmcsim_cpu_free(cpu);
	}
}

static int
set_up(void **state)
{
	int fd = mkstemps(path, 5);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int
tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_say_what_they_can_count),
		cmocka_unit_test(terms_have_masks_and_factors),
		cmocka_unit_test(groups_and_metrics_use_the_list),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(variants_share_a_code),
		cmocka_unit_test(events_of_another_table),
		cmocka_unit_test(events_of_another_table_and_more),
		cmocka_unit_test(costs_tell_loads_from_stores),
		cmocka_unit_test(costs_of_today_keep_to_the_rules),
		cmocka_unit_test(costs_of_irix_keep_to_the_rules),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
