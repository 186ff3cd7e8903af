/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts per instruction: the right ones, and all of them. */
#include "signal_fixture.h"
#include "machine/machine_profile.h"
#include "watch/profile.h"
#include "machine/pmu.h"

static struct profiler profiler;

static void
open_profile(struct rig *r, const unsigned *signal, unsigned n)
{
	struct pmu_select select[MACHINE_PROFILE];

	rig_open(r, signal_config());
	for (unsigned i = 0; i < n; i++)
		select[i] = select_signal(signal[i]);
	assert_int_equal(profiler_init(&profiler, &r->map.m->config, select,
				       n), 0);
	profiler_attach(r->core, &profiler);
	profiler_resync(r->core, r->slot->sig, 0);
}

/* Gives each block of the rig a record. */
static void
fill_records(struct rig *r)
{
	struct profile_segment *s = machine_profile_take(&r->map, 1);

	assert_non_null(s);
	for (unsigned i = 0; i < r->n; i++) {
		struct profile_block *p =
			(void *)((char *)s + s->head.used);

		assert_int_equal(profile_fill(&profiler, p, r->block[i],
					      &r->map.m->config), 0);
		s->head.used += p->bytes;
		assert_true(s->head.used <= MACHINE_SEGMENT);
		block_widen(r->block[i], fixture_alloc)->profile = p;
	}
}

/* Of one instruction, or all (-1), in tenths. */
static s64
count_in(const struct profile_block *p, int only, unsigned event)
{
	s64 sum = 0;

	for (unsigned i = 0; i < p->n_insn; i++) {
		unsigned at = i * p->n_event + event;

		if (only >= 0 && (unsigned)only != i)
			continue;
		sum += profile_happened(p)[at];
		sum += (s64)p->execs * profile_share(p)[at];
		sum += (s64)p->merged * profile_part(p)[at];
		for (unsigned o = 0; i == p->branch && o < BRANCH_OUTCOMES; o++)
			sum += (s64)p->outcome[o] *
			       profiler.event[event].outcome[p->shares][o];
	}
	return sum;
}

struct total {
	s64 sum[MACHINE_PROFILE];
	unsigned records;
};

static int
add_record(void *arg, u32 image, const struct profile_block *p)
{
	struct total *t = arg;

	assert_int_equal(image, 1);
	t->records++;
	for (unsigned e = 0; e < p->n_event; e++)
		t->sum[e] += count_in(p, -1, e);
	return 0;
}

static void
run_profiled(struct rig *r, struct walk *w, const struct mix *mix, unsigned n)
{
	run_watched(r, w, mix, n, profiler_enter, profiler_access);
	pending_until(r->core, ~0ull - 1);
}

static const struct mix mix = {
	.loads = 60, .stores = 30, .muls = 10, .divs = 3, .blocks = 300,
	.length = 20, .taken = 128, .data = 1 << 17,
};

/* All signals, eight at a time: records add up to what counters have. */
static void
conserve(unsigned first, unsigned threads)
{
	struct walk w[3] = {{.rnd = 7, .data_rnd = 9, .data = DATA_BASE},
			    {.rnd = 8, .data_rnd = 3, .data = DATA_BASE},
			    {.rnd = 9, .data_rnd = 5, .data = DATA_BASE}};
	unsigned signal[MACHINE_PROFILE], n = 0;
	struct total total = {{0}, 0};
	struct rig r;

	for (; n < MACHINE_PROFILE && first + n < SIG_N; n++)
		signal[n] = first + n;
	open_profile(&r, signal, n);
	rig_program(&r, &mix, 5, CODE_BASE);
	fill_records(&r);
	for (unsigned t = 0; t < 3; t++)
		w[t].blocks = r.n;
	run_profiled(&r, &w[0], &mix, 3000);
	if (threads)
		run_merged(&r, w, &mix, threads, 2000);
	core_settle(r.core);
	profiler_look(r.core);
	assert_int_equal(machine_profile_read(&r.map, add_record, &total), 0);
	assert_int_equal(total.records, r.n);
	for (unsigned i = 0; i < n; i++) {
		struct pmu_select select = select_signal(signal[i]);

		u64 have = (u64)total.sum[i] / SAMPLE_TENTHS;
		u64 want = event_sum(&r.map, &select);

		/* Of groups thrown away, each context has whole ones. */
		if (signal[i] == SIG_IFETCH)
			assert_in_range(have, want, want + threads);
		else
			assert_int_equal(have, want);
	}
	rig_close(&r);
}

static void
nothing_is_lost(void **state)
{
	(void)state;
	for (unsigned first = 0; first < SIG_N; first += MACHINE_PROFILE)
		conserve(first, 0);
}

static void
nothing_is_lost_between_threads(void **state)
{
	(void)state;
	for (unsigned first = 0; first < SIG_N; first += MACHINE_PROFILE)
		conserve(first, 3);
}

/* The same on one context, which they share. */
static void
nothing_is_lost_in_turns(void **state)
{
	(void)state;
	signal_contexts = 1;
	for (unsigned first = 0; first < SIG_N; first += MACHINE_PROFILE)
		conserve(first, 3);
	signal_contexts = 5;
}

/* Event 0 has all cycles; by_time: without asking signals. */
static void
open_cycles(struct rig *r, bool by_time)
{
	struct pmu_select select = select_signal(0);
	struct sim_config *config = signal_config();
	struct sim_event *cycles = &config->event[0];

	cycles->n = 0;
	for (unsigned g = SIG_CYCLE_ISSUE; g <= SIG_ALU_WBB; g++)
		cycles->term[cycles->n++] = (struct event_term){
			.signal = (u16)g, .factor = 1};
	rig_open(r, config);
	assert_int_equal(profiler_init(&profiler, &r->map.m->config, &select,
				       1), 0);
	if (by_time) {
		profiler_use_time(&profiler, r->core);
		assert_true(profiler.elapsed);
	}
	profiler_attach(r->core, &profiler);
	profiler_resync(r->core, r->slot->sig, 0);
}

/* What each instruction has after a run of one thread, then of two. */
static void
run_cycles(struct rig *r, bool by_time)
{
	struct walk w[2] = {{.rnd = 7, .data_rnd = 9, .data = DATA_BASE},
			    {.rnd = 8, .data_rnd = 3, .data = DATA_BASE}};

	open_cycles(r, by_time);
	rig_program(r, &mix, 5, CODE_BASE);
	fill_records(r);
	for (unsigned t = 0; t < 2; t++)
		w[t].blocks = r->n;
	run_profiled(r, &w[0], &mix, 3000);
	run_merged(r, w, &mix, 2, 1000);
	run_profiled(r, &w[0], &mix, 3000);
	core_settle(r->core);
	profiler_look(r->core);
}

static void
time_tells_what_signals_do(void **state)
{
	struct rig by_time, by_signal;
	s64 sum = 0;

	(void)state;
	run_cycles(&by_signal, false);
	run_cycles(&by_time, true);
	for (unsigned i = 0; i < by_time.n; i++)
		for (unsigned k = 0; k < by_time.block[i]->n_insn; k++) {
			s64 n = count_in(block_profile(by_time.block[i]),
					 (int)k, 0);

			assert_int_equal(n, count_in(block_profile(
				by_signal.block[i]), (int)k, 0));
			sum += n;
		}
	assert_true(sum > 100000);
	rig_close(&by_signal);
	rig_close(&by_time);
}

/* Loads at 0, 2, 4, a divide at 5 and its reader at 6, a branch at 7. */
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
	in[5].cls = CLASS_DIV;
	in[5].dst[0] = REG_HILO;
	in[6].src[0] = REG_HILO;
	in[7].branch = BRANCH_DIRECT_COND;
	return rig_block(r, in, 8);
}

static void
each_instruction_has_its_own(void **state)
{
	static const unsigned signal[] = {
		SIG_INSN, SIG_INSN_LOAD, SIG_DCACHE_FILL, SIG_ALU_MDU,
		SIG_BRANCH_TAKEN, SIG_BRANCH_MISS, SIG_CYCLE_ISSUE,
		SIG_ICACHE_MISS};
	u64 misses[8] = {0};
	struct rig r;
	struct block *b;
	struct profile_block *p;

	(void)state;
	open_profile(&r, signal, SIM_COUNT(signal));
	b = loop_block(&r);
	fill_records(&r);
	p = block_profile(b);
	for (unsigned i = 0; i < 1000; i++) {
		profiler_enter(r.core, b);
		for (unsigned k = 0; k < 3; k++) {
			const struct block_access *a = &block_access(b->detail)[k];
			u64 va = DATA_BASE;

			if (i % (k + 2) == 1) {
				va = DATA_BASE + 4096 + (i * 4 + k) * 32;
				misses[a->insn]++;
			}
			if (!fast_data(r.core, a, va, 2, 0)) {
				core_data(r.core, a, va, 4, false);
				profiler_access(r.core, a->insn);
			}
		}
	}
	profiler_look(r.core);
	misses[0]++;		/* the line at DATA_BASE */
	for (int i = 0; i < 8; i++) {
		assert_int_equal(profile_offset(p)[i], i * 4);
		assert_int_equal(count_in(p, i, 0), 10000);
		assert_int_equal(count_in(p, i, 1), i % 2 || i > 4 ? 0 : 10000);
		assert_int_equal(count_in(p, i, 2), misses[i] * 10);
		/* The reader waits 35 cycles for the divide. */
		assert_int_equal(count_in(p, i, 3), i == 6 ? 350000 : 0);
		assert_int_equal(count_in(p, i, 4), i == 7 ? 9990 : 0);
		assert_int_equal(count_in(p, i, 6), 10000);
		assert_int_equal(count_in(p, i, 7), i == 0 ? 10 : 0);
	}
	/* The predictor begins with "not taken". */
	assert_int_equal(count_in(p, 7, 5), 10);
	rig_close(&r);
}

/* A child has the blocks of its parent, and counts of its own. */
static void
a_child_begins_with_nothing(void **state)
{
	static const unsigned signal[] = {SIG_INSN};
	struct profile_block *p;
	struct rig r;
	struct block *b;

	(void)state;
	open_profile(&r, signal, 1);
	b = loop_block(&r);
	fill_records(&r);
	p = block_profile(b);
	profiler_enter(r.core, b);
	profiler_look(r.core);
	assert_int_equal(count_in(p, -1, 0), 80);
	assert_int_equal(machine_profile_fork(&r.map, 2, (char *)p -
					      MACHINE_FIRST_BLOCK), 0);
	assert_int_equal(count_in(p, -1, 0), 0);
	assert_int_equal(profile_offset(p)[7], 28);
	profiler_child(r.core);
	profiler_enter(r.core, b);
	assert_int_equal(count_in(p, -1, 0), 80);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(nothing_is_lost_between_threads),
		cmocka_unit_test(nothing_is_lost_in_turns),
		cmocka_unit_test(time_tells_what_signals_do),
		cmocka_unit_test(each_instruction_has_its_own),
		cmocka_unit_test(a_child_begins_with_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
