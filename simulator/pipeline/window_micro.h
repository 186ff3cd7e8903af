/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block's micro-ops while they are being built. */
#ifndef PIPELINE_WINDOW_MICRO_H
#define PIPELINE_WINDOW_MICRO_H

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

/* One more micro-op; the one returned is thrown away if they are only
 * counted. */
struct window_op *builder_op(struct builder *b, unsigned hold, unsigned ports,
			     unsigned latency);

/* Whether that register is of floating point or vectors, and that class. */
static inline bool
builder_is_fp(unsigned reg)
{
	return reg >= REG_FP0 && reg < REG_FP0 + 32;
}

static inline bool
builder_is_vector(unsigned cls)
{
	return cls >= CLASS_FMOVE && cls <= CLASS_CLMUL;
}

/* It reads a register, or that part of it; REG_NONE: nothing. */
void builder_part(struct window_op *op, unsigned reg, unsigned part);
void builder_src(struct window_op *op, unsigned reg);

/* It reads those that form the instruction's address, or what it computes
 * with. */
void builder_address(struct window_op *op, const struct insn *in);
void builder_sources(struct window_op *op, const struct insn *in);

/* It writes a register, or that part of it (0: all); the instruction's results
 * from that one on. */
void builder_result(struct builder *b, struct window_op *op, unsigned reg,
		    unsigned part);
void builder_results(struct builder *b, struct window_op *op,
		     const struct insn *in, unsigned from);

/* A load from the instruction's address. */
struct window_op *builder_load(struct builder *b, const struct insn *in);

/* What the instruction computes, as its class says. */
struct window_op *builder_compute(struct builder *b, const struct insn *in);

/* What needs no port, and no time: renaming does it.  False: it does not. */
bool builder_renamed(struct builder *b, const struct insn *in);

/* An instruction on a machine that splits them (window_split.c). */
void builder_split(struct builder *b, const struct insn *in);

#endif
