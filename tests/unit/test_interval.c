/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random programs by intervals: beside naive ones, and beside the naive
 * window. */
#include "interval_naive.h"
#include "scoreboard.h"

#include <stdio.h>

#define BLOCKS 40

struct rig {
	struct window_rig window;
	struct oracle oracle, exact_oracle;
	struct naive_interval naive;
	struct naive_window exact;
	struct dice dice;
	struct block *block[BLOCKS];
	u32 data;		/* bytes that it works on */
	bool beside;		/* the naive window runs, too */
	u64 ops;
};

static const struct mix mixes[] = {
	{.loads = 25, .stores = 12, .muls = 4, .divs = 1, .fadds = 10,
	 .regs = 24, .length = 12},
	{.loads = 30, .stores = 10, .regs = 6, .length = 5},
	{.loads = 5, .stores = 5, .muls = 10, .divs = 4, .fadds = 40,
	 .regs = 20, .length = 40},
};

static void
open_rig(struct rig *r, u64 seed)
{
	const char *const ends[] = {NULL, "beq", "beq", "j", "jr", "syscall"};
	u64 pc = 0x10000;

	r->window.config.pipe.kind = PIPELINE_INTERVAL;
	r->dice.state = seed;
	r->ops = 0;
	window_open(&r->window, true);
	oracle_init(&r->oracle, &r->window.config);
	oracle_init(&r->exact_oracle, &r->window.config);
	naive_open(&r->exact, &r->window.config.pipe);
	memset(&r->naive, 0, sizeof r->naive);
	r->naive.pipe = &r->window.config.pipe;
	r->naive.n_arrive = r->naive.pipe->window.fetch;
	r->naive.n_retired = r->naive.pipe->window.retire;
	interval_table_init(&r->naive.table, r->naive.pipe);
	arena_used = 0;
	for (unsigned i = 0; i < BLOCKS; i++) {
		const char *end = ends[dice_below(&r->dice, SIM_COUNT(ends))];
		struct block *b = random_block(pc, &mixes[seed % 3], &r->dice,
					       &r->window.config, end);

		r->block[i] = b;
		pc = b->fall + (dice_percent(&r->dice, 50) ? 0 : 4);
	}
}

static void
close_rig(struct rig *r)
{
	naive_close(&r->exact);
	oracle_free(&r->oracle);
	oracle_free(&r->exact_oracle);
	window_close(&r->window);
}

/* ---- The naive one --------------------------------------------------------- */

/* Cycles for the page; or what is behind is fetched again. */
static s64
find_page(struct rig *r, const struct oracle_result *m, s64 at)
{
	const struct sim_config *c = &r->window.config;

	if (!m->replay && !m->refill)
		return 0;
	if (c->pipe.refill_is_hardware)
		return (s64)m->replay + (m->refill ? c->pipe.tlb_refill : 0);
	if (m->refill || !c->jtlb.entries)
		r->naive.trap = at + c->pipe.dtlb_replay;
	return (s64)m->replay;
}

/* Looks for the accesses of a chunk that is under way: loads issue when all in
 * front of them says, stores when it retires or as loads do. */
static void
access_chunk(struct rig *r, const struct block *b, struct naive_run *run,
	     const s64 arrives[INTERVAL_OPS], const u64 *va, s64 *missed,
	     s64 *stored)
{
	struct naive_interval *v = &r->naive;
	unsigned retire = v->pipe->window.retire;
	struct oracle_result m;

	for (unsigned j = 0; j < run->n; j++) {
		const struct window_op *op = &run->op[j];
		s64 end = v->retired, done;

		naive_times(v, run, arrives, missed);
		for (unsigned i = 0; i < run->n; i++)
			end = naive_max(end, run->done[i] + 1 +
						     (run->n - 1 - i) / retire);
		if (op->flags & OP_LOAD) {
			m = oracle_data(&r->oracle, va[op->insn], 4, false,
					(u64)run->issue[j]);
			done = naive_max(run->issue[j] + op->latency,
					 (s64)m.ready);
			done += find_page(r, &m, run->issue[j]);
			if (done > run->issue[j] + op->latency)
				missed[j] = done;
		} else if (op->flags & OP_STORE) {
			s64 at = v->pipe->window.store_ahead ? run->issue[j]
							     : end;

			m = oracle_data(&r->oracle, va[op->insn], 4, true,
					(u64)at);
			if ((s64)m.ready > at)
				stored[j] = (s64)m.ready;
			find_page(r, &m, at);
		}
	}
	(void)b;
}

static void
run_naive(struct rig *r, const struct block *b, bool taken, bool wrong,
	  const u64 *va)
{
	const struct interval_chunk *chunk = b->detail->window->interval;
	struct naive_interval *v = &r->naive;
	s64 far = r->window.core->window->interval->far;

	for (; chunk; chunk = chunk->next) {
		s64 arrives[INTERVAL_OPS], missed[INTERVAL_OPS];
		s64 stored[INTERVAL_OPS] = {0};
		struct naive_run run;

		naive_clear_run(&run, &b->detail->window->op[chunk->first],
				chunk->n_op);
		for (unsigned j = 0; j < INTERVAL_OPS; j++)
			missed[j] = NEVER;
		naive_enter_chunk(v, &run, chunk->serial, arrives);
		access_chunk(r, b, &run, arrives, va, missed, stored);
		naive_leave_chunk(v, &run, arrives, missed, stored, far);
		if (v->trap > v->arrive)
			v->arrive = v->trap;
		if (v->trap)
			v->n_arrive = 0;
		v->trap = 0;
	}
	if (wrong) {
		bool direct = b->branch == BRANCH_DIRECT_COND;

		v->arrive = naive_max(v->arrive,
				      v->resolved +
				      (direct ? v->pipe->mispredict
					      : v->pipe->indirect));
		v->n_arrive = 0;
	} else if (taken) {
		v->arrive += 1 + v->pipe->taken_bubble;
		v->n_arrive = 0;
	} else if (!b->shares) {
		v->n_arrive = v->pipe->window.fetch;
	}
}

/* ---- All ways of a block ------------------------------------------------ */

static void
run_exact(struct rig *r, const struct block *b, bool taken, bool wrong,
	  const u64 *va)
{
	const struct window_program *p = b->detail->window;
	struct naive_data data = {.oracle = &r->exact_oracle, .bytes = 4};

	for (unsigned i = 0; i < p->n; i++) {
		data.va = va[p->op[i].insn];
		data.in = &block_insns(b)[p->op[i].insn];
		naive_run(&r->exact, &p->op[i], &data);
	}
	naive_leave(&r->exact, b, taken, wrong);
}

static void
step(struct rig *r, struct block *b, const struct block *t)
{
	bool taken = t->vaddr != b->fall || branch_is_unconditional(b->branch);
	bool wrong = false;
	u64 va[BLOCK_MAX_INSN] = {0};

	for (unsigned k = 0; k < b->detail->n_access; k++) {
		unsigned i = block_access(b->detail)[k].insn;

		va[i] = 0x20000000 + (dice_below(&r->dice, r->data) & ~3u);
		window_access(&r->window, b, k, va[i], 2);
	}
	if (b->branch == BRANCH_DIRECT_COND)
		wrong = taken;
	else if (b->branch == BRANCH_IND_JUMP)
		wrong = true;
	if (r->beside)
		run_exact(r, b, taken, wrong, va);
	else
		run_naive(r, b, taken, wrong, va);
	r->ops += b->detail->window->n;
}

static struct block *
next_block(struct rig *r, struct block *b)
{
	unsigned i = dice_below(&r->dice, BLOCKS);

	if (dice_percent(&r->dice, 70))
		for (i = 0; i < BLOCKS - 1; i++)
			if (r->block[i] == b)
				return r->block[(i + 1) % 8];
	return r->block[i];
}

static void
run(struct rig *r, u64 seed, unsigned blocks)
{
	struct block *b, *t;

	open_rig(r, seed);
	for (unsigned i = 0; i < BLOCKS; i++)
		window_warm(&r->window, r->block[i]);
	b = r->block[0];
	window_enter(r->window.core, b);
	for (; blocks--; b = t) {
		t = next_block(r, b);
		step(r, b, t);
		window_enterer(&r->window.config, t->n_line)(r->window.core,
							     t);
		if (!r->beside)
			assert_int_equal(window_cycles(&r->window),
					 r->naive.retired);
	}
	window_conserved(&r->window, r->ops);
}

static void (*const machines[])(struct sim_config *) = {r10000, p6, ev6};

/* ---- Tests ------------------------------------------------------------- */

/* change, if it is there, makes other machines of the three. */
static void
run_naive_all(u32 data, unsigned blocks,
	      void (*change)(struct sim_config *, u64 seed))
{
	static struct rig r;

	r.data = data;
	r.beside = false;
	for (u64 seed = 1; seed <= 12; seed++) {
		machines[seed % 3](&r.window.config);
		if (change)
			change(&r.window.config, seed);
		run(&r, seed, blocks);
		close_rig(&r);
	}
}

static void
test_hits(void **state)
{
	(void)state;
	run_naive_all(4096, 400, NULL);
}

static void
test_misses(void **state)
{
	(void)state;
	run_naive_all(256 << 10, 250, NULL);
}

static void
slow_memory(struct sim_config *c, u64 seed)
{
	c->mem.latency = 900;
	c->mem.bus_fill = (u16)(60 + 20 * (seed & 3));
}

/* Memory so far away that what a window holds is longer under way than places are
 * given back ahead one by one. */
static void
test_distant(void **state)
{
	(void)state;
	run_naive_all(1 << 20, 300, slow_memory);
}

static void
large(struct sim_config *c, u64 seed)
{
	(void)seed;
	p6(c);
	c->pipe.window.queue[0].entries = 300;
	c->pipe.window.queue[1].entries = 200;
	c->pipe.window.dispatch = 4;
}

/* More in flight than the exact window can have. */
static void
test_large(void **state)
{
	(void)state;
	run_naive_all(64 << 10, 300, large);
}

static void
awaits(struct sim_config *c, u64 seed)
{
	(void)seed;
	c->pipe.window.disambiguation = DISAMBIGUATION_WAIT;
}

/* Loads that wait for the addresses of stores. */
static void
test_addresses(void **state)
{
	(void)state;
	run_naive_all(64 << 10, 300, awaits);
}

static void
stores_ahead(struct sim_config *c, u64 seed)
{
	(void)seed;
	c->pipe.window.store_ahead = true;
}

/* Stores look for their lines when their addresses are known, those that the chunk
 * works out itself, too. */
static void
test_stores_ahead(void **state)
{
	(void)state;
	run_naive_all(64 << 10, 300, stores_ahead);
	run_naive_all(1 << 20, 300, stores_ahead);
}

/* Cycles beside those of the naive window: of each program, and of all. */
static void
test_beside_window(void **state)
{
	static struct rig r;
	double sum = 0;
	unsigned n = 0;

	(void)state;
	r.beside = true;
	for (unsigned far = 0; far < 2; far++) {
		r.data = far ? 128 << 10 : 4096;
		for (u64 seed = 1; seed <= 24; seed++, n++) {
			double off;

			machines[seed % 3](&r.window.config);
			run(&r, seed, 1500);
			off = (double)window_cycles(&r.window) /
				      (double)r.exact.retired - 1;
			if (off > .1 || off < -.1)
				fail_msg("seed %u: %+.1f %%", (unsigned)seed,
					 100 * off);
			sum += off;
			close_rig(&r);
		}
	}
	if (sum / n > .03 || sum / n < -.03)
		fail_msg("mean %+.1f %%", 100 * sum / n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hits),
		cmocka_unit_test(test_misses),
		cmocka_unit_test(test_distant),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_stores_ahead),
		cmocka_unit_test(test_beside_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
