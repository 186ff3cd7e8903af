/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks written as lists of instructions, on a pipeline like the 34K's. */
#ifndef TEST_BLOCK_TEXT_H
#define TEST_BLOCK_TEXT_H

#include "machine_fixture.h"
#include "pipeline/block_build.h"

/* A pipeline like the 34K's. */
static inline struct sim_config *
pipeline_config(void)
{
	static const struct class_config mdu = {
		.latency = 5, .repeat = 1, .unit = UNIT_MDU};
	struct sim_config *c = fixture_config();
	struct pipeline_config *p = &c->pipe;

	c->l1i = c->l1d = (struct cache_config){
		.size = 32768, .ways = 4, .line = 32};
	c->itlb = c->dtlb = (struct tlb_config){.entries = 8, .page_bits = 12};
	c->branch = (struct branch_config){
		.initial = 1, .pc_shift = 2, .entries = 512,
		.return_entries = 4};
	for (unsigned i = 0; i < CLASS_N; i++)
		p->cls[i] = (struct class_config){
			.latency = 1, .repeat = 1};
	p->cls[CLASS_MUL] = p->cls[CLASS_MFHILO] = mdu;
	p->cls[CLASS_MULT] = (struct class_config){
		.latency = 1, .repeat = 1, .unit = UNIT_MDU};
	p->cls[CLASS_DIV] = (struct class_config){
		.latency = 36, .repeat = 36, .unit = UNIT_MDU};
	p->cls[CLASS_FADD] = (struct class_config){
		.latency = 8, .repeat = 2, .unit = UNIT_FPU};
	p->load_use = 2;
	p->load_address = 3;
	p->alu_address = 2;
	p->unit_address = 1;
	p->store_data_slack = 1;
	p->mispredict = p->indirect = 5;
	p->taken_bubble = 1;
	p->fetch_bytes = 8;
	p->fetch_ahead = 6;
	c->mem = (struct memory_config){
		.fsb = 8, .ldq = 8, .wbb = 4, .ifb = 2};
	return c;
}

/* Memory for blocks; arena_used = 0 throws all of it away. */
static char arena[8u << 20] __attribute__((aligned(64)));
static size_t arena_used;

static inline void *
take(size_t bytes)
{
	void *p = arena + arena_used;

	arena_used += (bytes + 63) & ~(size_t)63;
	assert_true(arena_used <= sizeof arena);
	return p;
}

/* ---- A block as text -------------------------------------------------- */

/*
 * One instruction: its name, then what it writes, then what it reads, all
 * general registers; 0 where there is none.
 */
struct op {
	const char *name;
	u8 dst, a, b;
};

static inline void
make_memory(struct insn *in, const struct op *op)
{
	bool store = *op->name == 's';

	in->flags |= INSN_MEM_KNOWN | (store ? INSN_STORES : INSN_LOADS);
	in->n_load = !store;
	in->n_store = store;
	in->size_log2 = 2;
	in->addr[0] = op->a;
	in->dst_loaded = !store;
	if (store)
		in->data = op->b;
}

static inline void
make_other(struct insn *in, const struct op *op)
{
	static const struct {
		const char *name;
		u8 cls, branch;
		u16 flags;
	} ops[] = {
		{"alu", CLASS_ALU, BRANCH_NONE, 0},
		{"nop", CLASS_NOP, BRANCH_NONE, 0},
		{"mul", CLASS_MUL, BRANCH_NONE, 0},
		{"div", CLASS_DIV, BRANCH_NONE, 0},
		{"mflo", CLASS_MFHILO, BRANCH_NONE, 0},
		{"fadd", CLASS_FADD, BRANCH_NONE, INSN_IS_FP},
		{"fdiv", CLASS_FDIV_D, BRANCH_NONE, INSN_IS_FP},
		{"pref", CLASS_PREFETCH, BRANCH_NONE, 0},
		{"syscall", CLASS_SYSCALL, BRANCH_NONE, 0},
		{"beq", CLASS_ALU, BRANCH_DIRECT_COND, 0},
		{"beql", CLASS_ALU, BRANCH_DIRECT_COND, INSN_LIKELY},
		{"j", CLASS_ALU, BRANCH_JUMP, 0},
		{"jal", CLASS_ALU, BRANCH_CALL, 0},
		{"jr", CLASS_ALU, BRANCH_IND_JUMP, 0},
		{"ret", CLASS_ALU, BRANCH_RETURN, 0},
		/* loads its target */
		{"lret", CLASS_ALU, BRANCH_RETURN,
		 INSN_LOADS | INSN_MEM_KNOWN},
		{"rep", CLASS_ALU, BRANCH_REP, 0},
	};
	unsigned i = 0, n = 0;

	while (strcmp(ops[i].name, op->name))
		assert_true(++i < SIM_COUNT(ops));
	in->cls = ops[i].cls;
	in->branch = ops[i].branch;
	in->flags |= ops[i].flags;
	in->n_load = ops[i].flags & INSN_LOADS;
	in->size_log2 = 2 * in->n_load;
	if (op->a)
		in->src[n++] = op->a;
	if (op->b)
		in->src[n] = op->b;
}

/* Not 0: what of their registers instructions read and write is drawn. */
static u64 draw_parts;

static inline u8
draw_part(void)
{
	static const u8 parts[] = {0, PART_LOW, PART_HIGH, PART_WORD,
				   PART_ALL, PART_ALL, 0, 0};

	draw_parts = draw_parts * 6364136223846793005ull + 1;
	return parts[draw_parts >> 61];
}

static inline void
give_parts(struct insn *in)
{
	for (unsigned i = 0; i < INSN_SRC; i++)
		in->src_part[i] = draw_part();
	for (unsigned i = 0; i < INSN_DST; i++)
		in->dst_part[i] = draw_part() % PART_ALL;
	in->data_part = draw_part();
	in->flags |= draw_part() == PART_WORD ? INSN_CLEARS : 0;
}

/* Of so many percent of the instructions, a load of a segment register is
 * made. */
static unsigned draw_segments;

static inline void
give_segment(struct insn *in)
{
	draw_parts = draw_parts * 6364136223846793005ull + 1;
	if ((draw_parts >> 32) % 100 < draw_segments)
		in->kind = (u8)(INSN_SEGMENT_ES + (draw_parts >> 62));
}

static inline struct block *
build(u64 pc, const struct op *op, unsigned n, const struct sim_config *c)
{
	struct insn insn[BLOCK_MAX_INSN];
	struct block *b = take(block_bound(n));

	for (unsigned i = 0; i < n; i++) {
		insn_init(&insn[i], pc + 4 * i, 4);
		if (!strcmp(op[i].name, "lw") || !strcmp(op[i].name, "sw"))
			make_memory(&insn[i], &op[i]);
		else
			make_other(&insn[i], &op[i]);
		if (op[i].dst)
			insn[i].dst[0] = op[i].dst;
		if (draw_parts)
			give_parts(&insn[i]);
		if (draw_segments)
			give_segment(&insn[i]);
	}
	assert_int_equal(block_build(b, c, insn, n, true, 0, take), 0);
	block_widen(b, take)->insn =
		memcpy(take(n * sizeof *insn), insn, n * sizeof *insn);
	assert_true(b->bytes <= block_bound(n));
	return b;
}

#define BUILD(pc, c, ...)                                                    \
	build(pc, (const struct op[]){__VA_ARGS__},                          \
	      SIM_COUNT(((const struct op[]){__VA_ARGS__})), c)

static inline u64
count_of(const struct block *b, enum sim_signal s)
{
	u64 n = 0;

	for (unsigned i = 0; i < (unsigned)b->n_count + b->n_stall; i++)
		if (b->count[i].signal == s)
			n += b->count[i].n;
	return n;
}

#endif
