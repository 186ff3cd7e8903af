/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources that accesses out of order ask for: by hand, and beside a list of which
 * cycles are taken. */
#include "core/unordered.h"
#include "oracle.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>
#include <string.h>

#define CYCLES_NAIVE 4096

static void
test_span_by_hand(void **state)
{
	static struct spans s;
	int edges;

	(void)state;
	memset(&s, 0, sizeof s);
	assert_int_equal(spans_take(&s, 1000, 10, 0, &edges), 1000);
	assert_int_equal(edges, 1);
	/* Later in the program, and before it. */
	assert_int_equal(spans_take(&s, 100, 10, 0, &edges), 100);
	assert_int_equal(edges, 1);
	/* No gap there: behind it, and at once with it. */
	assert_int_equal(spans_take(&s, 995, 10, 0, &edges), 1010);
	assert_int_equal(edges, 0);
	/* It fills what was between two. */
	assert_int_equal(spans_take(&s, 105, 890, 0, &edges), 110);
	assert_int_equal(edges, -1);
	assert_int_equal(spans_take(&s, 0, 100, 0, &edges), 0);
	assert_int_equal(edges, 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(spans_cut(&s, 990), 30);
	assert_int_equal(spans_cut(&s, 990), 0);
	assert_int_equal(spans_take(&s, 0, 1, 0, &edges), 990);
}

static void
test_join_by_hand(void **state)
{
	static struct spans s;
	int edges;

	(void)state;
	memset(&s, 0, sizeof s);
	assert_int_equal(spans_join(&s, 100, 200, 0, &edges), 100);
	assert_int_equal(spans_join(&s, 300, 400, 0, &edges), 100);
	assert_int_equal(edges, 1);
	assert_int_equal(spans_join(&s, 50, 60, 0, &edges), 10);
	assert_int_equal(spans_join(&s, 150, 350, 0, &edges), 100);
	assert_int_equal(edges, -1);
	assert_int_equal(spans_join(&s, 150, 150, 0, &edges), 0);
	assert_int_equal(edges, 0);
	assert_int_equal(s.n, 2);
}

/* ---- Beside a list of cycles ----------------------------------------------- */

static bool taken[CYCLES_NAIVE];

/* Nothing is in use. */
static void
begin(struct spans *s)
{
	memset(s, 0, sizeof *s);
	memset(taken, 0, sizeof taken);
}

static bool
naive_free(u64 at, u32 cycles)
{
	for (u32 i = 0; i < cycles; i++)
		if (taken[at + i])
			return false;
	return true;
}

static unsigned
naive_spans(void)
{
	unsigned n = taken[0];

	for (unsigned i = 1; i < CYCLES_NAIVE; i++)
		n += taken[i] && !taken[i - 1];
	return n;
}

static void
test_span_random(void **state)
{
	static struct spans s;

	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		struct dice d = {.state = seed * 7919 + 3};
		int edges, sum = 0;

		begin(&s);
		while (s.n < SPANS - 1) {
			u64 at = dice_below(&d, 1500), start = at;
			u32 cycles = 1 + dice_below(&d, 40);

			if (dice_percent(&d, 5))
				break;
			while (!naive_free(start, cycles))
				start++;
			memset(&taken[start], true, cycles);
			assert_int_equal(spans_take(&s, at, cycles, 0, &edges),
					 start);
			sum += edges;
			assert_int_equal(sum, naive_spans());
			assert_int_equal(s.n, sum);
		}
	}
}

static void
test_join_random(void **state)
{
	static struct spans s;

	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		struct dice d = {.state = seed * 104729 + 1};
		int edges, sum = 0;

		begin(&s);
		while (s.n < SPANS - 1 && !dice_percent(&d, 3)) {
			u64 from = dice_below(&d, 2000);
			u64 to = from + dice_below(&d, 50);
			u64 covered = 0;

			for (u64 i = from; i < to; i++) {
				covered += !taken[i];
				taken[i] = true;
			}
			assert_int_equal(spans_join(&s, from, to, 0, &edges),
					 covered);
			sum += edges;
			assert_int_equal(sum, naive_spans());
		}
	}
}

/* Of more spans than it has, those in front are forgotten: nothing is taken twice. */
static void
test_forgotten(void **state)
{
	static struct spans s;
	struct dice d = {.state = 17};
	int edges, sum = 0;

	(void)state;
	begin(&s);
	for (unsigned i = 0; i < 300; i++) {
		u64 at = 10 * i + dice_below(&d, 100), start;
		u32 cycles = 1 + dice_below(&d, 4);

		start = spans_take(&s, at, cycles, 0, &edges);
		assert_true(start >= at && naive_free(start, cycles));
		memset(&taken[start], true, cycles);
		sum += edges;
		assert_int_equal(sum, naive_spans());
	}
	assert_true(s.n >= SPANS / 2);
}

/* What nothing meets any more is forgotten before that, and is not met. */
static void
test_earliest(void **state)
{
	static struct spans take, join;
	struct dice d = {.state = 29};
	int edges, sum[2] = {0};
	u64 earliest = 0;

	(void)state;
	begin(&take);
	begin(&join);
	for (unsigned i = 0; i < 600; i++) {
		u64 at = earliest + dice_below(&d, 90), start = at;
		u32 cycles = 1 + dice_below(&d, 9);

		while (!naive_free(start, cycles))
			start++;
		memset(&taken[start], true, cycles);
		assert_int_equal(spans_take(&take, at, cycles, earliest,
					    &edges), start);
		sum[0] += edges;
		assert_int_equal(spans_join(&join, start, start + cycles,
					    earliest, &edges), cycles);
		sum[1] += edges;
		assert_int_equal(sum[0], naive_spans());
		assert_int_equal(sum[1], naive_spans());
		earliest += dice_below(&d, 12);
	}
	assert_int_equal(take.forgotten, 0);
}

/* ---- Several ------------------------------------------------------------- */

static void
test_holds_by_hand(void **state)
{
	static struct holds h;

	(void)state;
	memset(&h, 0, sizeof h);
	h.capacity = 2;
	holds_put(&h, holds_take(&h, 100, 0), 200);
	holds_put(&h, holds_take(&h, 100, 0), 300);
	/* Both are held until 200; what comes later in the program and is earlier
	 * in time finds them free. */
	assert_int_equal(holds_take(&h, 150, 0), 200);
	assert_int_equal(holds_take(&h, 50, 0), 50);
	holds_put(&h, 200, 400);
	assert_int_equal(holds_take(&h, 150, 0), 300);
	assert_int_equal(holds_take(&h, 300, 250), 300);
	assert_int_equal(h.n, 2);
}

static void
test_holds_random(void **state)
{
	static struct holds h;
	static unsigned held[CYCLES_NAIVE];

	(void)state;
	for (unsigned seed = 0; seed < 100; seed++) {
		struct dice d = {.state = seed * 31337 + 5};
		u64 earliest = 0;

		memset(&h, 0, sizeof h);
		memset(held, 0, sizeof held);
		h.capacity = 1 + dice_below(&d, 12);
		for (unsigned i = 0; i < 60; i++) {
			u64 at, start, end;

			earliest += dice_below(&d, 20);
			start = at = earliest + dice_below(&d, 150);
			while (held[start] >= h.capacity)
				start++;
			assert_int_equal(holds_take(&h, at, earliest), start);
			end = start + 1 + dice_below(&d, 60);
			holds_put(&h, start, end);
			while (start < end)
				held[start++]++;
		}
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_span_by_hand),
		cmocka_unit_test(test_join_by_hand),
		cmocka_unit_test(test_span_random),
		cmocka_unit_test(test_join_random),
		cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_earliest),
		cmocka_unit_test(test_holds_by_hand),
		cmocka_unit_test(test_holds_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
