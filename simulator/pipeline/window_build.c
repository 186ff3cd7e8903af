/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From instructions to micro-ops, once per block. */
#include "window_micro.h"

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

/* Both as one: a branch that computes.  A step leaves the carry as it was: its
 * other flags are read by the branch, and behind it the carry is, of sums of many
 * words, which is not the step's. */
static void
add_fused(struct builder *b, const struct insn *in)
{
	struct insn both = *in;

	both.branch = BRANCH_DIRECT_COND;
	for (unsigned i = 0; i < INSN_DST && in->fuse & FUSE_STEP; i++)
		if (both.dst[i] == REG_FLAGS)
			both.dst[i] = REG_NONE;
	builder_results(b, builder_compute(b, &both), &both, 0);
}

/* ---- Instructions that stay whole ------------------------------------ */

static void
whole(struct builder *b, const struct insn *in)
{
	const struct pipeline_config *pipe = &b->config->pipe;
	const struct class_config *cls = &pipe->cls[in->cls];
	struct window_op *op;

	if (in->flags & INSN_LOADS) {
		op = builder_load(b, in);
		if (!in->dst_loaded)
			op->latency += (u16)(cls->latency ? cls->latency - 1
							  : 0);
		builder_sources(op, in);
	} else if (in->flags & INSN_STORES) {
		op = builder_op(b, HOLD_STORE, pipe->window.store_ports, 1);
		builder_address(op, in);
		builder_sources(op, in);
	} else {
		op = builder_compute(b, in);
		builder_address(op, in);
	}
	if (in->flags & INSN_STORES) {
		op->flags |= OP_STORE;
		op->data = in->data;
	}
	builder_results(b, op, in, 0);
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
			builder_split(b, &insn[i]);
		else
			whole(b, &insn[i]);
		if (b->n == b->first)
			builder_op(b, HOLD_NOP, 0, 1);
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
