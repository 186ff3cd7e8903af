/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From instructions to micro-ops, once per block. */
#include "inorder.h"
#include "window_internal.h"

/* A program while it is being built. */
struct builder {
	const struct sim_config *config;
	struct window_op *op;	/* NULL: only counted */
	unsigned n;
	u16 *firsts;		/* micro-op of each instruction */
	u64 from;		/* address of the first one */
	u16 clear;		/* registers that the block has cleared: what
				   is not written of them is known */
	u16 spoilt;		/* registers that it has written otherwise */
	unsigned stores;	/* instructions so far that store */
	unsigned first;		/* micro-op of the instruction */
	u16 insn;
};

static unsigned
bit_number(unsigned mask)
{
	return (unsigned)__builtin_ctz(mask);
}

/* One more micro-op; the one returned is thrown away if they are only
 * counted. */
static struct window_op *
add_op(struct builder *b, unsigned hold, unsigned ports, unsigned latency)
{
	static struct window_op scratch;
	struct window_op *op = b->op ? &b->op[b->n] : &scratch;

	b->n++;
	*op = (struct window_op){
		.kind = (u8)bit_number(hold),
		.ports = (u8)ports,
		.latency = (u16)latency,
		.insn = b->insn,
		.cause = SIG_ALU_OTHER,
		.data = REG_NONE,
		.keeps = UINT32_MAX,
	};
	return op;
}

static void
add_part(struct window_op *op, unsigned reg, unsigned part)
{
	unsigned i = 0;

	if (reg == REG_NONE)
		return;
	while (i < op->n_src && op->src[i] != reg)
		i++;
	op->n_src += i == op->n_src;
	op->src[i] = (u8)reg;
	op->src_part[i] |= (u8)part;
	if (reg < WINDOW_PARTS && part)
		op->reads |= 1u << reg;
}

static void
add_src(struct window_op *op, unsigned reg)
{
	add_part(op, reg, PART_ALL);
}

static void
add_address(struct window_op *op, const struct insn *in)
{
	for (unsigned i = 0; i < INSN_ADDR; i++)
		add_src(op, in->addr[i]);
}

static void
add_sources(struct window_op *op, const struct insn *in)
{
	for (unsigned i = 0; i < INSN_SRC; i++)
		add_part(op, in->src[i], in->src_part[i]);
}

/* What is not written of a register that has been cleared is still known. */
static void
add_general(struct builder *b, struct window_op *op, unsigned reg,
	    unsigned part)
{
	u16 bit = (u16)(1u << reg);

	if (part != PART_HIGH && b->clear & bit)
		part = 0;
	op->keeps &= ~(u32)bit;
	op->dst_part[op->n_dst] = (u8)part;
	if (!part)
		return;
	op->narrow |= bit;
	if (part != PART_HIGH)
		op->inherits |= bit & (u16)~b->spoilt;
}

static void
add_result(struct builder *b, struct window_op *op, unsigned reg,
	   unsigned part)
{
	op->dst[op->n_dst] = (u8)reg;
	if (reg < WINDOW_PARTS)
		add_general(b, op, reg, part);
	op->n_dst++;
}

static void
add_results(struct builder *b, struct window_op *op, const struct insn *in,
	    unsigned from)
{
	for (unsigned i = from; i < INSN_DST; i++)
		if (in->dst[i] != REG_NONE)
			add_result(b, op, in->dst[i], in->dst_part[i]);
}

static bool
is_fp_class(unsigned cls)
{
	return cls >= CLASS_FMOVE && cls <= CLASS_FCVT;
}

static unsigned
load_latency(const struct pipeline_config *pipe, const struct insn *in)
{
	bool fp = in->dst_loaded && in->dst[0] >= REG_FP0 &&
		  in->dst[0] < REG_FP0 + 32;

	return fp ? pipe->window.load_use_fp : pipe->load_use;
}

static struct window_op *
add_load(struct builder *b, const struct insn *in)
{
	const struct pipeline_config *pipe = &b->config->pipe;
	struct window_op *op = add_op(b, HOLD_LOAD, pipe->window.load_ports,
				      load_latency(pipe, in));

	op->flags |= OP_LOAD;
	op->awaits = pipe->window.disambiguation == DISAMBIGUATION_WAIT;
	op->cause = SIG_ALU_LOADUSE;
	add_address(op, in);
	return op;
}

/* What the instruction computes, as its class says. */
static struct window_op *
add_compute(struct builder *b, const struct insn *in)
{
	const struct pipeline_config *pipe = &b->config->pipe;
	const struct class_config *cls = &pipe->cls[in->cls];
	unsigned hold = HOLD_INT, ports = cls->ports;
	struct window_op *op;

	if (in->branch != BRANCH_NONE && in->branch != BRANCH_REP) {
		hold = HOLD_BRANCH;
		ports = pipe->window.branch_ports;
	} else if (!ports) {
		hold = HOLD_NOP;
	} else if (is_fp_class(in->cls)) {
		hold = HOLD_FP;
	}
	op = add_op(b, hold, ports, cls->latency);
	op->cause = unit_cause(cls->unit);
	op->repeat = cls->repeat;
	op->busy = cls->repeat > 1 ? cls->busy : 0;
	add_sources(op, in);
	return op;
}

/* What needs no port, and no time: renaming does it.  False: it does not. */
static bool
add_renamed(struct builder *b, const struct insn *in)
{
	const struct window_config *w = &b->config->pipe.window;
	bool zero = in->flags & INSN_ZEROES && w->zeroes_free;
	struct window_op *op;

	if (!zero && !(in->flags & INSN_MOVES && w->moves_free))
		return false;
	op = add_op(b, HOLD_NOP, 0, 0);
	if (!zero)
		add_sources(op, in);
	add_results(b, op, in, 0);
	return true;
}

/* Whether it and the branch behind it are one micro-op: not if that ends in
 * another line. */
static bool
are_fused(const struct sim_config *config, const struct insn *in,
	  const struct insn *behind)
{
	u32 line = config->l1i.line;

	return in->fuse & config->pipe.window.fuses &&
	       behind->branch == BRANCH_DIRECT_COND &&
	       in->condition & behind->condition &&
	       (in->pc + in->size - 1) / line ==
		       (behind->pc + behind->size - 1) / line;
}

/* Both as one: a branch that computes. */
static void
add_fused(struct builder *b, const struct insn *in)
{
	struct insn both = *in;

	both.branch = BRANCH_DIRECT_COND;
	add_results(b, add_compute(b, &both), in, 0);
}

/* ---- Instructions that are split ------------------------------------- */

/* Address and data of a store; reg is the register with the data. */
static void
add_split_store(struct builder *b, const struct insn *in, unsigned reg,
		unsigned part)
{
	const struct window_config *w = &b->config->pipe.window;
	struct window_op *op = add_op(b, HOLD_STORE, w->store_ports, 1);

	op->flags |= OP_STORE;
	add_address(op, in);
	op = add_op(b, HOLD_DATA, w->data_ports, 1);
	add_part(op, reg, part);
}

/* What is left to be computed besides the accesses. */
static bool
computes(const struct insn *in)
{
	bool loads = in->flags & INSN_LOADS, stores = in->flags & INSN_STORES;

	if (in->cls == CLASS_PREFETCH)
		return false;
	if (in->branch != BRANCH_NONE || (!loads && !stores))
		return true;
	if (loads)
		return stores || !in->dst_loaded || in->dst[1] != REG_NONE;
	return in->dst[0] != REG_NONE || in->src[0] != REG_NONE;
}

static void
split(struct builder *b, const struct insn *in)
{
	bool loads = in->flags & INSN_LOADS, stores = in->flags & INSN_STORES;
	unsigned data = in->data;
	struct window_op *op;

	if (add_renamed(b, in))
		return;
	if (loads) {
		op = add_load(b, in);
		add_result(b, op, in->dst_loaded ? in->dst[0] : REG_LOADED,
			   in->dst_loaded ? in->dst_part[0] : 0);
	}
	if (computes(in)) {
		op = add_compute(b, in);
		if (loads && !in->dst_loaded)
			add_src(op, REG_LOADED);
		else if (!stores || in->dst[0] != REG_NONE)
			add_address(op, in);
		add_results(b, op, in, loads && in->dst_loaded);
		if (stores && data == REG_NONE && op->n_dst < INSN_DST) {
			data = REG_RESULT;
			add_result(b, op, REG_RESULT, 0);
		}
	}
	if (stores)
		add_split_store(b, in, data, data == in->data ? in->data_part
							      : 0);
	while (b->n - b->first < in->uops)
		add_op(b, HOLD_INT, b->config->pipe.cls[CLASS_ALU].ports, 1);
}

/* ---- Instructions that stay whole ------------------------------------ */

static void
whole(struct builder *b, const struct insn *in)
{
	const struct pipeline_config *pipe = &b->config->pipe;
	const struct class_config *cls = &pipe->cls[in->cls];
	struct window_op *op;

	if (in->flags & INSN_LOADS) {
		op = add_load(b, in);
		if (!in->dst_loaded)
			op->latency += (u16)(cls->latency ? cls->latency - 1
							  : 0);
		add_sources(op, in);
	} else if (in->flags & INSN_STORES) {
		op = add_op(b, HOLD_STORE, pipe->window.store_ports, 1);
		add_address(op, in);
		add_sources(op, in);
	} else {
		op = add_compute(b, in);
		add_address(op, in);
	}
	if (in->flags & INSN_STORES) {
		op->flags |= OP_STORE;
		op->data = in->data;
	}
	add_results(b, op, in, 0);
}

/* ---- Blocks ---------------------------------------------------------- */

static bool
is_serial(const struct sim_config *config, const struct insn *in)
{
	return config->pipe.cls[in->cls].serial || in->flags & INSN_IS_SERIAL;
}

/* Of a load of a segment register: its first micro-op waits for the one
 * before, its last one is what the next one waits for. */
static void
rename_segment(struct builder *b, const struct insn *in)
{
	u32 bit;

	if (!b->config->pipe.window.renames_segments ||
	    in->kind < INSN_SEGMENT_ES || in->kind > INSN_SEGMENT_GS)
		return;
	bit = 1u << (WINDOW_PARTS + in->kind - INSN_SEGMENT_ES);
	b->op[b->first].reads |= bit;
	b->op[b->n - 1].narrow |= bit;
}

/* How the instruction is fetched and decoded. */
static void
frame(struct builder *b, const struct insn *in, const struct insn *before)
{
	const struct pipeline_config *pipe = &b->config->pipe;
	const struct window_config *w = &pipe->window;
	struct window_op *first = &b->op[b->first];
	unsigned n = b->n - b->first;
	u64 line = (in->pc + in->size - 1u) / b->config->l1i.line;
	u64 first_line = b->from / b->config->l1i.line;
	u64 group = (in->pc + in->size - 1u) / pipe->fetch_bytes;
	bool serial = is_serial(b->config, in);

	first->flags |= OP_FIRST;
	first->decode = (u8)(n < 255 ? n : 255);
	if (w->decoders)
		first->extra = (u8)((n - 1) / w->decode[0]);
	if (!before || (before->pc + before->size - 1u) / b->config->l1i.line !=
			       line)
		first->flags |= OP_LINE;
	if (before && (before->pc + before->size - 1u) / pipe->fetch_bytes !=
			      group)
		first->flags |= OP_GROUP;
	b->op[b->n - 1].flags |= OP_LAST;
	b->op[b->n - 1].ends = in->branch != BRANCH_REP;
	/* One that loads its target or stores is no branch to the queues. */
	if (in->branch != BRANCH_NONE)
		b->op[b->n - 1].flags |= OP_BRANCH;
	for (unsigned i = b->first; i < b->n; i++) {
		b->op[i].line = (u16)(line - first_line);
		if (serial)
			b->op[i].flags |= OP_SERIAL;
		if (1u << b->op[i].kind == HOLD_BRANCH)
			b->op[i].flags |= OP_BRANCH;
	}
}

/* Which registers the block has cleared, and not written otherwise since, or
 * only at their lower end.  What serializes lets that be forgotten. */
static void
note_clear(struct builder *b, const struct insn *in)
{
	if (is_serial(b->config, in) || in->cls == CLASS_SYSCALL) {
		b->clear = 0;
		b->spoilt = UINT16_MAX;
		return;
	}
	for (unsigned i = 0; i < INSN_DST; i++) {
		unsigned r = in->dst[i], part = in->dst_part[i];

		if (r >= WINDOW_PARTS)
			continue;
		if (in->flags & INSN_CLEARS)
			b->clear |= (u16)(1u << r);
		else if (!part || part == PART_HIGH)
			b->clear &= (u16)~(1u << r);
		else
			continue;
		b->spoilt |= (u16)(1u << r);
	}
}

/* Which of the block's stores its micro-ops are. */
static void
number_store(struct builder *b, const struct insn *in)
{
	if (!(in->flags & INSN_STORES))
		return;
	b->stores++;
	for (unsigned i = b->first; i < b->n; i++)
		b->op[i].store = (u8)(b->stores < 255 ? b->stores : 255);
}

/* The bus is locked: nothing of before is under way when that begins, and the
 * next one has to wait. */
static void
lock(struct builder *b, const struct insn *in)
{
	u8 cycles = b->config->pipe.window.lock;
	struct window_op *op = &b->op[b->first];

	if (!cycles || !(in->flags & INSN_IS_LOCKED))
		return;
	op->flags |= OP_SERIAL;
	op->busy = WINDOW_LOCK;
	op->repeat = cycles;
}

static void
add_insns(struct builder *b, const struct insn *insn, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct insn *before = i ? &insn[i - 1] : NULL;
		bool fused = i + 1 < n &&
			     are_fused(b->config, &insn[i], &insn[i + 1]);

		b->first = b->n;
		if (fused) {
			note_clear(b, &insn[i]);
			if (b->op)
				b->firsts[i] = (u16)b->first;
			i++;
		}
		b->insn = (u16)i;
		if (fused)
			add_fused(b, &insn[i - 1]);
		else if (b->config->pipe.window.split)
			split(b, &insn[i]);
		else
			whole(b, &insn[i]);
		if (b->n == b->first)
			add_op(b, HOLD_NOP, 0, 1);
		note_clear(b, &insn[i]);
		if (!b->op)
			continue;
		b->firsts[i] = (u16)b->first;
		rename_segment(b, &insn[i]);
		number_store(b, &insn[i]);
		lock(b, &insn[i]);
		frame(b, &insn[i], before);
	}
	if (b->op)
		b->firsts[n] = (u16)b->n;
}

struct window_program *
window_build(const struct sim_config *config, const struct insn *insn,
	     unsigned n, void *(*alloc)(size_t))
{
	struct builder count = {.config = config};
	struct builder b = {.config = config, .from = insn[0].pc};
	struct window_program *p;
	size_t places, firsts;

	add_insns(&count, insn, n);
	places = (sizeof *p + count.n * sizeof *p->op + 7) & ~(size_t)7;
	firsts = places + (count.n < WINDOW_MANY ? count.n + 1
						 : WINDOW_MANY + 1) *
				  sizeof *p->enter;
	p = alloc(firsts + (n + 1) * sizeof *p->first);
	if (!p)
		return NULL;
	p->n = p->n_without_slot = count.n;
	b.op = p->op;
	p->first = b.firsts = (u16 *)((char *)p + firsts);
	add_insns(&b, insn, n);
	if (n > 1 && insn[n - 2].flags & INSN_LIKELY)
		p->n_without_slot = b.first;
	p->clears = b.clear;
	p->spoils = b.spoilt;
	program_survey(p, &config->pipe.window, (u64 *)((char *)p + places));
	return p;
}
