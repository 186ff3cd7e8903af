/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums: blocks, branch outcomes, contexts, the ledger. */
#include "machine_fixture.h"

static const struct count hot[] = {
	{SIG_INSN, 7},	   {SIG_CYCLE_ISSUE, 7}, {SIG_INSN_LOAD, 2},
	{SIG_DACCESS, 2},  {SIG_IFETCH, 4},	 {SIG_ALU_LOADUSE, 3},
	{SIG_ALU_AGEN, 1},
};

static const struct count cold[] = {
	{SIG_INSN, 1000},
	{SIG_CYCLE_ISSUE, 1000},
	{SIG_JUMP, 1},
};

/* Two segments, three blocks: 3*hot + 2*cold + 5*hot. */
static void
executions_times_counts(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct machine_segment *b = take_segment(&map, slot);

	(void)state;
	add_block(a, hot, 7, 2)->execs = 3;
	add_block(a, cold, 3, 0)->execs = 2;
	add_block(b, hot, 7, 2)->execs = 5;
	map.m->slot[slot].sig[0][SIG_DCACHE_MISS] = 11;
	map.m->slot[0].sig[4][SIG_DCACHE_MISS] = 4;
	assert_int_equal(user_count(&map, SIG_INSN), 8 * 7 + 2 * 1000);
	assert_int_equal(user_count(&map, SIG_CYCLE_ISSUE), 2056);
	assert_int_equal(user_count(&map, SIG_INSN_LOAD), 16);
	assert_int_equal(user_count(&map, SIG_IFETCH), 32);
	assert_int_equal(user_count(&map, SIG_ALU_LOADUSE), 24);
	assert_int_equal(user_count(&map, SIG_ALU_AGEN), 8);
	assert_int_equal(user_count(&map, SIG_JUMP), 2);
	assert_int_equal(user_count(&map, SIG_DCACHE_MISS), 15);
	assert_int_equal(user_count(&map, SIG_INSN_STORE), 0);
	munmap(a, MACHINE_SEGMENT);
	munmap(b, MACHINE_SEGMENT);
	fixture_close(&map);
}

/* 64 bits: 2^40 executions of a block of 1000 instructions. */
static void
sums_are_64_bits_wide(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);

	(void)state;
	add_block(a, cold, 3, 0)->execs = 1ull << 40;
	assert_true(user_count(&map, SIG_INSN) == 1099511627776000ull);
	munmap(a, MACHINE_SEGMENT);
	fixture_close(&map);
}

static void
fold_moves_counts_to_the_context(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct block *b = add_block(a, hot, 7, 2);
	struct machine_slot *s = &map.m->slot[slot];
	struct machine_segment *own[] = {a};
	u64 before[SIG_N], after[SIG_N];

	(void)state;
	b->execs = 10;
	s->tc = 3;
	s->outcome[1][0] = 4;
	s->outcome[0][1] = 6;
	machine_signals(&map, MODE_USER, -1, -1, before);
	machine_slot_fold(&map, slot, own, 1);
	assert_int_equal(b->execs, 0);
	assert_int_equal(s->outcome[1][0] + s->outcome[0][1], 0);
	assert_int_equal(s->sig[3][SIG_INSN], 70);
	assert_int_equal(s->sig[3][SIG_ALU_LOADUSE], 30);
	assert_int_equal(s->sig[3][SIG_BRANCH_COND], 10);
	machine_slot_fold(&map, slot, own, 1);
	assert_int_equal(s->sig[3][SIG_INSN], 70);
	machine_signals(&map, MODE_USER, -1, -1, after);
	assert_memory_equal(before, after, sizeof before);
	/* The next ones go to the next context. */
	s->tc = 1;
	b->execs = 1;
	machine_slot_fold(&map, slot, own, 1);
	assert_int_equal(s->sig[1][SIG_INSN], 7);
	assert_int_equal(s->sig[3][SIG_INSN], 70);
	assert_int_equal(user_count(&map, SIG_INSN), 77);
	munmap(a, MACHINE_SEGMENT);
	fixture_close(&map);
}

/* Outcomes 1, 10, 100, 1000 in groups of their own, 3 to 6 shared. */
static void
outcomes_of_branches(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_slot *s = &map.m->slot[slot];
	u64 sum[SIG_N];

	(void)state;
	for (unsigned o = 0, n = 1; o < 4; o++, n *= 10) {
		s->outcome[0][o] = n;
		s->outcome[1][o] = 3 + o;
	}
	s->sig[0][SIG_IFETCH] = 500;
	machine_signals(&map, MODE_USER, -1, -1, sum);
	assert_int_equal(sum[SIG_BRANCH_COND], 1111 + 18);
	assert_int_equal(sum[SIG_BRANCH_TAKEN], 10 + 1000 + 4 + 6);
	assert_int_equal(sum[SIG_BRANCH_MISS], 100 + 1000 + 5 + 6);
	assert_int_equal(sum[SIG_BRANCH_RIGHT_NOT], 1 + 3);
	assert_int_equal(sum[SIG_BRANCH_RIGHT_TAKEN], 10 + 4);
	assert_int_equal(sum[SIG_BRANCH_MISS_NOT], 100 + 5);
	assert_int_equal(sum[SIG_BRANCH_MISS_TAKEN], 1000 + 6);
	assert_int_equal(sum[SIG_CYCLE_KILLED], 5 * 1111);
	assert_int_equal(sum[SIG_IFU_REDIRECT], 2 * (10 + 4));
	assert_int_equal(sum[SIG_IFETCH], 500 - 3 - 5);
	fixture_close(&map);
}

/*
 * 7 tenths of a group per taken branch.  Context 0: 3 branches, 2 jumps,
 * one call, one indirect, one return: 8 * 7 / 10 = 5; context 1: 4: 2; both
 * 12: 8; with context 3, of the other VPE, 14: 9.
 */
static void
discarded_fetches_lose_nothing(void **state)
{
	struct sim_config *config = fixture_config();
	struct machine_map map;
	struct machine_slot *s;
	unsigned slot;

	(void)state;
	config->pipe.discarded_tenths = 7;
	map = fixture_machine(config);
	slot = take_slot(&map);
	s = &map.m->slot[slot];
	for (unsigned i = 0; i < 3; i++) {
		s->outcome[0][1]++;
		machine_slot_fold(&map, slot, NULL, 0);
	}
	s->sig[0][SIG_JUMP] = 2;
	s->sig[0][SIG_CALL] = 1;
	s->sig[0][SIG_JUMP_IND] = 1;
	s->sig[0][SIG_RETURN] = 1;
	s->sig[1][SIG_JUMP] = 4;
	s->sig[3][SIG_JUMP] = 2;
	assert_int_equal(machine_signal(&map, SIG_IFETCH, MODE_USER, 0, -1), 5);
	assert_int_equal(machine_signal(&map, SIG_IFETCH, MODE_USER, 1, -1), 2);
	assert_int_equal(machine_signal(&map, SIG_IFETCH, MODE_USER, -1, 0), 8);
	assert_int_equal(machine_signal(&map, SIG_IFETCH, MODE_USER, -1, 1), 1);
	assert_int_equal(user_count(&map, SIG_IFETCH), 9);
	machine_slot_retire(&map, slot);
	assert_int_equal(user_count(&map, SIG_IFETCH), 9);
	fixture_close(&map);
}

static void
contexts_and_vpes(void **state)
{
	static const struct {
		int tc, vpe;
		u64 insn;
	} row[] = {
		{-1, -1, 11111}, {0, -1, 1},	{1, -1, 10},  {2, -1, 100},
		{3, -1, 1000},	 {4, -1, 10000}, {5, -1, 0},   {-1, 0, 111},
		{-1, 1, 11000},	 {-1, 2, 0},	{3, 1, 1000}, {3, 0, 0},
	};
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map), other = take_slot(&map);

	(void)state;
	for (unsigned tc = 0, n = 1; tc < 5; tc++, n *= 10)
		map.m->slot[tc & 1 ? slot : other].sig[tc][SIG_INSN] = n;
	for (unsigned i = 0; i < SIM_COUNT(row); i++)
		assert_int_equal(machine_signal(&map, SIG_INSN, MODE_USER,
						row[i].tc, row[i].vpe),
				 row[i].insn);
	fixture_close(&map);
}

/* Costs are powers of ten, so that each cause shows as a digit group. */
static void
fill_ledger(struct ledger_config *ledger)
{
	static const u8 mode[LEDGER_N] = {
		[LEDGER_SYSCALL] = MODE_KERNEL, [LEDGER_PAGE] = MODE_KERNEL,
		[LEDGER_SIGNAL] = MODE_KERNEL,	[LEDGER_REFILL] = MODE_EXL,
		[LEDGER_TICK] = MODE_KERNEL,
	};
	u32 cost = 1;

	ledger->tick_cycles = 100;
	for (unsigned c = 0; c < LEDGER_N; c++, cost *= 10) {
		ledger->cause[c].mode = mode[c];
		ledger->cause[c].cost[SIG_INSN] = cost;
		ledger->cause[c].cost[SIG_ALU_OTHER] = 2 * cost;
	}
}

static void
ledger_accounts_other_modes(void **state)
{
	struct sim_config *config = fixture_config();
	struct machine_map map;
	u64 *sig, sum[SIG_N];

	(void)state;
	fill_ledger(&config->ledger);
	map = fixture_machine(config);
	sig = map.m->slot[0].sig[2];
	sig[SIG_OS_SYSCALL] = 3;
	sig[SIG_OS_PAGE] = 4;
	sig[SIG_OS_SIGNAL] = 5;
	sig[SIG_JTLB_I_MISS] = 1;
	sig[SIG_JTLB_D_MISS] = 6;
	sig[SIG_CYCLE_ISSUE] = 499;
	sig[SIG_CYCLE_KILLED] = 100;
	sig[SIG_IFU_ICACHE] = 100;
	sig[SIG_ALU_WBB] = 200; /* 899 cycles: 8 ticks */
	sig[SIG_DCACHE_PENDING] = 100000;
	machine_signals(&map, MODE_KERNEL, -1, -1, sum);
	assert_int_equal(sum[SIG_INSN], 3 + 40 + 500 + 80000);
	assert_int_equal(sum[SIG_ALU_OTHER], 2 * 80543);
	assert_int_equal(sum[SIG_DACCESS], 0);
	machine_signals(&map, MODE_EXL, 2, -1, sum);
	assert_int_equal(sum[SIG_INSN], 7000);
	machine_signals(&map, MODE_SUPERVISOR, -1, -1, sum);
	assert_int_equal(sum[SIG_INSN], 0);
	assert_int_equal(machine_signal(&map, SIG_INSN, MODE_KERNEL, 1, -1),
			 0);
	assert_int_equal(machine_signal(&map, SIG_INSN, MODE_KERNEL, -1, 0),
			 80543);
	map.m->config.ledger.tick_cycles = 0;
	assert_int_equal(machine_signal(&map, SIG_INSN, MODE_KERNEL, -1, -1),
			 543);
	fixture_close(&map);
}

static void
calls_have_the_costs_of_their_kinds(void **state)
{
	static const u8 cause[] = {LEDGER_IO, LEDGER_LINE, LEDGER_PATH,
				   LEDGER_MAP, LEDGER_FORK, LEDGER_EXEC};
	struct sim_config *config = fixture_config();
	struct machine_map map;
	u32 cost = 1;
	u64 *sig;

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(cause); i++, cost *= 10) {
		config->ledger.cause[cause[i]].mode = MODE_KERNEL;
		config->ledger.cause[cause[i]].cost[SIG_INSN] = cost;
	}
	map = fixture_machine(config);
	sig = map.m->slot[0].sig[0];
	sig[SIG_OS_SYSCALL] = 9; /* costs nothing here */
	sig[SIG_OS_IO] = 1;
	sig[SIG_OS_LINE] = 2;
	sig[SIG_OS_PATH] = 3;
	sig[SIG_OS_MAP] = 4;
	sig[SIG_OS_FORK] = 5;
	sig[SIG_OS_EXEC] = 6;
	assert_int_equal(machine_signal(&map, SIG_INSN, MODE_KERNEL, -1, -1),
			 654321);
	fixture_close(&map);
}

/* Every stall is a cycle of its own for the clock tick, nothing else is. */
static void
every_stall_is_a_cycle(void **state)
{
	struct sim_config *config = fixture_config();
	struct machine_map map;

	(void)state;
	config->ledger.tick_cycles = 1;
	config->ledger.cause[LEDGER_TICK].mode = MODE_KERNEL;
	config->ledger.cause[LEDGER_TICK].cost[SIG_INSN] = 1;
	map = fixture_machine(config);
	for (unsigned s = 0; s < SIG_N; s++) {
		const char *name = signal_name((enum sim_signal)s);
		bool cycle = !strncmp(name, "stall.", 6) ||
			     !strcmp(name, "cycle.issue") ||
			     !strcmp(name, "cycle.killed");

		map.m->slot[0].sig[0][s] = 9;
		assert_int_equal(machine_signal(&map, SIG_INSN, MODE_KERNEL,
						-1, -1),
				 cycle ? 9 : 0);
		map.m->slot[0].sig[0][s] = 0;
	}
	fixture_close(&map);
}

/* What is not in the segment, or between two numbers, is not read. */
static void
damaged_counters_count_nothing(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct block *b = add_block(a, hot, 7, 2);
	struct block *counters = add_counters(a);
	s32 to_end = (s32)((char *)a + a->used - (char *)b);
	const s32 wrong[] = {INT32_MIN, INT32_MAX, -4096, to_end, to_end - 4,
			     (s32)MACHINE_SEGMENT};

	(void)state;
	b->execs = 1;
	*set_counter(b, BLOCK_BEHIND_ANY, counters, 7) = 2;
	assert_int_equal(user_count(&map, SIG_INSN), 21);
	for (unsigned i = 0; i < SIM_COUNT(wrong); i++) {
		b->counter[BLOCK_BEHIND_ANY] = wrong[i];
		assert_int_equal(user_count(&map, SIG_INSN), 7);
	}
	munmap(a, MACHINE_SEGMENT);
	fixture_close(&map);
}

/* Sizes that make no sense end the walk: no loop, no read beyond. */
static void
damaged_segments_end_the_walk(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct block *good = add_block(a, hot, 7, 2);
	struct block *bad = add_block(a, hot, 7, 2);
	u32 bytes = bad->bytes;
	static const u32 wrong[] = {0, 1, 8, 100, 1 << 20, 0xffffffc0u};

	(void)state;
	good->execs = 1;
	bad->execs = 1;
	assert_int_equal(user_count(&map, SIG_INSN), 14);
	for (unsigned i = 0; i < SIM_COUNT(wrong); i++) {
		bad->bytes = wrong[i];
		assert_int_equal(user_count(&map, SIG_INSN), 7);
	}
	bad->bytes = bytes;
	bad->n_count = 60000;
	assert_int_equal(user_count(&map, SIG_INSN), 7);
	bad->execs = bad->n_count = 0;
	a->next = 1;
	assert_int_equal(user_count(&map, SIG_INSN), 7);
	a->next = 0;
	a->used = MACHINE_SEGMENT + 1;
	assert_int_equal(user_count(&map, SIG_INSN), 0);
	map.m->slot[slot].segment = 77;
	assert_int_equal(user_count(&map, SIG_INSN), 0);
	munmap(a, MACHINE_SEGMENT);
	fixture_close(&map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executions_times_counts),
		cmocka_unit_test(sums_are_64_bits_wide),
		cmocka_unit_test(fold_moves_counts_to_the_context),
		cmocka_unit_test(outcomes_of_branches),
		cmocka_unit_test(discarded_fetches_lose_nothing),
		cmocka_unit_test(contexts_and_vpes),
		cmocka_unit_test(ledger_accounts_other_modes),
		cmocka_unit_test(calls_have_the_costs_of_their_kinds),
		cmocka_unit_test(every_stall_is_a_cycle),
		cmocka_unit_test(damaged_counters_count_nothing),
		cmocka_unit_test(damaged_segments_end_the_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
