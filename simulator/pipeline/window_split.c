/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that are split into micro-ops: accesses, and what computes. */
#include "window_micro.h"

#include <string.h>

#define REG_STACK 4	/* x86: rsp */

/* It takes the place of the micro-op in front of it. */
static void
join_to(struct builder *b, struct window_op *op, unsigned how)
{
	op->joined = b->config->pipe.window.joins & how;
}

/* Address and data of a store; reg is the register with the data. */
static void
add_split_store(struct builder *b, const struct insn *in, unsigned reg,
		unsigned part)
{
	const struct window_config *w = &b->config->pipe.window;
	struct window_op *op = builder_op(b, HOLD_STORE, w->store_ports, 1);

	op->flags |= OP_STORE;
	if (in->flags & INSN_LOADS)
		join_to(b, op, JOIN_UPDATE);
	builder_address(op, in);
	op = builder_op(b, HOLD_DATA,
			builder_is_fp(reg) && w->data_ports_fp
				? w->data_ports_fp
				: w->data_ports,
			1);
	join_to(b, op, JOIN_STORE);
	builder_part(op, reg, part);
}

/* What is left to be computed besides the accesses. */
static bool
computes(const struct insn *in)
{
	bool loads = in->flags & INSN_LOADS, stores = in->flags & INSN_STORES;

	if (in->branch != BRANCH_NONE || (!loads && !stores))
		return true;
	if (loads)
		return stores || !in->dst_loaded || in->dst[1] != REG_NONE;
	return in->dst[0] != REG_NONE || in->src[0] != REG_NONE;
}

/* Micro-ops that an instruction has more, behind those that are known. */
static void
add_others(struct builder *b, const struct insn *in)
{
	const struct pipeline_config *pipe = &b->config->pipe;

	if (pipe->window.micro_ops == MICRO_OPS_P6)
		while (b->n - b->first < in->uops)
			builder_op(b, HOLD_INT, pipe->cls[CLASS_ALU].ports, 1);
}

/* What it computes takes more than one micro-op: others that are like its first
 * one, or sums of a multiplier's or divider's parts. */
static void
add_computing(struct builder *b, const struct insn *in)
{
	const struct pipeline_config *pipe = &b->config->pipe;
	const struct class_config *cls = &pipe->cls[in->cls];
	bool vector = builder_is_vector(in->cls);
	bool sums = cls->unit == UNIT_MDU;

	if (pipe->window.micro_ops != MICRO_OPS_CLASSES)
		return;
	for (unsigned i = 1; i < cls->uops; i++)
		builder_op(b, vector ? HOLD_FP : HOLD_INT,
		       sums ? pipe->cls[CLASS_ALU].ports : cls->ports, 1);
}

/* The stack pointer goes on without the instruction: its result is there at
 * once, in a micro-op that takes no place. */
static void
add_pointer(struct builder *b)
{
	struct window_op *op = builder_op(b, HOLD_NOP, 0, 0);

	op->joined = true;
	builder_src(op, REG_STACK);
	builder_result(b, op, REG_STACK, 0);
}

static void
split(struct builder *b, const struct insn *in)
{
	bool loads = in->flags & INSN_LOADS, stores = in->flags & INSN_STORES;
	unsigned data = in->data;
	struct window_op *op;

	if (builder_renamed(b, in))
		return;
	if (loads) {
		op = builder_load(b, in);
		builder_result(b, op, in->dst_loaded ? in->dst[0] : REG_LOADED,
			   in->dst_loaded ? in->dst_part[0] : 0);
	}
	if (computes(in)) {
		op = builder_compute(b, in);
		if (loads)
			join_to(b, op, JOIN_LOAD);
		if (loads && !in->dst_loaded)
			builder_src(op, REG_LOADED);
		else if (!stores || in->dst[0] != REG_NONE)
			builder_address(op, in);
		builder_results(b, op, in, loads && in->dst_loaded);
		if (stores && data == REG_NONE && op->n_dst < INSN_DST) {
			data = REG_RESULT;
			builder_result(b, op, REG_RESULT, 0);
		}
		add_computing(b, in);
	}
	if (stores)
		add_split_store(b, in, data, data == in->data ? in->data_part
							      : 0);
	add_others(b, in);
}

/* What moves the stack pointer, where renaming does that. */
static void
split_stack(struct builder *b, const struct insn *in)
{
	struct insn rest = *in;
	unsigned n = 0;

	memset(rest.dst, REG_NONE, sizeof rest.dst);
	for (unsigned i = 0; i < INSN_DST; i++)
		if (in->dst[i] != REG_STACK) {
			rest.dst_part[n] = in->dst_part[i];
			rest.dst[n++] = in->dst[i];
		}
	split(b, &rest);
	add_pointer(b);
}

static bool
is_stack_free(const struct builder *b, const struct insn *in)
{
	return b->config->pipe.window.stack_free &&
	       in->flags & INSN_IS_STACK &&
	       !(in->dst_loaded && in->dst[0] == REG_STACK);
}

void
builder_split(struct builder *b, const struct insn *in)
{
	if (is_stack_free(b, in))
		split_stack(b, in);
	else
		split(b, in);
}
