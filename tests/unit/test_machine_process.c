/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's mapping shared by processes that fork, race and are killed. */
#include "machine_fixture.h"
#include "code/insn.h"
#include "machine/machine_internal.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

static const struct count ten[] = {{SIG_INSN, 10}, {SIG_CYCLE_ISSUE, 10}};

/* What processes of a test tell each other. */
struct board {
	int parent_left;
	u64 begun, executed;
	int ready;
};

static struct board *
make_board(void)
{
	struct board *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(board, MAP_FAILED);
	return board;
}

static void
wait_until(int *flag)
{
	while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void
tell(int *flag)
{
	__atomic_fetch_add(flag, 1, __ATOMIC_RELEASE);
}

static void
end_normally(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void
end_by_kill(pid_t child)
{
	int status;

	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

static void
kill_loses_no_counts(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	struct board *board = make_board();
	pid_t child = fork();

	(void)state;
	if (!child) {
		unsigned slot = take_slot(&map);
		struct machine_segment *a = take_segment(&map, slot);
		struct block *b = add_block(a, ten, 2, 0);

		for (unsigned i = 0; i < 12345; i++)
			b->execs++;
		map.m->slot[slot].sig[0][SIG_DCACHE_MISS] = 17;
		tell(&board->ready);
		for (;;)
			pause();
	}
	wait_until(&board->ready);
	assert_int_equal(user_count(&map, SIG_INSN), 123450);
	end_by_kill(child);
	assert_int_equal(user_count(&map, SIG_INSN), 123450);
	assert_int_equal(user_count(&map, SIG_DCACHE_MISS), 17);
	/* Anybody may retire it now. */
	machine_slot_retire(&map, 1);
	assert_int_equal(map.m->slot[1].state, SLOT_FREE);
	assert_int_equal(map.m->slot[0].sig[0][SIG_INSN], 123450);
	assert_int_equal(user_count(&map, SIG_CYCLE_ISSUE), 123450);
	fixture_close(&map);
}

/* Counts, folds and moves on, until it is killed. */
static void
count_and_fold(struct machine_map *map, struct board *board, unsigned slot)
{
	struct machine_segment *a = take_segment(map, slot);
	struct block *b = add_block(a, ten, 2, 0);

	for (u64 n = 1;; n++) {
		__atomic_store_n(&board->begun, n, __ATOMIC_SEQ_CST);
		__atomic_store_n(&b->execs, b->execs + 1, __ATOMIC_SEQ_CST);
		__atomic_store_n(&board->executed, n, __ATOMIC_SEQ_CST);
		map->m->slot[slot].tc = n % 5;
		machine_slot_fold(map, slot, &a, 1);
	}
}

/*
 * Killed at any instruction of a fold, with the lock or without, a process
 * leaves each count in exactly one place.
 */
static void
kill_in_a_fold_loses_nothing(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	struct board *board = make_board();
	u64 all = 0;

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		unsigned slot = take_slot(&map);
		pid_t child;
		u64 sum;

		board->begun = board->executed = 0;
		child = fork();
		if (!child)
			count_and_fold(&map, board, slot);
		while (__atomic_load_n(&board->executed, __ATOMIC_ACQUIRE) <
		       3 + 7 * i)
			sched_yield();
		end_by_kill(child);
		sum = user_count(&map, SIG_INSN);
		assert_in_range(sum, all + 10 * board->executed,
				all + 10 * board->begun);
		assert_int_equal(user_count(&map, SIG_CYCLE_ISSUE), sum);
		machine_slot_retire(&map, slot);
		assert_int_equal(user_count(&map, SIG_INSN), sum);
		all = sum;
	}
	fixture_close(&map);
}

/* Dies with the lock in its hands, having decided on a step. */
static void
die_in_step(struct machine_map *map, enum journal_step step, unsigned slot)
{
	pid_t child = fork();
	int status;

	if (!child) {
		struct machine_journal *j = &map->m->journal;

		machine_lock(map);
		j->slot = slot;
		j->tc = 0;
		j->segment = map->m->slot[slot].segment;
		memset(j->sum, 0, sizeof j->sum);
		slot_blocks_add(map, &map->m->slot[slot], j->sum);
		j->step = (u32)step;
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

static void
the_next_one_finishes(void **state)
{
	static const enum journal_step step[] = {JOURNAL_NONE, JOURNAL_FOLD,
						 JOURNAL_RETIRE};

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(step); i++) {
		struct machine_map map = fixture_machine(fixture_config());
		unsigned slot = take_slot(&map);
		struct machine_segment *a = take_segment(&map, slot);
		struct block *b = add_block(a, ten, 2, 0);

		b->execs = 4;
		die_in_step(&map, step[i], slot);
		assert_int_equal(user_count(&map, SIG_INSN), 40);
		assert_int_equal(map.m->journal.step, JOURNAL_NONE);
		assert_int_equal(map.m->slot[slot].sig[0][SIG_INSN],
				 step[i] == JOURNAL_FOLD ? 40 : 0);
		assert_int_equal(map.m->slot[0].sig[0][SIG_INSN],
				 step[i] == JOURNAL_RETIRE ? 40 : 0);
		machine_slot_retire(&map, slot);
		assert_int_equal(user_count(&map, SIG_INSN), 40);
		assert_int_equal(map.m->free_segment, 1);
		munmap(a, MACHINE_SEGMENT);
		fixture_close(&map);
	}
}

static void
a_dead_owner_unlocks(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());

	(void)state;
	die_in_step(&map, JOURNAL_NONE, 1);
	machine_lock(&map);
	machine_unlock(&map);
	die_in_step(&map, JOURNAL_NONE, 1);
	assert_int_equal(take_slot(&map), 1);
	fixture_close(&map);
}

#define RACE_SEGMENTS 24

/* Takes segments and marks each behind its header. */
static void
race(struct machine_map *map, struct board *board, u64 mark)
{
	unsigned slot = take_slot(map);

	tell(&board->ready);
	while (__atomic_load_n(&board->ready, __ATOMIC_ACQUIRE) < 2)
		sched_yield();
	for (unsigned i = 0; i < RACE_SEGMENTS; i++) {
		struct machine_segment *s = take_segment(map, slot);
		u64 *word = (u64 *)((char *)s + MACHINE_FIRST_BLOCK);

		*word = mark + i;
		add_block(s, ten, 2, 0)->execs = mark;
	}
	_exit(0);
}

static void
two_processes_take_segments_at_once(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	struct board *board = make_board();
	bool seen[2 * RACE_SEGMENTS + 1] = {false};
	pid_t child[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		child[i] = fork();
		if (!child[i])
			race(&map, board, i ? 1000 : 1);
	}
	end_normally(child[0]);
	end_normally(child[1]);
	assert_int_equal(map.m->segments, 2 * RACE_SEGMENTS);
	for (unsigned slot = 1; slot <= 2; slot++) {
		struct machine_segment header;
		unsigned n = 0;

		for (u32 k = map.m->slot[slot].segment; k; k = header.next) {
			assert_in_range(k, 1, 2 * RACE_SEGMENTS);
			assert_false(seen[k]);
			seen[k] = true;
			n++;
			assert_int_equal(segment_header_read(&map, k, &header),
					 0);
		}
		assert_int_equal(n, RACE_SEGMENTS);
	}
	assert_int_equal(user_count(&map, SIG_INSN),
			 RACE_SEGMENTS * 10 * 1001);
	machine_slot_retire(&map, 1);
	machine_slot_retire(&map, 2);
	assert_int_equal(user_count(&map, SIG_INSN),
			 RACE_SEGMENTS * 10 * 1001);
	fixture_close(&map);
}

/* Blocks run by the child of a fork count for the child alone. */
static void
fork_gives_the_child_its_own_counts(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct machine_segment *b = take_segment(&map, slot);
	struct block *x = add_block(a, ten, 2, 0), *y = add_block(b, ten, 2, 0);
	u32 used = a->used;
	pid_t child;

	(void)state;
	map.m->slot[slot].tc = 3;
	x->execs = 5;
	y->execs = 6;
	machine_fork_prepare(&map, slot);
	child = fork();
	if (!child) {
		struct machine_segment *seg[2] = {a, b};
		u32 each[2] = {used, b->used};
		int own = machine_fork_child(&map, slot, getpid(), getppid(),
					     seg, each, 2);
		bool same = own == 2 && x->execs == 0 && y->execs == 0 &&
			    x->count[0].n == 10 && a->used == used &&
			    map.m->slot[2].pid == getpid() &&
			    map.m->slot[2].tc == 3;

		x->execs += 100;
		y->execs += 1000;
		/* New blocks go into the child's copy. */
		add_block(a, ten, 2, 0)->execs = 10000;
		_exit(same ? 0 : 1);
	}
	end_normally(child);
	assert_int_equal(x->execs, 5);
	assert_int_equal(y->execs, 6);
	assert_int_equal(a->used, used);
	assert_int_equal(map.m->slot[slot].forks, 0);
	assert_int_equal(user_count(&map, SIG_INSN), 110 + 111000);
	assert_int_equal(machine_signal(&map, SIG_INSN, MODE_USER, 3, -1),
			 111110);
	machine_slot_retire(&map, 2);
	assert_int_equal(map.m->slot[0].sig[3][SIG_INSN], 111000);
	assert_int_equal(user_count(&map, SIG_INSN), 111110);
	munmap(a, MACHINE_SEGMENT);
	munmap(b, MACHINE_SEGMENT);
	fixture_close(&map);
}

/* A parent that ends first leaves its segments until they are copied. */
static void
the_parent_may_end_before_the_copy(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct block *x = add_block(a, ten, 2, 0);
	struct board *board = make_board();
	u32 used = a->used;
	pid_t child;

	(void)state;
	x->execs = 5;
	machine_fork_prepare(&map, slot);
	child = fork();
	if (!child) {
		struct machine_segment *seg[1] = {a};
		int own;

		wait_until(&board->parent_left);
		own = machine_fork_child(&map, slot, getpid(), getppid(), seg,
					 &used, 1);
		x->execs += 2;
		_exit(own == 2 && x->execs == 2 && x->count[0].n == 10 ? 0 : 1);
	}
	machine_slot_retire(&map, slot);
	assert_int_equal(map.m->slot[slot].state, SLOT_LEAVING);
	assert_int_equal(map.m->free_segment, 0);
	assert_int_equal(user_count(&map, SIG_INSN), 50);
	tell(&board->parent_left);
	end_normally(child);
	assert_int_equal(map.m->slot[slot].state, SLOT_FREE);
	assert_int_equal(map.m->free_segment, 1);
	assert_int_equal(user_count(&map, SIG_INSN), 70);
	munmap(a, MACHINE_SEGMENT);
	fixture_close(&map);
}

/* What the parent comes to know of a block, where it notes that the lines are,
 * and one that it adds, while its child is late. */
static void
a_child_knows_what_was_known_at_the_fork(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct block *x = add_block(a, ten, 2, 0), *y = add_block(a, ten, 2, 0);
	struct board *board = make_board();
	static const struct insn insn[2];
	u32 used = a->used;
	pid_t child;

	(void)state;
	x->own = calloc(1, sizeof *x->own + 1);
	y->own = calloc(1, sizeof *y->own + 1);
	block_source(x)[0] = 42;
	block_widen(y, malloc)->insn = &insn[0];
	machine_fork_prepare(&map, slot);
	child = fork();
	if (!child) {
		struct machine_segment *seg[1] = {a};

		wait_until(&board->parent_left);
		machine_fork_child(&map, slot, getpid(), getppid(), seg, &used,
				   1);
		_exit(a->used == used &&
		      !block_wide(x) && block_source(x)[0] == 42 &&
		      !x->line_slot[0] && !x->line_slot[1] &&
		      block_wide(y)->insn == &insn[0] ? 0 : 1);
	}
	block_widen(x, malloc)->insn = &insn[1];
	x->line_slot[0] = x->line_slot[1] = 7;
	add_block(a, ten, 2, 0);
	tell(&board->parent_left);
	end_normally(child);
	assert_ptr_equal(block_wide(x)->insn, &insn[1]);
	free(block_wide(x));
	free(block_wide(y));
	free(x->own);
	free(y->own);
	munmap(a, MACHINE_SEGMENT);
	fixture_close(&map);
}

static void
a_fork_that_fails_is_taken_back(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);

	(void)state;
	machine_fork_prepare(&map, slot);
	machine_fork_cancel(&map, slot);
	machine_fork_cancel(&map, slot);
	assert_int_equal(map.m->slot[slot].forks, 0);
	machine_slot_retire(&map, slot);
	assert_int_equal(map.m->slot[slot].state, SLOT_FREE);
	fixture_close(&map);
}

static void
slots_run_out_but_for_the_dead(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	pid_t child = fork();

	(void)state;
	if (!child) {
		unsigned slot = take_slot(&map);

		map.m->slot[slot].sig[0][SIG_INSN] = 77;
		_exit(0);
	}
	end_normally(child);
	for (int i = 2; i < MACHINE_SLOTS; i++)
		assert_int_equal(machine_slot_take(&map, getpid(), 1), i);
	assert_int_equal(take_slot(&map), 1);
	assert_int_equal(map.m->slot[0].sig[0][SIG_INSN], 77);
	assert_int_equal(map.m->slot[1].sig[0][SIG_INSN], 0);
	assert_int_equal(machine_slot_take(&map, getpid(), 1), -EAGAIN);
	machine_slot_retire(&map, 1234);
	assert_int_equal(machine_slot_take(&map, getpid(), 1), 1234);
	assert_int_equal(user_count(&map, SIG_INSN), 77);
	fixture_close(&map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kill_loses_no_counts),
		cmocka_unit_test(kill_in_a_fold_loses_nothing),
		cmocka_unit_test(the_next_one_finishes),
		cmocka_unit_test(a_dead_owner_unlocks),
		cmocka_unit_test(two_processes_take_segments_at_once),
		cmocka_unit_test(fork_gives_the_child_its_own_counts),
		cmocka_unit_test(the_parent_may_end_before_the_copy),
		cmocka_unit_test(a_child_knows_what_was_known_at_the_fork),
		cmocka_unit_test(a_fork_that_fails_is_taken_back),
		cmocka_unit_test(slots_run_out_but_for_the_dead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
