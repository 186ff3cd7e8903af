/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is done about a thread that has its turn and does not move. */
#include "target/turns_patience.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SECOND 1000000000ull
#define CENTURY (3155760000ull * SECOND)

/* So many looks, ns apart, all of them say that. */
static void
looks(struct patience *p, enum watched why, unsigned n, u64 *now, u64 ns,
      enum patience_says says)
{
	for (unsigned i = 0; i < n; i++) {
		*now += ns;
		assert_int_equal(patience_look(p, why, *now), says);
	}
}

static void
who_runs_is_waited_for(void **state)
{
	struct patience p = {0};
	u64 now = SECOND;

	(void)state;
	looks(&p, WATCH_RUNS, 1000, &now, CENTURY / 1000, PATIENCE_WAIT);
}

/* However long the host takes between two looks. */
static void
a_call_among_sleepers_is_taken_over(void **state)
{
	static const u64 pace[] = {1, 1000000, CENTURY / 32};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct patience p = {0};
		u64 now = SECOND;

		looks(&p, WATCH_CALL, 31, &now, pace[i], PATIENCE_WAIT);
		looks(&p, WATCH_CALL, 1, &now, pace[i], PATIENCE_TAKE_OVER);
	}
}

static void
who_moves_in_between_begins_again(void **state)
{
	struct patience p = {0};
	u64 now = SECOND;

	(void)state;
	looks(&p, WATCH_CALL, 31, &now, SECOND, PATIENCE_WAIT);
	looks(&p, WATCH_RUNS, 1, &now, SECOND, PATIENCE_WAIT);
	looks(&p, WATCH_CALL, 31, &now, SECOND, PATIENCE_WAIT);
	patience_reset(&p);
	looks(&p, WATCH_CALL, 31, &now, SECOND, PATIENCE_WAIT);
	looks(&p, WATCH_CALL, 1, &now, SECOND, PATIENCE_TAKE_OVER);
}

static void
a_child_that_sleeps_is_waited_for_a_second(void **state)
{
	struct patience p = {0};
	u64 now = SECOND;

	(void)state;
	looks(&p, WATCH_DOZES, 10, &now, SECOND / 10, PATIENCE_WAIT);
	looks(&p, WATCH_DOZES, 1, &now, SECOND / 10, PATIENCE_TAKE_OVER);
	patience_reset(&p);
	looks(&p, WATCH_DOZES, 10, &now, SECOND / 10, PATIENCE_WAIT);
	looks(&p, WATCH_RUNS, 1, &now, SECOND / 10, PATIENCE_WAIT);
	looks(&p, WATCH_DOZES, 10, &now, SECOND / 10, PATIENCE_WAIT);
}

static void
exclusive_work_lets_others_out(void **state)
{
	struct patience p = {0};
	u64 now = SECOND;

	(void)state;
	looks(&p, WATCH_EXCLUSIVE, 255, &now, 1, PATIENCE_ESCAPE);
	looks(&p, WATCH_EXCLUSIVE, 1, &now, 1, PATIENCE_FREE);
}

static void
who_is_stuck_ends_the_turns(void **state)
{
	struct patience p = {0};
	u64 now = SECOND;

	(void)state;
	looks(&p, WATCH_STUCK, 15, &now, CENTURY / 16, PATIENCE_WAIT);
	looks(&p, WATCH_EXCLUSIVE, 1, &now, 1, PATIENCE_ESCAPE);
	looks(&p, WATCH_STUCK, 15, &now, CENTURY / 16, PATIENCE_WAIT);
	looks(&p, WATCH_STUCK, 1, &now, CENTURY / 16, PATIENCE_FREE);
}

/* The only thing that time decides: a child process works, or only polls. */
static void
a_child_has_half_a_minute(void **state)
{
	struct patience p = {0};
	u64 now = SECOND;

	(void)state;
	looks(&p, WATCH_SLEEPS, 1, &now, 0, PATIENCE_WAIT);
	looks(&p, WATCH_SLEEPS, 29, &now, SECOND, PATIENCE_WAIT);
	looks(&p, WATCH_SLEEPS, 1, &now, SECOND - 1, PATIENCE_WAIT);
	looks(&p, WATCH_SLEEPS, 1, &now, 1, PATIENCE_TAKE_OVER);
	looks(&p, WATCH_RUNS, 1, &now, 1, PATIENCE_WAIT);
	looks(&p, WATCH_SLEEPS, 30, &now, SECOND, PATIENCE_WAIT);
	looks(&p, WATCH_SLEEPS, 1, &now, SECOND, PATIENCE_TAKE_OVER);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_runs_is_waited_for),
		cmocka_unit_test(a_call_among_sleepers_is_taken_over),
		cmocka_unit_test(who_moves_in_between_begins_again),
		cmocka_unit_test(a_child_that_sleeps_is_waited_for_a_second),
		cmocka_unit_test(exclusive_work_lets_others_out),
		cmocka_unit_test(who_is_stuck_ends_the_turns),
		cmocka_unit_test(a_child_has_half_a_minute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
