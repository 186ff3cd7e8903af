/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows like those of three processors: small programs whose cycles follow
 * from the widths and latencies alone.
 */
#include "window_fixture.h"

#include <stdio.h>

#define BLOCKS 60
#define FROM 20			/* blocks that are measured: in the middle, */
#define TO 40			/* where nothing begins or ends */

static void (*const machines[])(struct sim_config *) = {r10000, p6, ev6};

/* ---- Straight-line code ----------------------------------------------- */

/*
 * A pattern of instructions, over and over without a branch; cycles of one
 * of them on each machine, and what those without retirement count as.
 */
struct straight {
	struct op op[12];
	unsigned n;
	unsigned cycles[3];
	unsigned stalls[3];
	enum sim_signal stall;
};

static const struct straight straights[] = {
	/* Independent additions: two, two, four per cycle. */
	{{{"alu", 1, 0, 0}, {"alu", 2, 0, 0}, {"alu", 3, 0, 0},
	  {"alu", 4, 0, 0}, {"alu", 5, 0, 0}, {"alu", 6, 0, 0},
	  {"alu", 7, 0, 0}, {"alu", 8, 0, 0}, {"alu", 9, 0, 0},
	  {"alu", 10, 0, 0}, {"alu", 11, 0, 0}, {"alu", 12, 0, 0}},
	 12, {6, 6, 3}, {0, 0, 0}, SIG_ALU_OTHER},
	/* A chain of additions. */
	{{{"alu", 1, 1, 0}}, 1, {1, 1, 1}, {0, 0, 0}, SIG_ALU_OTHER},
	/* A chain of loads that hit. */
	{{{"lw", 1, 1, 0}}, 1, {2, 3, 3}, {1, 2, 2}, SIG_ALU_LOADUSE},
	/* A load and an addition that uses it. */
	{{{"lw", 1, 1, 0}, {"alu", 1, 1, 0}}, 2, {3, 4, 4}, {1, 2, 2},
	 SIG_ALU_LOADUSE},
	{{{"mul", 1, 1, 0}}, 1, {6, 4, 7}, {5, 3, 6}, SIG_ALU_MDU},
	{{{"fadd", 33, 33, 0}}, 1, {2, 3, 4}, {1, 2, 3}, SIG_ALU_FPU},
	/* The divider is busy for longer than its result takes: 21. */
	{{{"fdiv", 33, 33, 0}}, 1, {21, 32, 15}, {20, 31, 14}, SIG_ALU_FPU},
	/* Loads without a reader: one, one, two per cycle. */
	{{{"lw", 1, 20, 0}, {"lw", 2, 20, 0}}, 2, {2, 2, 1}, {0, 0, 0},
	 SIG_ALU_LOADUSE},
	/* Nops need no port: only the ways in and out are narrow. */
	{{{"nop", 0, 0, 0}, {"nop", 0, 0, 0}, {"nop", 0, 0, 0},
	  {"nop", 0, 0, 0}}, 4, {1, 2, 1}, {0, 0, 0}, SIG_ALU_OTHER},
};

struct measure {
	u64 cycles, stalls, ops;
};

static struct measure
take_measure(const struct window_rig *r, enum sim_signal stall, u64 ops)
{
	return (struct measure){window_cycles(r), r->sig[stall], ops};
}

/* Executes blocks in turn; every access is to one word. */
static struct measure
run_blocks(struct window_rig *r, struct block *const *block,
	   enum sim_signal stall)
{
	struct measure from = {0}, to = {0};
	u64 ops = 0;

	for (unsigned i = 0; i < BLOCKS; i++) {
		struct block *b = block[i];

		window_enter(r->core, b);
		if (i == FROM)
			from = take_measure(r, stall, ops);
		if (i == TO)
			to = take_measure(r, stall, ops);
		window_conserved(r, ops);
		for (unsigned k = 0; k < b->detail->n_access; k++)
			window_access(r, b, k, 0x20000000, 2);
		ops += b->detail->window->n;
	}
	return (struct measure){to.cycles - from.cycles,
				to.stalls - from.stalls, to.ops - from.ops};
}

static void
run_straight(const struct straight *s, unsigned machine, bool remember)
{
	static struct window_rig r;
	struct block *block[BLOCKS];
	struct op op[24];
	struct measure m;
	unsigned times = 24 / s->n;

	machines[machine](&r.config);
	window_open(&r, remember);
	arena_used = 0;
	for (unsigned i = 0; i < 24; i++)
		op[i] = s->op[i % s->n];
	for (unsigned i = 0; i < BLOCKS; i++) {
		block[i] = build(0x10000 + i * 4 * times * s->n, op,
				 times * s->n, &r.config);
		window_warm(&r, block[i]);
	}
	m = run_blocks(&r, block, s->stall);
	times *= TO - FROM;
	assert_int_equal(m.cycles, (u64)times * s->cycles[machine]);
	assert_int_equal(m.stalls, (u64)times * s->stalls[machine]);
	window_close(&r);
}

static void
test_straight(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(straights); i++)
		for (unsigned machine = 0; machine < 3; machine++) {
			printf("# pattern %u on machine %u\n", i, machine);
			run_straight(&straights[i], machine, false);
			run_straight(&straights[i], machine, true);
		}
}

/* ---- Branches --------------------------------------------------------- */

/* Cycles of one time round a loop of the branch alone. */
static u64
loop_cycles(unsigned machine, const char *branch, unsigned *killed)
{
	static struct window_rig r;
	struct block *block[BLOCKS], *b;
	struct measure m;

	machines[machine](&r.config);
	window_open(&r, true);
	arena_used = 0;
	b = build(0x10000, &(struct op){branch, 0, 0, 0}, 1, &r.config);
	window_warm(&r, b);
	for (unsigned i = 0; i < BLOCKS; i++)
		block[i] = b;
	m = run_blocks(&r, block, SIG_CYCLE_KILLED);
	*killed = (unsigned)(m.stalls / (TO - FROM));
	window_close(&r);
	assert_int_equal(m.cycles % (TO - FROM), 0);
	return m.cycles / (TO - FROM);
}

/*
 * From its dispatch a branch issues in the next cycle, and is done in the one
 * after that; then the penalty.  One cycle of them is the branch's own.
 */
static void
test_mispredict(void **state)
{
	unsigned killed;

	(void)state;
	assert_int_equal(loop_cycles(0, "beq", &killed), 2 + 5);
	assert_int_equal(killed, 6);
	assert_int_equal(loop_cycles(1, "beq", &killed), 2 + 10);
	assert_int_equal(killed, 11);
	assert_int_equal(loop_cycles(2, "beq", &killed), 2 + 7);
	assert_int_equal(killed, 8);
	assert_int_equal(loop_cycles(2, "jr", &killed), 2 + 8);
	assert_int_equal(killed, 9);
}

/* A right one costs its bubble. */
static void
test_taken(void **state)
{
	unsigned killed;

	(void)state;
	assert_int_equal(loop_cycles(0, "j", &killed), 2);
	assert_int_equal(loop_cycles(1, "j", &killed), 2);
	assert_int_equal(loop_cycles(2, "j", &killed), 1);
	assert_int_equal(killed, 0);
}

/* A branch that is predicted by a bit beside it in the cache, which its line
 * brings: it learns when it is executed first. */
static void
line_learns(bool remember)
{
	static struct window_rig r;
	struct block *b, *t;

	r10000(&r.config);
	r.config.branch = (struct branch_config){
		.kind = PREDICT_ICACHE, .counter_bits = 1};
	window_open(&r, remember);
	arena_used = 0;
	b = BUILD(0x10000, &r.config, {"beq", 0, 0, 0});
	t = BUILD(0x20000, &r.config, {"nop", 0, 0, 0});
	for (unsigned i = 0; i < 5; i++) {
		window_enter(r.core, b);
		window_enter(r.core, t);
		assert_int_equal(r.outcome[b->shares]
				 [OUTCOME_MISS | OUTCOME_TAKEN], 1);
	}
	window_close(&r);
}

static void
test_line_learns(void **state)
{
	(void)state;
	line_learns(false);
	line_learns(true);
}

/* Calls n deep and back: returns beyond the stack's depth are wrong.  Without
 * a table of targets fetch waits for them, on no path at all. */
static void
calls(unsigned targets)
{
	static struct window_rig r;
	struct block *call[20], *back[20], *leaf;
	const unsigned depth = 8;

	for (unsigned n = 1; n <= 20; n++) {
		u64 wrong = n > depth ? n - depth : 0;

		r10000(&r.config);
		r.config.branch.return_entries = depth;
		r.config.branch.target_entries = targets;
		window_open(&r, true);
		arena_used = 0;
		for (unsigned i = 0; i < n; i++) {
			call[i] = BUILD(0x10000 + 64 * i, &r.config,
					{"jal", 31, 0, 0});
			back[i] = BUILD(0x10004 + 64 * i, &r.config,
					{"ret", 0, 31, 0});
		}
		leaf = BUILD(0x20000, &r.config, {"ret", 0, 31, 0});
		for (unsigned i = 0; i < n; i++)
			window_enter(r.core, call[i]);
		window_enter(r.core, leaf);
		for (unsigned i = n; i--;)
			window_enter(r.core, back[i]);
		assert_int_equal(r.sig[SIG_RETURN_MISS] +
				 r.sig[SIG_RETURN_NOPRED], wrong);
		assert_int_equal(r.sig[SIG_WRONG_INSN] != 0,
				 wrong != 0 && targets);
		window_conserved(&r, 2 * n);
		window_close(&r);
	}
}

static void
test_calls(void **state)
{
	(void)state;
	calls(0);
	calls(16);
}

/* ---- The reorder list -------------------------------------------------- */

/* Cycles of two loads that miss, with so many additions between them. */
static u64
two_misses(unsigned machine, unsigned between)
{
	static struct window_rig r;
	struct op op[100];
	struct block *b, *end;
	u64 cycles;

	machines[machine](&r.config);
	window_open(&r, true);
	arena_used = 0;
	op[0] = (struct op){"lw", 1, 20, 0};
	for (unsigned i = 1; i <= between; i++)
		op[i] = (struct op){"alu", 2, 0, 0};
	op[between + 1] = (struct op){"lw", 3, 20, 0};
	b = build(0x10000, op, between + 2, &r.config);
	end = BUILD(b->fall, &r.config, {"nop", 0, 0, 0});
	window_warm(&r, b);
	window_warm(&r, end);
	window_enter(r.core, b);
	window_access(&r, b, 0, 0x20000000, 2);
	window_access(&r, b, 1, 0x20001000, 2);
	window_enter(r.core, end);
	cycles = window_cycles(&r);
	window_conserved(&r, between + 2);
	assert_int_equal(r.sig[SIG_DCACHE_MISS], 2);
	assert_int_equal(r.sig[SIG_WINDOW_FULL] > 0,
			 between + 2 > r.config.pipe.window.queue[0].entries);
	window_close(&r);
	return cycles;
}

/* A miss overlaps with what is in the list behind it, and no more. */
static void
test_reorder_list(void **state)
{
	static const unsigned entries[] = {32, 40, 80};

	(void)state;
	for (unsigned m = 0; m < 3; m++) {
		/* The bus brings the second one 10 cycles later, or later by
		 * as much as it takes to reach it. */
		assert_in_range(two_misses(m, 0), 112, 114);
		assert_true(two_misses(m, entries[m] - 2) < 150);
		assert_true(two_misses(m, entries[m] - 1) > 200);
	}
}

/*
 * A loop of a store: each time round takes two cycles, one of them the
 * branch's bubble, until the queue of stores is full.  All are to a line that
 * the first one waits 100 cycles for.  Of what is left of these, two are of the
 * last branch's bubble: those from a dispatch to its retirement.
 */
static void
full_queue(bool remember)
{
	static struct window_rig r;
	const unsigned queue = 12;
	struct block *b;

	p6(&r.config);
	window_open(&r, remember);
	arena_used = 0;
	b = BUILD(0x10000, &r.config, {"sw", 0, 20, 1}, {"j", 0, 0, 0});
	window_warm(&r, b);
	window_enter(r.core, b);
	for (unsigned i = 0; i <= queue; i++) {
		window_access(&r, b, 0, 0x20000000, 2);
		window_enter(r.core, b);
	}
	assert_int_equal(r.sig[SIG_IFU_REDIRECT], queue - 1 + 2);
	assert_true(r.sig[SIG_ALU_OTHER] > 70);
	window_close(&r);
}

static void
test_full_queue(void **state)
{
	(void)state;
	full_queue(false);
	full_queue(true);
}

/* ---- Micro-operations -------------------------------------------------- */

static struct window_program *
build_one(struct insn *in, void (*machine)(struct sim_config *))
{
	static struct sim_config config;

	machine(&config);
	return window_build(&config, in, 1, take);
}

/* Load and add to a register: what is loaded is added. */
static void
test_load_operate(void **state)
{
	struct window_program *p;
	struct insn in;

	(void)state;
	insn_init(&in, 0x1000, 3);
	in.flags = INSN_LOADS | INSN_MEM_KNOWN;
	in.n_load = 1;
	in.addr[0] = 3;
	in.src[0] = 1;
	in.dst[0] = 1;
	in.dst[1] = REG_FLAGS;
	in.uops = 2;
	p = build_one(&in, p6);
	assert_int_equal(p->n, 2);
	assert_int_equal(p->op[0].flags, OP_FIRST | OP_LINE | OP_LOAD);
	assert_int_equal(p->op[0].src[0], 3);
	assert_int_equal(p->op[0].dst[0], REG_LOADED);
	assert_int_equal(p->op[0].decode, 2);
	assert_int_equal(p->op[1].flags, OP_LAST);
	assert_int_equal(p->op[1].n_src, 2);
	assert_int_equal(p->op[1].src[0], 1);
	assert_int_equal(p->op[1].src[1], REG_LOADED);
	assert_int_equal(p->op[1].n_dst, 2);
	p = build_one(&in, ev6);
	assert_int_equal(p->n, 1);
	assert_int_equal(p->op[0].flags,
			 OP_FIRST | OP_LINE | OP_LOAD | OP_LAST);
	assert_int_equal(p->op[0].n_src, 2);
}

/* Add a register to memory: load, add, address, data. */
static void
test_modify(void **state)
{
	struct window_program *p;
	struct insn in;

	(void)state;
	insn_init(&in, 0x1000, 3);
	in.flags = INSN_LOADS | INSN_STORES | INSN_MEM_KNOWN;
	in.n_load = in.n_store = 1;
	in.addr[0] = 3;
	in.src[0] = 1;
	in.dst[0] = REG_FLAGS;
	in.uops = 4;
	p = build_one(&in, p6);
	assert_int_equal(p->n, 4);
	assert_int_equal(p->op[1].dst[0], REG_FLAGS);
	assert_int_equal(p->op[1].dst[1], REG_RESULT);
	assert_int_equal(p->op[2].flags, OP_STORE);
	assert_int_equal(1 << p->op[2].kind, HOLD_STORE);
	assert_int_equal(p->op[2].src[0], 3);
	assert_int_equal(1 << p->op[3].kind, HOLD_DATA);
	assert_int_equal(p->op[3].src[0], REG_RESULT);
}

/* More than the first decoder makes: a cycle more for each four. */
static void
test_microcode(void **state)
{
	struct window_program *p;
	struct insn in;

	(void)state;
	insn_init(&in, 0x1000, 3);
	in.uops = 9;
	p = build_one(&in, p6);
	assert_int_equal(p->n, 9);
	assert_int_equal(p->op[0].decode, 9);
	assert_int_equal(p->op[0].extra, 2);
	assert_int_equal(p->op[8].flags, OP_LAST);
	assert_int_equal(build_one(&in, r10000)->n, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_mispredict),
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_line_learns),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_reorder_list),
		cmocka_unit_test(test_full_queue),
		cmocka_unit_test(test_load_operate),
		cmocka_unit_test(test_modify),
		cmocka_unit_test(test_microcode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
