/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of perfex: the counts and figures that the Origin 2000's
 * tuning guide shows for its program adi2, at 196 MHz; projections.
 */
#include "pmcsim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CLOCK 196e6

/* Events of adi2, and what one costs in clocks: the guide's times. */
static const struct {
	unsigned event;
	double count, typical, least, most;
} adi2[] = {
	{0, 1639802080, 8.366337, 8.366337, 8.366337},
	{2, 109918560, 0.560809, 0, 0},
	{6, 97741856, 0.498683, 0, 0},
	{7, 61712384, 1.973562, 1.305834, 1.973562},
	{18, 109754368, 0.559971, 0, 0},
	{19, 12566614, 0.064115, 0, 0},
	{22, 32385280, 0.636139, 0.518825, 0.735278},
	{23, 5693808, 1.978017, 1.978017, 1.978017},
	{25, 16368384, 0.752445, 0.235504, 0.752445},
	{26, 7736432, 2.920580, 1.909429, 3.248837},
};

static void
fill(double count[PMCSIM_IRIX_EVENTS], struct pmcsim_costs *costs)
{
	memset(costs, 0, sizeof *costs);
	for (unsigned i = 0; i < PMCSIM_IRIX_EVENTS; i++)
		count[i] = NAN;
	for (size_t i = 0; i < sizeof adi2 / sizeof *adi2; i++) {
		count[adi2[i].event] = adi2[i].count;
		costs->clocks[adi2[i].event][PMCSIM_COST_TYPICAL] =
			adi2[i].typical * CLOCK / adi2[i].count;
	}
}

/* A statistic of that name to six digits. */
static void
must_be(const char *name, bool r12000, const double *count,
	const struct pmcsim_costs *costs, const char *expected)
{
	char text[32];
	const char *label;
	double value;

	for (size_t n = 0; pmcsim_irix_statistic(n, r12000, count, costs,
						 CLOCK, &label, &value); n++) {
		if (strcmp(label, name) != 0)
			continue;
		snprintf(text, sizeof text, "%.6f", value);
		assert_string_equal(text, expected);
		return;
	}
	fail_msg("no statistic %s", name);
}

static void
figures_of_adi2(void **state)
{
	double count[PMCSIM_IRIX_EVENTS];
	struct pmcsim_costs costs;

	(void)state;
	fill(count, &costs);
	must_be("L1 Cache Line Reuse", false, count, &costs, "6.473003");
	must_be("L2 Cache Line Reuse", false, count, &costs, "1.115754");
	must_be("L1 Data Cache Hit Rate", false, count, &costs, "0.866185");
	must_be("L2 Data Cache Hit Rate", false, count, &costs, "0.527355");
	must_be("Time accessing memory/Total time", false, count, &costs,
		"0.750045");
	/* By hand: (16368384 * 32 + 32385280 * 16) / 8.366337 s, and so on. */
	must_be("L1--L2 bandwidth used (MB/s, average per process)", false,
		count, &costs, "124.541093");
	must_be("Memory bandwidth used (MB/s, average per process)", false,
		count, &costs, "236.383187");
	must_be("MFLOPS (average per process)", false, count, &costs, "nan");
}

/* The default costs charge what the guide charged, within a tenth. */
static void
costs_are_of_that_order(void **state)
{
	struct pmcsim_costs costs;
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	(void)state;
	assert_int_equal(pmcsim_cpu_load(TEST_DATA_DIR "/tables/irix.yaml",
					 &cpu, &error), 0);
	assert_false(pmcsim_irix_is_r12000(cpu));
	pmcsim_costs_default(cpu, &costs);
	for (size_t i = 0; i < sizeof adi2 / sizeof *adi2; i++) {
		double scale = adi2[i].count / CLOCK;
		const double *clocks = costs.clocks[adi2[i].event];

		assert_true(fabs(clocks[0] * scale - adi2[i].typical) <=
			    adi2[i].typical / 10);
		if (adi2[i].least > 0)
			assert_true(fabs(clocks[1] * scale - adi2[i].least) <=
				    adi2[i].least / 10);
	}
	pmcsim_cpu_free(cpu);
}

/* Two events, one of each counter, of which one is there twice. */
static void
either_counter_has_cycles_of_an_r10000(void **state)
{
	double count[PMCSIM_IRIX_EVENTS];
	struct pmcsim_costs costs = {0};

	(void)state;
	for (unsigned i = 0; i < PMCSIM_IRIX_EVENTS; i++)
		count[i] = NAN;
	count[0] = 1000;
	count[17] = 500;
	must_be("Graduated instructions/cycle", false, count, &costs,
		"0.500000");
	must_be("Graduated instructions/cycle", true, count, &costs, "nan");
	count[0] = count[17] = NAN;
	count[15] = 300;
	count[16] = 1200;
	must_be("Graduated instructions/cycle", false, count, &costs,
		"0.250000");
	count[15] = NAN;
	count[14] = 900;
	must_be("Time not making progress (probably waiting on memory)/Total "
		"time", false, count, &costs, "0.250000");
	must_be("Time not making progress (probably waiting on memory)/Total "
		"time", true, count, &costs, "nan");
}

static void
names_of_both_chips(void **state)
{
	double count[PMCSIM_IRIX_EVENTS];
	struct pmcsim_costs costs = {0};

	(void)state;
	for (unsigned i = 0; i < PMCSIM_IRIX_EVENTS; i++)
		count[i] = i + 1;
	must_be("Mispredicted branches/Decoded branches", false, count,
		&costs, "3.571429");
	must_be("Mispredicted branches/Resolved branches", true, count,
		&costs, "3.571429");
	must_be("Prefetch miss rate", true, count, &costs, "1.058824");
	must_be("Cache misses in flight per cycle (average)", true, count,
		&costs, "5.000000");
	must_be("Data mispredict/Data scache hits", false, count, &costs,
		"nan");
	/* No more than all of the misses can have missed once more. */
	count[25] = 28;
	must_be("Data mispredict/Data scache hits", false, count, &costs,
		"28.000000");
	must_be("L2 Data Cache Hit Rate", false, count, &costs, "0.035714");
	count[26] = 29;
	must_be("L2 Data Cache Hit Rate", false, count, &costs, "nan");
}

static void
projections(void **state)
{
	struct pmcsim_irix_counts counts = {.all_cycles = 1000};
	double bound;

	(void)state;
	/* All the time: nothing to project. */
	counts.value[0] = 77;
	counts.cycles[0] = 1000;
	assert_true(pmcsim_irix_project(&counts, 0, &bound) == 77);
	assert_true(bound == 0);
	/* Not at all, one turn, nothing happened: not known. */
	assert_true(pmcsim_irix_project(&counts, 1, &bound) == 0);
	assert_true(bound < 0);
	counts.value[2] = 10;
	counts.cycles[2] = 100;
	counts.turns[2] = 1;
	assert_true(pmcsim_irix_project(&counts, 2, &bound) == 100);
	assert_true(bound < 0);
	/* Four turns of 10, 20, 30 and 40 in four tenths of the time: ten
	 * turns in all; deviation sqrt(500 / 3), 9.22 errors, two rounds. */
	counts.value[3] = 100;
	counts.cycles[3] = 400;
	counts.turns[3] = 4;
	counts.squares[3] = 3000;
	assert_true(pmcsim_irix_project(&counts, 3, &bound) == 250);
	assert_true(fabs(bound - (9.22 * 10 * sqrt(500.0 / 3 / 4 * 0.6) +
				  125)) < 1e-3 * bound);
	/* Turns that are all the same leave two rounds. */
	counts.squares[3] = 2500;
	pmcsim_irix_project(&counts, 3, &bound);
	assert_true(bound == 125);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_adi2),
		cmocka_unit_test(costs_are_of_that_order),
		cmocka_unit_test(names_of_both_chips),
		cmocka_unit_test(either_counter_has_cycles_of_an_r10000),
		cmocka_unit_test(projections),
	};
	char folder[] = TEST_DATA_DIR "/../../events";

	setenv("PMCSIM_EVENTS", folder, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
