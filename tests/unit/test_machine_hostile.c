/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine that others damage: its lock, its numbers, its lists. */
#include "machine_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define PATIENCE 30		/* ms */

static const struct count hot[] = {{SIG_INSN, 7}, {SIG_CYCLE_ISSUE, 7}};

/* A machine with a process that has executed 21 instructions in a segment. */
static struct machine_map
busy_machine(unsigned *slot)
{
	struct machine_map map = fixture_machine(fixture_config());
	struct machine_segment *s;

	*slot = take_slot(&map);
	s = take_segment(&map, *slot);
	add_block(s, hot, 2, 0)->execs = 3;
	munmap(s, MACHINE_SEGMENT);
	map.patience = PATIENCE;
	return map;
}

/* ---- The lock -------------------------------------------------------- */

static void
a_living_owner_is_not_waited_for_without_end(void **state)
{
	/* Of this PID namespace, of none, of another one. */
	const u64 owner[] = {1, 1ull << 31 | 1, 12345ull << 32 | 7};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(owner); i++) {
		unsigned slot;
		struct machine_map map = busy_machine(&slot);

		map.m->lock = owner[i];
		assert_int_equal(user_count(&map, SIG_INSN), 21);
		assert_int_equal(map.m->doubts, 1u << DOUBT_LOCK_BROKEN);
		assert_true(map.m->lock == 0);
		fixture_close(&map);
	}
}

static void
an_owner_that_is_gone_is_no_doubt(void **state)
{
	unsigned slot;
	struct machine_map map = busy_machine(&slot);
	pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		machine_lock(&map);
		_exit(0);
	}
	/* Once as a zombie, and once it is not there any more. */
	assert_int_equal(waitid(P_PID, (id_t)child, NULL, WEXITED | WNOWAIT),
			 0);
	map.patience = 3600000;
	assert_int_equal(user_count(&map, SIG_INSN), 21);
	assert_int_equal(waitpid(child, NULL, 0), child);
	map.m->lock = (u32)child;
	assert_int_equal(user_count(&map, SIG_INSN), 21);
	assert_int_equal(map.m->doubts, 0);
	fixture_close(&map);
}

static void
what_was_taken_away_is_not_given_back(void **state)
{
	unsigned slot;
	struct machine_map map = busy_machine(&slot);

	(void)state;
	machine_lock(&map);
	map.m->lock = 1;	/* taken from us */
	machine_unlock(&map);
	assert_true(map.m->lock == 1);
	fixture_close(&map);
}

/* ---- What opening refuses --------------------------------------------- */

#define DAMAGE(member, n) {offsetof(struct machine, member), \
			   sizeof ((struct machine *)0)->member, n}

/* A member, and a number that it never has. */
static const struct damage {
	size_t offset, bytes;
	u64 value;
} damages[] = {
	DAMAGE(magic, 1), DAMAGE(lock, 0x7fffffff), DAMAGE(lock, 1ull << 32),
	DAMAGE(range_extension, 2), DAMAGE(parallel, 255),
	DAMAGE(machine_clock, 2), DAMAGE(seeded, 4), DAMAGE(merge_always, 2),
	DAMAGE(system, 128), DAMAGE(stopped, 2), DAMAGE(lasting, 2),
	DAMAGE(hwperf.system, 2), DAMAGE(hwperf.armed, 2),
	DAMAGE(hwperf.tool, 2), DAMAGE(hwperf.paused, 2),
	DAMAGE(hwperf.threads, 2), DAMAGE(hwperf.current[1], HWPERF_EVENTS),
	DAMAGE(hwperf.ended_used, HWPERF_ENDED + 1), DAMAGE(pfm.interrupts, 2),
	DAMAGE(pfm.selected, 2), DAMAGE(pfm.caller, 2), DAMAGE(pfm.sampled, 2),
	DAMAGE(pfm.pairs, 2), DAMAGE(pfm.user, 2), DAMAGE(pfm.kernel, 2),
	DAMAGE(pfm.event[0], 1), DAMAGE(pfm.event[2], 0xfffffffe),
	DAMAGE(pfm.shift[1], 64), DAMAGE(pfm.cpu, PFM_CPUS),
	DAMAGE(pfm.n_ranges, PFM_RANGES + 1),
	DAMAGE(pfm.n_buckets, PFM_BUCKETS + 1), DAMAGE(ia64.now.raised, 4),
	DAMAGE(n_counters, SIM_WIDE_COUNTERS + 1), DAMAGE(counter[3].event, 9),
	DAMAGE(counter[0].event, 0xfffffffe), DAMAGE(counter[0].scope, 3),
	DAMAGE(counter[1].interrupt, 2), DAMAGE(counter[2].invert, 2),
	DAMAGE(counter[3].edge, 2), DAMAGE(n_profile, MACHINE_PROFILE + 1),
	DAMAGE(slots_used, 0), DAMAGE(slots_used, MACHINE_SLOTS + 1),
	DAMAGE(slot[1].state, SLOT_LEAVING + 1), DAMAGE(slot[1].mode, MODE_N),
	DAMAGE(slot[1].tc, SIM_MAX_TC), DAMAGE(slot[1].segment, 2),
	DAMAGE(slot[1].leaving, 2), DAMAGE(slot[1].hwperf.counting, 2),
	DAMAGE(slot[1].hwperf.current[0], 200), DAMAGE(slot[1].pfm.pme, 2),
	DAMAGE(segments, 1u << 20), DAMAGE(segments, 0xffffffff),
	DAMAGE(free_segment, 2), DAMAGE(log_first, 2), DAMAGE(log_last, 9),
	DAMAGE(profile_segment, 2), DAMAGE(journal.step, 3),
	DAMAGE(utilities.n, SYSTEM_UTILITIES + 1),
	DAMAGE(vectors.n, SYSTEM_VECTORS + 1),
};

static void
numbers_out_of_range_are_refused(void **state)
{
	unsigned slot;
	struct machine_map map = busy_machine(&slot), other;

	(void)state;
	assert_int_equal(slot, 1);
	for (size_t i = 0; i < SIM_COUNT(damages); i++) {
		const struct damage *d = &damages[i];
		char *at = (char *)map.m + d->offset;
		u64 before;

		memcpy(&before, at, sizeof before);
		memcpy(at, &d->value, d->bytes);
		if (machine_attach(&other, map.fd) != -EINVAL)
			fail_msg("damage %zu is accepted", i);
		memcpy(at, &before, d->bytes);
	}
	memset(map.m->cpu_name, 'x', sizeof map.m->cpu_name);
	assert_int_equal(machine_attach(&other, map.fd), -EINVAL);
	map.m->cpu_name[3] = '\0';
	assert_int_equal(machine_attach(&other, map.fd), 0);
	machine_detach(&other);
	fixture_close(&map);
}

/* ---- Frozen ---------------------------------------------------------- */

static void
nothing_changes_what_is_frozen(void **state)
{
	unsigned slot;
	struct machine_map map = busy_machine(&slot), target;
	struct machine_segment *s;
	size_t bytes;

	(void)state;
	assert_int_equal(machine_attach(&target, map.fd), 0);
	assert_int_equal(machine_guard(&map), 0);
	target.m->config.n_events = 0xffffffff;
	assert_int_equal(map.m->config.n_events, 0);
	map.m->slot[0].sig[2][SIG_INSN] = 100;
	assert_int_equal(machine_freeze(&map), 0);
	assert_int_equal(map.m->config.n_events, 0);
	memset(target.m, 0xff, machine_head_bytes());
	s = mmap(NULL, MACHINE_SEGMENT, PROT_READ | PROT_WRITE, MAP_SHARED,
		 map.fd, (off_t)machine_head_bytes());
	assert_true(s != MAP_FAILED);
	s->next = 1;
	s->used = 0xffffffff;
	assert_int_equal(user_count(&map, SIG_INSN), 121);
	assert_int_equal(user_count(&map, SIG_INSN), 121);
	/* Blocks that make no sense end a segment. */
	memset((char *)s + MACHINE_FIRST_BLOCK, 0xff, 4096);
	assert_int_equal(user_count(&map, SIG_INSN), 100);
	s = segment_map(&map, 1, PROT_READ, &bytes);
	assert_non_null(s);
	assert_true(s->next == 0 && bytes < 4096);
	munmap(s, bytes);
	machine_detach(&target);
	fixture_close(&map);
}

static void
a_damaged_machine_is_not_frozen(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIM_COUNT(damages); i++) {
		unsigned slot;
		struct machine_map map = busy_machine(&slot);
		const struct damage *d = &damages[i];

		/* The lock is waited for, and taken. */
		if (d->offset != offsetof(struct machine, lock)) {
			memcpy((char *)map.m + d->offset, &d->value, d->bytes);
			assert_int_equal(machine_freeze(&map), -EINVAL);
			assert_null(map.live);
		}
		fixture_close(&map);
	}
}

static void
set_header(struct machine_map *map, u32 k, u32 next, u32 used)
{
	const struct machine_segment header = {next, used};

	assert_int_equal(segment_header_write(map, k, &header), 0);
}

static void
damaged_lists_are_not_frozen(void **state)
{
	static const struct {
		u32 next[2], used[2]; /* of segments 1 and 2 */
		u32 log;	/* the log's first segment */
		int error;
	} lists[] = {
		{{0, 1}, {64, 64}, 0, 0},
		{{0, 1}, {64, MACHINE_SEGMENT}, 0, 0},
		{{2, 1}, {64, 64}, 0, -EINVAL},	/* a circle */
		{{1, 1}, {64, 64}, 0, -EINVAL},
		{{0, 1}, {64, 64}, 1, -EINVAL},	/* in two lists */
		{{3, 1}, {64, 64}, 0, -EINVAL},	/* there is no third */
		{{0, 1}, {64, MACHINE_SEGMENT + 1}, 0, -EINVAL},
		{{0, 1}, {7, 64}, 0, -EINVAL},
	};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(lists); i++) {
		unsigned slot;
		struct machine_map map = busy_machine(&slot);

		munmap(take_segment(&map, slot), MACHINE_SEGMENT);
		map.m->log_first = map.m->log_last = lists[i].log;
		for (u32 k = 0; k < 2; k++)
			set_header(&map, k + 1, lists[i].next[k],
				   lists[i].used[k]);
		assert_int_equal(machine_freeze(&map), lists[i].error);
		fixture_close(&map);
	}
}

/* A sparse file has room for any number of them. */
static void
more_segments_than_there_is_memory_are_not_frozen(void **state)
{
	unsigned slot;
	struct machine_map map = busy_machine(&slot);

	(void)state;
	assert_int_equal(ftruncate(map.fd, 1ll << 50), 0);
	map.m->segments = 1u << 28;
	assert_int_equal(machine_freeze(&map), -EINVAL);
	fixture_close(&map);
}

/* What the file does not have of a segment cannot be touched. */
static void
a_segment_that_is_cut_off_is_not_mapped(void **state)
{
	unsigned slot;
	struct machine_map map = busy_machine(&slot);
	size_t bytes;

	(void)state;
	set_header(&map, 1, 0, MACHINE_SEGMENT);
	assert_int_equal(ftruncate(map.fd, (off_t)machine_head_bytes() + 4096),
			 0);
	assert_null(segment_map(&map, 1, PROT_READ, &bytes));
	assert_null(segment_map_all(&map, 1));
	assert_int_equal(user_count(&map, SIG_INSN), 0);
	fixture_close(&map);
}

static void
what_is_thawed_is_shared_again(void **state)
{
	unsigned slot;
	struct machine_map map = busy_machine(&slot), target;

	(void)state;
	assert_int_equal(machine_attach(&target, map.fd), 0);
	assert_int_equal(machine_thaw(&map), 0);
	assert_int_equal(machine_guard(&map), 0);
	assert_int_equal(machine_freeze(&map), 0);
	assert_int_equal(machine_freeze(&map), 0);
	map.m->counter[0].control = 0x123;
	map.m->uid = 77;
	assert_int_equal(target.m->uid, 0);
	assert_int_equal(machine_thaw(&map), 0);
	assert_int_equal(target.m->uid, 77);
	assert_int_equal(target.m->counter[0].control, 0x123);
	map.m->config.pipe.mispredict = 6;
	assert_int_equal(target.m->config.pipe.mispredict, 6);
	target.m->uid = 78;
	assert_int_equal(map.m->uid, 78);
	assert_int_equal(user_count(&map, SIG_INSN), 21);
	machine_detach(&target);
	fixture_close(&map);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_living_owner_is_not_waited_for_without_end),
		cmocka_unit_test(an_owner_that_is_gone_is_no_doubt),
		cmocka_unit_test(what_was_taken_away_is_not_given_back),
		cmocka_unit_test(numbers_out_of_range_are_refused),
		cmocka_unit_test(nothing_changes_what_is_frozen),
		cmocka_unit_test(a_damaged_machine_is_not_frozen),
		cmocka_unit_test(damaged_lists_are_not_frozen),
		cmocka_unit_test(
			more_segments_than_there_is_memory_are_not_frozen),
		cmocka_unit_test(a_segment_that_is_cut_off_is_not_mapped),
		cmocka_unit_test(what_is_thawed_is_shared_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
