/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contexts on one pipeline, and a naive version of that: it looks at each
 * context in each cycle, and at each operand of each instruction.  All that
 * is counted has to be the same.
 */
#include "merge_fixture.h"
#include "threads/merge_internal.h"

static const struct mix mixes[] = {
	{.loads = 50, .stores = 25, .muls = 4, .divs = 1, .blocks = 60,
	 .length = 8, .taken = 128, .data = 16384},
	{.loads = 60, .stores = 30, .muls = 40, .divs = 8, .blocks = 40,
	 .length = 30, .taken = 200, .data = 4096},
	{.loads = 60, .stores = 30, .muls = 4, .blocks = 40, .length = 12,
	 .taken = 200, .data = 1u << 20, .stride = 4},
	{.loads = 60, .stores = 30, .blocks = 70, .length = 25, .taken = 90,
	 .data = 200000},
	{.loads = 10, .stores = 5, .blocks = 20, .length = 40, .taken = 128,
	 .data = 4096},
};

/* The thread that can issue first, or NULL; *dry needs records, *asked: it was
 * looked up what it needs, which can keep others from issuing. */
static struct context *
first_of_all(struct merge *m, struct context **dry, bool *asked)
{
	struct context *best = NULL;

	*asked = false;
	*dry = NULL;
	for (u32 k = 0; k < m->n; k++) {
		struct context *x = &m->tc[(m->last - m->tc + 1 + k) % m->n];

		if (!x->first)
			continue;
		*asked |= !x->known;
		if (!context_prepare(m, x) && !x->first)
			continue;
		if (!x->known) {
			*dry = x;
			return NULL;
		}
		if (x->at <= core_cycle(m->core))
			return x;
		if (!best || x->at < best->at)
			best = x;
	}
	return best;
}

/* The context that issues next, or NULL; *dry needs records. */
static struct context *
naive_choose(struct merge *m, struct context **dry)
{
	struct context *x;
	bool asked;

	do
		x = first_of_all(m, dry, &asked);
	while (x && asked && x->at > core_cycle(m->core));
	return x;
}

static struct merge_queue *
naive_advance(struct merge *m)
{
	struct context *x, *dry;

	m->planned = m->plain = false;
	while ((x = naive_choose(m, &dry))) {
		if (x->at > core_cycle(m->core))
			context_pass_gap(m, x, x->at);
		m->last = x;
		context_issue(m, x);
	}
	return dry ? dry->first : NULL;
}

/* Threads of a mix; each has code and data of its own. */
static void
run(struct rig *r, const struct sim_config *config, const struct mix *mix,
    unsigned threads, merge_advance_fn *advance)
{
	struct walk w[SIM_MAX_TC];

	rig_open(r, config);
	for (unsigned i = 0; i < threads; i++) {
		w[i] = (struct walk){
			.rnd = 5 + i, .data_rnd = 36 + 7 * i,
			.first = r->n, .blocks = mix->blocks, .times = i + 1,
			.data = DATA_BASE + i * 0x1000000ull};
		rig_program(r, mix, 99 + i, CODE_BASE + i * 0x3040u);
	}
	run_merged_by(r, w, mix, threads, 1500, advance);
}

static void
compare(const struct sim_config *config, const struct mix *mix,
	unsigned threads)
{
	struct rig naive, quick;

	run(&naive, config, mix, threads, naive_advance);
	run(&quick, config, mix, threads, merge_advance);
	assert_int_equal(core_cycle(quick.core), core_cycle(naive.core));
	for (unsigned tc = 0; tc < config->topo.tcs; tc++)
		for (unsigned s = 0; s < SIG_N; s++)
			if (quick.slot->sig[tc][s] != naive.slot->sig[tc][s])
				fail_msg("%s of context %u of %u threads",
					 signal_name(s), tc, threads);
	rig_close(&quick);
	rig_close(&naive);
}

static void
compare_all(const struct sim_config *config)
{
	for (unsigned i = 0; i < SIM_COUNT(mixes); i++)
		for (unsigned threads = 1; threads <= 7; threads++)
			compare(config, &mixes[i], threads);
}

static void
a_34k(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	compare_all(&config);
}

/* Two contexts with TLBs of their own, short slices; a refill that the hardware
 * does. */
static void
fewer_contexts(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	config.topo.tcs = 2;
	config.topo.vpe_of_tc[1] = 1;
	config.topo.time_slice = 300;
	config.pipe.refill_is_hardware = true;
	config.pipe.taken_bubble = 3;
	config.pipe.wrong_bubble = 2;
	config.pipe.store_data_slack = 0;
	config.itlb.owner = config.dtlb.owner = TLB_OF_CONTEXT;
	config.itlb.entries = config.dtlb.entries = 3;
	compare_all(&config);
}

/* Much that is computed is waited for, whichever thread issues in between. */
static void
late_operands(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	for (unsigned i = 0; i < CLASS_N; i++)
		config.pipe.cls[i].latency += i % 4;
	config.pipe.load_use = 4;
	config.pipe.load_address = 7;
	config.pipe.alu_address = 3;
	config.pipe.store_data_slack = 2;
	compare_all(&config);
}

/* Long latencies, small buffers, a cache that is not of the usual kind. */
static void
a_slow_machine(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	for (unsigned i = 0; i < CLASS_N; i++)
		config.pipe.cls[i].latency += 3;
	config.pipe.load_use = 9;
	config.pipe.load_address = 11;
	config.pipe.alu_address = 6;
	config.mem.fsb = config.mem.ldq = config.mem.wbb = 2;
	config.jtlb.entries = 8;
	config.l1d.ways = 2;
	config.branch.kind = PREDICT_GSHARE;
	config.branch.history_bits = 8;
	config.branch.return_one_owner = false;
	config.dtlb.owner = TLB_OF_VPE;
	compare_all(&config);
}

/* Clock ticks that take lines from what the contexts do. */
static void
ticks(void **state)
{
	struct sim_config config;
	struct ledger_config *ledger = &config.ledger;

	(void)state;
	merge_config(&config);
	config.tick_evicts = true;
	ledger->tick_cycles = 700;
	ledger->tick_code = 1280;
	ledger->tick_data = 800;
	ledger->tick_stored = 400;
	compare_all(&config);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_34k),
		cmocka_unit_test(fewer_contexts),
		cmocka_unit_test(late_operands),
		cmocka_unit_test(a_slow_machine),
		cmocka_unit_test(ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
