/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks libperfex; prints what it prints.  With an argument: its costs. */
#include "check.h"

#include <perfex.h>

static volatile int stored;

static void
work(int n)
{
	while (n--)
		stored = n;
}

int
main(int argc, char **argv)
{
	long long a = -1, b = -1;

	CHECK(start_counters(3, 4) == -1 && errno == EINVAL);
	CHECK(start_counters(3, 32) == -1 && errno == EINVAL);
	CHECK(read_counters(-1, &a, 16, &b) == -1 && errno == EINVAL);
	if (argc > 1)
		CHECK(load_costs(argv[1]) == 0);
	CHECK(load_costs("/nowhere") == -1 && errno == ENOENT);
	CHECK(start_counters(15, 19) > 0);
	work(100000);
	CHECK(read_counters(15, &a, 19, &b) > 0);
	CHECK(a > b && b >= 100000 && b < 100500);
	/* Reading has stopped them; starting is from zero. */
	work(100000);
	CHECK(read_counters(15, &a, 19, &b) == -1 && errno == EINVAL);
	CHECK(start_counters(15, 19) > 0);
	CHECK(read_counters(15, &a, 19, &b) > 0 && b < 500);
	/* No events chosen: cycles. */
	CHECK(start_counters(0, 0) > 0);
	work(100000);
	CHECK(read_counters(0, &a, 0, &b) > 0 && a == b);
	CHECK(a >= 100000 && a < 2000000);
	print_counters(0, 1234567890123ll, 26, 195);
	print_costs(26, 195000000, 0, 97500000);
	puts("done");
	return check_failures != 0;
}
