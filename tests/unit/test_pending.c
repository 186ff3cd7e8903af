/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads that miss, while the program goes on: the blocks' fast path against
 * a program that is issued one instruction after the other.
 */
#include "core_fixture.h"
#include "enter_block.h"
#include "scoreboard.h"

#include <stdio.h>

#define BLOCKS 40

/* A program, and both ways to run it. */
struct rig {
	struct sim_config config;
	struct core *core;
	u64 sig[SIG_N];
	u64 outcome[2][BRANCH_OUTCOMES];
	struct oracle oracle;
	struct scoreboard board;
	struct dice dice;
	struct block *block[BLOCKS], *start;
	u64 begin;		/* cycle that both begin at */
	u32 data;		/* bytes that it works on */
	u32 stride;		/* of 0: anywhere */
	u64 offset;
	bool forget;		/* the table of lines, after each access */
};

/* A pipeline without any static stall. */
static void
no_stalls(struct pipeline_config *p)
{
	p->load_use = p->load_address = p->alu_address = 1;
	p->unit_address = p->store_data_slack = 0;
}

static void
memory_config(struct sim_config *c)
{
	*c = *pipeline_config();
	c->itlb.entries = 64;
	c->branch.kind = PREDICT_NOT_TAKEN;
	c->l1d = (struct cache_config){.size = 2048, .ways = 2, .line = 32};
	c->pipe.miss_counts_secondary = true;
	c->mem = (struct memory_config){
		.latency = 50, .bus_fill = 16, .bus_writeback = 16, .beat = 4,
		.fsb = 8, .ldq = 8, .wbb = 4, .ifb = 2};
	c->dtlb = (struct tlb_config){.entries = 64, .page_bits = 14};
}

static void
open_rig(struct rig *r, const struct mix *mix, u64 seed)
{
	static const char *const ends[] = {NULL, "beq", "beq", "j"};
	const struct op nop[4] = {
		{"nop", 0, 0, 0}, {"nop", 0, 0, 0}, {"nop", 0, 0, 0},
		{"nop", 0, 0, 0}};

	memset(r->sig, 0, sizeof r->sig);
	memset(r->outcome, 0, sizeof r->outcome);
	r->dice.state = seed;
	r->offset = 0;
	r->core = set_up_core(&r->config);
	r->core->sig = r->sig;
	r->core->outcome = r->outcome;
	oracle_init(&r->oracle, &r->config);
	arena_used = 0;
	r->start = build(0x10000, nop, 4, &r->config);
	for (unsigned i = 0; i < BLOCKS; i++)
		r->block[i] = random_block(0x10100 + i * 0x100, mix, &r->dice,
					   &r->config,
					   ends[dice_below(&r->dice, 4)]);
	for (unsigned i = 0; i < BLOCKS; i++)
		enter_block(r->core, r->block[i]);
	r->core->now += CYCLES(100000);
	enter_block(r->core, r->start);
	r->begin = core_cycle(r->core);
	memset(r->sig, 0, sizeof r->sig);
	memset(r->outcome, 0, sizeof r->outcome);
	r->board = (struct scoreboard){
		.pipe = &r->config.pipe, .free = r->begin};
}

static void
close_rig(struct rig *r)
{
	free(r->core);
	oracle_free(&r->oracle);
}

static u64
next_address(struct rig *r)
{
	if (!r->stride)
		return 0x20000000 + (dice_below(&r->dice, r->data) & ~3u);
	r->offset = (r->offset + r->stride) % r->data;
	return 0x20000000 + (r->offset & ~3ull);
}

/* One instruction that accesses va, issued at cycle at. */
static void
naive_access(struct rig *r, const struct insn *in, u64 va, u64 at)
{
	struct oracle_result m;
	u64 blocked, start;

	m = oracle_data(&r->oracle, va, 4, in->n_store, at);
	blocked = m.replay + m.wait;
	blocked += m.refill ? r->config.pipe.tlb_refill : 0;
	if (in->n_load && m.ready > at) {
		start = oracle_take(&r->oracle.ldq, at + blocked);
		oracle_put(&r->oracle.ldq, max_of(m.ready, start + 1));
		blocked = start - at;
	}
	if (in->n_store || m.ready <= at)
		m.ready = 0;
	board_book(&r->board, in, at, blocked, m.ready);
}

/* Both ways run block b, which p precedes. */
static void
step(struct rig *r, const struct block *p, struct block *b)
{
	struct scoreboard *s = &r->board;
	unsigned k = 0;

	if (p->branch == BRANCH_DIRECT_COND && b->vaddr != p->fall)
		s->free += r->config.pipe.mispredict;
	enter_block(r->core, b);
	for (unsigned i = 0; i < b->n_insn; i++) {
		const struct insn *in = &block_insns(b)[i];
		u64 at = board_issue(s, in), va;

		if (!in->n_load && !in->n_store) {
			board_book(s, in, at, 0, 0);
			continue;
		}
		va = next_address(r);
		naive_access(r, in, va, at);
		if ((in->n_store && r->config.l1d.write_through) ||
		    !fast_data(r->core, &block_access(b->detail)[k], va, 2,
			       in->n_store))
			core_data(r->core, &block_access(b->detail)[k], va, 4,
				  in->n_store);
		if (r->forget)
			shadow_clear(r->core);
		k++;
	}
	if (b->branch == BRANCH_JUMP)
		s->free += r->config.pipe.taken_bubble;
}

static void
run(struct rig *r, unsigned blocks)
{
	struct block *p = r->start;

	while (blocks--) {
		struct block *b = r->block[dice_below(&r->dice, BLOCKS)];

		step(r, p, b);
		p = b;
	}
	pending_until(r->core, PENDING_LATER - 1);
}

/* Every cycle has its cause. */
static void
conserved(const struct rig *r, u64 refills)
{
	u64 sum = refills;

	for (unsigned i = 0; i < BLOCKS; i++) {
		const struct block *b = r->block[i];

		for (int s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
			sum += (b->execs - 1) *
			       count_of(b, (enum sim_signal)s);
	}
	for (int s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
		sum += r->sig[s];
	for (unsigned i = 0; i < 2; i++)
		sum += (r->outcome[i][2] + r->outcome[i][3]) *
		       r->config.pipe.mispredict;
	assert_int_equal(sum, core_cycle(r->core) - r->begin);
}

static const struct mix loads = {
	.loads = 40, .stores = 0, .regs = 20, .length = 10};
static const struct mix both = {
	.loads = 30, .stores = 15, .regs = 20, .length = 10};

/*
 * Both ways, so many blocks; their cycles may differ by one in so many, or
 * not at all if that is 0.
 */
static void
compare(struct rig *r, u64 seed, u64 one_in)
{
	const struct mix *mix = seed % 3 ? &both : &loads;
	u64 refills, cycles, due, off;

	open_rig(r, mix, seed);
	run(r, BLOCKS * 100);
	refills = r->config.pipe.refill_is_hardware ? 0
		  : r->sig[SIG_JTLB_D_MISS] * r->config.pipe.tlb_refill;
	conserved(r, refills);
	cycles = core_cycle(r->core) - r->begin;
	due = r->board.free - r->begin;
	off = cycles > due ? cycles - due : due - cycles;
	if (off)
		printf("# seed %llu: %llu cycles, due %llu\n",
		       (unsigned long long)seed, (unsigned long long)cycles,
		       (unsigned long long)due);
	assert_true(off * one_in <= due);
	assert_true(one_in || !off);
	assert_true(r->oracle.n.miss > 4000);
	if (!off)
		assert_int_equal(r->sig[SIG_DCACHE_MISS], r->oracle.n.miss);
	assert_int_equal(r->sig[SIG_DCACHE_FILL], r->oracle.n.fill);
	assert_int_equal(r->sig[SIG_DCACHE_WB], r->oracle.n.writeback);
	assert_int_equal(r->sig[SIG_DTLB_MISS], r->oracle.n.dtlb);
	assert_int_equal(r->sig[SIG_JTLB_D_MISS], r->oracle.n.jtlb_d);
	close_rig(r);
}

/* No buffers that fill up, no static stalls, no TLB misses. */
static void
test_exact(void **state)
{
	static struct rig r;

	(void)state;
	for (u64 seed = 1; seed <= 10; seed++) {
		memory_config(&r.config);
		no_stalls(&r.config.pipe);
		r.config.mem.fsb = r.config.mem.ldq = r.config.mem.wbb = 64;
		r.data = 16384;
		r.stride = seed & 1 ? 0 : 4 * (u32)seed;
		compare(&r, seed, 0);
	}
}

static void
test_buffers(void **state)
{
	static struct rig r;

	(void)state;
	for (u64 seed = 11; seed <= 16; seed++) {
		memory_config(&r.config);
		no_stalls(&r.config.pipe);
		r.data = 16384;
		r.stride = seed & 1 ? 0 : 4 * (u32)seed;
		compare(&r, seed, 0);
	}
}

static void
test_pages(void **state)
{
	static struct rig r;

	(void)state;
	for (u64 seed = 21; seed <= 26; seed++) {
		memory_config(&r.config);
		no_stalls(&r.config.pipe);
		r.config.dtlb = (struct tlb_config){
			.entries = 4, .page_bits = 12};
		r.config.jtlb = (struct tlb_config){
			.entries = 8, .page_bits = 12};
		r.config.pipe.dtlb_replay = 2;
		r.config.pipe.tlb_refill = 30;
		r.data = 65536;
		r.stride = seed & 1 ? 0 : 4 * (u32)seed;
		compare(&r, seed, 0);
	}
}

/* A refill of the joint TLB that the program sees. */
static void
test_hardware_refill(void **state)
{
	static struct rig r;

	(void)state;
	memory_config(&r.config);
	no_stalls(&r.config.pipe);
	r.config.dtlb = (struct tlb_config){.entries = 4, .page_bits = 12};
	r.config.jtlb = (struct tlb_config){.entries = 8, .page_bits = 12};
	r.config.pipe.refill_is_hardware = true;
	r.config.pipe.tlb_refill = 12;
	r.data = 65536;
	r.stride = 0;
	compare(&r, 41, 0);
}

/* Caches that write every store on. */
static void
test_write_through(void **state)
{
	static struct rig r;

	(void)state;
	for (u64 seed = 51; seed <= 54; seed++) {
		memory_config(&r.config);
		no_stalls(&r.config.pipe);
		r.config.l1d.write_through = true;
		r.config.l1d.no_write_allocate = seed & 1;
		r.data = 8192;
		r.stride = seed & 2 ? 0 : 12;
		compare(&r, seed, 0);
	}
}

/*
 * With static stalls: one that would have passed while a load is waited for
 * is charged nevertheless.
 */
static void
test_static_stalls(void **state)
{
	static struct rig r;

	(void)state;
	for (u64 seed = 31; seed <= 36; seed++) {
		memory_config(&r.config);
		r.config.pipe.store_data_slack = 0;
		r.data = 16384;
		r.stride = seed & 1 ? 0 : 4 * (u32)(seed - 30);
		compare(&r, seed, 20000);
	}
}

/*
 * Data to store may come late: the blocks' path lets the store access the
 * cache before its data is there, the scoreboard does not.
 */
static void
test_late_data(void **state)
{
	static struct rig r;

	(void)state;
	for (u64 seed = 31; seed <= 36; seed++) {
		memory_config(&r.config);
		r.data = 16384;
		r.stride = seed & 1 ? 0 : 4 * (u32)(seed - 30);
		compare(&r, seed, 100);
	}
}

/* A program whose instructions miss as well: what it counts, and the cycles
 * that it takes. */
static u64
count(struct rig *r, u64 seed, bool forget, u64 sig[SIG_N])
{
	u64 cycles;

	memory_config(&r->config);
	r->config.l1i = (struct cache_config){
		.size = 512, .ways = 2, .line = 32};
	r->data = 16384;
	r->stride = seed & 1 ? 0 : 12;
	r->forget = forget;
	open_rig(r, &both, seed);
	run(r, BLOCKS * 100);
	cycles = core_cycle(r->core) - r->begin;
	memcpy(sig, r->sig, sizeof r->sig);
	r->forget = false;
	close_rig(r);
	return cycles;
}

/* What the table of lines does not show takes another way to the same
 * counts. */
static void
test_forgotten_lines(void **state)
{
	static u64 sig[2][SIG_N];
	static struct rig r;

	(void)state;
	for (u64 seed = 61; seed <= 66; seed++) {
		u64 cycles = count(&r, seed, false, sig[0]);

		assert_int_equal(count(&r, seed, true, sig[1]), cycles);
		assert_memory_equal(sig[0], sig[1], sizeof sig[0]);
		assert_true(sig[0][SIG_ICACHE_MISS] > 1000);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_hardware_refill),
		cmocka_unit_test(test_write_through),
		cmocka_unit_test(test_static_stalls),
		cmocka_unit_test(test_late_data),
		cmocka_unit_test(test_forgotten_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
