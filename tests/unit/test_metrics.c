/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics against the manual's printed numbers; spread of repeats. */
#include "table/table.h"
#include "cpu_fixture.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define EVEN 0
#define ODD 1

static struct pmcsim_count
count_of(unsigned parity, unsigned code, uint64_t n)
{
	return (struct pmcsim_count){.parity = parity,
				     .code = code,
				     .modes = 8,
				     .tc = -1,
				     .vpe = -1,
				     .value = {.count = n, .shown = n}};
}

static const struct pmcsim_metric *
metric_named(const struct pmcsim_cpu *cpu, const char *name)
{
	size_t n;
	const struct pmcsim_metric *metric = pmcsim_cpu_metrics(cpu, &n);

	for (; n--; metric++)
		if (!strcmp(metric->name, name))
			return metric;
	fail_msg("no metric is called %s", name);
	return NULL;
}

/* The metric as it is printed: "0.560", "7.5%". */
static void
expect(const struct pmcsim_cpu *cpu, const char *name,
       const struct pmcsim_count *count, size_t n, const char *printed)
{
	const struct pmcsim_metric *metric = metric_named(cpu, name);
	double value = -1;
	char text[64];

	assert_int_equal(pmcsim_metric_value(cpu, metric, count, n, &value), 0);
	snprintf(text, sizeof text, "%.*f%s", (int)metric->digits, value,
		 strcmp(metric->unit, "percent") ? "" : "%");
	assert_string_equal(text, printed);
}

static void
test_figure4(void **state)
{
	const struct pmcsim_count count[] = {count_of(EVEN, 0, 1241355),
					     count_of(ODD, 1, 695424)};

	expect(*state, "ipc", count, 2, "0.560");
}

static void
test_figure5(void **state)
{
	/* The scan has two readings of D-cache accesses; both print 7.5%. */
	static const uint64_t accesses[] = {242055, 243055};

	for (size_t i = 0; i < SIM_COUNT(accesses); i++) {
		const struct pmcsim_count count[] = {
			count_of(EVEN, 0, 1235557),
			count_of(ODD, 1, 699255),
			count_of(EVEN, 10, accesses[i]),
			count_of(ODD, 10, 3501),
			count_of(ODD, 11, 18236),
		};

		expect(*state, "ipc", count, 5, "0.566");
		expect(*state, "dcache_miss_rate", count, 5, "7.5%");
	}
}

/* Table 7: threads 1 to 5. */
static const struct column {
	uint64_t cycles, instructions, stalls;
	const char *ipc, *overhead;
} table7[] = {
	{183624622, 151020049, 26770910, "0.822", "3.2%"},
	{168450653, 151086135, 11939387, "0.897", "3.2%"},
	{167250453, 151120799, 10932458, "0.904", "3.1%"},
	{169070742, 151162631, 12451991, "0.894", "3.2%"},
	{172441901, 151206089, 15394697, "0.877", "3.4%"},
};

static void
test_table7(void **state)
{
	for (size_t i = 0; i < SIM_COUNT(table7); i++) {
		const struct column *c = &table7[i];
		const struct pmcsim_count count[] = {
			count_of(EVEN, 18, c->stalls),
			count_of(EVEN, 0, c->cycles),
			count_of(ODD, 1, c->instructions),
		};

		expect(*state, "ipc", count, 3, c->ipc);
		expect(*state, "cycle_sharing_overhead", count, 3,
		       c->overhead);
	}
}

/* The other lists of cycles and instructions serve as well. */
static void
test_alternatives(void **state)
{
	const struct column *c = &table7[0];

	for (unsigned i = 0; i < 4; i++) {
		const struct pmcsim_count count[] = {
			count_of(i & 1, 0, c->cycles),
			count_of(i >> 1, 1, c->instructions),
			count_of(EVEN, 18, c->stalls),
		};

		expect(*state, "ipc", count, 3, c->ipc);
		expect(*state, "cycle_sharing_overhead", count, 3,
		       c->overhead);
		expect(*state, "all_stalls_share", count, 3, "14.6%");
	}
}

/* Rates of pairs of an event on the odd and one on the even list. */
static void
test_rates(void **state)
{
	static const struct {
		const char *name;
		unsigned over_list, over, under_list, under;
	} rates[] = {
		{"icache_miss_rate", ODD, 9, EVEN, 9},
		{"dcache_miss_rate", ODD, 11, EVEN, 10},
		{"dcache_miss_rate", EVEN, 11, EVEN, 10},
		{"branch_mispredict_rate", ODD, 2, EVEN, 2},
		{"itlb_miss_rate", ODD, 5, EVEN, 5},
		{"dtlb_miss_rate", ODD, 6, EVEN, 6},
		{"jtlb_insn_miss_rate", ODD, 7, EVEN, 7},
		{"jtlb_data_miss_rate", ODD, 8, EVEN, 8},
		{"all_stalls_share", EVEN, 18, EVEN, 0},
		{"ifu_stalls_share", EVEN, 25, ODD, 0},
		{"alu_stalls_share", ODD, 25, EVEN, 0},
		{"mdu_stalls_share", EVEN, 41, EVEN, 0},
		{"load_use_stalls_share", EVEN, 45, EVEN, 0},
		{"agen_stalls_share", ODD, 45, EVEN, 0},
		{"mispredict_stalls_share", ODD, 46, EVEN, 0},
	};

	for (size_t i = 0; i < SIM_COUNT(rates); i++) {
		const struct pmcsim_count count[] = {
			count_of(EVEN, 99, 5),
			count_of(rates[i].under_list, rates[i].under, 8000),
			count_of(rates[i].over_list, rates[i].over, 137),
		};

		expect(*state, rates[i].name, count, 3, "1.7%");
	}
}

static void
test_missing(void **state)
{
	const struct pmcsim_metric *ipc = metric_named(*state, "ipc");
	struct pmcsim_count count[] = {count_of(EVEN, 0, 0),
				       count_of(ODD, 1, 5)};
	double value = 42;

	assert_int_equal(pmcsim_metric_value(*state, ipc, count, 1, &value),
			 -ENODATA);
	assert_int_equal(pmcsim_metric_value(*state, ipc, count, 0, &value),
			 -ENODATA);
	assert_int_equal(pmcsim_metric_value(*state, ipc, count, 2, &value),
			 -EDOM);
	assert_int_equal(pmcsim_metric_value(*state, &(struct pmcsim_metric){0},
					     count, 2, &value),
			 -EINVAL);
	assert_true(value == 42);
}

/* A register that wrapped gives the metric of what it shows. */
static void
test_wrapped(void **state)
{
	struct pmcsim_count count[] = {count_of(EVEN, 0, (1ull << 32) + 1000),
				       count_of(ODD, 1, 500)};

	count[0].value.shown = 1000;
	count[0].value.wrapped = true;
	expect(*state, "ipc", count, 2, "0.500");
}

static void
test_large(void **state)
{
	const struct pmcsim_count count[] = {
		count_of(EVEN, 0, UINT64_MAX),
		count_of(ODD, 1, UINT64_MAX / 4),
		count_of(EVEN, 18, UINT64_MAX / 4 * 3 - 5),
	};

	expect(*state, "ipc", count, 3, "0.250");
	expect(*state, "cycle_sharing_overhead", count, 3, "0.0%");
}

static void
test_labels(void **state)
{
	assert_string_equal(metric_named(*state, "ipc")->label, "IPC");
	assert_string_equal(metric_named(*state, "icache_miss_rate")->label,
			    "I-$ miss rate");
	assert_string_equal(metric_named(*state, "dcache_miss_rate")->label,
			    "D-$ miss rate");
}

/* Figure 5's events give its three metrics and no other. */
static void
test_figure5_metrics(void **state)
{
	const struct pmcsim_count count[] = {
		count_of(EVEN, 0, 9),  count_of(ODD, 1, 9),
		count_of(EVEN, 9, 9),  count_of(ODD, 9, 9),
		count_of(EVEN, 10, 9), count_of(ODD, 10, 9),
		count_of(ODD, 11, 9),  count_of(EVEN, 37, 9),
		count_of(ODD, 37, 9),  count_of(EVEN, 39, 9),
	};
	static const char *const names[] = {"ipc", "icache_miss_rate",
					    "dcache_miss_rate"};
	size_t n, found = 0;
	const struct pmcsim_metric *metric = pmcsim_cpu_metrics(*state, &n);
	double value;

	for (; n--; metric++) {
		if (pmcsim_metric_value(*state, metric, count,
					SIM_COUNT(count), &value))
			continue;
		assert_true(found < SIM_COUNT(names));
		assert_string_equal(metric->name, names[found++]);
	}
	assert_int_equal(found, SIM_COUNT(names));
}

/* ---- Spread ---------------------------------------------------------- */

static const struct repeat {
	uint64_t count[10];
	size_t n, kept;
	double mean, deviation;
	uint64_t min, max;
} repeats[] = {
	{{7}, 1, 1, 7, 0, 7, 7},
	{{10, 20}, 2, 2, 15, 7.0710678118654755, 10, 20},
	{{5, 5, 5}, 3, 3, 5, 0, 5, 5},
	{{2, 4, 4, 5, 6, 7}, 6, 6, 4.666666666666667, 1.751190071541826, 2,
	 7},
	/* MAD 1: 3.5 x 1.4826 = 5.2 about 101. */
	{{100, 101, 102, 500}, 4, 3, 101, 1, 100, 102},
	{{500, 102, 101, 100, 100, 106}, 6, 5, 101.8, 2.4899799195977463, 100,
	 106},
	{{103, 1, 100, 101, 102}, 5, 4, 101.5, 1.2909944487358056, 100, 103},
	/* MAD 0: mean deviation 90, 3.5 x 112.8 = 394.8 about 100. */
	{{100, 100, 100, 100, 100, 100, 100, 100, 100, 1000}, 10, 9, 100, 0,
	 100, 100},
	/* MAD 0: mean deviation .25, 3.5 x .313 = 1.1 about 100. */
	{{100, 100, 100, 101}, 4, 4, 100.25, 0.5, 100, 101},
	{{UINT64_MAX, UINT64_MAX, UINT64_MAX}, 3, 3, 18446744073709551615.0, 0,
	 UINT64_MAX, UINT64_MAX},
};

static void
test_spread(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIM_COUNT(repeats); i++) {
		const struct repeat *r = &repeats[i];
		struct pmcsim_spread s;

		assert_int_equal(pmcsim_spread(r->count, r->n, &s), 0);
		assert_int_equal(s.kept, r->kept);
		assert_int_equal(s.outliers, r->n - r->kept);
		assert_true(fabs(s.mean - r->mean) < 1e-9);
		assert_true(fabs(s.deviation - r->deviation) < 1e-9);
		assert_int_equal(s.min, r->min);
		assert_int_equal(s.max, r->max);
	}
}

static void
test_no_counts(void **state)
{
	struct pmcsim_spread s = {.mean = 1};

	(void)state;
	assert_int_equal(pmcsim_spread(NULL, 0, &s), -EINVAL);
	assert_true(s.mean == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figure4),
		cmocka_unit_test(test_figure5),
		cmocka_unit_test(test_table7),
		cmocka_unit_test(test_alternatives),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_figure5_metrics),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_no_counts),
	};

	return cmocka_run_group_tests(tests, load_34k, unload);
}
