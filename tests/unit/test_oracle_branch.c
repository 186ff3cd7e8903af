/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictors against naive ones: counters, history, returns, targets. */
#include "core_fixture.h"
#include "enter_block.h"
#include "machine_fixture.h"
#include "oracle.h"
#include "pipeline/block_build.h"

#include <stdio.h>

#define BLOCKS 48
#define STEPS 6000

/* What branches came to; outcome as in core.h. */
struct tally {
	u64 outcome[2][BRANCH_OUTCOMES];
	u64 right, wrong, unknown;
	u64 indirect_wrong;
};

struct rig {
	struct sim_config config;
	struct core *core;
	u64 sig[SIG_N];
	u64 outcome[2][BRANCH_OUTCOMES];
	struct oracle_branch oracle;
	struct tally tally;
	struct dice dice;
	struct block *block[BLOCKS];
	struct block *stub[BLOCKS]; /* without a branch, behind the block */
	unsigned at;		/* where the program is */
	unsigned depth, stack[40]; /* calls of the program, a ring */
	u8 bias[BLOCKS];	/* taken so many times of 100 */
	unsigned last_taken[BLOCKS];
};

static void
base_config(struct sim_config *c)
{
	memset(c, 0, sizeof *c);
	c->l1i = c->l1d = (struct cache_config){
		.size = 4096, .ways = 2, .line = 32};
	c->itlb = c->dtlb = (struct tlb_config){.entries = 4, .page_bits = 12};
	c->mem.fsb = c->mem.wbb = c->mem.ldq = 8;
	c->mem.ifb = 2;
	c->pipe.fetch_bytes = 8;
	c->pipe.mispredict = 5;
	c->pipe.indirect = 4;
	c->pipe.taken_bubble = 1;
	for (unsigned i = 0; i < CLASS_N; i++)
		c->pipe.cls[i] = (struct class_config){
			.latency = 1, .repeat = 1};
}

static void
random_branches(struct dice *d, struct branch_config *b, unsigned seed)
{
	*b = (struct branch_config){
		.kind = (u8)(seed % 3),
		.initial = (u8)(seed / 3 % 4),
		.history_bits = (u8)(1 + dice_below(d, 14)),
		.pc_shift = (u8)dice_below(d, 4),
		.entries = 1u << dice_below(d, 13),
		.return_entries = seed % 17,
		.target_entries = dice_percent(d, 40) ? 0
				  : 1u << dice_below(d, 8),
	};
}

static void *
heap(size_t bytes)
{
	return calloc(1, bytes ? bytes : 1);
}

static struct block *
new_block(struct rig *r, const struct insn *in, unsigned n)
{
	struct block *b = heap(block_bound(n));

	assert_non_null(b);
	assert_int_equal(block_build(b, &r->config, in, n, true, 0, heap), 0);
	return b;
}

static void
free_block(struct block *b)
{
	free((void *)b->detail);
	free(b->own);
	free(b);
}

/* Blocks of one instruction and a branch, at odd places. */
static void
new_program(struct rig *r)
{
	static const u8 kinds[] = {
		BRANCH_DIRECT_COND, BRANCH_DIRECT_COND, BRANCH_DIRECT_COND,
		BRANCH_DIRECT_COND, BRANCH_CALL, BRANCH_CALL, BRANCH_IND_CALL,
		BRANCH_IND_JUMP, BRANCH_RETURN, BRANCH_RETURN,
		BRANCH_COND_CALL, BRANCH_JUMP, BRANCH_NONE,
	};

	for (unsigned i = 0; i < BLOCKS; i++) {
		u64 pc = 0x400000 + i * 64 + dice_below(&r->dice, 32);
		struct insn in[2];

		insn_init(&in[0], pc, 3);
		insn_init(&in[1], pc + 3, 1 + dice_below(&r->dice, 6));
		in[1].branch = kinds[dice_below(&r->dice, SIM_COUNT(kinds))];
		if (in[1].branch == BRANCH_DIRECT_COND &&
		    dice_percent(&r->dice, 15))
			in[1].flags |= INSN_LIKELY;
		r->block[i] = new_block(r, in, 2);
		insn_init(&in[0], r->block[i]->fall, 3);
		r->stub[i] = new_block(r, in, 1);
		r->bias[i] = (u8)(dice_percent(&r->dice, 50)
				  ? dice_below(&r->dice, 101)
				  : 200);	/* 200: every other time */
	}
}

static void
open_rig(struct rig *r)
{
	memset(r->sig, 0, sizeof r->sig);
	memset(r->outcome, 0, sizeof r->outcome);
	memset(&r->tally, 0, sizeof r->tally);
	r->at = r->depth = 0;
	memset(r->last_taken, 0, sizeof r->last_taken);
	r->core = set_up_core(&r->config);
	r->core->sig = r->sig;
	r->core->outcome = r->outcome;
	oracle_branch_init(&r->oracle, &r->config.branch);
	new_program(r);
}

static void
close_rig(struct rig *r)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		free_block(r->block[i]);
		free_block(r->stub[i]);
	}
	free(r->core);
	oracle_branch_free(&r->oracle);
}

static void
expect_cond(struct rig *r, const struct block *p, bool taken)
{
	bool wrong = oracle_cond(&r->oracle, block_branch_pc(p), taken);
	bool shares = p->fall % r->config.pipe.fetch_bytes != 0;

	r->tally.outcome[shares][wrong * 2 + taken]++;
}

/* What block p's branch to address target should come to. */
static void
expect(struct rig *r, const struct block *p, u64 target)
{
	bool taken = target != p->fall;

	switch (p->branch) {
	case BRANCH_DIRECT_COND:
		expect_cond(r, p, taken);
		break;
	case BRANCH_COND_CALL:
		expect_cond(r, p, taken);
		if (taken)
			oracle_call(&r->oracle, p->fall);
		break;
	case BRANCH_IND_CALL:
	case BRANCH_IND_JUMP:
		r->tally.indirect_wrong += oracle_indirect(
			&r->oracle, block_branch_pc(p), target);
		if (p->branch == BRANCH_IND_CALL)
			oracle_call(&r->oracle, p->fall);
		break;
	case BRANCH_CALL:
		oracle_call(&r->oracle, p->fall);
		break;
	case BRANCH_RETURN:
		switch (oracle_return(&r->oracle, target)) {
		case RETURN_RIGHT:
			r->tally.right++;
			break;
		case RETURN_WRONG:
			r->tally.wrong++;
			break;
		case RETURN_UNKNOWN:
			r->tally.unknown++;
			break;
		}
		break;
	}
}

static bool
decide(struct rig *r, unsigned at)
{
	if (r->bias[at] == 200)
		return r->last_taken[at]++ & 1;
	return dice_percent(&r->dice, r->bias[at]);
}

/* Where block number at goes; a block's stub lies right behind it. */
static struct block *
go(struct rig *r, unsigned at)
{
	struct block *b = r->block[at], *away;
	unsigned n = r->depth % SIM_COUNT(r->stack);

	away = r->block[r->at = dice_below(&r->dice, BLOCKS)];
	switch (b->branch) {
	case BRANCH_NONE:
		return r->stub[at];
	case BRANCH_DIRECT_COND:
		return decide(r, at) ? away : r->stub[at];
	case BRANCH_COND_CALL:
		if (!decide(r, at))
			return r->stub[at];
		r->stack[n] = at;
		r->depth++;
		return away;
	case BRANCH_CALL:
	case BRANCH_IND_CALL:
		r->stack[n] = at;
		r->depth++;
		return away;
	case BRANCH_RETURN:
		if (!r->depth || dice_percent(&r->dice, 10))
			return away;
		r->depth--;
		return r->stub[r->stack[r->depth % SIM_COUNT(r->stack)]];
	case BRANCH_IND_JUMP:
		if (dice_percent(&r->dice, 70))
			return r->block[r->at = (at + 7) % BLOCKS];
		return away;
	default:
		return away;
	}
}

static void
run(struct rig *r)
{
	struct block *prev = NULL, *b;

	for (unsigned n = 0; n < STEPS; n++) {
		b = r->block[r->at];
		if (!prev || prev->vaddr != b->vaddr)
			enter_block(r->core, b);
		if (prev && prev != b)
			expect(r, prev, b->vaddr);
		prev = go(r, r->at);
		enter_block(r->core, prev);
		expect(r, b, prev->vaddr);
	}
}

static void
compare(const struct rig *r, unsigned seed)
{
	const struct tally *t = &r->tally;

	for (unsigned s = 0; s < 2; s++)
		for (unsigned o = 0; o < BRANCH_OUTCOMES; o++)
			if (r->outcome[s][o] != t->outcome[s][o])
				fail_msg("seed %u outcome %u,%u: %llu, not "
					 "%llu", seed, s, o,
					 (unsigned long long)r->outcome[s][o],
					 (unsigned long long)t->outcome[s][o]);
	assert_int_equal(r->sig[SIG_RETURN_MISS], t->wrong);
	assert_int_equal(r->sig[SIG_RETURN_NOPRED], t->unknown);
	assert_int_equal(r->sig[SIG_JUMP_IND_MISS], t->indirect_wrong);
}

static void
test_random(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 0; seed < 240; seed++) {
		r.dice.state = seed * 7919 + 11;
		base_config(&r.config);
		random_branches(&r.dice, &r.config.branch, seed);
		open_rig(&r);
		run(&r);
		compare(&r, seed);
		close_rig(&r);
	}
}

/* Known answers: one branch, outcomes T and N, for a counter's start. */
static void
one_branch(u8 kind, u8 initial, const char *outcomes, unsigned misses)
{
	static struct rig r;
	struct insn in;

	base_config(&r.config);
	r.config.branch = (struct branch_config){
		.kind = kind, .initial = initial, .entries = 16,
		.history_bits = 2};
	open_rig(&r);
	insn_init(&in, 0x500000, 4);
	in.branch = BRANCH_DIRECT_COND;
	free_block(r.block[0]);
	r.block[0] = new_block(&r, &in, 1);
	in.branch = BRANCH_NONE;
	in.pc = 0x500004;
	free_block(r.stub[0]);
	r.stub[0] = new_block(&r, &in, 1);
	in.pc = 0x600000;
	free_block(r.stub[1]);
	r.stub[1] = new_block(&r, &in, 1);
	for (const char *o = outcomes; *o; o++) {
		enter_block(r.core, r.block[0]);
		enter_block(r.core, r.stub[*o == 'T']);
	}
	assert_int_equal(r.outcome[1][2] + r.outcome[1][3], misses);
	assert_int_equal(r.outcome[0][2] + r.outcome[0][3], 0);
	close_rig(&r);
}

static void
test_known(void **state)
{
	(void)state;
	/* The counter is 0, 1, 2, 3: two takens to change its mind. */
	one_branch(PREDICT_BIMODAL, 0, "TTTT", 2);
	one_branch(PREDICT_BIMODAL, 1, "TTTT", 1);
	one_branch(PREDICT_BIMODAL, 2, "TTTT", 0);
	one_branch(PREDICT_BIMODAL, 3, "NNNN", 2);
	one_branch(PREDICT_BIMODAL, 2, "NNNN", 1);
	one_branch(PREDICT_BIMODAL, 3, "TTNTTNTT", 2);
	/* Alternating: all wrong from 1, half of them from 0. */
	one_branch(PREDICT_BIMODAL, 1, "TNTNTNTN", 8);
	one_branch(PREDICT_BIMODAL, 0, "TNTNTNTN", 4);
	one_branch(PREDICT_BIMODAL, 2, "TNTNTNTN", 4);
	one_branch(PREDICT_NOT_TAKEN, 3, "TNTTNNNT", 4);
	/* With two bits of history each pattern gets its own counter:
	 * 00 T, 01 N, 10 T, 01 N, 10 T ...: wrong once each for 00 and 10. */
	one_branch(PREDICT_GSHARE, 1, "TNTNTNTNTN", 2);
}

/* Calls n deep and back: all returns but those beyond the stack are right. */
static void
deep(unsigned room, unsigned n, unsigned unknown)
{
	static struct rig r;
	struct insn in;
	struct block *call[20], *back[20], *ret;

	base_config(&r.config);
	r.config.branch = (struct branch_config){
		.entries = 16, .return_entries = room};
	open_rig(&r);
	insn_init(&in, 0x600000, 4);
	in.branch = BRANCH_RETURN;
	ret = new_block(&r, &in, 1);
	for (unsigned i = 0; i < n; i++) {
		insn_init(&in, 0x500000 + i * 64, 4);
		in.branch = BRANCH_CALL;
		call[i] = new_block(&r, &in, 1);
		in.pc += 4;
		in.branch = BRANCH_RETURN;
		back[i] = new_block(&r, &in, 1);
		enter_block(r.core, call[i]);
	}
	enter_block(r.core, ret);
	for (unsigned i = n; i-- > 0;)
		enter_block(r.core, back[i]);
	assert_int_equal(r.sig[SIG_RETURN_NOPRED], unknown);
	assert_int_equal(r.sig[SIG_RETURN_MISS], 0);
	for (unsigned i = 0; i < n; i++) {
		free_block(call[i]);
		free_block(back[i]);
	}
	free_block(ret);
	close_rig(&r);
}

static void
test_depth(void **state)
{
	(void)state;
	for (unsigned room = 0; room <= 16; room++)
		for (unsigned n = 1; n <= 20; n++)
			deep(room, n, n > room ? n - room : 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
