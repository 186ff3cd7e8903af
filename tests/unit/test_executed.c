/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often blocks have been executed, and which since they were noted. */
#include "native/executed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKS 10000u		/* more than there is room for at first */

static struct block block[BLOCKS];
static u64 counts[BLOCKS][BLOCK_COUNTERS];
static unsigned made, called;
static const struct block *last;

/* As the process has them: so many have been made. */
const struct block *
process_next_block(struct process_place *at)
{
	return at->offset < made ? &block[at->offset++] : NULL;
}

void
process_die(const char *what, int error)
{
	fail_msg("%s: %d", what, error);
	abort();
}

/* A counter of that block. */
static u64 *
counter(unsigned n, unsigned i)
{
	block[n].counter[i] = (s32)((char *)&counts[n][i] - (char *)&block[n]);
	return block_counter(&block[n], i);
}

static void
call(const struct block *b)
{
	called++;
	last = b;
}

static void
look(unsigned times, const struct block *b)
{
	called = 0;
	executed_since(call);
	assert_int_equal(called, times);
	if (times)
		assert_ptr_equal(last, b);
}

static void
steps_and_what_is_new(void **state)
{
	(void)state;
	for (unsigned i = 0; i < BLOCKS; i++)
		block[i].n_insn = 3;
	assert_int_equal(executed_steps(), 0);
	made = 2;
	block[0].execs = 5;
	*counter(1, BLOCK_BEHIND_TAKEN) = 7;
	*counter(1, BLOCK_BEHIND_NOT) = 1;
	assert_int_equal(executed_steps(), 3 * 13);
	assert_int_equal(executed_note(), 3 * 13);
	look(0, NULL);
	++*counter(1, BLOCK_BEHIND_NOT + 1);
	look(1, &block[1]);
	look(0, NULL);
	/* Made since, and executed or not. */
	made = BLOCKS;
	block[BLOCKS - 1].execs = 1;
	look(1, &block[BLOCKS - 1]);
	assert_int_equal(executed_steps(), 3 * 15);
}

/* Of those that were executed lately, or are new, all are found; the others are when
 * all are looked at. */
static void
what_is_hot(void **state)
{
	(void)state;
	executed_since(call);
	block[7].execs++;
	executed_since(call);
	block[7].execs++;
	block[8].execs++;
	called = 0;
	executed_lately(call);
	assert_int_equal(called, 1);
	assert_ptr_equal(last, &block[7]);
	look(1, &block[8]);
	/* Both were, since the last time. */
	++*counter(7, BLOCK_BEHIND_TAKEN);
	++*counter(8, BLOCK_BEHIND_ANY);
	called = 0;
	executed_lately(call);
	assert_int_equal(called, 2);
	look(0, NULL);
	look(0, NULL);
	block[7].execs++;
	called = 0;
	executed_lately(call);
	assert_int_equal(called, 0);
	/* What is noted was executed. */
	executed_note();
	look(0, NULL);
	block[7].execs++;
	called = 0;
	executed_lately(call);
	assert_int_equal(called, 1);
}

/* A child begins with none. */
static void
in_a_child(void **state)
{
	(void)state;
	executed_note();
	for (unsigned i = 0; i < BLOCKS; i++)
		block_clear(&block[i]);
	memset(counts, 0, sizeof counts);
	executed_forget();
	look(0, NULL);
	assert_int_equal(executed_steps(), 0);
	block[4].execs = 2;
	look(1, &block[4]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_and_what_is_new),
		cmocka_unit_test(what_is_hot),
		cmocka_unit_test(in_a_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
