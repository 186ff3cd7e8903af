/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random programs through the window and through the naive one. */
#include "pipeline/window_internal.h"
#include "scoreboard.h"
#include "window_oracle.h"

#include <stdio.h>

#define BLOCKS 40

struct rig {
	struct window_rig window;
	struct oracle oracle;
	struct naive_window naive;
	struct dice dice;
	struct block *block[BLOCKS];
	const struct mix *mix;	/* NULL: one of mixes */
	u32 data;		/* bytes that it works on */
	const char *jump;	/* that is never predicted */
	unsigned reads;		/* percent of blocks of which one instruction
				   is asked when it issues */
	bool flights;		/* what retires while others are in flight is
				   counted; nothing is remembered then */
	u64 ops;
};

static const struct mix mixes[] = {
	{.loads = 25, .stores = 12, .muls = 4, .divs = 1, .fadds = 10,
	 .regs = 24, .length = 12},
	{.loads = 30, .stores = 10, .regs = 6, .length = 5},
	{.loads = 5, .stores = 5, .muls = 10, .divs = 4, .fadds = 40,
	 .regs = 20, .length = 20},
};

static void
open_rig(struct rig *r, u64 seed, bool remember)
{
	const char *const ends[] = {NULL, "beq", "beq", "j", r->jump,
				    "syscall"};
	u64 pc = 0x10000;

	r->dice.state = seed;
	r->ops = 0;
	window_open(&r->window, remember);
	if (r->flights)
		window_flights(r->window.core);
	oracle_init(&r->oracle, &r->window.config);
	naive_open(&r->naive, &r->window.config.pipe);
	if (r->window.config.pipe.window.forward)
		r->naive.forward = calloc(1, sizeof *r->naive.forward);
	arena_used = 0;
	for (unsigned i = 0; i < BLOCKS; i++) {
		const char *end = ends[dice_below(&r->dice, SIM_COUNT(ends))];
		const struct mix *mix = r->mix ? r->mix : &mixes[seed % 3];
		struct block *b = random_block(pc, mix, &r->dice,
					       &r->window.config, end);

		r->block[i] = b;
		pc = b->fall + (dice_percent(&r->dice, 50) ? 0 : 4);
	}
}

static void
close_rig(struct rig *r)
{
	free(r->naive.forward);
	naive_close(&r->naive);
	oracle_free(&r->oracle);
	window_close(&r->window);
}

/* An instruction of block b that is asked when it issues; or none of its. */
static unsigned
asked_of(struct rig *r, const struct block *b)
{
	bool some = r->reads && dice_percent(&r->dice, r->reads);

	return some ? dice_below(&r->dice, b->n_insn) : BLOCK_MAX_INSN;
}

/* Where an access is, and of how many bytes. */
static unsigned
draw_access(struct rig *r, u64 *va)
{
	static const u8 sizes[] = {4, 4, 8, 1};

	*va = 0x20000000 + (dice_below(&r->dice, r->data) & ~3u);
	if (!r->naive.forward)
		return 4;
	*va += dice_percent(&r->dice, 20) ? dice_below(&r->dice, 4) : 0;
	return sizes[dice_below(&r->dice, SIM_COUNT(sizes))];
}

/* Both ways run block b, behind which t follows. */
static void
step(struct rig *r, struct block *b, const struct block *t, bool check)
{
	const struct window_program *p = b->detail->window;
	bool taken = t->vaddr != b->fall || b->branch == BRANCH_JUMP ||
		     b->branch == BRANCH_CALL || b->branch == BRANCH_RETURN ||
		     b->branch == BRANCH_IND_JUMP ||
		     b->branch == BRANCH_IND_CALL;
	bool wrong = false;
	unsigned asked = asked_of(r, b), k = 0;
	u64 va[BLOCK_MAX_INSN] = {0}, issued = 0, issues;
	unsigned bytes[BLOCK_MAX_INSN] = {0};
	struct naive_data data = {.oracle = &r->oracle};

	for (unsigned i = 0; i < b->n_insn; i++) {
		if (i == asked)
			issued = window_issues(r->window.core, i);
		for (; k < b->detail->n_access &&
		       block_access(b->detail)[k].insn == i; k++) {
			bytes[i] = draw_access(r, &va[i]);
			window_access(&r->window, b, k, va[i],
				      bytes[i] == 8 ? 3 : bytes[i] == 4 ? 2 : 0);
		}
	}
	if (!check)
		return;
	if (r->naive.forward)
		r->naive.forward->block++;
	for (unsigned i = 0; i < p->n; i++) {
		data.va = va[p->op[i].insn];
		data.bytes = bytes[p->op[i].insn];
		data.in = &block_insns(b)[p->op[i].insn];
		issues = naive_run(&r->naive, &p->op[i], &data);
		if (p->op[i].insn == asked && p->op[i].flags & OP_FIRST)
			assert_int_equal(issued, issues);
	}
	if (b->branch == BRANCH_DIRECT_COND)
		wrong = taken;
	else if (b->branch == BRANCH_IND_JUMP || b->branch == BRANCH_RETURN)
		wrong = true;
	naive_leave(&r->naive, b, taken, wrong);
	r->ops += p->n;
}

static void
equal(const struct rig *r, enum sim_signal s, u64 due, u64 seed)
{
	if (r->window.sig[s] == due)
		return;
	printf("# seed %llu\n", (unsigned long long)seed);
	fail_msg("%s: %llu, expected %llu", signal_name(s),
		 (unsigned long long)r->window.sig[s],
		 (unsigned long long)due);
}

/* What a run has come to. */
struct outcome {
	u64 sig[SIG_N], cycles;
};

/* Ends a run whose like is to be compared. */
static void
keep_rig(struct rig *r, struct outcome *first)
{
	memcpy(first->sig, r->window.sig, sizeof first->sig);
	first->cycles = window_cycles(&r->window);
	close_rig(r);
}

/* Ends a run, which has come to the same. */
static void
compare_rig(struct rig *r, const struct outcome *first, u64 seed)
{
	assert_int_equal(window_cycles(&r->window), first->cycles);
	for (unsigned s = 0; s < SIG_N; s++)
		equal(r, s, first->sig[s], seed);
	close_rig(r);
}

static struct block *
next_block(struct rig *r, struct block *b)
{
	unsigned i = dice_below(&r->dice, BLOCKS);

	/* Mostly round a small loop, so that states come again. */
	if (dice_percent(&r->dice, 70))
		for (i = 0; i < BLOCKS - 1; i++)
			if (r->block[i] == b)
				return r->block[(i + 1) % 8];
	return r->block[i];
}

/* Enters a block in one of the two ways there are. */
static void
enter_either(struct rig *r, struct block *b, unsigned n)
{
	if (n & 1)
		window_enter(r->window.core, b);
	else
		window_enterer(r->window.core->config, b->n_line)(
			r->window.core, b);
}

static void
compare(struct rig *r, u64 seed, bool remember, unsigned blocks)
{
	struct naive_window *w = &r->naive;
	struct block *b, *t;
	u64 four = 0, insns = 0, segments = 0;

	open_rig(r, seed, remember);
	for (unsigned i = 0; i < BLOCKS; i++)
		window_warm(&r->window, r->block[i]);
	b = r->block[0];
	window_enter(r->window.core, b);
	while (blocks--) {
		t = next_block(r, b);
		step(r, b, t, true);
		enter_either(r, t, blocks);
		assert_int_equal(window_cycles(&r->window), w->retired);
		b = t;
	}
	window_conserved(&r->window, r->ops);
	for (unsigned n = 4; n < SIM_COUNT(w->histogram); n++) {
		four += w->histogram[n];
		insns += w->insns[n];
	}
	equal(r, SIG_RETIRE_1, w->histogram[1], seed);
	equal(r, SIG_RETIRE_2, w->histogram[2], seed);
	equal(r, SIG_RETIRE_3, w->histogram[3], seed);
	equal(r, SIG_RETIRE_4, four, seed);
	for (unsigned n = 1; n < 4; n++)
		equal(r, SIG_RETIRE_INSN_1 + n - 1, w->insns[n], seed);
	equal(r, SIG_RETIRE_INSN_4, insns, seed);
	equal(r, SIG_WINDOW_FULL, w->list_full, seed);
	equal(r, SIG_QUEUE_FULL, w->queue_full, seed);
	equal(r, SIG_MAP_STALL, w->kept_out, seed);
	equal(r, SIG_WRONG_INSN, w->wrong, seed);
	equal(r, SIG_FLIGHT, r->flights ? w->flight : 0, seed);
	equal(r, SIG_FLIGHT_RETIRE, r->flights ? w->flight_retires : 0, seed);
	equal(r, SIG_PART_STALL, w->part_stall, seed);
	assert_true(!r->window.config.pipe.window.part_wait || w->part_stall);
	for (unsigned i = 0; i < WINDOW_SEGMENTS; i++) {
		equal(r, SIG_SEGMENT_STALL_ES + i, w->segment_stall[i], seed);
		segments += w->segment_stall[i];
	}
	assert_true(!draw_segments || segments);
	assert_true(!w->forward || r->data > 64 ||
		    w->forward->waits > 0);
	equal(r, SIG_DCACHE_MISS, r->oracle.n.miss, seed);
	equal(r, SIG_DCACHE_WB, r->oracle.n.writeback, seed);
	equal(r, SIG_DTLB_MISS, r->oracle.n.dtlb, seed);
	close_rig(r);
}

static void (*const machines[])(struct sim_config *) = {r10000, p6, ev6};

static void
run_mix(const struct mix *mix, u32 data, const char *jump,
	void (*change)(struct sim_config *), unsigned blocks)
{
	static struct rig r;

	r.mix = mix;
	r.jump = jump;
	for (u64 seed = 1; seed <= 12; seed++) {
		machines[seed % 3](&r.window.config);
		if (change)
			change(&r.window.config);
		r.data = data;
		compare(&r, seed, false, blocks);
		compare(&r, seed, true, blocks);
	}
}

static void
run_all(u32 data, const char *jump, void (*change)(struct sim_config *),
	unsigned blocks)
{
	run_mix(NULL, data, jump, change, blocks);
}

static void
test_hits(void **state)
{
	(void)state;
	run_all(4096, "jr", NULL, 4000);
}

/* Instructions that are asked when they issue. */
static void
test_issues(void **state)
{
	static struct rig r;

	(void)state;
	r.jump = "jr";
	r.reads = 20;
	for (u64 seed = 1; seed <= 12; seed++) {
		machines[seed % 3](&r.window.config);
		r.data = seed % 2 ? 4096 : 256 << 10;
		compare(&r, seed, false, 2000);
		compare(&r, seed, true, 2000);
	}
}

/* Instructions that are in flight, and those that retire meanwhile. */
static void
test_flights(void **state)
{
	static struct rig r;

	(void)state;
	r.jump = "jr";
	r.flights = true;
	for (u64 seed = 1; seed <= 12; seed++) {
		machines[seed % 3](&r.window.config);
		r.data = seed % 2 ? 4096 : 256 << 10;
		compare(&r, seed, false, 2000);
	}
}

/* Many misses at once, and buffers that fill up. */
static void
test_misses(void **state)
{
	(void)state;
	run_all(256 << 10, "jr", NULL, 3000);
}

static void
slow_memory(struct sim_config *c)
{
	c->mem.latency = 900;
	c->mem.bus_fill = c->mem.bus_writeback = 90;
}

/* What is given back farther ahead than the ring goes. */
static void
test_distant(void **state)
{
	(void)state;
	run_all(1 << 20, "jr", slow_memory, 1500);
}

static void
quick_memory(struct sim_config *c)
{
	c->l1d.size = 1 << 10;
	c->mem.latency = 20;
	c->mem.bus_fill = c->mem.bus_writeback = 4;
}

/* Loads that wait for stores: of few words, of parts of them. */
static void
forwards(struct sim_config *c)
{
	c->pipe.window.forward = 5;
	c->pipe.window.forward_part = 12;
}

/* And for the addresses of stores before them. */
static void
awaits(struct sim_config *c)
{
	forwards(c);
	c->pipe.window.disambiguation = DISAMBIGUATION_WAIT;
}

static void
awaits_alone(struct sim_config *c)
{
	c->pipe.window.disambiguation = DISAMBIGUATION_WAIT;
}

static void
test_forwards(void **state)
{
	static const struct mix mix = {.loads = 25, .stores = 20, .muls = 4,
				       .regs = 12, .length = 10};

	(void)state;
	run_mix(NULL, 64, "jr", forwards, 4000);
	run_mix(&mix, 24, "jr", forwards, 4000);
	run_mix(&mix, 900, "jr", forwards, 4000);
	run_mix(&mix, 24, "jr", awaits, 4000);
	run_mix(&mix, 900, "jr", awaits, 4000);
	run_mix(&mix, 900, "jr", awaits_alone, 4000);
}

/* Stores that fill their queue, in front of a block and in it. */
static void
test_stores(void **state)
{
	static const struct mix mix = {.loads = 10, .stores = 50, .regs = 12,
				       .length = 10};

	(void)state;
	run_mix(&mix, 4096, "jr", quick_memory, 4000);
}

/* Returns that load where they go, as one instruction or as two. */
static void
test_returns(void **state)
{
	(void)state;
	run_all(4096, "lret", NULL, 2000);
	run_all(256 << 10, "lret", NULL, 1500);
}

static void
two_level_pages(struct sim_config *c)
{
	c->dtlb = (struct tlb_config){.entries = 4, .page_bits = 12};
	c->jtlb = (struct tlb_config){.entries = 16, .page_bits = 12};
	c->pipe.dtlb_replay = 3;
	c->pipe.tlb_refill = 25;
}

static void
hardware_pages(struct sim_config *c)
{
	two_level_pages(c);
	c->pipe.refill_is_hardware = true;
}

static void
one_level_pages(struct sim_config *c)
{
	c->dtlb = (struct tlb_config){.entries = 16, .page_bits = 12};
	c->pipe.dtlb_replay = 13;
}

static void
test_pages(void **state)
{
	(void)state;
	run_all(128 << 10, "jr", two_level_pages, 1500);
	run_all(128 << 10, "jr", hardware_pages, 1500);
	run_all(128 << 10, "jr", one_level_pages, 1500);
}

static void
waits_for_parts(struct sim_config *c)
{
	c->pipe.window.part_wait = 3;
}

/* Registers that are written in part, and read as more than that. */
static void
test_parts(void **state)
{
	(void)state;
	draw_parts = 1;
	run_all(4096, "jr", waits_for_parts, 4000);
	run_all(256 << 10, "jr", waits_for_parts, 2000);
	draw_parts = 0;
}

static void
renames_segments(struct sim_config *c)
{
	c->pipe.window.renames_segments = true;
}

static void
renames_and_waits(struct sim_config *c)
{
	renames_segments(c);
	waits_for_parts(c);
}

/* Segment registers that are loaded again before that has retired. */
static void
test_segments(void **state)
{
	(void)state;
	draw_segments = 10;
	run_all(4096, "jr", renames_and_waits, 3000);
	draw_parts = 0;
	run_all(256 << 10, "jr", renames_segments, 2000);
	draw_segments = 0;
	draw_parts = 0;
}

/* ---- What is remembered ----------------------------------------------- */

/* Without the naive one. */
static void
run_blocks(struct rig *r)
{
	struct block *b = r->block[0], *t;

	for (unsigned i = 0; i < BLOCKS; i++)
		window_warm(&r->window, r->block[i]);
	window_enter(r->window.core, b);
	for (unsigned n = 3000; n--; b = t) {
		t = next_block(r, b);
		step(r, b, t, false);
		window_enter(r->window.core, t);
	}
	core_settle(r->window.core);
}

static void
run_remembered(struct rig *r, u64 seed, void (*change)(struct sim_config *),
	       bool remember)
{
	machines[seed % 3](&r->window.config);
	change(&r->window.config);
	open_rig(r, seed, remember);
	run_blocks(r);
}

/* All signals are the same with states and without. */
static void
compare_remembered(struct rig *r, void (*change)(struct sim_config *))
{
	struct outcome first;

	for (u64 seed = 0; seed < 24; seed++) {
		run_remembered(r, seed, change, false);
		keep_rig(r, &first);
		run_remembered(r, seed, change, true);
		compare_rig(r, &first, seed);
	}
}

static void
draws_parts(struct sim_config *c)
{
	waits_for_parts(c);
	draw_parts = 1;
}

/* Causes of stalls are not the naive window's. */
static void
test_causes(void **state)
{
	static struct rig r;

	(void)state;
	r.jump = "jr";
	r.data = 36 << 10;
	compare_remembered(&r, draws_parts);
	draw_parts = 0;
}

static void
few_stores(struct sim_config *c)
{
	struct window_config *wc = &c->pipe.window;
	int stores = window_store_queue(wc);

	c->pipe.taken_bubble = 3;
	if (stores >= 0)
		wc->queue[stores].entries = 2;
}

/* The same where late arrivals find the queue of stores full. */
static void
test_full_queue(void **state)
{
	static const struct mix mix = {.loads = 10, .stores = 20, .regs = 12,
				       .length = 4};
	static struct rig r;

	(void)state;
	r.jump = "jr";
	r.data = 256 << 10;
	r.mix = &mix;
	compare_remembered(&r, few_stores);
}

static void
lines_learn(struct sim_config *c)
{
	c->l1i.size = 1 << 10;
	c->branch = (struct branch_config){
		.kind = PREDICT_ICACHE, .counter_bits = 2};
}

/* The same where branches are predicted by what is in their lines, which come
 * and go. */
static void
test_lines_learn(void **state)
{
	static struct rig r;

	(void)state;
	r.jump = "lret";
	r.data = 36 << 10;
	compare_remembered(&r, lines_learn);
}

/* ---- Lines that the table knows ---------------------------------------- */

static void
run_table(struct rig *r, u64 seed, bool off)
{
	machines[seed % 3](&r->window.config);
	r->window.config.l1d.size = 1 << 10;
	open_rig(r, seed, true);
	r->window.core->shadow_off = off;
	run_blocks(r);
}

/* What the table knows, and an access would find, is the same, also where
 * accesses are not in order. */
static void
test_table(void **state)
{
	static struct rig r;
	struct outcome first;

	(void)state;
	r.jump = "jr";
	r.data = 2 << 10;
	for (u64 seed = 0; seed < 12; seed++) {
		run_table(&r, seed, false);
		keep_rig(&r, &first);
		run_table(&r, seed, true);
		compare_rig(&r, &first, seed);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hits),
		cmocka_unit_test(test_flights),
		cmocka_unit_test(test_issues),
		cmocka_unit_test(test_misses),
		cmocka_unit_test(test_distant),
		cmocka_unit_test(test_forwards),
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_full_queue),
		cmocka_unit_test(test_lines_learn),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
