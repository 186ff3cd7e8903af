/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of blocks: where they are, and what is when there is no room. */
#include "target/counters.h"

#include "machine/machine.h"
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(64) u8 memory[2][MACHINE_SEGMENT];

static struct machine_segment *
segment(unsigned i)
{
	return (struct machine_segment *)memory[i];
}

/* As the process has them. */
struct machine_segment *
process_segment_with(const struct block *b, unsigned *number)
{
	for (unsigned i = 0; i < 2; i++)
		if ((const u8 *)b >= memory[i] &&
		    (const u8 *)b < memory[i] + MACHINE_SEGMENT) {
			*number = i;
			return segment(i);
		}
	return NULL;
}

static struct block *
add(unsigned i)
{
	struct machine_segment *s = segment(i);
	struct block *b = (struct block *)(memory[i] + s->used);

	memset(b, 0, sizeof *b);
	b->bytes = sizeof *b;
	s->used += (u32)sizeof *b;
	return b;
}

static int
begin(void **state)
{
	(void)state;
	memset(memory, 0xee, sizeof memory);
	for (unsigned i = 0; i < 2; i++)
		segment(i)->used = MACHINE_FIRST_BLOCK;
	return 0;
}

static void
next_to_each_other(void **state)
{
	struct block *a = add(0), *b = add(0), *c = add(1);
	u64 *x = counters_of(a, BLOCK_BEHIND_TAKEN);
	u64 *y = counters_of(b, BLOCK_BEHIND_ANY);
	u64 *z = counters_of(c, BLOCK_BEHIND_ANY);
	struct block *chunk = (struct block *)((u8 *)b + b->bytes);

	(void)state;
	assert_ptr_equal(x + 1, y);
	assert_ptr_equal(x, chunk + 1);
	assert_true(chunk->counters);
	assert_int_equal(chunk->n_count + chunk->n_stall + chunk->execs, 0);
	assert_ptr_equal((u8 *)chunk + chunk->bytes, memory[0] + segment(0)->used);
	assert_true((u8 *)z > memory[1] && (u8 *)z < memory[1] + MACHINE_SEGMENT);
	assert_int_equal(*x + *y + *z, 0);
	/* They stay where they are. */
	assert_ptr_equal(counters_of(a, BLOCK_BEHIND_TAKEN), x);
	assert_ptr_equal(block_counter(a, BLOCK_BEHIND_TAKEN), x);
	assert_null(block_counter(a, BLOCK_BEHIND_ANY));
}

/* Each is another one, of zero, and within what is used; until there is no room. */
static void
until_there_is_no_room(void **state)
{
	u64 *last = NULL;
	unsigned n = 0;

	(void)state;
	for (;;) {
		struct machine_segment *s = segment(1);
		u64 *x;

		if (s->used + sizeof(struct block) > MACHINE_SEGMENT)
			break;
		x = counters_of(add(1), BLOCK_BEHIND_NOT + 1);
		if (!x)
			break;
		assert_int_equal(*x, 0);
		*x = 1;
		assert_true(x > last);
		assert_true((u8 *)(x + 1) <= memory[1] + s->used);
		last = x;
		n++;
	}
	assert_true(n > MACHINE_SEGMENT / (sizeof(struct block) + 16));
	assert_true(segment(1)->used <= MACHINE_SEGMENT);
}

static void
in_no_segment(void **state)
{
	static struct block alone;

	(void)state;
	assert_null(counters_of(&alone, BLOCK_BEHIND_ANY));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(next_to_each_other),
		cmocka_unit_test(until_there_is_no_room),
		cmocka_unit_test(in_no_segment),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
