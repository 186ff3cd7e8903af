/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The merged contexts: known answers, and agreement with the fast path. */
#include "merge_fixture.h"

static const struct mix easy = {
	.loads = 50, .stores = 25, .muls = 4, .divs = 1, .blocks = 60,
	.length = 8, .taken = 128, .data = 16384, .stride = 0};
static const struct mix streams = {
	.loads = 60, .stores = 30, .muls = 4, .blocks = 40, .length = 12,
	.taken = 200, .data = 1u << 20, .stride = 4};
static const struct mix scattered = {
	.loads = 60, .stores = 30, .muls = 0, .blocks = 300, .length = 10,
	.taken = 90, .data = 200000, .stride = 0};

/* What must be equal, whichever way a single context ran. */
static const u16 exact[] = {
	SIG_INSN, SIG_INSN_LOAD, SIG_INSN_STORE, SIG_INSN_MUL, SIG_INSN_DIV,
	SIG_BRANCH_COND, SIG_BRANCH_TAKEN, SIG_BRANCH_MISS, SIG_JUMP,
	SIG_CALL, SIG_JUMP_IND, SIG_JUMP_IND_MISS, SIG_RETURN,
	SIG_RETURN_MISS, SIG_RETURN_NOPRED, SIG_IFETCH, SIG_ICACHE_MISS,
	SIG_ITLB_MISS, SIG_JTLB_I_MISS, SIG_DACCESS, SIG_DCACHE_FILL,
	SIG_DCACHE_WB, SIG_DTLB_MISS, SIG_JTLB_D_MISS, SIG_CYCLE_ISSUE,
	SIG_CYCLE_KILLED, SIG_OS_PAGE, SIG_BRANCH_MISS_TAKEN, SIG_JUMP_MISS,
	SIG_BRANCH_DECODE, SIG_BTB_HIT, SIG_BTB_MISS, SIG_BTB_TAKEN_OR_HIT,
	SIG_TLB_DOUBLE,
};

static void
near(u64 a, u64 b, unsigned permille, const char *what)
{
	u64 more = a > b ? a - b : b - a;

	if (more * 1000 > b * permille)
		fail_msg("%s: %llu is not near %llu", what,
			 (unsigned long long)a, (unsigned long long)b);
}

static struct walk
start_walk(const struct mix *mix, unsigned thread, u32 seed)
{
	return (struct walk){
		.rnd = seed, .data_rnd = seed * 7 + 1, .blocks = mix->blocks,
		.data = DATA_BASE + thread * 0x1000000ull};
}

/* The same walk on the fast path and through the merge; the caller closes. */
static void
run_both(struct rig *fast, struct rig *merged, const struct sim_config *config,
	 const struct mix *mix, unsigned blocks)
{
	struct walk w = start_walk(mix, 0, 5);

	rig_open(fast, config);
	rig_program(fast, mix, 99, CODE_BASE);
	run_fast(fast, &w, mix, blocks);
	rig_open(merged, config);
	rig_program(merged, mix, 99, CODE_BASE);
	w = start_walk(mix, 0, 5);
	run_merged(merged, &w, mix, 1, blocks);
}

/* Bubbles overlap with waiting for registers only where time is worked out
 * cycle by cycle. */
static void
agree_within(const struct sim_config *config, const struct mix *mix,
	     unsigned blocks, unsigned permille)
{
	struct rig fast, merged;

	run_both(&fast, &merged, config, mix, blocks);
	for (unsigned i = 0; i < SIM_COUNT(exact); i++)
		if (rig_count(&merged, exact[i]) != rig_count(&fast, exact[i]))
			fail_msg("%s", signal_name(exact[i]));
	near(rig_cycles(&merged), rig_cycles(&fast), permille, "cycles");
	rig_close(&merged);
	rig_close(&fast);
}

static void
agree_on(const struct sim_config *config, const struct mix *mix,
	 unsigned blocks)
{
	agree_within(config, mix, blocks, 5);
}

static void
agree(const struct mix *mix, unsigned blocks)
{
	struct sim_config config;

	merge_config(&config);
	agree_on(&config, mix, blocks);
}

/* One context: all signals are those of the fast path. */
static void
equal_on(const struct sim_config *config, const struct mix *mix,
	 unsigned blocks)
{
	u64 of_fast[SIG_N], of_merged[SIG_N];
	struct rig fast, merged;

	run_both(&fast, &merged, config, mix, blocks);
	pending_until(merged.core, ~0ull - 1);
	core_take_back(fast.core);
	core_take_back(merged.core);
	assert_int_equal(core_cycle(merged.core), core_cycle(fast.core));
	machine_signals(&fast.map, MODE_USER, -1, -1, of_fast);
	machine_signals(&merged.map, MODE_USER, -1, -1, of_merged);
	/* The fast path counts those if they are asked for. */
	of_fast[SIG_STORE_HIT] = of_merged[SIG_STORE_HIT];
	for (unsigned g = 0; g < SIG_N; g++)
		if (of_merged[g] != of_fast[g])
			fail_msg("%s: %llu, not %llu", signal_name(g),
				 (unsigned long long)of_merged[g],
				 (unsigned long long)of_fast[g]);
	rig_close(&merged);
	rig_close(&fast);
}

static void
single_config(struct sim_config *config)
{
	merge_config(config);
	config->topo.tcs = config->topo.vpes = 1;
}

/* The data side of the machines there are: usual caches, and others with
 * another level behind them. */
static void
one_context_counts_as_the_fast_path(void **state)
{
	static const struct mix *const mix[] = {&easy, &streams, &scattered};

	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(mix); i++) {
		struct sim_config config;

		single_config(&config);
		equal_on(&config, mix[i], 50000);
		config.l2 = (struct cache_config){
			.size = 65536, .ways = 2, .line = 32, .latency = 8};
		equal_on(&config, mix[i], 50000);
		config.l1d.size = 8192;
		config.l1d.ways = 2;
		config.l1d.no_write_allocate = true;
		config.mem.ordered = config.pipe.watch_alignment = true;
		config.pipe.issue = (struct issue_config){
			.rule = ISSUE_PAIRS, .width = 2, .banks = 8,
			.bank_bytes = 4};
		equal_on(&config, mix[i], 50000);
		config.l1d.ways = 1;
		config.l1d.write_through = true;
		config.mem.ordered = false;
		config.mem.wbb_bytes = 32;
		config.mem.wbb_drain_at = 2;
		config.mem.wbb_cycles = 4;
		equal_on(&config, mix[i], 50000);
	}
}

/* More than one instruction per cycle, by each rule, on one context. */
static void
agrees_on_wide_issue(void **state)
{
	struct sim_config config;
	struct issue_config *rule = &config.pipe.issue;

	(void)state;
	single_config(&config);
	*rule = (struct issue_config){.rule = ISSUE_PAIRS, .width = 2};
	equal_on(&config, &easy, 50000);
	equal_on(&config, &streams, 50000);
	*rule = (struct issue_config){
		.rule = ISSUE_BUNDLES, .width = 6, .bundles = 2, .units_m = 2,
		.units_i = 2, .units_f = 2, .units_b = 3, .units_load = 2,
		.units_store = 2};
	equal_on(&config, &easy, 50000);
	*rule = (struct issue_config){
		.rule = ISSUE_SLOTS, .width = 4, .group_bytes = 16};
	for (unsigned i = 0; i < CLASS_N; i++)
		config.pipe.cls[i].ports = 3;
	for (unsigned i = 0; i < FORM_N; i++)
		rule->ports[i] = 7;
	equal_on(&config, &easy, 50000);
	equal_on(&config, &scattered, 50000);
}

/* Predictors with a structure of their own, page tables behind the TLBs. */
static void
agrees_on_other_machines(void **state)
{
	static const struct branch_config branch[] = {
		{.kind = PREDICT_BTB, .entries = 64, .ways = 4, .initial = 3},
		{.kind = PREDICT_BTB, .entries = 128, .ways = 4, .initial = 2,
		 .history_bits = 4, .static_backward = true,
		 .decode_redirect = 5, .return_entries = 16},
		{.kind = PREDICT_ICACHE, .pc_shift = 2, .counter_bits = 2,
		 .return_entries = 12},
		{.kind = PREDICT_TOURNAMENT, .initial = 1, .pc_shift = 2,
		 .entries = 1024, .history_bits = 10, .global_bits = 12,
		 .counter_bits = 3, .return_entries = 32,
		 .target_entries = 64},
	};
	struct sim_config config;

	(void)state;
	merge_config(&config);
	config.jtlb.entries = 0;
	config.dtlb.entries = 64;
	for (unsigned i = 0; i < 2 * SIM_COUNT(branch); i++) {
		config.topo.tcs = i & 1 ? 1 : 5;
		config.branch = branch[i / 2];
		config.dtlb.maps_tables = i & 2;
		config.pipe.refill_is_hardware = i & 2;
		if (i & 1) {
			equal_on(&config, &easy, 40000);
			equal_on(&config, &scattered, 40000);
			continue;
		}
		agree_within(&config, &easy, 40000, 15);
		agree_within(&config, &scattered, 40000, 15);
	}
}

static void
agrees_in_cache(void **state)
{
	(void)state;
	agree(&easy, 100000);
}

static void
agrees_on_streams(void **state)
{
	(void)state;
	agree(&streams, 100000);
}

static void
agrees_on_scattered(void **state)
{
	(void)state;
	agree(&scattered, 100000);
}

/* A program of one block: n instructions of a class, dst and src given. */
static struct block *
loop_block(struct rig *r, unsigned cls, unsigned n, bool chained, u64 pc)
{
	struct insn insn[64];

	for (unsigned i = 0; i < n; i++, pc += 4) {
		insn_init(&insn[i], pc, 4);
		insn[i].cls = (u8)cls;
		insn[i].dst[0] = (u8)(chained ? 1 : i + 1);
		insn[i].src[0] = (u8)(chained ? 1 : 30);
	}
	return rig_block(r, insn, n);
}

/* Runs block b times times on each of n contexts, after one for warmth;
 * returns the cycles. */
static u64
run_loops(struct rig *r, struct block **b, unsigned n, unsigned times)
{
	struct merge *m = merge_new(r->core);
	struct merge_queue q[SIM_MAX_TC];
	u64 start = 0;

	assert_non_null(m);
	merge_begin(m, r->slot->sig, 0);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(merge_queue_init(&q[i]), 0);
	for (unsigned k = 0; k < 2; k++) {
		start = core_cycle(r->core);
		for (unsigned i = 0; i < n; i++) {
			merge_admit(m, &q[i], i);
			for (unsigned t = 0; t < (k ? times : 1); t++)
				merge_queue_block(&q[i], b[i]);
			merge_leave(m, &q[i]);
		}
		assert_null(merge_advance(m));
	}
	start = core_cycle(r->core) - start;
	merge_end(m, NULL, 0);
	core_bind(r->core, r->slot, 0);
	for (unsigned i = 0; i < n; i++)
		merge_queue_free(&q[i]);
	merge_free(m);
	return start;
}

/* One context waits for the unit 4 of 5 cycles; five fill them all. */
static void
contexts_fill_each_others_stalls(void **state)
{
	static const struct {
		unsigned contexts, cycles;
	} known[] = {{1, 4996}, {2, 4997}, {4, 4999}, {5, 5000}};
	struct sim_config config;

	(void)state;
	merge_config(&config);
	for (unsigned i = 0; i < SIM_COUNT(known); i++) {
		struct block *b[5];
		struct rig r;

		rig_open(&r, &config);
		for (unsigned k = 0; k < 5; k++)
			b[k] = loop_block(&r, CLASS_MUL, 10, true,
					  CODE_BASE + 64 * k);
		assert_int_equal(run_loops(&r, b, known[i].contexts, 100),
				 known[i].cycles);
		rig_close(&r);
	}
}

/* Without stalls an instruction issues each cycle, of whichever thread. */
static void
one_issue_per_cycle(void **state)
{
	struct sim_config config;
	struct block *b[5];
	struct rig r;

	(void)state;
	merge_config(&config);
	rig_open(&r, &config);
	for (unsigned k = 0; k < 5; k++)
		b[k] = loop_block(&r, CLASS_ALU, 8 + k, false,
				  CODE_BASE + 64 * k);
	assert_int_equal(run_loops(&r, b, 5, 50),
			 50 * (8 + 9 + 10 + 11 + 12));
	rig_close(&r);
}

/*
 * Contexts that all want a line of their own at cycle 0 have two buffers: the
 * first two ask at once, the second for the bus at 16, the others when a buffer
 * is given back.  The lines come at 50, 66, 100 (asked for at 50), 116 (at 66)
 * and 150 (at 100).
 */
static void
the_fill_buffers_are_shared(void **state)
{
	static const unsigned busy[] = {50, 66, 100, 116, 150};
	struct sim_config config;

	(void)state;
	merge_config(&config);
	config.pipe.itlb_bubble = config.pipe.tlb_refill = 0;
	for (unsigned n = 1; n <= SIM_COUNT(busy); n++) {
		struct block *b[5];
		struct rig r;

		rig_open(&r, &config);
		for (unsigned k = 0; k < n; k++)
			b[k] = loop_block(&r, CLASS_ALU, 1, false,
					  CODE_BASE + 64 * k);
		run_loops(&r, b, n, 1);
		core_settle(r.core);
		for (unsigned k = 0; k < n; k++)
			assert_int_equal(r.slot->sig[k][SIG_IFB_FULL], k >= 2);
		assert_int_equal(rig_count(&r, SIG_IFB_BUSY), busy[n - 1]);
		rig_close(&r);
	}
}

/* A divider is one for all: contexts wait for each other's divisions. */
static void
the_divider_is_shared(void **state)
{
	struct sim_config config;
	struct block *b[2];
	struct rig r;

	(void)state;
	merge_config(&config);
	rig_open(&r, &config);
	b[0] = loop_block(&r, CLASS_DIV, 1, false, CODE_BASE);
	b[1] = loop_block(&r, CLASS_DIV, 1, false, CODE_BASE + 64);
	assert_in_range(run_loops(&r, b, 2, 100), 199 * 36 + 1, 200 * 36);
	assert_in_range(rig_count(&r, SIG_ALU_MDU), 199 * 35, 203 * 35);
	rig_close(&r);
}

/* Loads, then waits for that with a barrier. */
static struct block *
barrier_block(struct rig *r)
{
	struct insn insn[3];

	for (unsigned i = 0; i < SIM_COUNT(insn); i++)
		insn_init(&insn[i], CODE_BASE + 4 * i, 4);
	insn[0].flags = INSN_LOADS | INSN_MEM_KNOWN;
	insn[0].n_load = 1;
	insn[0].dst[0] = 1;
	insn[0].dst_loaded = true;
	insn[1].cls = CLASS_SYNC;
	insn[1].flags = INSN_IS_BARRIER | INSN_DRAINS;
	return rig_block(r, insn, SIM_COUNT(insn));
}

/*
 * The first load brings the page in, the second one a line of it: the barrier
 * issues a cycle later, and what is behind it the rest of 50 cycles later
 * still.  Where barriers do not drain, no thread waits.
 */
static void
a_barrier_waits_for_loads(void **state)
{
	(void)state;
	for (unsigned drains = 0; drains < 2; drains++) {
		struct sim_config config;
		struct merge_queue q;
		struct block *b;
		struct merge *m;
		struct rig r;
		u64 before = 0;

		merge_config(&config);
		config.pipe.barrier_drains = drains;
		rig_open(&r, &config);
		b = barrier_block(&r);
		m = merge_new(r.core);
		merge_begin(m, r.slot->sig, 0);
		assert_int_equal(merge_queue_init(&q), 0);
		for (unsigned i = 0; i < 2; i++) {
			before = rig_count(&r, SIG_ALU_BARRIER);
			merge_admit(m, &q, 0);
			merge_queue_block(&q, b);
			merge_queue_access(&q, block_access(b->detail),
					   DATA_BASE + 64 * i, 4, false);
			merge_leave(m, &q);
			assert_null(merge_advance(m));
		}
		assert_int_equal(rig_count(&r, SIG_ALU_BARRIER) - before,
				 drains ? 49 : 0);
		merge_end(m, NULL, 0);
		merge_queue_free(&q);
		merge_free(m);
		rig_close(&r);
	}
}

/* A branch-likely whose delay slot loads; where it goes, and what is behind
 * it. */
static void
likely_blocks(struct rig *r, struct block *b[3])
{
	struct insn insn[3];

	for (unsigned i = 0; i < 3; i++)
		insn_init(&insn[i], CODE_BASE + 4 * i, 4);
	insn[1].branch = BRANCH_DIRECT_COND;
	insn[1].flags = INSN_LIKELY;
	insn[2].flags = INSN_LOADS | INSN_MEM_KNOWN;
	insn[2].n_load = 1;
	insn[2].dst[0] = 1;
	insn[2].dst_loaded = true;
	b[0] = rig_block(r, insn, 3);
	b[1] = loop_block(r, CLASS_ALU, 4, false, CODE_BASE + 256);
	b[2] = loop_block(r, CLASS_ALU, 4, false, CODE_BASE + 12);
}

static void
access_slot(struct merge_queue *q, const struct block *b)
{
	const struct block_access *a = block_access(b->detail);

	assert_int_equal(merge_queue_access(q, a, DATA_BASE, 4, false), 0);
}

/* The caller that knows where the thread goes on says so, although it has not
 * been recorded: all is worked off, or the fast path goes on there. */
static void
run_likely(struct rig *r, struct block *b, struct block *next, bool taken,
	   bool leaves)
{
	struct merge *m = merge_new(r->core);
	struct merge_queue q;

	assert_int_equal(merge_queue_init(&q), 0);
	merge_begin(m, r->slot->sig, 0);
	core_record(r->core, true);
	merge_admit(m, &q, 0);
	merge_queue_block(&q, b);
	if (taken)
		access_slot(&q, b);
	merge_queue_commit(&q);
	q.ahead = next;
	if (!leaves) {
		merge_drain(m);
		merge_queue_block(&q, next);
	}
	merge_leave(m, &q);
	assert_null(merge_advance(m));
	merge_end(m, &q, 0);
	core_record(r->core, false);
	core_bind(r->core, r->slot, 0);
	if (leaves)
		enter_block(r->core, next);
	merge_queue_free(&q);
	merge_free(m);
}

static void
a_delay_slot_counts_if_the_branch_is_taken(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		bool taken = i & 1, leaves = i & 2;
		struct sim_config config;
		struct block *b[3];
		struct rig r;

		merge_config(&config);
		rig_open(&r, &config);
		likely_blocks(&r, b);
		run_likely(&r, b[0], b[taken ? 1 : 2], taken, leaves);
		assert_int_equal(rig_count(&r, SIG_INSN), 6 + taken);
		assert_int_equal(rig_count(&r, SIG_CYCLE_ISSUE), 6 + taken);
		assert_int_equal(rig_count(&r, SIG_INSN_LOAD), taken);
		assert_int_equal(rig_count(&r, SIG_DCACHE_MISS), taken);
		assert_int_equal(rig_count(&r, SIG_BRANCH_COND), 1);
		assert_int_equal(rig_count(&r, SIG_BRANCH_TAKEN), taken);
		rig_close(&r);
	}
}

/* Runs threads of a mix; each has code and data of its own.  One of them runs
 * three times as long as the others. */
static void
run_uneven(struct rig *r, const struct sim_config *config,
	   const struct mix *mix, unsigned threads, unsigned blocks,
	   unsigned longest)
{
	struct walk w[SIM_MAX_TC];

	rig_open(r, config);
	for (unsigned i = 0; i < threads; i++) {
		w[i] = start_walk(mix, i, 5 + i);
		w[i].first = r->n;
		w[i].times = i == longest ? 3 : 1;
		rig_program(r, mix, 99 + i, CODE_BASE + i * 0x3040u);
	}
	run_merged(r, w, mix, threads, blocks);
}

static void
run_threads(struct rig *r, const struct sim_config *config,
	    const struct mix *mix, unsigned threads, unsigned blocks)
{
	run_uneven(r, config, mix, threads, blocks, threads);
}

static void
every_cycle_has_one_bucket(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	config.pipe.tlb_refill = 0;
	for (unsigned n = 1; n <= 5; n++) {
		struct rig r;

		run_threads(&r, &config, &streams, n, 4000);
		assert_int_equal(rig_cycles(&r), core_cycle(r.core));
		assert_int_equal(rig_count(&r, SIG_CYCLE_ISSUE),
				 rig_count(&r, SIG_INSN));
		rig_close(&r);
	}
}

/*
 * On several CPUs each has buckets of its own; those of the CPU that works
 * longest add up to the time of the machine, and no CPU has more.
 */
static void
cycles_of_every_cpu_have_one_bucket(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	config.pipe.tlb_refill = 0;
	for (unsigned longest = 0; longest < 4; longest++) {
		struct rig r;

		config.topo.cpus = config.topo.tcs = 4;
		run_uneven(&r, &config, &streams, 4, 3000, longest);
		for (unsigned i = 0; i < 4; i++) {
			u64 cycles = machine_cycles(r.slot->sig[i]);

			assert_true(cycles > 3000);
			if (i == longest)
				assert_int_equal(cycles, core_cycle(r.core));
			else
				assert_true(cycles < core_cycle(r.core));
			assert_int_equal(r.slot->sig[i][SIG_CYCLE_ISSUE],
					 r.slot->sig[i][SIG_INSN]);
		}
		rig_close(&r);
	}
}

/* Refills by software are time, but not the program's. */
static void
exceptions_are_not_user_time(void **state)
{
	struct sim_config config;
	struct rig r;
	u64 refills;

	(void)state;
	merge_config(&config);
	run_threads(&r, &config, &scattered, 1, 4000);
	refills = rig_count(&r, SIG_JTLB_I_MISS) +
		  rig_count(&r, SIG_JTLB_D_MISS);
	assert_true(refills > 20);
	assert_in_range(core_cycle(r.core) - rig_cycles(&r), refills * 28,
			refills * 30);
	rig_close(&r);
}

/* While a VPE is at exception level, none of its contexts issues: all of that
 * time is no thread's. */
static void
an_exception_stops_its_vpe(void **state)
{
	struct sim_config config;
	struct mix mix = scattered;
	struct rig r;
	u64 refills;

	(void)state;
	merge_config(&config);
	config.topo.vpes = 1;
	config.topo.tcs = 3;
	config.jtlb.entries = 8;
	mix.blocks = 100;
	run_threads(&r, &config, &mix, 3, 4000);
	refills = rig_count(&r, SIG_JTLB_I_MISS) +
		  rig_count(&r, SIG_JTLB_D_MISS);
	assert_true(refills > 200);
	assert_int_equal(core_cycle(r.core) - rig_cycles(&r), refills * 30);
	rig_close(&r);
}

/* What goes on while software refills the TLB is not user time either: no event
 * has more cycles than there are. */
static void
nothing_counts_meanwhile(void **state)
{
	static const u8 first[] = {SIG_FSB_Q1, SIG_LDQ_Q1};
	struct sim_config config;
	struct mix mix = scattered;

	(void)state;
	merge_config(&config);
	config.jtlb.entries = 8;
	mix.data = 1u << 22;
	mix.blocks = 60;
	for (unsigned n = 1; n <= 5; n++) {
		struct rig r;

		run_threads(&r, &config, &mix, n, 4000);
		core_settle(r.core);
		assert_true(rig_count(&r, SIG_JTLB_D_MISS) > 4000);
		for (unsigned i = 0; i < SIM_COUNT(first); i++) {
			u64 sum = 0;

			for (unsigned k = 0; k < 3; k++)
				sum += rig_count(&r, first[i] + k);
			assert_in_range(sum, 1, rig_cycles(&r));
		}
		assert_in_range(rig_count(&r, SIG_DCACHE_PENDING), 1,
				rig_cycles(&r));
		assert_in_range(rig_count(&r, SIG_IFB_BUSY), 1,
				rig_cycles(&r));
		rig_close(&r);
	}
}

/* What one of the threads of run_threads() does, by itself; the caller
 * closes. */
static void
run_alone(struct rig *alone, const struct sim_config *config,
	  const struct mix *mix, unsigned thread, unsigned blocks)
{
	struct walk w = start_walk(mix, thread, 5 + thread);

	rig_open(alone, config);
	rig_program(alone, mix, 99 + thread, CODE_BASE + thread * 0x3040u);
	run_merged(alone, &w, mix, 1, blocks);
}

/* Each context counts what its thread does, as if it were alone. */
static void
contexts_count_their_own(void **state)
{
	static const u8 own[] = {SIG_INSN, SIG_DACCESS, SIG_BRANCH_COND,
				 SIG_BRANCH_TAKEN, SIG_IFETCH, SIG_CALL};
	struct sim_config config;
	struct rig r, alone;

	(void)state;
	merge_config(&config);
	run_threads(&r, &config, &easy, 3, 5000);
	for (unsigned i = 0; i < 3; i++) {
		run_alone(&alone, &config, &easy, i, 5000);
		for (unsigned s = 0; s < SIM_COUNT(own); s++)
			assert_int_equal(r.slot->sig[i][own[s]],
					 alone.slot->sig[0][own[s]]);
		rig_close(&alone);
	}
	for (unsigned s = 0; s < SIG_N; s++)
		assert_int_equal(r.slot->sig[3][s], 0);
	rig_close(&r);
}

/* Threads on one context, in slices: each goes on where it was, and each
 * cycle has one bucket. */
static void
threads_take_turns_on_one_context(void **state)
{
	static const u8 own[] = {SIG_INSN, SIG_DACCESS, SIG_BRANCH_COND,
				 SIG_BRANCH_TAKEN, SIG_JUMP, SIG_RETURN,
				 SIG_CALL, SIG_CYCLE_ISSUE};
	struct sim_config config;
	struct rig three, alone;
	u64 sum[SIM_COUNT(own)] = {0};

	(void)state;
	single_config(&config);
	config.pipe.tlb_refill = 0;
	config.topo.time_slice = 500;
	config.topo.quantum = 200;
	run_threads(&three, &config, &easy, 3, 5000);
	assert_int_equal(rig_cycles(&three), core_cycle(three.core));
	for (unsigned i = 0; i < 3; i++) {
		run_alone(&alone, &config, &easy, i, 5000);
		for (unsigned s = 0; s < SIM_COUNT(own); s++)
			sum[s] += rig_count(&alone, own[s]);
		rig_close(&alone);
	}
	/* What the last blocks' branches do is not known: that of the thread
	 * that ends last is not counted, others fall through. */
	for (unsigned s = 0; s < SIM_COUNT(own); s++)
		if (own[s] != SIG_BRANCH_COND)
			assert_int_equal(rig_count(&three, own[s]), sum[s]);
	assert_in_range(rig_count(&three, SIG_BRANCH_COND), sum[2], sum[2] + 2);
	rig_close(&three);
}

/* Two threads that share a context, neither of which is admitted yet. */
struct pair {
	struct sim_config config;
	struct rig rig;
	struct merge *m;
	struct merge_queue q[2];
	struct block *b;	/* that they execute */
};

static void
pair_open(struct pair *p, u32 time_slice)
{
	single_config(&p->config);
	p->config.topo.time_slice = time_slice;
	rig_open(&p->rig, &p->config);
	p->b = loop_block(&p->rig, CLASS_ALU, 4, false, CODE_BASE);
	p->m = merge_new(p->rig.core);
	merge_begin(p->m, p->rig.slot->sig, 0);
	core_record(p->rig.core, true);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(merge_queue_init(&p->q[i]), 0);
}

/* Thread i executes the block n times. */
static void
pair_execute(struct pair *p, unsigned i, unsigned n)
{
	while (n--)
		merge_queue_block(&p->q[i], p->b);
	merge_queue_commit(&p->q[i]);
}

static void
pair_close(struct pair *p)
{
	merge_end(p->m, NULL, 0);
	core_record(p->rig.core, false);
	for (unsigned i = 0; i < 2; i++)
		merge_queue_free(&p->q[i]);
	merge_free(p->m);
	rig_close(&p->rig);
}

/* The one whose turn it is keeps it when all is worked off, and with it what others
 * have recorded that had lost theirs. */
static void
a_turn_goes_on_when_all_is_worked_off(void **state)
{
	static struct pair p;

	(void)state;
	pair_open(&p, 20);
	for (unsigned i = 0; i < 2; i++)
		merge_admit(p.m, &p.q[i], 0);
	pair_execute(&p, 0, 6);
	assert_ptr_equal(merge_advance(p.m), &p.q[1]);
	assert_int_not_equal(p.q[0].head, p.q[0].tail);
	pair_execute(&p, 1, 1);
	merge_drain(p.m);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(p.q[i].head, p.q[i].tail);
	assert_ptr_equal(merge_running(p.m, 0), &p.q[1]);
	assert_ptr_equal(merge_advance(p.m), &p.q[1]);
	for (unsigned i = 0; i < 2; i++)
		merge_leave(p.m, &p.q[i]);
	assert_null(merge_advance(p.m));
	pair_close(&p);
}

/* One that yields gives way to the other behind what it has recorded, with a whole slice
 * left; alone on its context it goes on. */
static void
one_that_yields_gives_way(void **state)
{
	static struct pair p;

	(void)state;
	pair_open(&p, 1000000);
	merge_admit(p.m, &p.q[0], 0);
	assert_false(merge_yield(p.m, &p.q[0]));
	merge_admit(p.m, &p.q[1], 0);
	for (unsigned turn = 0; turn < 6; turn++) {
		struct merge_queue *now = &p.q[turn & 1];

		assert_ptr_equal(merge_advance(p.m), now);
		pair_execute(&p, turn & 1, 2);
		assert_ptr_equal(merge_running(p.m, 0), now);
		assert_true(merge_yield(p.m, now));
		assert_ptr_equal(merge_running(p.m, 0), now);
	}
	assert_ptr_equal(merge_advance(p.m), &p.q[0]);
	/* One that has yielded, and leaves, has a slice when it comes back. */
	pair_execute(&p, 0, 1);
	merge_yield(p.m, &p.q[0]);
	merge_leave(p.m, &p.q[0]);
	assert_ptr_equal(merge_advance(p.m), &p.q[1]);
	merge_admit(p.m, &p.q[0], 0);
	merge_leave(p.m, &p.q[1]);
	assert_ptr_equal(merge_advance(p.m), &p.q[0]);
	assert_false(merge_yield(p.m, &p.q[0]));
	merge_leave(p.m, &p.q[0]);
	assert_null(merge_advance(p.m));
	pair_close(&p);
}

/* Five threads on two contexts: the same work, in slices. */
static void
threads_share_contexts(void **state)
{
	struct sim_config config;
	struct rig five, two;

	(void)state;
	merge_config(&config);
	run_threads(&five, &config, &easy, 5, 5000);
	config.topo.tcs = 2;
	config.topo.time_slice = 500;
	run_threads(&two, &config, &easy, 5, 5000);
	assert_int_equal(rig_count(&two, SIG_INSN),
			 rig_count(&five, SIG_INSN));
	assert_int_equal(rig_count(&two, SIG_BRANCH_TAKEN),
			 rig_count(&five, SIG_BRANCH_TAKEN));
	assert_int_equal(two.slot->sig[0][SIG_INSN],
			 five.slot->sig[0][SIG_INSN] +
			 five.slot->sig[2][SIG_INSN] +
			 five.slot->sig[4][SIG_INSN]);
	assert_int_equal(two.slot->sig[2][SIG_INSN], 0);
	rig_close(&two);
	rig_close(&five);
}

/* Tables 7 and 8 of the 34K manual in small: a second thread halves the
 * stalls; the data of a third is too much for the shared micro-DTLB, and
 * each of its misses blocks the whole pipeline. */
static void
threads_hide_stalls_and_share_a_tlb(void **state)
{
	u64 stalls[4], waits[4], replays[4];
	struct sim_config config;

	(void)state;
	merge_config(&config);
	for (unsigned n = 1; n <= 3; n++) {
		struct rig r;

		run_threads(&r, &config, &easy, n, 24000 / n);
		stalls[n] = rig_cycles(&r) - rig_count(&r, SIG_CYCLE_ISSUE) -
			    rig_count(&r, SIG_CYCLE_KILLED);
		waits[n] = rig_count(&r, SIG_IFU_REDIRECT) +
			   rig_count(&r, SIG_ALU_LOADUSE);
		replays[n] = rig_count(&r, SIG_ALU_DTLB);
		assert_int_equal(replays[n], 2 * rig_count(&r, SIG_DTLB_MISS));
		rig_close(&r);
	}
	assert_true(stalls[2] * 2 < stalls[1]);
	assert_true(waits[2] * 10 < waits[1]);
	assert_int_equal(replays[1], 2 * 4);
	assert_int_equal(replays[2], 2 * 8);
	assert_true(replays[3] > 100 * replays[2]);
	assert_true(waits[3] * 5 < waits[1]);
}

/* How much is recorded per turn has next to no influence. */
static void
quantum_hardly_matters(void **state)
{
	struct sim_config config;
	u64 cycles[2];

	(void)state;
	merge_config(&config);
	for (unsigned i = 0; i < 2; i++) {
		struct rig r;

		config.topo.quantum = i ? 200 : 20000;
		run_threads(&r, &config, &streams, 3, 6000);
		cycles[i] = rig_cycles(&r);
		rig_close(&r);
	}
	assert_int_equal(cycles[0], cycles[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_in_cache),
		cmocka_unit_test(one_context_counts_as_the_fast_path),
		cmocka_unit_test(agrees_on_wide_issue),
		cmocka_unit_test(agrees_on_other_machines),
		cmocka_unit_test(agrees_on_streams),
		cmocka_unit_test(agrees_on_scattered),
		cmocka_unit_test(contexts_fill_each_others_stalls),
		cmocka_unit_test(one_issue_per_cycle),
		cmocka_unit_test(the_fill_buffers_are_shared),
		cmocka_unit_test(the_divider_is_shared),
		cmocka_unit_test(a_barrier_waits_for_loads),
		cmocka_unit_test(a_delay_slot_counts_if_the_branch_is_taken),
		cmocka_unit_test(every_cycle_has_one_bucket),
		cmocka_unit_test(cycles_of_every_cpu_have_one_bucket),
		cmocka_unit_test(exceptions_are_not_user_time),
		cmocka_unit_test(an_exception_stops_its_vpe),
		cmocka_unit_test(nothing_counts_meanwhile),
		cmocka_unit_test(contexts_count_their_own),
		cmocka_unit_test(threads_take_turns_on_one_context),
		cmocka_unit_test(a_turn_goes_on_when_all_is_worked_off),
		cmocka_unit_test(one_that_yields_gives_way),
		cmocka_unit_test(threads_share_contexts),
		cmocka_unit_test(threads_hide_stalls_and_share_a_tlb),
		cmocka_unit_test(quantum_hardly_matters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
