/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's mapping: files, segments, slots and sums of one process. */
#include "machine_fixture.h"
#include "machine_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

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

static int
open_scratch(void)
{
	char name[] = "/tmp/test_machine.XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	assert_int_equal(unlink(name), 0);
	return fd;
}

static off_t
file_size(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_size;
}

static blkcnt_t
file_blocks(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_blocks;
}

static void
create_then_attach(void **state)
{
	struct machine_map map = fixture_machine(fixture_config()), other;

	(void)state;
	assert_int_equal(machine_attach(&other, map.fd), 0);
	assert_ptr_not_equal(other.m, map.m);
	assert_string_equal(other.m->cpu_name, "test");
	assert_int_equal(other.m->n_counters, 4);
	assert_int_equal(other.m->config.pipe.mispredict, 5);
	assert_int_equal(other.m->counter[255].event, -1);
	assert_false(other.m->lasting);
	map.m->uid = 1000;
	assert_int_equal(other.m->uid, 1000);
	machine_detach(&other);
	assert_null(other.m);
	fixture_close(&map);
}

static void
attach_refuses_other_files(void **state)
{
	struct machine_map map = fixture_machine(fixture_config()), other;
	int fd = open_scratch();

	(void)state;
	assert_int_equal(machine_attach(&other, fd), -EINVAL);
	assert_int_equal(ftruncate(fd, file_size(map.fd)), 0);
	assert_int_equal(machine_attach(&other, fd), -EINVAL);
	close(fd);
	assert_int_equal(machine_attach(&other, -1), -EBADF);
	map.m->version++;
	assert_int_equal(machine_attach(&other, map.fd), -EINVAL);
	map.m->version--;
	map.m->size_check--;
	assert_int_equal(machine_attach(&other, map.fd), -EINVAL);
	map.m->size_check++;
	map.m->slots_used = MACHINE_SLOTS + 1;
	assert_int_equal(machine_attach(&other, map.fd), -EINVAL);
	map.m->slots_used = 1;
	assert_int_equal(machine_attach(&other, map.fd), 0);
	machine_detach(&other);
	fixture_close(&map);
}

static void
create_refuses_what_does_not_fit(void **state)
{
	struct sim_config *config = fixture_config();
	struct machine_map map;
	int fd = open_scratch();

	(void)state;
	config->n_counters = SIM_MAX_COUNTERS + 1;
	assert_int_equal(machine_create(&map, fd, config, "x"), -EINVAL);
	config = fixture_config();
	config->topo.tcs = SIM_MAX_TC + 1;
	assert_int_equal(machine_create(&map, fd, config, "x"), -EINVAL);
	config = fixture_config();
	config->n_events = SIM_MAX_EVENTS + 1;
	assert_int_equal(machine_create(&map, fd, config, "x"), -EINVAL);
	close(fd);
}

/* A name that is too long is cut, not written over what follows. */
static void
cpu_name_is_cut(void **state)
{
	char name[100];
	struct machine_map map;
	int fd = open_scratch();

	(void)state;
	memset(name, 'n', sizeof name);
	name[99] = '\0';
	assert_int_equal(machine_create(&map, fd, fixture_config(), name), 0);
	assert_int_equal(strlen(map.m->cpu_name), 63);
	fixture_close(&map);
}

static void
check_growth(int fd)
{
	off_t head = (off_t)machine_head_bytes();
	struct machine_map map;
	struct machine_segment *a, *b;
	struct machine_segment header;
	unsigned slot;
	void *room;

	assert_int_equal(machine_create(&map, fd, fixture_config(), "t"), 0);
	assert_int_equal(file_size(fd), head);
	slot = take_slot(&map);
	a = take_segment(&map, slot);
	assert_int_equal(file_size(fd), head + (off_t)MACHINE_SEGMENT);
	room = mmap(NULL, MACHINE_SEGMENT, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	b = machine_segment_take(&map, slot, room);
	assert_ptr_equal(b, room);
	assert_int_equal(file_size(fd), head + 2 * (off_t)MACHINE_SEGMENT);
	assert_int_equal(map.m->slot[slot].segment, 2);
	assert_int_equal(b->next, 1);
	assert_int_equal(a->next, 0);
	assert_int_equal(a->used, 64);
	/* The second segment begins where the contract says. */
	b->used = 128;
	assert_int_equal(pread(fd, &header, sizeof header,
			       head + (off_t)MACHINE_SEGMENT),
			 sizeof header);
	assert_int_equal(header.used, 128);
	assert_int_equal(header.next, 1);
	munmap(a, MACHINE_SEGMENT);
	munmap(b, MACHINE_SEGMENT);
	fixture_close(&map);
}

static void
segments_extend_a_memfd(void **state)
{
	(void)state;
	check_growth(memfd_create("machine", MFD_CLOEXEC));
}

static void
segments_extend_a_regular_file(void **state)
{
	(void)state;
	check_growth(open_scratch());
}

/* On a disk, space is there before it is written to. */
static void
lasting_files_reserve_space(void **state)
{
	struct machine_map map;
	int fd = open_scratch();
	blkcnt_t before;
	unsigned slot;

	(void)state;
	assert_int_equal(machine_create(&map, fd, fixture_config(), "t"), 0);
	assert_true(map.m->lasting);
	slot = take_slot(&map);
	before = file_blocks(fd);
	assert_true(before * 512 >=
		    (blkcnt_t)offsetof(struct machine, slot[2]));
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	assert_true(file_blocks(fd) - before >= MACHINE_SEGMENT / 512);
	fixture_close(&map);
}

static void
a_file_that_cannot_grow(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct rlimit old, now;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	now = old;
	now.rlim_cur = machine_head_bytes() + 100;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
	assert_null(machine_segment_take(&map, slot, NULL));
	assert_int_equal(map.m->slot[slot].segment, 0);
	assert_int_equal(map.m->segments, 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, SIG_DFL);
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	assert_int_equal(map.m->slot[slot].segment, 1);
	fixture_close(&map);
}

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
	u64 before[SIG_N], after[SIG_N];

	(void)state;
	b->execs = 10;
	s->tc = 3;
	s->outcome[1][0] = 4;
	s->outcome[0][1] = 6;
	machine_signals(&map, MODE_USER, -1, -1, before);
	machine_slot_fold(&map, slot);
	assert_int_equal(b->execs, 0);
	assert_int_equal(s->outcome[1][0] + s->outcome[0][1], 0);
	assert_int_equal(s->sig[3][SIG_INSN], 70);
	assert_int_equal(s->sig[3][SIG_ALU_LOADUSE], 30);
	assert_int_equal(s->sig[3][SIG_BRANCH_COND], 10);
	machine_slot_fold(&map, slot);
	assert_int_equal(s->sig[3][SIG_INSN], 70);
	machine_signals(&map, MODE_USER, -1, -1, after);
	assert_memory_equal(before, after, sizeof before);
	/* The next ones go to the next context. */
	s->tc = 1;
	b->execs = 1;
	machine_slot_fold(&map, slot);
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
	assert_int_equal(sum[SIG_CYCLE_KILLED], 5 * 1111);
	assert_int_equal(sum[SIG_IFU_REDIRECT], 2 * (10 + 4));
	assert_int_equal(sum[SIG_IFETCH], 500 - 3 - 5);
	fixture_close(&map);
}

/*
 * 7 tenths of a group per taken branch.  Context 0: 3 branches, 2 jumps,
 * one call, one indirect, one return: 8 * 7 / 10 = 5; context 1: 4: 2.
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
		machine_slot_fold(&map, slot);
	}
	s->sig[0][SIG_JUMP] = 2;
	s->sig[0][SIG_CALL] = 1;
	s->sig[0][SIG_JUMP_IND] = 1;
	s->sig[0][SIG_RETURN] = 1;
	s->sig[1][SIG_JUMP] = 4;
	assert_int_equal(machine_signal(&map, SIG_IFETCH, MODE_USER, 0, -1), 5);
	assert_int_equal(machine_signal(&map, SIG_IFETCH, MODE_USER, 1, -1), 2);
	assert_int_equal(user_count(&map, SIG_IFETCH), 7);
	machine_slot_retire(&map, slot);
	assert_int_equal(user_count(&map, SIG_IFETCH), 7);
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

static void
retire_merges_and_frees(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct machine_segment *b = take_segment(&map, slot);
	struct machine_slot *s = &map.m->slot[slot];
	blkcnt_t before;

	(void)state;
	memset((char *)a + 4096, 1, MACHINE_SEGMENT - 4096);
	memset((char *)b + 4096, 1, MACHINE_SEGMENT - 4096);
	add_block(a, hot, 7, 2)->execs = 3;
	add_block(b, cold, 3, 0)->execs = 1;
	s->tc = 4;
	s->sig[4][SIG_INSN] = 5;
	s->sig[1][SIG_INSN] = 6;
	s->outcome[0][1] = 2;
	before = file_blocks(map.fd);
	machine_slot_retire(&map, slot);
	assert_true(before - file_blocks(map.fd) >=
		    2 * (MACHINE_SEGMENT - 65536) / 512);
	assert_int_equal(s->state, SLOT_FREE);
	assert_int_equal(s->segment, 0);
	assert_int_equal(s->sig[4][SIG_INSN] + s->sig[1][SIG_INSN], 0);
	assert_int_equal(map.m->slot[0].sig[4][SIG_INSN], 21 + 1000 + 5);
	assert_int_equal(map.m->slot[0].sig[1][SIG_INSN], 6);
	assert_int_equal(map.m->slot[0].sig[4][SIG_BRANCH_TAKEN], 2);
	assert_int_equal(user_count(&map, SIG_INSN), 1032);
	/* A second time does nothing. */
	machine_slot_retire(&map, slot);
	assert_int_equal(user_count(&map, SIG_INSN), 1032);
	munmap(a, MACHINE_SEGMENT);
	munmap(b, MACHINE_SEGMENT);
	fixture_close(&map);
}

static void
returned_segments_come_back_empty(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	off_t size;
	unsigned char *byte;

	(void)state;
	memset((char *)a + sizeof *a, 0xaa, MACHINE_SEGMENT - sizeof *a);
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	size = file_size(map.fd);
	machine_slot_retire(&map, slot);
	munmap(a, MACHINE_SEGMENT);
	assert_int_equal(take_slot(&map), slot);
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	a = take_segment(&map, slot);
	assert_int_equal(file_size(map.fd), size);
	assert_int_equal(map.m->free_segment, 0);
	assert_int_equal(a->used, 64);
	assert_int_not_equal(a->next, 0);
	byte = (unsigned char *)a;
	for (size_t i = sizeof *a; i < MACHINE_SEGMENT; i++)
		if (byte[i])
			fail_msg("byte %zu is not zero", i);
	munmap(a, MACHINE_SEGMENT);
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	assert_true(file_size(map.fd) > size);
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
		cmocka_unit_test(create_then_attach),
		cmocka_unit_test(attach_refuses_other_files),
		cmocka_unit_test(create_refuses_what_does_not_fit),
		cmocka_unit_test(cpu_name_is_cut),
		cmocka_unit_test(segments_extend_a_memfd),
		cmocka_unit_test(segments_extend_a_regular_file),
		cmocka_unit_test(lasting_files_reserve_space),
		cmocka_unit_test(a_file_that_cannot_grow),
		cmocka_unit_test(executions_times_counts),
		cmocka_unit_test(sums_are_64_bits_wide),
		cmocka_unit_test(fold_moves_counts_to_the_context),
		cmocka_unit_test(outcomes_of_branches),
		cmocka_unit_test(discarded_fetches_lose_nothing),
		cmocka_unit_test(contexts_and_vpes),
		cmocka_unit_test(ledger_accounts_other_modes),
		cmocka_unit_test(every_stall_is_a_cycle),
		cmocka_unit_test(retire_merges_and_frees),
		cmocka_unit_test(returned_segments_come_back_empty),
		cmocka_unit_test(damaged_segments_end_the_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
