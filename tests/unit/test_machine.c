/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's mapping: files, segments and slots of one process. */
#include "machine_fixture.h"
#include "machine/machine_internal.h"

#include <errno.h>
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

/* Of a file, any bit may have been changed. */
static void
attach_refuses_another_configuration(void **state)
{
	int fd = open_scratch();
	struct machine_map map, other;
	u8 *config;

	(void)state;
	assert_int_equal(machine_create(&map, fd, fixture_config(), "t"), 0);
	config = (u8 *)&map.m->config;
	for (size_t i = 0; i < sizeof map.m->config; i += 97) {
		config[i] ^= 0x10;
		assert_int_equal(machine_attach(&other, fd), -EINVAL);
		config[i] ^= 0x10;
	}
	assert_int_equal(machine_attach(&other, fd), 0);
	machine_detach(&other);
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
	assert_true(file_size(fd) >= head + (off_t)MACHINE_SEGMENT);
	room = mmap(NULL, MACHINE_SEGMENT, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	b = machine_segment_take(&map, slot, room);
	assert_ptr_equal(b, room);
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

/* A target that lowers its own limit goes on, and ends as it should. */
static void
a_limit_of_file_sizes_set_later(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct rlimit old, now;

	(void)state;
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	now = old;
	now.rlim_cur = 512;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	machine_slot_retire(&map, slot);
	assert_int_equal(map.m->free_segment, 1);
	munmap(take_segment(&map, take_slot(&map)), MACHINE_SEGMENT);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	fixture_close(&map);
}

/* More segments than the file is extended by at once. */
static void
three_hundred_segments(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);

	(void)state;
	for (unsigned i = 1; i <= 300; i++) {
		struct machine_segment *s = take_segment(&map, slot);

		add_block(s, cold, 3, 0)->execs = i;
		munmap(s, MACHINE_SEGMENT);
	}
	assert_int_equal(user_count(&map, SIG_JUMP), 300 * 301 / 2);
	machine_slot_retire(&map, slot);
	assert_int_equal(user_count(&map, SIG_JUMP), 300 * 301 / 2);
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

	(void)state;
	add_block(a, hot, 7, 2)->execs = 3;
	add_block(b, cold, 3, 0)->execs = 1;
	s->tc = 4;
	s->sig[4][SIG_INSN] = 5;
	s->sig[1][SIG_INSN] = 6;
	s->outcome[0][1] = 2;
	machine_slot_retire(&map, slot);
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

/* Executions behind a branch are executions, and branches. */
static void
executions_behind_branches_are_both(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);
	struct block *b = add_block(a, hot, 7, 2), *other = add_block(a, hot, 7, 2);
	struct block *counters = add_counters(a);

	(void)state;
	b->execs = 1;
	*set_counter(b, BLOCK_BEHIND_NOT, counters, 0) = 10;
	*set_counter(b, BLOCK_BEHIND_NOT + 1, counters, 3) = 20;
	*set_counter(b, BLOCK_BEHIND_TAKEN, counters, 7) = 40;
	*set_counter(other, BLOCK_BEHIND_ANY, counters, 4) = 2;
	assert_int_equal(user_count(&map, SIG_INSN), 7 * 73);
	assert_int_equal(user_count(&map, SIG_BRANCH_COND), 70);
	assert_int_equal(user_count(&map, SIG_BRANCH_TAKEN), 40);
	machine_slot_retire(&map, slot);
	assert_int_equal(user_count(&map, SIG_INSN), 7 * 73);
	assert_int_equal(user_count(&map, SIG_BRANCH_RIGHT_NOT), 30);
	block_clear(b);
	assert_int_equal(b->execs, 0);
	assert_int_equal(*block_counter(b, BLOCK_BEHIND_TAKEN), 40);
	block_clear(counters);
	assert_int_equal(*block_counter(b, BLOCK_BEHIND_TAKEN), 0);
	munmap(a, MACHINE_SEGMENT);
	fixture_close(&map);
}

static void
take_and_fill(struct machine_map *map, unsigned slot, unsigned n)
{
	while (n--) {
		struct machine_segment *s = take_segment(map, slot);

		memset((char *)s + MACHINE_FIRST_BLOCK, 1,
		       MACHINE_SEGMENT - MACHINE_FIRST_BLOCK);
		s->used = MACHINE_SEGMENT;
		munmap(s, MACHINE_SEGMENT);
	}
}

/* Of twelve segments given back, eight keep their pages. */
static void
returned_segments_give_pages_back(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	blkcnt_t before;

	(void)state;
	take_and_fill(&map, slot, 12);
	before = file_blocks(map.fd);
	machine_slot_retire(&map, slot);
	assert_in_range(before - file_blocks(map.fd),
			4 * (MACHINE_SEGMENT - 65536) / 512,
			4 * MACHINE_SEGMENT / 512);
	assert_int_equal(map.m->warm_segments, 8);
	slot = take_slot(&map);
	take_and_fill(&map, slot, 12);
	assert_int_equal(map.m->warm_segments, 0);
	assert_int_equal(map.m->segments, 12);
	assert_int_equal(map.m->free_segment, 0);
	/* But for what a sum has touched beside segments. */
	assert_in_range(file_blocks(map.fd), before - 128,
			before + MACHINE_SEGMENT / 512 / 8);
	fixture_close(&map);
}

/* Taken again, a segment has no blocks, whatever its last owner left. */
static void
returned_segments_come_back_empty(void **state)
{
	struct machine_map map = fixture_machine(fixture_config());
	unsigned slot = take_slot(&map);
	struct machine_segment *a = take_segment(&map, slot);

	(void)state;
	add_block(a, cold, 3, 0)->execs = 3;
	machine_slot_retire(&map, slot);
	munmap(a, MACHINE_SEGMENT);
	assert_int_equal(take_slot(&map), slot);
	a = take_segment(&map, slot);
	assert_int_equal(map.m->segments, 1);
	assert_int_equal(a->used, 64);
	assert_int_equal(a->next, 0);
	assert_int_equal(user_count(&map, SIG_INSN), 3000);
	add_block(a, hot, 7, 2)->execs = 1;
	assert_int_equal(user_count(&map, SIG_INSN), 3007);
	munmap(a, MACHINE_SEGMENT);
	munmap(take_segment(&map, slot), MACHINE_SEGMENT);
	assert_int_equal(map.m->segments, 2);
	fixture_close(&map);
}

/* As if the host had gone down in the middle of a retirement. */
static void
a_machine_from_before_a_reboot(void **state)
{
	int fd = open_scratch();
	struct machine_map map, later;
	struct machine_segment *a;
	unsigned slot, other;

	(void)state;
	assert_int_equal(machine_create(&map, fd, fixture_config(), "t"), 0);
	slot = take_slot(&map);
	other = take_slot(&map);
	a = take_segment(&map, slot);
	add_block(a, hot, 7, 2)->execs = 3;
	munmap(a, MACHINE_SEGMENT);
	map.m->slot[other].sig[1][SIG_INSN] = 100;
	machine_fork_prepare(&map, other);
	machine_lock(&map);
	/* A start that is not known is no other one. */
	map.m->boot_id[0] = '\0';
	assert_int_equal(machine_attach(&later, map.fd), 0);
	machine_detach(&later);
	assert_int_equal(map.m->slot[slot].state, SLOT_RUNNING);
	strcpy(map.m->boot_id, "another");
	assert_int_equal(machine_attach(&later, map.fd), 0);
	assert_int_equal(user_count(&later, SIG_INSN), 121);
	assert_int_equal(later.m->slot[slot].state, SLOT_FREE);
	assert_int_equal(later.m->slot[other].state, SLOT_FREE);
	assert_int_equal(later.m->slot[0].sig[0][SIG_INSN], 21);
	assert_int_equal(later.m->slot[0].sig[1][SIG_INSN], 100);
	assert_int_equal(later.m->free_segment, 1);
	assert_string_not_equal(later.m->boot_id, "another");
	/* A second attachment leaves running processes alone. */
	assert_int_equal(take_slot(&later), slot);
	machine_detach(&map);
	assert_int_equal(machine_attach(&map, later.fd), 0);
	assert_int_equal(map.m->slot[slot].state, SLOT_RUNNING);
	machine_detach(&map);
	fixture_close(&later);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_then_attach),
		cmocka_unit_test(attach_refuses_other_files),
		cmocka_unit_test(attach_refuses_another_configuration),
		cmocka_unit_test(create_refuses_what_does_not_fit),
		cmocka_unit_test(cpu_name_is_cut),
		cmocka_unit_test(segments_extend_a_memfd),
		cmocka_unit_test(segments_extend_a_regular_file),
		cmocka_unit_test(lasting_files_reserve_space),
		cmocka_unit_test(a_file_that_cannot_grow),
		cmocka_unit_test(a_limit_of_file_sizes_set_later),
		cmocka_unit_test(three_hundred_segments),
		cmocka_unit_test(retire_merges_and_frees),
		cmocka_unit_test(executions_behind_branches_are_both),
		cmocka_unit_test(returned_segments_give_pages_back),
		cmocka_unit_test(returned_segments_come_back_empty),
		cmocka_unit_test(a_machine_from_before_a_reboot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
