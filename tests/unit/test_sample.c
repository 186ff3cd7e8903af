/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches: overflows at the right instruction, and nothing lost. */
#include "signal_fixture.h"
#include "watch/sample_internal.h"

#include <errno.h>

#define SEEN 4096

static struct {
	struct sample list[SEEN];
	unsigned n;
} seen;

static void
see(void *arg, const struct sample *sample)
{
	(void)arg;
	if (seen.n < SEEN)
		seen.list[seen.n] = *sample;
	seen.n++;
}

static void
watch(struct rig *r, unsigned n, unsigned signal, u64 period)
{
	struct sample_watch w = {
		.select = select_signal(signal),
		.first = period,
		.period = period,
		.fn = see,
	};

	assert_int_equal(sample_set(r->core, n, &w), 0);
}

/* Happenings that watch n has seen, up to the end of the last block. */
static u64
happenings(struct core *c, unsigned n)
{
	coast_end(c);
	return (u64)c->sampler->watch[n].seen / SAMPLE_TENTHS;
}

static void
open_sampler(struct rig *r)
{
	rig_open(r, signal_config());
	assert_non_null(sample_new(r->core, r->slot->sig, 0));
	seen.n = 0;
}

static void
close_sampler(struct rig *r)
{
	sample_free(r->core);
	rig_close(r);
}

/* Loads at 0, 2, 4, a branch at 7. */
static struct block *
loop_block(struct rig *r)
{
	struct insn in[8];

	for (unsigned i = 0; i < 8; i++) {
		insn_init(&in[i], CODE_BASE + i * 4, 4);
		if (i % 2 || i > 4)
			continue;
		in[i].flags = INSN_LOADS | INSN_MEM_KNOWN;
		in[i].n_load = 1;
		in[i].size_log2 = 2;
		in[i].dst[0] = (u8)(i + 1);
		in[i].dst_loaded = true;
	}
	in[7].branch = BRANCH_DIRECT_COND;
	return rig_block(r, in, 8);
}

/* Executes the block once; its load number miss reads a new line. */
static void
loop_once(struct rig *r, struct block *b, int miss)
{
	static u64 fresh = DATA_BASE;
	struct core *c = r->core;

	enter_block(c, b);
	for (int i = 0; i < 3; i++) {
		const struct block_access *a = &block_access(b->detail)[i];
		u64 va = i == miss ? fresh += 32 : DATA_BASE - 64;

		if (fast_data(c, a, va, 2, 0))
			continue;
		core_data(c, a, va, 4, false);
		if (c->sampler)
			sample_access(c, a->insn);
	}
}

/* Overflow j of an event with period k is happening number j * k. */
static void
every_instruction_is_found(void **state)
{
	static const u64 periods[] = {1, 2, 3, 7, 8, 9, 100};
	static const u64 loads[] = {0, 2, 4};

	(void)state;
	for (unsigned p = 0; p < SIM_COUNT(periods); p++) {
		u64 k = periods[p];
		struct rig r;
		struct block *b;

		open_sampler(&r);
		b = loop_block(&r);
		watch(&r, 0, SIG_INSN, k);
		for (unsigned i = 0; i < 201; i++)
			loop_once(&r, b, -1);
		assert_int_equal(seen.n, 200 * 8 / k);
		for (u64 j = 0; j < seen.n; j++)
			assert_int_equal(seen.list[j].pc, CODE_BASE +
					 ((j + 1) * k - 1) % 8 * 4);
		seen.n = 0;
		watch(&r, 0, SIG_INSN_LOAD, k);
		for (unsigned i = 0; i < 200; i++)
			loop_once(&r, b, -1);
		/* The block under way when it was set does not count. */
		assert_int_equal(seen.n, 199 * 3 / k);
		for (u64 j = 0; j < seen.n; j++)
			assert_int_equal(seen.list[j].pc, CODE_BASE +
					 loads[((j + 1) * k - 1) % 3] * 4);
		close_sampler(&r);
	}
}

static void
misses_belong_to_their_access(void **state)
{
	struct rig r;
	struct block *b;

	(void)state;
	open_sampler(&r);
	b = loop_block(&r);
	loop_once(&r, b, -1);
	loop_once(&r, b, -1);
	watch(&r, 3, SIG_DCACHE_FILL, 1);
	for (int i = 0; i < 100; i++)
		loop_once(&r, b, i % 3);
	loop_once(&r, b, -1);
	assert_int_equal(seen.n, 100);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(seen.list[i].watch, 3);
		assert_int_equal(seen.list[i].pc, CODE_BASE + i % 3 * 8);
	}
	close_sampler(&r);
}

static const struct mix mix = {
	.loads = 60, .stores = 30, .muls = 10, .divs = 3, .blocks = 300,
	.length = 20, .taken = 128, .data = 1 << 17,
};

/* A block of one instruction that nothing was executed of. */
static u64
static_count(const struct block *b, unsigned signal)
{
	/* What these are less than is. */
	if (signal == SIG_DACCESS_LOAD)
		signal = SIG_DACCESS;
	if (signal == SIG_STORE_HIT)
		signal = SIG_DACCESS_STORE;
	if (signal == SIG_RETURN_PRED)
		signal = SIG_RETURN;
	if (signal == SIG_SC_FAILED)
		signal = SIG_INSN_SC;
	for (unsigned i = 0; i < b->n_count + (unsigned)b->n_stall; i++)
		if (b->count[i].signal == signal)
			return b->count[i].n;
	return 0;
}

/* Sixteen signals, from the first on: seen by watches as by counters. */
static void
conserve(unsigned first, unsigned threads)
{
	struct walk w[3] = {{.rnd = 7, .data_rnd = 9, .data = DATA_BASE},
			    {.rnd = 8, .data_rnd = 3, .data = DATA_BASE},
			    {.rnd = 9, .data_rnd = 5, .data = DATA_BASE}};
	unsigned overflows = 0, n = SIG_N - first;
	struct block *last;
	struct rig r;

	n = n > SAMPLE_WATCHES ? SAMPLE_WATCHES : n;
	open_sampler(&r);
	rig_program(&r, &mix, 5, CODE_BASE);
	for (unsigned i = 0; i < n; i++)
		watch(&r, i, first + i, 100);
	for (unsigned t = 0; t < 3; t++)
		w[t].blocks = r.n;
	if (threads)
		run_merged(&r, w, &mix, threads, 3000);
	else
		run_watched(&r, &w[0], &mix, 5000, enter_block,
			    sample_access);
	last = r.block[0];
	core_enter(r.core, last);
	for (unsigned i = 0; i < n; i++) {
		struct pmu_select select = select_signal(first + i);
		u64 want = event_sum(&r.map, &select) -
			   static_count(last, first + i);
		u64 have = happenings(r.core, i);

		/* Of a jump that is not over, a group may be thrown away. */
		if (first + i == SIG_IFETCH)
			assert_in_range(have, want - 2, want);
		else
			assert_int_equal(have, want);
		overflows += (unsigned)(have / 100);
	}
	assert_int_equal(seen.n, overflows);
	close_sampler(&r);
}

static void
nothing_is_lost(void **state)
{
	(void)state;
	for (unsigned first = 0; first < SIG_N; first += SAMPLE_WATCHES)
		conserve(first, 0);
}

static void
nothing_is_lost_between_threads(void **state)
{
	(void)state;
	for (unsigned first = 0; first < SIG_N; first += SAMPLE_WATCHES) {
		conserve(first, 1);
		conserve(first, 3);
	}
}

/* The same on one context, which they share. */
static void
nothing_is_lost_in_turns(void **state)
{
	(void)state;
	signal_contexts = 1;
	for (unsigned first = 0; first < SIG_N; first += SAMPLE_WATCHES)
		conserve(first, 3);
	signal_contexts = 5;
}

/* Watching changes nothing of what is watched. */
static void
watching_does_not_disturb(void **state)
{
	u64 sum[2][SIG_N];

	(void)state;
	for (unsigned on = 0; on < 2; on++) {
		struct walk w = {.rnd = 7, .data_rnd = 9, .data = DATA_BASE};
		struct rig r;

		rig_open(&r, signal_config());
		rig_program(&r, &mix, 5, CODE_BASE);
		w.blocks = r.n;
		if (on) {
			assert_non_null(sample_new(r.core, r.slot->sig, 0));
			watch(&r, 0, SIG_CYCLE_ISSUE, 10);
		}
		if (on)
			run_watched(&r, &w, &mix, 5000, enter_block,
				    sample_access);
		else
			run_fast(&r, &w, &mix, 5000);
		pending_until(r.core, ~0ull - 1);
		core_settle(r.core);
		machine_signals(&r.map, MODE_USER, -1, -1, sum[on]);
		if (on)
			sample_free(r.core);
		rig_close(&r);
	}
	assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
}

/* All cycles, as one event. */
static struct sim_config *
cycles_config(bool hardware)
{
	struct sim_config *config = signal_config();
	struct sim_event *e = &config->event[SIG_CYCLE_ISSUE];

	config->pipe.refill_is_hardware = hardware;
	e->n = 0;
	for (u8 g = SIG_CYCLE_ISSUE; g <= SIG_ALU_WBB; g++)
		e->term[e->n++] = (struct event_term){
			.signal = g, .factor = 1};
	return config;
}

/*
 * While cycles alone are watched, blocks are skipped: overflows are the same
 * as with another watch, for which they are not.
 */
static void
skipped_blocks_change_nothing(void **state)
{
	static struct sample skipped[SEEN];
	unsigned n = 0;

	(void)state;
	for (unsigned run = 0; run < 4; run++) {
		struct walk w = {.rnd = 3, .data_rnd = 4, .data = DATA_BASE};
		struct rig r;

		rig_open(&r, cycles_config(run < 2));
		rig_program(&r, &mix, 6, CODE_BASE);
		w.blocks = r.n;
		assert_non_null(sample_new(r.core, r.slot->sig, 0));
		seen.n = 0;
		watch(&r, 0, SIG_CYCLE_ISSUE, 9000);
		if (run & 1)
			watch(&r, 1, SIG_INSN, 1ull << 40);
		for (unsigned i = 0; i < 10; i++) {
			run_watched(&r, &w, &mix, 3000, enter_block,
				    sample_access);
			assert_int_equal(happenings(r.core, 0) / 9000, seen.n);
		}
		assert_in_range(seen.n, 100, SEEN);
		if (run & 1) {
			assert_int_equal(seen.n, n);
			for (unsigned i = 0; i < n; i++) {
				assert_int_equal(seen.list[i].pc, skipped[i].pc);
				assert_int_equal(seen.list[i].cycle,
						 skipped[i].cycle);
			}
		}
		n = seen.n;
		memcpy(skipped, seen.list, n * sizeof *skipped);
		close_sampler(&r);
	}
}

static void
jitter_repeats(void **state)
{
	struct sample first[100];

	(void)state;
	for (unsigned run = 0; run < 2; run++) {
		struct sample_watch w = {
			.select = select_signal(SIG_INSN), .first = 64,
			.period = 64, .jitter = 16, .seed = 1, .fn = see};
		unsigned at[8] = {0};
		struct rig r;
		struct block *b;

		open_sampler(&r);
		b = loop_block(&r);
		assert_int_equal(sample_set(r.core, 0, &w), 0);
		while (seen.n < 100)
			loop_once(&r, b, -1);
		/* A period of 64 would always hit the block's end. */
		for (unsigned i = 0; i < 100; i++)
			at[(seen.list[i].pc - CODE_BASE) / 4]++;
		for (unsigned i = 0; i < 8; i++)
			assert_true(at[i] > 0);
		if (!run)
			memcpy(first, seen.list, sizeof first);
		else
			assert_memory_equal(first, seen.list, sizeof first);
		close_sampler(&r);
	}
}

static void
shared_distance(void **state)
{
	sample_distance left = 100 * SAMPLE_TENTHS;
	struct sample_watch w = {
		.select = select_signal(SIG_INSN), .first = 1,
		.period = 100, .shared = &left, .fn = see};
	struct rig r[2];
	struct block *b[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		open_sampler(&r[i]);
		b[i] = loop_block(&r[i]);
		assert_int_equal(sample_set(r[i].core, 0, &w), 0);
	}
	for (unsigned i = 0; i < 200; i++)
		loop_once(&r[i / 7 % 2], b[i / 7 % 2], -1);
	/* Each is in a block that is not over. */
	assert_int_equal(seen.n, 198 * 8 / 100);
	sample_end(r[0].core);
	sample_end(r[1].core);
	/* 1600 instructions. */
	assert_int_equal(seen.n, 16);
	assert_int_equal(left, 100 * SAMPLE_TENTHS);
	close_sampler(&r[0]);
	close_sampler(&r[1]);
}

/* The one that has borrowed lets the others wait: they overflow late rather
 * than early, and what is due is made up for when the loans are back. */
static void
nothing_overflows_early(void **state)
{
	sample_distance left = 1000 * SAMPLE_TENTHS;
	struct sample_watch w = {
		.select = select_signal(SIG_INSN), .first = 1,
		.period = 1000, .shared = &left, .fn = see};
	struct rig r[5];
	struct block *b[5];
	unsigned loops = 0;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		open_sampler(&r[i]);
		b[i] = loop_block(&r[i]);
		assert_int_equal(sample_set(r[i].core, 0, &w), 0);
	}
	for (unsigned i = 0; i < 4000; i++) {
		unsigned next = i < 20 ? i % 5 : i / 31 * 7 % 5;

		loop_once(&r[next], b[next], -1);
		loops++;
		assert_true(seen.n * 1000 <= loops * 8);
	}
	for (unsigned i = 0; i < 5; i++)
		sample_end(r[i].core);
	assert_int_equal(seen.n, loops * 8 / 1000);
	/* At the end of the last block of the one that gave its loan back. */
	assert_int_equal(seen.list[seen.n - 1].pc, CODE_BASE + 7 * 4);
	assert_int_equal(left, (1000 - loops * 8 % 1000) * SAMPLE_TENTHS);
	for (unsigned i = 0; i < 5; i++)
		close_sampler(&r[i]);
}

static struct rig *again;

/* At an overflow: the same watch from the beginning, another event. */
static void
change(void *arg, const struct sample *sample)
{
	see(arg, sample);
	watch(again, 0, SIG_INSN_LOAD, 3);
}

static void
set_at_an_overflow(void **state)
{
	struct sample_watch w = {.select = select_signal(SIG_INSN),
				 .first = 12, .fn = change};
	struct rig r;
	struct block *b;

	(void)state;
	open_sampler(&r);
	again = &r;
	b = loop_block(&r);
	assert_int_equal(sample_set(r.core, 0, &w), 0);
	/* In the second block; found when the third one is entered, so that
	 * the fourth one is the first whose loads count. */
	for (unsigned i = 0; i < 6; i++)
		loop_once(&r, b, -1);
	assert_int_equal(seen.n, 3);
	assert_int_equal(seen.list[0].pc, CODE_BASE + 3 * 4);
	assert_int_equal(seen.list[1].pc, CODE_BASE + 4 * 4);
	assert_int_equal(seen.list[2].pc, CODE_BASE + 4 * 4);
	sample_clear(r.core, 0);
	loop_once(&r, b, -1);
	loop_once(&r, b, -1);
	assert_int_equal(seen.n, 3);
	close_sampler(&r);
}

static void
only_once_without_a_period(void **state)
{
	struct sample_watch w = {.select = select_signal(SIG_INSN),
				 .first = 12, .fn = see};
	struct rig r;
	struct block *b;

	(void)state;
	open_sampler(&r);
	b = loop_block(&r);
	assert_int_equal(sample_set(r.core, 0, &w), 0);
	for (unsigned i = 0; i < 1000; i++)
		loop_once(&r, b, -1);
	assert_int_equal(seen.n, 1);
	w.first = 0;
	assert_int_equal(sample_set(r.core, 0, &w), -EINVAL);
	w = (struct sample_watch){.select = {.event = -1}, .first = 1};
	assert_int_equal(sample_set(r.core, 0, &w), -EINVAL);
	close_sampler(&r);
}

static u64 ticks[64];
static unsigned n_ticks;

static void
tick(void *arg, u64 cycle)
{
	*(u64 *)arg += 1;
	ticks[n_ticks++ % 64] = cycle;
}

static void
ticks_come_in_time(void **state)
{
	u64 counted = 0, start;
	struct rig r;
	struct block *b;

	(void)state;
	open_sampler(&r);
	b = loop_block(&r);
	loop_once(&r, b, -1);
	start = core_cycle(r.core);
	sample_tick(r.core, 1, 1000, tick, &counted);
	for (unsigned i = 0; i < 2000; i++)
		loop_once(&r, b, -1);
	assert_int_equal(counted, (core_cycle(r.core) - start) / 1000);
	for (unsigned i = 0; i < counted && i < 64; i++)
		assert_int_equal(ticks[i], start + (i + 1) * 1000);
	/* In between, no block is looked at. */
	assert_true(r.core->deadline > CYCLES(core_cycle(r.core) + 0));
	sample_tick(r.core, 1, 0, NULL, NULL);
	start = counted;
	for (unsigned i = 0; i < 2000; i++)
		loop_once(&r, b, -1);
	assert_int_equal(counted, start);
	close_sampler(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_instruction_is_found),
		cmocka_unit_test(misses_belong_to_their_access),
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(nothing_is_lost_between_threads),
		cmocka_unit_test(nothing_is_lost_in_turns),
		cmocka_unit_test(watching_does_not_disturb),
		cmocka_unit_test(skipped_blocks_change_nothing),
		cmocka_unit_test(jitter_repeats),
		cmocka_unit_test(shared_distance),
		cmocka_unit_test(nothing_overflows_early),
		cmocka_unit_test(set_at_an_overflow),
		cmocka_unit_test(only_once_without_a_period),
		cmocka_unit_test(ticks_come_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
