/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which calls led to a block, beside a naive version: a list of them. */
#include "watch/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "oracle.h"

#define PATHS 65536
#define DEPTH 24

/* Paths as they were named. */
static struct {
	u32 parent;
	u64 site;
	u64 taken;
} named[PATHS];
static u32 n_named, most = PATHS;

static calls_catch_fn *catches;

static u32
name(void *arg, u32 parent, u64 site)
{
	(void)arg;
	if (n_named + 1 >= most)
		return 0;
	named[++n_named].parent = parent;
	named[n_named].site = site;
	return n_named;
}

static void
count(u32 path, u64 taken)
{
	named[path].taken += taken;
}

/* A block of 8 bytes whose branch is its last instruction, of 2. */
static struct block
block_at(u64 vaddr, enum insn_branch branch)
{
	return (struct block){.vaddr = vaddr, .fall = vaddr + 8,
			      .branch_at = 6, .branch = (u8)branch};
}

/* Whether a path is these calls, the first one outermost. */
static void
assert_is(u32 path, const u64 *back, unsigned n)
{
	while (n--) {
		assert_int_not_equal(path, 0);
		assert_int_equal(named[path].site, back[n] - 2);
		path = named[path].parent;
	}
	assert_int_equal(path, 0);
}

static void
calls_and_returns(void **state)
{
	struct block a = block_at(0x100, BRANCH_CALL);
	struct block f = block_at(0x200, BRANCH_IND_CALL);
	struct block g = block_at(0x300, BRANCH_JUMP);
	struct block h = block_at(0x400, BRANCH_RETURN);
	struct block nowhere = block_at(0x500, BRANCH_RETURN);
	struct block b = block_at(a.fall, BRANCH_NONE);
	const struct block *const way[] = {&a, &f, &g, &nowhere, &h, &b};
	const unsigned depth[] = {0, 1, 2, 2, 2, 0};
	const u64 back[] = {a.fall, f.fall};
	struct calls_thread t = {0};
	struct calls c;

	(void)state;
	n_named = 0;
	assert_int_equal(calls_init(&c, name, NULL), 0);
	for (unsigned i = 0; i < SIM_COUNT(way); i++) {
		assert_int_equal(calls_enter(&c, &t, way[i]), 0);
		assert_is(t.path, back, depth[i]);
	}
	calls_thread_free(&t);
	calls_free(&c);
}

/* A call of what is behind it, and one that is not taken, are none. */
static void
calls_that_are_none(void **state)
{
	struct block a = block_at(0x100, BRANCH_CALL);
	struct block b = block_at(a.fall, BRANCH_COND_CALL);
	struct block end = block_at(b.fall, BRANCH_NONE);
	struct calls_thread t = {0};
	struct calls c;

	(void)state;
	n_named = 0;
	assert_int_equal(calls_init(&c, name, NULL), 0);
	assert_int_equal(calls_enter(&c, &t, &a), 0);
	assert_int_equal(calls_enter(&c, &t, &b), 0);
	assert_int_equal(calls_enter(&c, &t, &end), 0);
	assert_int_equal(t.path, 0);
	assert_int_equal(n_named, 0);
	calls_thread_free(&t);
	calls_free(&c);
}

/* The depth at each block of a way. */
static void
assert_depths(const struct block *const *way, const unsigned *depth, size_t n)
{
	struct calls_thread t = {0};
	struct calls c;

	n_named = 0;
	assert_int_equal(calls_init(&c, name, NULL), 0);
	c.catches = catches;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(calls_enter(&c, &t, way[i]), 0);
		assert_int_equal(t.n, depth[i]);
	}
	calls_thread_free(&t);
	calls_free(&c);
}

/* setjmp() returns; two calls farther in, longjmp() jumps there, or returns
 * there, as on some machines.  Of two activations, it is taken for the inner
 * one. */
static void
jumps_that_leave_calls(void **state)
{
	struct block a = block_at(0x100, BRANCH_CALL);
	struct block set = block_at(0x800, BRANCH_RETURN);
	struct block b = block_at(a.fall, BRANCH_CALL);
	struct block f = block_at(0x200, BRANCH_CALL);
	struct block jump = block_at(0x300, BRANCH_IND_JUMP);
	struct block back = block_at(0x400, BRANCH_RETURN);
	const struct block *const way[] = {
		&a, &set, &b, &f, &jump, &b, &f, &back, &b, &f, &a, &set, &b,
		&f, &jump, &b};
	const unsigned depth[] = {
		0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 2, 3, 4, 2};

	(void)state;
	assert_depths(way, depth, SIM_COUNT(way));
}

/* A function that calls itself jumps by a table to where a call of the outer
 * one has returned; and a function is where another one's last call would have
 * returned. */
static void
jumps_that_do_not(void **state)
{
	struct block a = block_at(0x100, BRANCH_CALL);
	struct block table = block_at(0x200, BRANCH_IND_JUMP);
	struct block one = block_at(0x210, BRANCH_CALL);
	struct block leaf = block_at(0x800, BRANCH_RETURN);
	struct block two = block_at(one.fall, BRANCH_CALL);
	struct block last = block_at(0x500, BRANCH_CALL);
	struct block never = block_at(0x600, BRANCH_CALL);
	struct block plt = block_at(0x50, BRANCH_IND_JUMP);
	struct block behind = block_at(last.fall, BRANCH_NONE);
	const struct block *const tables[] = {&a, &table, &one, &leaf, &two,
					      &table, &two};
	const unsigned at[] = {0, 1, 1, 2, 1, 2, 2};
	const struct block *const functions[] = {&a, &last, &never, &plt,
						 &behind};
	const unsigned depth[] = {0, 1, 2, 3, 3};

	(void)state;
	assert_depths(tables, at, SIM_COUNT(tables));
	assert_depths(functions, depth, SIM_COUNT(functions));
}

/* What is thrown behind 0x206 goes on at 0x280. */
static bool
at_280(u64 address, const u64 *site)
{
	return address == 0x280 && (!site || *site == 0x206);
}

/* Of two activations that would catch it, the inner one does. */
static void
exceptions(void **state)
{
	struct block a = block_at(0x100, BRANCH_CALL);
	struct block f = block_at(0x200, BRANCH_CALL);
	struct block g = block_at(0x300, BRANCH_CALL);
	struct block jump = block_at(0x400, BRANCH_IND_JUMP);
	struct block back = block_at(0x500, BRANCH_RETURN);
	struct block caught = block_at(0x280, BRANCH_RETURN);
	struct block end = block_at(a.fall, BRANCH_NONE);
	const struct block *const way[] = {
		&a, &f, &g, &jump, &caught, &end, &a, &f, &g, &back, &caught,
		&end, &a, &f, &g, &f, &g, &jump, &caught, &end};
	const unsigned depth[] = {0, 1, 2, 3, 1, 0, 0, 1, 2, 3,
				  1, 0, 0, 1, 2, 3, 4, 5, 3, 0};

	(void)state;
	catches = at_280;
	assert_depths(way, depth, SIM_COUNT(way));
	catches = NULL;
}

/* Eight functions call each other at random; some returns leave several
 * calls.  So many paths have room: the others are part of where they go on
 * from. */
static void
walk(u32 paths)
{
	struct dice dice = {paths};
	struct calls_thread t = {0};
	struct calls c;
	u64 back[DEPTH], taken = 0, told = 0;
	unsigned n = 0;

	n_named = 0;
	most = paths;
	memset(named, 0, sizeof named);
	assert_int_equal(calls_init(&c, name, NULL), 0);
	for (unsigned i = 0; i < 20000; i++) {
		struct block b = block_at(0x1000 * (1 + dice_below(&dice, 8)),
					  BRANCH_CALL);
		struct block next = block_at(0x10000, BRANCH_NONE);

		if (n == DEPTH || (n && dice_percent(&dice, 50))) {
			b.branch = BRANCH_RETURN;
			next.vaddr = back[dice_percent(&dice, 90)
						  ? n - 1
						  : dice_below(&dice, n)];
			while (back[--n] != next.vaddr)
				;
		} else {
			back[n++] = b.fall;
			taken++;
		}
		t.last = &b;
		assert_int_equal(calls_enter(&c, &t, &next), 0);
		assert_int_equal(t.n, n);
		if (n_named + 1 < paths)
			assert_is(t.path, back, n);
	}
	calls_tell(&c, count);
	calls_tell(&c, count);
	for (u32 i = 1; i <= n_named; i++)
		told += named[i].taken;
	if (n_named + 1 < paths)
		assert_int_equal(told, taken);
	else
		assert_true(told < taken);
	calls_thread_free(&t);
	calls_free(&c);
}

static void
walks(void **state)
{
	(void)state;
	walk(PATHS);
	walk(50);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_and_returns),
		cmocka_unit_test(calls_that_are_none),
		cmocka_unit_test(jumps_that_leave_calls),
		cmocka_unit_test(jumps_that_do_not),
		cmocka_unit_test(exceptions),
		cmocka_unit_test(walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
