/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of targets of indirect branches: what emitted code finds there. */
#include "native/x86_64/targets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define FIRST 0x4002900000ull
#define MANY 20000u
#define FEW 5000u

struct host_state host_state;

static u8 code[100003];

/* As code looks, in two places. */
static const void *
find(u64 pc)
{
	u32 at = (u32)(pc << 3 & 0xfffe0) / sizeof host_state.known[0];

	if (host_state.known[at].pc != pc)
		at = (u32)((pc ^ pc >> 15) << 3 & 0xfffe0) /
		     sizeof host_state.known[0];
	return host_state.known[at].pc == pc ? host_state.known[at].code : NULL;
}

static void
know(u64 pc, void *at)
{
	targets_put(&(struct host_target){.pc = pc, .code = at});
}

/* With places for one of them, two that have the same take turns for ever. */
static void
test_same_place(void **state)
{
	static const u64 apart[] = {0, 1, 1ull << 17, 5ull << 17, 9ull << 20};

	(void)state;
	targets_forget();
	for (unsigned i = 0; i < SIM_COUNT(apart); i++)
		know(FIRST + apart[i], &code[i]);
	for (unsigned i = 0; i < SIM_COUNT(apart); i++)
		assert_ptr_equal(find(FIRST + apart[i]), &code[i]);
}

static void
test_nothing(void **state)
{
	static const u64 odd[] = {0, 1, 3, 4, 1u << 15, ~0ull, ~3ull};

	(void)state;
	targets_forget();
	for (unsigned i = 0; i < SIM_COUNT(odd); i++)
		assert_null(find(odd[i]));
}

/* What is found is what was said last, and of a few thousand nearly all are. */
static void
test_many(void **state)
{
	static u64 pc[MANY];
	static const void *last[MANY];
	unsigned found = 0;

	(void)state;
	targets_forget();
	srand(1);
	for (unsigned i = 0; i < MANY; i++)
		pc[i] = FIRST + i * 157ull + (u64)rand() % 157;
	for (unsigned i = 0; i < FEW; i++)
		know(pc[i], code);
	for (unsigned i = 0; i < FEW; i++)
		found += find(pc[i]) != NULL;
	assert_in_range(found, FEW - FEW / 50, FEW);
	targets_forget();
	for (unsigned i = 0; i < 20 * MANY; i++) {
		unsigned k = (unsigned)rand() % MANY;
		const void *now;

		last[k] = NULL;
		targets_drop(pc[k]);
		assert_null(find(pc[k]));
		if (rand() % 8) {
			last[k] = &code[i % sizeof code];
			know(pc[k], &code[i % sizeof code]);
			assert_ptr_equal(find(pc[k]), last[k]);
		}
		k = (unsigned)rand() % MANY;
		now = find(pc[k]);
		assert_true(!now || now == last[k]);
	}
	targets_forget();
	for (unsigned i = 0; i < MANY; i++)
		assert_null(find(pc[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_place),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
