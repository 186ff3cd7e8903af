/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An in-order pipeline told one instruction at a time: the cycle each can
 * issue, from when its operands are there.  Naive, for comparisons.
 */
#ifndef TEST_SCOREBOARD_H
#define TEST_SCOREBOARD_H

#include "block_text.h"
#include "oracle.h"

struct scoreboard {
	const struct pipeline_config *pipe;
	u64 free;		/* cycle the next instruction can issue */
	u64 value[256];		/* cycle a register can be computed with */
	u64 address[256];	/* cycle it can form an address */
	u64 unit[3];		/* cycle a unit is free */
};

static inline u64
max_of(u64 a, u64 b)
{
	return a > b ? a : b;
}

static inline bool
is_reg(unsigned r)
{
	return r != REG_NONE;
}

/* The cycle it issues at. */
static inline u64
board_issue(const struct scoreboard *s, const struct insn *in)
{
	u64 at = s->free, slack = s->pipe->store_data_slack;

	for (unsigned i = 0; i < INSN_ADDR; i++)
		if (is_reg(in->addr[i]))
			at = max_of(at, s->address[in->addr[i]]);
	for (unsigned i = 0; i < INSN_SRC; i++)
		if (is_reg(in->src[i]))
			at = max_of(at, s->value[in->src[i]]);
	if (is_reg(in->data) && s->value[in->data] > slack)
		at = max_of(at, s->value[in->data] - slack);
	return max_of(at, s->unit[s->pipe->cls[in->cls].unit]);
}

/*
 * Issues it at cycle at; the next one follows after that many cycles more.
 * What it loads is there at cycle arrives, if that is later than a hit.
 */
static inline void
board_book(struct scoreboard *s, const struct insn *in, u64 at, u64 blocked,
	   u64 arrives)
{
	const struct class_config *cls = &s->pipe->cls[in->cls];
	unsigned latency = cls->latency, to_address;
	u64 begin = at + blocked, value, address;

	if (in->dst_loaded) {
		latency = s->pipe->load_use;
		to_address = s->pipe->load_address;
	} else if (cls->unit == UNIT_NONE && latency <= 1) {
		to_address = s->pipe->alu_address;
	} else {
		to_address = latency + s->pipe->unit_address;
	}
	value = max_of(begin + latency, arrives);
	address = begin + to_address;
	if (arrives)
		address = max_of(address, arrives + s->pipe->unit_address);
	for (unsigned i = 0; i < INSN_DST; i++) {
		if (!is_reg(in->dst[i]))
			continue;
		s->value[in->dst[i]] = value;
		s->address[in->dst[i]] = address;
	}
	if (cls->unit != UNIT_NONE && cls->repeat > 1)
		s->unit[cls->unit] = begin + cls->repeat;
	s->free = begin + 1;
}

/* Issues all instructions of a block; every access is a hit. */
static inline void
board_block(struct scoreboard *s, const struct block *b)
{
	for (unsigned i = 0; i < b->n_insn; i++) {
		const struct insn *in = &block_insns(b)[i];

		board_book(s, in, board_issue(s, in), 0, 0);
	}
}

/* ---- Random blocks ---------------------------------------------------- */

/* How many of 100 instructions; the rest are ALU instructions. */
struct mix {
	u8 loads, stores, muls, divs, fadds;
	u8 regs;		/* used; few make long chains */
	u8 length;		/* longest block */
};

static inline void
random_insn(struct op *op, const struct mix *mix, struct dice *d)
{
	unsigned kind = dice_below(d, 100);
	u8 a = (u8)(1 + dice_below(d, mix->regs));
	u8 b = (u8)(1 + dice_below(d, mix->regs));
	u8 c = (u8)(1 + dice_below(d, mix->regs));

	*op = (struct op){"alu", c, a, b};
	if (kind < mix->loads)
		*op = (struct op){"lw", c, a, 0};
	else if ((kind -= mix->loads) < mix->stores)
		*op = (struct op){"sw", 0, a, b};
	else if ((kind -= mix->stores) < mix->muls)
		*op = (struct op){"mul", c, a, b};
	else if ((kind -= mix->muls) < mix->divs)
		*op = (struct op){"div", REG_HILO, a, b};
	else if ((kind -= mix->divs) < mix->fadds)
		*op = (struct op){"fadd", (u8)(32 + c), (u8)(32 + a),
				  (u8)(32 + b)};
	else if (mix->divs && dice_percent(d, 10))
		*op = (struct op){"mflo", c, REG_HILO, 0};
}

static inline struct block *
random_block(u64 pc, const struct mix *mix, struct dice *d,
	     const struct sim_config *c, const char *end)
{
	struct op op[BLOCK_MAX_INSN];
	unsigned n = 1 + dice_below(d, mix->length);

	for (unsigned i = 0; i < n; i++)
		random_insn(&op[i], mix, d);
	if (end)
		op[n++] = (struct op){
			end, 0, (u8)(1 + dice_below(d, mix->regs)), 0};
	return build(pc, op, n, c);
}

#endif
