/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page faults: by hand, and beside a list that has each page, its mapping and whether it
 * has been touched. */
#include "core/pages.h"
#include "oracle.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>
#include <string.h>

#define AROUND 16
#define TABLE 512

static unsigned
touch_all(struct page_set *set, u64 first, u64 end)
{
	unsigned faults = 0;

	for (u64 page = first; page < end; page++)
		faults += pages_touch(set, page);
	return faults;
}

static void
test_around(void **state)
{
	struct page_set *set = pages_new(AROUND);

	(void)state;
	/* Memory: each page; of a file that is written: each page as well. */
	assert_int_equal(touch_all(set, 0, 64), 64);
	assert_int_equal(touch_all(set, 0, 64), 0);
	assert_false(pages_map(set, 100, 200, PAGES_FILE_WRITTEN));
	assert_int_equal(touch_all(set, 100, 200), 100);
	/* A file: 1000 to 1007, 1008 to 1023, ... 1088 to 1099. */
	assert_false(pages_map(set, 1000, 1100, PAGES_FILE));
	assert_int_equal(touch_all(set, 1000, 1100), 7);
	/* From its beginning on 16 pages, as Linux does it: 2007 to 2022. */
	pages_map(set, 2007, 2100, PAGES_FILE);
	assert_true(pages_touch(set, 2015));
	assert_int_equal(touch_all(set, 2007, 2023), 0);
	assert_true(pages_touch(set, 2023));
	assert_int_equal(touch_all(set, 2016, 2032), 0);
	/* Not over the end of a table of pages. */
	pages_map(set, TABLE * 8 - 5, TABLE * 8 + 40, PAGES_FILE);
	assert_true(pages_touch(set, TABLE * 8 - 1));
	assert_true(pages_touch(set, TABLE * 8));
	/* Where one page alone is brought. */
	set = pages_new(0);
	pages_map(set, 0, 100, PAGES_FILE);
	assert_int_equal(touch_all(set, 0, 100), 100);
}

static void
test_changes(void **state)
{
	struct page_set *set = pages_new(AROUND);

	(void)state;
	pages_map(set, 1024, 1088, PAGES_FILE);
	/* In the midst of it memory, which ends what is around. */
	pages_map(set, 1030, 1034, PAGES_ALONE);
	assert_true(pages_touch(set, 1024));
	assert_int_equal(touch_all(set, 1024, 1030), 0);
	assert_int_equal(touch_all(set, 1030, 1034), 4);
	assert_true(pages_touch(set, 1034));
	assert_int_equal(touch_all(set, 1034, 1050), 0);
	/* Written from now on, and no more. */
	pages_protect(set, 1060, 1070, true);
	assert_int_equal(touch_all(set, 1060, 1070), 10);
	pages_forget(set, 1060, 1070);
	pages_protect(set, 1060, 1070, false);
	assert_int_equal(touch_all(set, 1060, 1070), 1);
	/* Moved: what was touched is, and the file goes with it. */
	pages_map(set, 3072, 3072 + 32, PAGES_FILE);
	pages_touch(set, 3072);
	pages_move(set, 3072, 3072 + 32, 5120);
	assert_int_equal(touch_all(set, 5120, 5120 + 32), 1);
	assert_int_equal(touch_all(set, 3072, 3072 + 32), 32);
	/* Nothing is touched in what has gone; all of a large part at once. */
	assert_true(pages_map(set, 0, 1ull << 40, PAGES_ALONE));
	assert_false(pages_forget(set, 0, 1ull << 40));
	assert_int_equal(touch_all(set, 5120, 5120 + 32), 32);
}

static void
test_fork(void **state)
{
	struct page_set *set[2];

	(void)state;
	for (unsigned child = 0; child < 2; child++) {
		set[child] = pages_new(AROUND);
		pages_map(set[child], 1024, 1056, PAGES_FILE);
		pages_map(set[child], 1056, 1066, PAGES_FILE_WRITTEN);
		touch_all(set[child], 1000, 1080);
		pages_fork(set[child], child);
		assert_int_equal(touch_all(set[child], 1024, 1056),
				 child ? 2 : 0);
		assert_int_equal(touch_all(set[child], 1000, 1024), 24);
		assert_int_equal(touch_all(set[child], 1056, 1080), 24);
	}
}

/* ---- Beside a list ----------------------------------------------------- */

#define PAGES 4096

static struct naive {
	u32 mapping;		/* its number; 0: of no file */
	bool written, touched;
} naive[PAGES];
static u32 mappings;

/* Pages of one mapping from there on are another one. */
static void
naive_cut(u64 page)
{
	u32 old = page < PAGES ? naive[page].mapping : 0;

	mappings++;
	for (; old && page < PAGES && naive[page].mapping == old; page++)
		naive[page].mapping = mappings;
}

static void
naive_map(u64 first, u64 end, enum page_kind kind)
{
	naive_cut(end);
	mappings++;
	for (u64 i = first; i < end; i++)
		naive[i] = (struct naive){
			.mapping = kind == PAGES_ALONE ? 0 : mappings,
			.written = kind == PAGES_FILE_WRITTEN};
}

static void
naive_protect(u64 first, u64 end, bool written)
{
	naive_cut(first);
	naive_cut(end);
	for (u64 i = first; i < end; i++)
		naive[i].written = naive[i].mapping && written;
}

static void
naive_move(u64 first, u64 end, u64 to)
{
	enum page_kind kind = !naive[first].mapping  ? PAGES_ALONE
			      : naive[first].written ? PAGES_FILE_WRITTEN
						     : PAGES_FILE;
	bool touched[PAGES];

	for (u64 i = first; i < end; i++)
		touched[i] = naive[i].touched;
	naive_map(to, to + (end - first), kind);
	for (u64 i = first; i < end; i++)
		naive[to + i - first].touched = touched[i];
	naive_map(first, end, PAGES_ALONE);
}

static bool
naive_touch(u64 page)
{
	u32 m = naive[page].mapping;
	u64 from = page / AROUND * AROUND;

	if (naive[page].touched)
		return false;
	naive[page].touched = true;
	if (!m || naive[page].written)
		return true;
	while (naive[from].mapping != m)
		from++;
	for (u64 i = from; i < from + AROUND && i / TABLE == page / TABLE; i++)
		if (i < PAGES && naive[i].mapping == m)
			naive[i].touched = true;
		else
			break;
	return true;
}

static void
naive_fork(bool child)
{
	for (u64 i = 0; i < PAGES; i++)
		if (child || !naive[i].mapping || naive[i].written)
			naive[i].touched = false;
}

static void
change(struct page_set *set, struct dice *d, u64 base)
{
	u64 first = dice_below(d, PAGES - 300);
	u64 end = first + 1 + dice_below(d, 150);
	u64 to = dice_below(d, PAGES - 300);
	enum page_kind kind = dice_below(d, 3);
	bool bit = dice_below(d, 2), any = false;

	switch (dice_below(d, 16)) {
	case 0:
		pages_fork(set, bit);
		naive_fork(bit);
		break;
	case 1:
	case 2:
	case 3:
		if (to < end && first < to + (end - first))
			break;
		pages_move(set, base + first, base + end, base + to);
		naive_move(first, end, to);
		break;
	case 4:
	case 5:
	case 6:
	case 7:
		pages_protect(set, base + first, base + end, bit);
		naive_protect(first, end, bit);
		break;
	case 8:
		for (u64 i = first; i < end; i++) {
			any |= naive[i].touched;
			naive[i].touched = false;
		}
		assert_int_equal(pages_forget(set, base + first, base + end),
				 any);
		break;
	default:
		for (u64 i = first; i < end; i++)
			any |= naive[i].touched;
		assert_int_equal(pages_map(set, base + first, base + end, kind),
				 any);
		naive_map(first, end, kind);
		break;
	}
}

static void
test_random(void **state)
{
	u64 base = 0x7f0000000ull / PAGES * PAGES;
	struct page_set *set = pages_new(AROUND);
	struct dice d = {1};
	unsigned faults = 0;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		change(set, &d, base);
		for (unsigned i = 0; i < 20; i++) {
			u64 page = dice_below(&d, PAGES);
			bool fault = naive_touch(page);

			faults += fault;
			assert_int_equal(pages_touch(set, base + page), fault);
		}
	}
	assert_in_range(faults, 10000, 390000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_around),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
