/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One micro-op after the other, while a program is built. */
#include "window_micro.h"

static unsigned
bit_number(unsigned mask)
{
	return (unsigned)__builtin_ctz(mask);
}

/* One more micro-op; the one returned is thrown away if they are only
 * counted. */
struct window_op *
builder_op(struct builder *b, unsigned hold, unsigned ports, unsigned latency)
{
	static struct window_op scratch;
	struct window_op *op = b->op ? &b->op[b->n] : &scratch;

	b->n++;
	*op = (struct window_op){
		.kind = (u8)bit_number(hold),
		.ports = (u16)ports,
		.latency = (u16)latency,
		.insn = b->insn,
		.cause = SIG_ALU_OTHER,
		.data = REG_NONE,
		.keeps = UINT32_MAX,
	};
	return op;
}

void
builder_part(struct window_op *op, unsigned reg, unsigned part)
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

void
builder_src(struct window_op *op, unsigned reg)
{
	builder_part(op, reg, PART_ALL);
}

void
builder_address(struct window_op *op, const struct insn *in)
{
	for (unsigned i = 0; i < INSN_ADDR; i++)
		builder_src(op, in->addr[i]);
}

void
builder_sources(struct window_op *op, const struct insn *in)
{
	for (unsigned i = 0; i < INSN_SRC; i++)
		builder_part(op, in->src[i], in->src_part[i]);
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

void
builder_result(struct builder *b, struct window_op *op, unsigned reg,
	   unsigned part)
{
	op->dst[op->n_dst] = (u8)reg;
	if (reg < WINDOW_PARTS)
		add_general(b, op, reg, part);
	op->n_dst++;
}

void
builder_results(struct builder *b, struct window_op *op, const struct insn *in,
	    unsigned from)
{
	for (unsigned i = from; i < INSN_DST; i++)
		if (in->dst[i] != REG_NONE)
			builder_result(b, op, in->dst[i], in->dst_part[i]);
}

static bool
is_fp_class(unsigned cls)
{
	return cls >= CLASS_FMOVE && cls <= CLASS_FCVT;
}

/* A base and an index; the second register of others is another address. */
static bool
is_indexed(const struct insn *in)
{
	return in->addr[1] != REG_NONE && !(in->flags & INSN_IS_STACK) &&
	       in->cls != CLASS_STRING;
}

static bool
loads_fp(const struct insn *in)
{
	return in->dst_loaded && builder_is_fp(in->dst[0]);
}

static unsigned
load_latency(const struct pipeline_config *pipe, const struct insn *in)
{
	return (loads_fp(in) ? pipe->window.load_use_fp : pipe->load_use) +
	       (is_indexed(in) ? pipe->window.load_indexed : 0);
}

struct window_op *
builder_load(struct builder *b, const struct insn *in)
{
	const struct pipeline_config *pipe = &b->config->pipe;
	const struct window_config *w = &pipe->window;
	bool fp = loads_fp(in) || builder_is_vector(in->cls);
	struct window_op *op = builder_op(
		b, HOLD_LOAD,
		fp && w->load_ports_fp ? w->load_ports_fp : w->load_ports,
		load_latency(pipe, in));

	op->flags |= OP_LOAD;
	op->awaits = pipe->window.disambiguation == DISAMBIGUATION_WAIT;
	op->cause = SIG_ALU_LOADUSE;
	builder_address(op, in);
	return op;
}

/* What the instruction computes, as its class says. */
struct window_op *
builder_compute(struct builder *b, const struct insn *in)
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
	op = builder_op(b, hold, ports, cls->latency);
	op->cause = unit_cause(cls->unit);
	op->repeat = cls->repeat;
	op->busy = cls->repeat > 1 ? cls->busy : 0;
	builder_sources(op, in);
	return op;
}

/* What needs no port, and no time: renaming does it.  False: it does not. */
bool
builder_renamed(struct builder *b, const struct insn *in)
{
	const struct window_config *w = &b->config->pipe.window;
	bool zero = in->flags & INSN_ZEROES && w->zeroes_free;
	struct window_op *op;

	if (!zero && !(in->flags & INSN_MOVES && w->moves_free))
		return false;
	op = builder_op(b, HOLD_NOP, 0, 0);
	if (!zero)
		builder_sources(op, in);
	builder_results(b, op, in, 0);
	return true;
}
