/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What children of forks note for their parents. */
#include "native/keep.h"
#include "native/premade.h"
#include "turns/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST 4096u		/* notes of a family */

/* ---- What is asked for, and made ----------------------------------------- */

static bool kept = true, single = true;

static struct made {
	u32 what;
	u32 number;
	u64 from, pc;
} made[2 * MOST];

static u32 n_made;

bool
keep_is_on(void)
{
	return kept;
}

bool
turns_single(void)
{
	return single;
}

void
blocks_make(u64 pc)
{
	made[n_made++] = (struct made){'b', 0, 0, pc};
}

void
blocks_link(u32 number, u64 from, u64 pc)
{
	made[n_made++] = (struct made){'x', number, from, pc};
}

void
blocks_know(u64 pc)
{
	made[n_made++] = (struct made){'t', 0, 0, pc};
}

/* ---- Tests ---------------------------------------------------------------- */

/* A child does that, and has ended. */
static void
in_child(void (*run)(void))
{
	pid_t pid;
	int status;

	premade_before();
	pid = fork();
	if (!pid) {
		premade_forked();
		run();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
assert_made(u32 at, struct made expected)
{
	assert_in_range(at, 0, n_made - 1);
	assert_memory_equal(&made[at], &expected, sizeof expected);
}

static void
note_three(void)
{
	premade_note_block(0x401000);
	premade_note_exit(7, 0x401000, 0x402000);
	premade_note_target(0x403000);
}

static void
make_three(void **state)
{
	(void)state;
	n_made = 0;
	in_child(note_three);
	assert_int_equal(n_made, 0);
	premade_before();
	assert_int_equal(n_made, 3);
	assert_made(0, (struct made){'b', 0, 0, 0x401000});
	assert_made(1, (struct made){'x', 7, 0x401000, 0x402000});
	assert_made(2, (struct made){'t', 0, 0, 0x403000});
	premade_before();
	assert_int_equal(n_made, 3);
}

/* What a process makes that is no child is its own. */
static void
parents_note_nothing(void **state)
{
	(void)state;
	n_made = 0;
	note_three();
	premade_before();
	assert_int_equal(n_made, 0);
}

static void
descend(void)
{
	premade_note_block(1);
	in_child(note_three);
	if (n_made != 1)
		abort();
}

/* A child makes what it has noted itself before it forks; that is there. */
static void
grandchildren_note(void **state)
{
	(void)state;
	n_made = 0;
	in_child(descend);
	premade_before();
	assert_int_equal(n_made, 4);
	assert_made(0, (struct made){'b', 0, 0, 1});
	assert_made(1, (struct made){'b', 0, 0, 0x401000});
}

static void
left_out(void **state)
{
	(void)state;
	n_made = 0;
	in_child(note_three);
	single = false;
	premade_before();
	single = true;
	kept = false;
	premade_before();
	assert_int_equal(n_made, 0);
	in_child(note_three);
	kept = true;
	premade_before();
	assert_int_equal(n_made, 3);
}

static void
note_many(void)
{
	for (u64 i = 1; i <= MOST; i++)
		premade_note_block(i);
}

static void
no_more_than_there_is_room_for(void **state)
{
	u32 before;

	(void)state;
	n_made = 0;
	in_child(note_many);
	premade_before();
	before = n_made;
	assert_in_range(before, MOST - 100, MOST - 1);
	assert_made(before - 1, (struct made){'b', 0, 0, before});
	in_child(note_three);
	premade_before();
	assert_int_equal(n_made, before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(make_three),
		cmocka_unit_test(parents_note_nothing),
		cmocka_unit_test(grandchildren_note),
		cmocka_unit_test(left_out),
		cmocka_unit_test(no_more_than_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
