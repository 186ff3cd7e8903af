/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alpha_mips_rows.h"

#include <string.h>

void
op_fields_init(struct op_fields *f)
{
	memset(f->reg, REG_NONE, sizeof f->reg);
}

static bool
is_mark(char c)
{
	return c == '<' || c == '[' || c == '=';
}

static void
add_register(struct insn *in, char part, u8 reg)
{
	if (reg == REG_NONE)
		return;
	if (part == '<')
		insn_reg(in->src, INSN_SRC, reg);
	else if (part == '[')
		insn_reg(in->addr, INSN_ADDR, reg);
	else if (part == '=')
		in->data = reg;
	else
		insn_reg(in->dst, INSN_DST, reg);
}

/* All it could do is write registers, and those it names are always zero. */
static bool
does_nothing(const struct insn *in, const char *ops)
{
	const unsigned effects =
		INSN_LOADS | INSN_STORES | INSN_IS_FORK | INSN_IS_YIELD;

	return *ops && !is_mark(*ops) && in->dst[0] == REG_NONE &&
	       in->branch == BRANCH_NONE && in->cls < CLASS_PREFETCH &&
	       !(in->flags & effects);
}

static void
set_accesses(struct insn *in, const struct op_row *row)
{
	in->size_log2 = row->size_log2;
	if (row->varies)
		return;
	in->flags |= INSN_MEM_KNOWN;
	in->n_load = (in->flags & INSN_LOADS) != 0;
	in->n_store = (in->flags & INSN_STORES) != 0;
}

/* The pipes of the Pentium that what is most like it could go to. */
static u8
pair_of(const struct insn *in)
{
	switch (in->branch) {
	case BRANCH_NONE:
		break;
	case BRANCH_DIRECT_COND:
	case BRANCH_JUMP:
	case BRANCH_CALL:
		return PAIR_V;
	default:
		return PAIR_NONE;
	}
	switch (in->cls) {
	case CLASS_ALU:
	case CLASS_NOP:
	case CLASS_LOGIC:
		return in->flags & INSN_IS_FP ? PAIR_NONE : PAIR_UV;
	case CLASS_SHIFT:
		return PAIR_U;
	default:
		return PAIR_NONE;
	}
}

void
op_row_apply(struct insn *in, const struct op_row *row,
	     const struct op_fields *f)
{
	char part = 0;

	if (!row->ops) {
		in->flags |= INSN_UNKNOWN;
		return;
	}
	in->flags |= row->flags;
	in->cls = row->cls;
	in->branch = row->branch;
	for (const char *p = row->ops; *p; p++) {
		if (is_mark(*p))
			part = *p;
		else
			add_register(in, part, f->reg[(u8)*p & 127]);
	}
	set_accesses(in, row);
	in->dst_loaded = row->flags & INSN_LOADS && in->dst[0] != REG_NONE;
	in->pair = pair_of(in);
	if (in->flags & INSN_STORES)
		in->uops = 2;
	if (does_nothing(in, row->ops)) {
		in->cls = CLASS_NOP;
		memset(in->src, REG_NONE, sizeof in->src);
	}
}
