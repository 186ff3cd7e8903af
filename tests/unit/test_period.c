/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Periods: what was measured of each stands for all of it. */
#include "machine_fixture.h"

#include "machine/machine_period.h"

static void
scaled(void **state)
{
	(void)state;
	assert_int_equal(period_scale(10, 3, 2), 15);
	assert_int_equal(period_scale(1, 1, 2), 1);
	assert_int_equal(period_scale(1, 1, 3), 0);
	assert_int_equal((s64)period_scale((u64)-10, 3, 2), -15);
	assert_int_equal((s64)period_scale((u64)-1, 2, 3), -1);
	assert_int_equal(period_scale(5, 0, 7), 0);
	assert_int_equal(period_scale(5, 7, 0), 0);
	/* More than 64 bits on the way. */
	assert_int_equal(period_scale(1ull << 62, 1ull << 61, 1ull << 61),
			 1ull << 62);
}

static void
told_or_estimated(void **state)
{
	(void)state;
	assert_false(period_estimates(SIG_INSN));
	assert_false(period_estimates(SIG_BRANCH_TAKEN));
	assert_false(period_estimates(SIG_RETURN));
	assert_false(period_estimates(SIG_OS_SYSCALL));
	assert_false(period_estimates(SIG_OS_EXEC));
	/* Touched pages are in neither. */
	assert_false(period_estimates(SIG_OS_PAGE));
	assert_true(period_estimates(SIG_BRANCH_MISS));
	assert_true(period_estimates(SIG_CYCLE_ISSUE));
	assert_true(period_estimates(SIG_DACCESS));
	assert_true(period_estimates(SIG_L3_WALK_MISS));
}

static struct period_counts counts;
static const struct period_at at = {counts.sig, counts.outcome, counts.alone};

/* What is counted in front of a period, in its warm-up, and when it is measured. */
static void
count(u64 n)
{
	counts.sig[SIG_INSN] += n;
	counts.sig[SIG_DCACHE_MISS] += 10 * n;
	counts.sig[SIG_IFETCH] -= n;
	counts.outcome[1][0] += 4 * n;
	counts.outcome[1][OUTCOME_MISS] += n;
	counts.outcome[0][OUTCOME_TAKEN] += 6 * n;
	counts.outcome[0][OUTCOME_TAKEN | OUTCOME_MISS] += 2 * n;
	counts.alone[ALONE_FILLS] += 3 * n;
}

static u64
branches(void)
{
	u64 n = 0;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned o = 0; o < BRANCH_OUTCOMES; o++)
			n += counts.outcome[i][o];
	return n;
}

static void
a_period(void **state)
{
	struct period_counts before, from;
	struct period_rate r = {.steps = 100, .stands_for = 250, .own = true};
	u64 all;

	(void)state;
	memset(&counts, 0, sizeof counts);
	count(7);
	/* Branches that nothing has predicted. */
	counts.outcome[0][OUTCOME_TAKEN] += 30;
	period_look(&at, &before);
	count(1000);
	period_look(&at, &from);
	count(4);
	period_since(&at, &from, &r.n);
	assert_int_equal(r.n.sig[SIG_DCACHE_MISS], 40);
	assert_int_equal((s64)r.n.sig[SIG_IFETCH], -4);
	all = branches();
	period_estimate(&at, &before, &r);
	/* 4, and two and a half times as many. */
	assert_int_equal(counts.sig[SIG_INSN], 7 + 1000 + 4);
	assert_int_equal(counts.sig[SIG_DCACHE_MISS], 70 + 40 + 100);
	assert_int_equal((s64)counts.sig[SIG_IFETCH], -7 - 4 - 10);
	assert_int_equal(counts.outcome[1][OUTCOME_MISS], 7 + 4 + 10);
	assert_int_equal(counts.outcome[0][OUTCOME_TAKEN | OUTCOME_MISS],
			 14 + 8 + 20);
	assert_int_equal(counts.alone[ALONE_FILLS], 21 + 12 + 30);
	assert_int_equal(branches(), all);
}

/* The rate of another one: nothing of it has been measured itself. */
static void
the_rest(void **state)
{
	struct period_counts before;
	struct period_rate r = {.steps = 100, .stands_for = 50};

	(void)state;
	memset(&counts, 0, sizeof counts);
	r.n.sig[SIG_DCACHE_MISS] = 40;
	period_look(&at, &before);
	period_estimate(&at, &before, &r);
	assert_int_equal(counts.sig[SIG_DCACHE_MISS], 20);
}

static void
added_up(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	const struct machine_periods *p = &map.m->periods;
	struct period_rate r = {.steps = 100, .stands_for = 300, .own = true};

	(void)state;
	r.n.sig[SIG_DCACHE_MISS] = 5;
	r.n.outcome[0][OUTCOME_MISS] = 2;
	machine_period_exact(&map, 1000);
	machine_period_add(&map, 3, &r);
	machine_period_add(&map, 3 + PERIOD_PARTS, &r);
	r.own = false;
	machine_period_add(&map, 4, &r);
	assert_int_equal(p->n, 2);
	assert_int_equal(p->exact, 1000 + 2 * 100);
	assert_int_equal(p->estimated, 3 * 300);
	assert_int_equal(p->part[3][SIG_INSN], 2 * 400);
	assert_int_equal(p->part[3][SIG_DCACHE_MISS], 2 * 20);
	assert_int_equal(p->part[3][SIG_BRANCH_MISS], 2 * 8);
	assert_int_equal(p->part[3][SIG_CYCLE_KILLED], 2 * 8 * 5);
	/* Each is one that was predicted less. */
	assert_int_equal(p->part[3][SIG_BRANCH_COND], 0);
	assert_int_equal((s64)p->part[3][SIG_BRANCH_RIGHT_NOT], -2 * 8);
	assert_int_equal(p->part[4][SIG_INSN], 300);
	assert_int_equal(p->part[4][SIG_DCACHE_MISS], 15);
	machine_detach(&map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scaled),
		cmocka_unit_test(told_or_estimated),
		cmocka_unit_test(a_period),
		cmocka_unit_test(the_rest),
		cmocka_unit_test(added_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
