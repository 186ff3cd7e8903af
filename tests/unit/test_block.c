/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks with cycles, stalls, lists and accesses worked out by hand. */
#include "block_text.h"
#include "enter_block.h"
#include "pipeline/window.h"
#include "pipeline/block_build.h"

#include <stdio.h>

/* All stalls of a block, and that they are behind the other counts. */
static u64
stalls(const struct block *b)
{
	u64 n = 0;

	for (unsigned i = 0; i < (unsigned)b->n_count + b->n_stall; i++) {
		bool stall = b->count[i].signal >= SIG_CYCLE_KILLED;

		assert_int_equal(stall, i >= b->n_count);
		if (stall)
			n += b->count[i].n;
	}
	return n;
}

static void
expect_cycles(const struct block *b, unsigned cycles, enum sim_signal cause,
	      unsigned stall)
{
	assert_int_equal(b->cycles, cycles);
	assert_int_equal(b->advance >> 32, cycles);
	assert_int_equal(count_of(b, cause), stall);
	assert_int_equal(stalls(b), stall);
	assert_int_equal(count_of(b, SIG_CYCLE_ISSUE), cycles - stall);
}

/* ---- Cycles ----------------------------------------------------------- */

static void
test_cycles(void **state)
{
	const struct sim_config *c = pipeline_config();

	(void)state;
	expect_cycles(BUILD(0, c, {"alu", 1, 2, 3}), 1, SIG_ALU_OTHER, 0);
	/* Independent and dependent additions. */
	expect_cycles(BUILD(0, c, {"alu", 1, 2, 3}, {"alu", 4, 2, 3},
			    {"alu", 5, 2, 3}), 3, SIG_ALU_OTHER, 0);
	expect_cycles(BUILD(0, c, {"alu", 1, 1, 3}, {"alu", 1, 1, 3},
			    {"alu", 1, 1, 3}), 3, SIG_ALU_OTHER, 0);
	/* Load, then use: a bubble; none with one between; two as address. */
	expect_cycles(BUILD(0, c, {"lw", 1, 2, 0}, {"alu", 3, 1, 0}), 3,
		      SIG_ALU_LOADUSE, 1);
	expect_cycles(BUILD(0, c, {"lw", 1, 2, 0}, {"alu", 4, 5, 0},
			    {"alu", 3, 1, 0}), 3, SIG_ALU_LOADUSE, 0);
	expect_cycles(BUILD(0, c, {"lw", 1, 2, 0}, {"lw", 3, 1, 0}), 4,
		      SIG_ALU_LOADUSE, 2);
	/* A chain of pointers: three cycles a load. */
	expect_cycles(BUILD(0, c, {"lw", 1, 1, 0}, {"lw", 1, 1, 0},
			    {"lw", 1, 1, 0}, {"lw", 1, 1, 0}), 10,
		      SIG_ALU_LOADUSE, 6);
	/* What is loaded may be stored at once; what is an address not. */
	expect_cycles(BUILD(0, c, {"lw", 1, 2, 0}, {"sw", 0, 2, 1}), 2,
		      SIG_ALU_LOADUSE, 0);
	expect_cycles(BUILD(0, c, {"alu", 1, 2, 0}, {"sw", 0, 1, 3}), 3,
		      SIG_ALU_AGEN, 1);
	expect_cycles(BUILD(0, c, {"alu", 1, 2, 0}, {"lw", 3, 1, 0}), 3,
		      SIG_ALU_AGEN, 1);
	expect_cycles(BUILD(0, c, {"alu", 1, 2, 0}, {"sw", 0, 3, 1}), 2,
		      SIG_ALU_AGEN, 0);
}

static void
test_units(void **state)
{
	const struct sim_config *c = pipeline_config();

	(void)state;
	/* Multiplications depend on each other: 5 cycles each. */
	expect_cycles(BUILD(0, c, {"mul", 1, 1, 2}, {"mul", 1, 1, 2},
			    {"mul", 1, 1, 2}), 11, SIG_ALU_MDU, 8);
	expect_cycles(BUILD(0, c, {"mul", 1, 2, 2}, {"mul", 3, 2, 2},
			    {"mul", 4, 2, 2}), 3, SIG_ALU_MDU, 0);
	/* A product as address takes one more. */
	expect_cycles(BUILD(0, c, {"mul", 1, 2, 2}, {"lw", 3, 1, 0}), 7,
		      SIG_ALU_MDU, 5);
	/* A division is in the way of the next user of its unit only. */
	expect_cycles(BUILD(0, c, {"div", REG_HILO, 2, 3}, {"alu", 1, 1, 2},
			    {"alu", 1, 1, 2}), 3, SIG_ALU_MDU, 0);
	expect_cycles(BUILD(0, c, {"div", REG_HILO, 2, 3}, {"alu", 1, 1, 2},
			    {"mul", 4, 1, 2}), 37, SIG_ALU_MDU, 34);
	expect_cycles(BUILD(0, c, {"div", REG_HILO, 2, 3},
			    {"mflo", 1, REG_HILO, 0}, {"alu", 4, 1, 0}), 42,
		      SIG_ALU_MDU, 39);
	/* Floating point: one every other cycle, results after eight. */
	expect_cycles(BUILD(0, c, {"fadd", 33, 34, 35}, {"fadd", 36, 34, 35}),
		      3, SIG_ALU_FPU, 1);
	expect_cycles(BUILD(0, c, {"fadd", 33, 34, 35}, {"fadd", 36, 33, 35}),
		      9, SIG_ALU_FPU, 7);
}

static void
test_counts(void **state)
{
	static const struct {
		enum sim_signal s;
		u64 n;
	} expected[] = {
		{SIG_INSN, 10}, {SIG_INSN_INT, 9}, {SIG_INSN_FPU, 1},
		{SIG_INSN_LOAD, 2}, {SIG_INSN_STORE, 1}, {SIG_INSN_NOP, 1},
		{SIG_INSN_MUL, 1}, {SIG_INSN_DIV, 1}, {SIG_INSN_PREFETCH, 1},
		{SIG_INSN_FLOP, 1}, {SIG_DACCESS, 3}, {SIG_IFETCH, 5},
		{SIG_CYCLE_ISSUE, 10}, {SIG_JUMP_IND, 0}, {SIG_CALL, 0},
		{SIG_BRANCH_COND, 0},
	};
	const struct sim_config *c = pipeline_config();
	const struct block *b;

	(void)state;
	b = BUILD(0x1000, c, {"lw", 1, 2, 0}, {"lw", 3, 2, 0},
		  {"sw", 0, 2, 5}, {"nop", 0, 0, 0}, {"mul", 4, 5, 6},
		  {"div", REG_HILO, 5, 6}, {"fadd", 33, 34, 35},
		  {"pref", 0, 0, 0}, {"syscall", 0, 0, 0}, {"alu", 7, 8, 9});
	for (unsigned i = 0; i < SIM_COUNT(expected); i++)
		assert_int_equal(count_of(b, expected[i].s), expected[i].n);
	assert_int_equal((u32)b->advance, 4);
	assert_int_equal(count_of(BUILD(0, c, {"jal", 31, 0, 0}), SIG_CALL),
			 1);
	assert_int_equal(count_of(BUILD(0, c, {"jr", 0, 1, 0}), SIG_JUMP_IND),
			 1);
	assert_int_equal(count_of(BUILD(0, c, {"ret", 0, 31, 0}),
				  SIG_RETURN), 1);
	/* A direct jump brings its bubble along. */
	b = BUILD(0, c, {"j", 0, 0, 0}, {"nop", 0, 0, 0});
	assert_int_equal(count_of(b, SIG_JUMP), 1);
	expect_cycles(b, 3, SIG_IFU_REDIRECT, 1);
	assert_int_equal(b->kind, KIND_NONE);
}

/* ---- Fetch groups, lines, pages --------------------------------------- */

static void
fetches(u64 pc, unsigned n, const char *last, unsigned groups, unsigned lines)
{
	struct op op[BLOCK_MAX_INSN];
	const struct block *b;

	for (unsigned i = 0; i < n; i++)
		op[i] = (struct op){"nop", 0, 0, 0};
	op[n - 1].name = last;
	b = build(pc, op, n, pipeline_config());
	assert_int_equal(count_of(b, SIG_IFETCH), groups);
	assert_int_equal(b->n_line, lines);
	assert_int_equal(b->line, pc / 32);
	assert_int_equal(b->fall, pc + 4 * n);
	assert_int_equal(b->n_insn, n);
	if (pc >> 12 == (b->fall - 1) >> 12)
		assert_int_equal(b->page_entry, pc >> 12 << 8);
	else
		assert_true(b->page_entry == BLOCK_NO_PAGE);
	assert_int_equal(b->page_at, (pc >> 12) % SHADOW_PAGES);
}

static void
test_fetch_groups(void **state)
{
	(void)state;
	fetches(0x1000, 1, "jr", 1, 1);
	fetches(0x1004, 1, "jr", 1, 1);
	fetches(0x1000, 2, "jr", 1, 1);
	fetches(0x1004, 2, "jr", 2, 1);
	fetches(0x1004, 8, "jr", 5, 2);
	fetches(0x1000, 512, "jr", 256, 64);
	fetches(0x1ffc, 2, "jr", 2, 2);
	/* Without a branch the last group goes on in the next block. */
	fetches(0x1000, 1, "nop", 0, 1);
	fetches(0x1004, 1, "nop", 1, 1);
	fetches(0x1000, 3, "nop", 1, 1);
	fetches(0x1000, 4, "nop", 2, 1);
	fetches(0x1000, 512, "nop", 256, 64);
	/* Behind a system call it is fetched again. */
	fetches(0x1000, 1, "syscall", 1, 1);
	fetches(0x1000, 3, "syscall", 2, 1);
	fetches(0x1000, 4, "syscall", 2, 1);
}

static void
test_large(void **state)
{
	const struct sim_config *c = pipeline_config();
	struct op op[BLOCK_MAX_INSN];
	struct block *b;

	(void)state;
	for (unsigned i = 0; i < BLOCK_MAX_INSN; i++)
		op[i] = (struct op){"lw", 1, 1, 0};
	b = build(0x1000, op, BLOCK_MAX_INSN, c);
	expect_cycles(b, 3 * 511 + 1, SIG_ALU_LOADUSE, 2 * 511);
	assert_int_equal(b->detail->n_access, 512);
	assert_int_equal(block_access(b->detail)[0].clock_back, 511);
	assert_int_equal(block_access(b->detail)[0].cycles_back, 3 * 511 + 1);
	assert_int_equal(block_access(b->detail)[511].clock_back, 0);
	assert_int_equal(block_access(b->detail)[511].cycles_back, 1);
	/* The costliest: 36 cycles each. */
	for (unsigned i = 0; i < BLOCK_MAX_INSN; i++)
		op[i] = (struct op){"div", REG_HILO, 1, 2};
	b = build(0x1000, op, BLOCK_MAX_INSN, c);
	expect_cycles(b, 36 * 511 + 1, SIG_ALU_MDU, 35 * 511);
}

/* ---- Lists ------------------------------------------------------------ */

/* killed: whether an entry is; -1: it is an exit. */
static const struct block_reg *
find_reg(const struct block_reg *list, unsigned n, unsigned reg, bool address,
	 int killed)
{
	const struct block_reg *found = NULL;

	for (unsigned i = 0; i < n; i++) {
		if (list[i].reg != reg || list[i].address != address ||
		    (killed >= 0 && list[i].killed != killed))
			continue;
		assert_null(found);
		found = &list[i];
	}
	return found;
}

static void
owes(const struct block *b, unsigned reg, bool address, unsigned cycles,
     enum sim_signal cause)
{
	const struct block_detail *d = b->detail;
	const struct block_reg *r;

	r = find_reg(block_exit(d), d->n_exit, reg, address, -1);
	if (!cycles) {
		assert_null(r);
		return;
	}
	assert_non_null(r);
	assert_int_equal(r->cycles, cycles);
	assert_int_equal(r->signal, cause);
}

static void
test_exit(void **state)
{
	const struct sim_config *c = pipeline_config();
	const struct block *b;

	(void)state;
	b = BUILD(0, c, {"alu", 1, 2, 3}, {"lw", 4, 2, 0});
	owes(b, 1, false, 0, 0);
	owes(b, 1, true, 0, 0);
	owes(b, 4, false, 1, SIG_ALU_LOADUSE);
	owes(b, 4, true, 2, SIG_ALU_LOADUSE);
	assert_int_equal(b->detail->n_exit, 2);
	assert_int_equal(b->kind, KIND_OWES);
	b = BUILD(0, c, {"lw", 4, 2, 0}, {"alu", 1, 2, 3});
	owes(b, 4, false, 0, 0);
	owes(b, 4, true, 1, SIG_ALU_LOADUSE);
	owes(b, 1, false, 0, 0);
	owes(b, 1, true, 1, SIG_ALU_AGEN);
	b = BUILD(0, c, {"div", REG_HILO, 2, 3}, {"nop", 0, 0, 0});
	owes(b, REG_HILO, false, 34, SIG_ALU_MDU);
	owes(b, REG_HILO, true, 35, SIG_ALU_MDU);
	owes(b, 70, false, 34, SIG_ALU_MDU);	/* the unit itself */
	assert_int_equal(b->kind, KIND_SLOW);
	b = BUILD(0, c, {"alu", 1, 2, 3}, {"nop", 0, 0, 0}, {"nop", 0, 0, 0});
	assert_int_equal(b->detail->n_exit, 0);
	assert_int_equal(b->kind, KIND_NONE);
}

static void
touches(const struct block *b, unsigned reg, bool address, bool killed,
	int cycle)
{
	const struct block_detail *d = b->detail;
	const struct block_reg *r;

	r = find_reg(block_entry(d), d->n_entry, reg, address, killed);
	if (cycle < 0) {
		assert_null(r);
		return;
	}
	assert_non_null(r);
	assert_int_equal(r->cycles, cycle);
}

static void
test_entry(void **state)
{
	const struct sim_config *c = pipeline_config();
	const struct block *b;

	(void)state;
	b = BUILD(0, c, {"alu", 1, 2, 3},	/* cycle 0 */
		  {"lw", 4, 2, 0},		/* 1 */
		  {"sw", 0, 4, 5},		/* 4: its address is loaded */
		  {"alu", 2, 1, 6},		/* 5 */
		  {"mul", 7, 2, 2});		/* 6 */
	assert_int_equal(b->cycles, 7);
	touches(b, 2, false, false, 0);
	touches(b, 3, false, false, 0);
	touches(b, 1, false, true, 0);
	touches(b, 1, false, false, -1);
	touches(b, 2, true, false, 1);
	touches(b, 2, false, true, 5);
	touches(b, 4, false, true, 1);
	touches(b, 4, true, false, -1);
	touches(b, 5, false, false, 5);		/* stored: a cycle late */
	touches(b, 6, false, false, 5);
	touches(b, 70, false, false, 6);
	touches(b, 71, false, false, -1);
	touches(b, 7, false, true, 6);
}

static void
access_is(const struct block *b, unsigned i, unsigned insn, unsigned clock,
	  unsigned cycles, unsigned use, unsigned reg, unsigned flags)
{
	const struct block_access *a = &block_access(b->detail)[i];

	assert_true(i < b->detail->n_access);
	assert_int_equal(a->insn, insn);
	assert_int_equal(a->clock_back, clock);
	assert_int_equal(a->cycles_back, cycles);
	assert_int_equal(a->use, use);
	assert_int_equal(a->reg, reg);
	assert_int_equal(a->flags, flags);
}

static void
test_accesses(void **state)
{
	const struct sim_config *c = pipeline_config();
	const struct block *b;

	(void)state;
	b = BUILD(0, c, {"lw", 1, 2, 0},	/* issues at cycle 0 */
		  {"alu", 3, 4, 0},		/* 1 */
		  {"alu", 5, 1, 0},		/* 2 */
		  {"lw", 6, 2, 0},		/* 3 */
		  {"lw", 7, 6, 0},		/* 6 */
		  {"lw", 8, 2, 0},		/* 7 */
		  {"alu", 8, 9, 0},		/* 8: never read */
		  {"lw", 10, 2, 0},		/* 9 */
		  {"sw", 0, 2, 10},		/* 10: data a cycle late */
		  {"lw", 11, 2, 0});		/* 11: read later */
	assert_int_equal(b->cycles, 12);
	assert_int_equal(b->detail->n_access, 7);
	assert_int_equal((u32)b->advance, 8);
	access_is(b, 0, 0, 6, 12, 2, 1, ACCESS_USE_IS_NEXT);
	access_is(b, 1, 3, 5, 9, 3, 6,
		  ACCESS_USE_IS_ADDRESS | ACCESS_USE_IS_NEXT);
	access_is(b, 2, 4, 4, 6, ACCESS_NO_USE, 7, 0);
	access_is(b, 3, 5, 3, 5, ACCESS_NEVER_USED, 8, 0);
	access_is(b, 4, 7, 2, 3, 2, 10, 0);
	access_is(b, 5, 8, 1, 2, ACCESS_NO_USE, REG_NONE, 0);
	access_is(b, 6, 9, 0, 1, ACCESS_NO_USE, 11, 0);
}

/* A pipeline that waits for what it loads, whether and when it is read. */
static void
test_loads_that_block(void **state)
{
	struct sim_config c = *pipeline_config();
	const struct block *b;

	(void)state;
	c.pipe.load_blocks = true;
	b = BUILD(0, &c, {"lw", 1, 2, 0}, {"alu", 3, 4, 0}, {"lw", 1, 2, 0},
		  {"sw", 0, 2, 1}, {"alu", 5, 1, 0});
	assert_int_equal(b->detail->n_access, 3);
	access_is(b, 0, 0, 2, 5, 2, 1, ACCESS_USE_IS_NEXT);
	access_is(b, 1, 2, 1, 3, 2, 1, ACCESS_USE_IS_NEXT);
	access_is(b, 2, 3, 0, 2, ACCESS_NO_USE, REG_NONE, 0);
}

/* ---- What a block was built from -------------------------------------- */

static unsigned decoded;

/* One instruction of as many bytes as the block's notes say. */
static const struct insn *
decode(const struct block *b)
{
	struct insn *in = take(sizeof *in);

	decoded++;
	insn_init(in, b->vaddr, *block_source(b));
	return in;
}

/* Instructions are decoded once, whatever else is kept with the block. */
static void
test_source(void **state)
{
	struct sim_config *c = pipeline_config();
	struct block *b = take(block_bound(1));
	struct profile_block *record = take(1);
	struct insn nop;

	(void)state;
	block_decoder(decode);
	insn_init(&nop, 0x1000, 4);
	assert_int_equal(block_build(b, c, &nop, 1, true, 1, take), 0);
	assert_null(block_wide(b));
	*block_source(b) = 7;
	assert_null(block_profile(b));
	block_widen(b, take)->profile = record;
	assert_int_equal(*block_source(b), 7);
	assert_int_equal(block_insns(b)->size, 7);
	assert_int_equal(block_insns(b)->size, 7);
	assert_int_equal(decoded, 1);
	assert_ptr_equal(block_widen(b, take), block_wide(b));
	assert_ptr_equal(block_profile(b), record);
}

/* Where each access stands, for prefetchers that ask. */
static void
test_place(void **state)
{
	struct sim_config c = *pipeline_config();
	struct block *b = take(block_bound(3));
	struct insn insn[3];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		insn_init(&insn[i], 0x1000 + 4 * i, 4);
		insn[i].flags |= i == 1 ? 0 : INSN_LOADS;
		insn[i].n_load = i != 1;
	}
	assert_int_equal(block_build(b, &c, insn, 3, true, 1, take), 0);
	assert_int_equal(b->detail->n_access, 2);
	assert_int_equal(block_access(b->detail)[1].place, 0);
	c.n_prefetchers = 2;
	c.prefetcher[0].kind = PREFETCH_NEXT;
	c.prefetcher[1].kind = PREFETCH_STRIDE;
	assert_int_equal(block_build(b, &c, insn, 3, true, 1, take), 0);
	assert_int_equal(block_access(b->detail)[0].place, 0);
	assert_int_equal(block_access(b->detail)[1].place, 8);
}

/* ---- Branch-likely, repeated instructions ----------------------------- */

static struct core core;
static u64 sig[SIG_N];
static u64 outcome[2][BRANCH_OUTCOMES];

static void
start_core(const struct sim_config *c)
{
	memset(sig, 0, sizeof sig);
	memset(outcome, 0, sizeof outcome);
	memset(&core, 0, sizeof core);
	assert_int_equal(pipeline_init(&core, c), 0);
	core.sig = sig;
	core.outcome = outcome;
}

static void
test_likely(void **state)
{
	const struct sim_config *c = pipeline_config();
	struct block *b, *fall, *away;
	u64 begin;

	(void)state;
	start_core(c);
	b = BUILD(0x1000, c, {"alu", 1, 2, 3}, {"beql", 0, 1, 2},
		  {"lw", 4, 5, 0});
	fall = BUILD(0x100c, c, {"nop", 0, 0, 0}, {"nop", 0, 0, 0});
	away = BUILD(0x1040, c, {"nop", 0, 0, 0}, {"nop", 0, 0, 0});
	/* The slot is not counted until the branch is taken. */
	assert_int_equal(b->cycles, 2);
	assert_int_equal(count_of(b, SIG_INSN), 2);
	assert_int_equal(count_of(b, SIG_INSN_LOAD), 0);
	assert_int_equal(count_of(b, SIG_DACCESS), 0);
	assert_int_equal(count_of(b, SIG_CYCLE_ISSUE), 2);
	assert_int_equal(b->kind, KIND_SLOW);
	enter_block(&core, b);
	begin = core_cycle(&core);
	enter_block(&core, fall);
	assert_int_equal(core_cycle(&core) - begin, 2);
	assert_int_equal(sig[SIG_INSN], 0);
	enter_block(&core, b);
	begin = core_cycle(&core);
	enter_block(&core, away);
	/* The slot, a mispredict, two no-ops. */
	assert_int_equal(core_cycle(&core) - begin, 1 + 5 + 2);
	assert_int_equal(sig[SIG_INSN], 1);
	assert_int_equal(sig[SIG_INSN_LOAD], 1);
	assert_int_equal(sig[SIG_DACCESS], 1);
	assert_int_equal(sig[SIG_CYCLE_ISSUE], 1);
	assert_int_equal(outcome[1][0], 1);
	assert_int_equal(outcome[1][3], 1);
}

static void
test_repeat(void **state)
{
	const struct sim_config *c = pipeline_config();
	struct block *b, *after;
	u64 insn;

	(void)state;
	start_core(c);
	b = BUILD(0x1000, c, {"rep", 0, 6, 7});
	after = BUILD(0x1004, c, {"nop", 0, 0, 0});
	for (unsigned i = 0; i < 10; i++)
		enter_block(&core, b);
	enter_block(&core, after);
	enter_block(&core, b);
	enter_block(&core, after);
	/* Ten rounds and one: two instructions, eleven cycles. */
	insn = b->execs * count_of(b, SIG_INSN) + sig[SIG_INSN];
	assert_int_equal(b->execs, 11);
	assert_int_equal(insn, 2);
	assert_int_equal(b->execs * count_of(b, SIG_IFETCH) + sig[SIG_IFETCH],
			 2);
	assert_int_equal(b->execs * count_of(b, SIG_CYCLE_ISSUE) +
			 sig[SIG_CYCLE_ISSUE], 11);
}

/* ---- A whole machine -------------------------------------------------- */

/* Runs of a loop of two blocks, and all that a reader sees of them. */
static void
test_totals(void **state)
{
	struct sim_config *c = pipeline_config();
	struct machine_map map = fixture_machine(c);
	unsigned slot = take_slot(&map);
	struct machine_segment *segment = take_segment(&map, slot);
	struct block *b[2];
	u64 cycles = 0;

	(void)state;
	memset(&core, 0, sizeof core);
	assert_int_equal(pipeline_init(&core, &map.m->config), 0);
	core_bind(&core, &map.m->slot[slot], 0);
	b[0] = BUILD(0x1000, c, {"alu", 1, 1, 2}, {"alu", 3, 1, 2},
		     {"beq", 0, 3, 4});
	b[1] = BUILD(0x100c, c, {"alu", 1, 1, 2}, {"beq", 0, 3, 4},
		     {"nop", 0, 0, 0});
	for (unsigned i = 0; i < 2; i++) {
		struct block *to = (void *)((char *)segment + segment->used);

		memcpy(to, b[i], b[i]->bytes);
		segment->used += b[i]->bytes;
		b[i] = to;
	}
	for (unsigned i = 0; i < 100; i++) {
		enter_block(&core, b[0]);
		enter_block(&core, b[1]);
	}
	machine_slot_fold(&map, slot, &segment, 1);
	assert_int_equal(user_count(&map, SIG_INSN), 600);
	/* The last branch has not gone anywhere yet. */
	assert_int_equal(user_count(&map, SIG_BRANCH_COND), 199);
	assert_int_equal(user_count(&map, SIG_BRANCH_TAKEN), 99);
	assert_int_equal(user_count(&map, SIG_BRANCH_MISS), 1);
	/* Both blocks take two groups; b[0] shares its second with b[1],
	 * which starts in its middle. */
	assert_int_equal(user_count(&map, SIG_IFETCH), 100 * (2 + 2) - 100);
	assert_int_equal(user_count(&map, SIG_CYCLE_KILLED), 5);
	/* A taken branch that was predicted: one cycle. */
	assert_int_equal(user_count(&map, SIG_IFU_REDIRECT), 98);
	for (int s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
		cycles += user_count(&map, (enum sim_signal)s);
	assert_int_equal(cycles, core_cycle(&core));
	fixture_close(&map);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_fetch_groups),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_loads_that_block),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_likely),
		cmocka_unit_test(test_repeat),
		cmocka_unit_test(test_totals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
