/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that processors of today do not execute: moves that renaming
 * does, zeroes, and compares that become one with the branch behind them.
 * Facts about the instructions; which processor does what is in its table.
 */
#include "x86_state.h"

/* The operations of opcodes 00 to 3f and of group 1, in their order. */
static const struct {
	u8 fuse, condition;
} arithmetic[8] = {
	{FUSE_SUM, CONDITION_ANY & ~CONDITION_OTHER},	/* add */
	{FUSE_LOGIC, CONDITION_ANY},			/* or */
	{FUSE_NONE, 0},					/* adc */
	{FUSE_NONE, 0},					/* sbb */
	{FUSE_SUM, CONDITION_ANY},			/* and */
	{FUSE_SUM, CONDITION_ANY & ~CONDITION_OTHER},	/* sub */
	{FUSE_LOGIC, CONDITION_ANY},			/* xor */
	{FUSE_COMPARE, CONDITION_ANY & ~CONDITION_OTHER}, /* cmp */
};

/* What the branches by condition 0 to 15 look at, in pairs. */
static const u8 condition[8] = {
	CONDITION_OTHER,  /* o */
	CONDITION_CARRY,  /* b, ae */
	CONDITION_ZERO,	  /* e, ne */
	CONDITION_CARRY,  /* be, a */
	CONDITION_OTHER,  /* s */
	CONDITION_OTHER,  /* p */
	CONDITION_SIGNED, /* l, ge */
	CONDITION_SIGNED, /* le, g */
};

static unsigned
reg_field(const struct x86_state *s)
{
	return *s->p >> 3 & 7;
}

/* Both operands are registers. */
static bool
is_direct(const struct x86_state *s)
{
	return *s->p >= 0xc0;
}

static bool
is_of_one_register(const struct x86_state *s)
{
	unsigned rm = (*s->p & 7u) | s->b;

	return is_direct(s) &&
	       (s->vex ? s->vvvv : reg_field(s) | s->r) == rm;
}

static void
fuse(struct x86_state *s, unsigned what, unsigned when)
{
	s->in->fuse = what & 15;
	s->in->condition = when & 15;
}

/* A step leaves the carry as it was. */
static void
fuse_step(struct x86_state *s)
{
	fuse(s, FUSE_STEP, CONDITION_ZERO | CONDITION_SIGNED);
}

static void
fuse_one(struct x86_state *s)
{
	u8 c = s->opcode;
	unsigned row = c < 0x40 && (c & 7) < 6 ? c >> 3
		       : c >= 0x80 && c <= 0x83 ? reg_field(s)
						: 8;

	if (row < 8)
		fuse(s, arithmetic[row].fuse, arithmetic[row].condition);
	else if (c == 0x84 || c == 0x85 || c == 0xa8 || c == 0xa9 ||
		 ((c == 0xf6 || c == 0xf7) && reg_field(s) < 2))
		fuse(s, FUSE_COMPARE, CONDITION_ANY);
	else if (((c == 0xfe || c == 0xff) && reg_field(s) < 2) ||
		 (!s->is64 && c >= 0x40 && c <= 0x4f))
		fuse_step(s);
}

/* Registers of 32 or 64 bits: of fewer, the rest of the register stays. */
static u32
renamed_one(const struct x86_state *s)
{
	if (s->in->flags & INSN_CLEARS)
		return INSN_ZEROES;
	return (s->opcode == 0x89 || s->opcode == 0x8b) && is_direct(s) &&
			       !s->size66
		       ? INSN_MOVES
		       : 0;
}

/* SSE and AVX: movaps, movapd, movdqa, movdqu; pxor, xorps, xorpd,
 * psub, and pcmpgt. */
static u32
renamed_two(const struct x86_state *s)
{
	switch (s->opcode) {
	case 0x28:
	case 0x29:
		return is_direct(s) ? INSN_MOVES : 0;
	case 0x6f:
	case 0x7f:
		return is_direct(s) && (s->column == 1 || s->column == 2)
			       ? INSN_MOVES
			       : 0;
	case 0x57:
		return s->column < 2 && is_of_one_register(s) ? INSN_ZEROES
							       : 0;
	case 0x64 ... 0x66:
	case 0xef:
	case 0xf8 ... 0xfb:
		return s->column == 1 && is_of_one_register(s) ? INSN_ZEROES
								: 0;
	default:
		return 0;
	}
}

void
x86_fuse(struct x86_state *s)
{
	struct insn *in = s->in;
	bool memory = in->flags & (INSN_LOADS | INSN_STORES);

	if (in->branch == BRANCH_DIRECT_COND) {
		bool near = s->map == MAP_TWO;

		if (near || (s->opcode & 0xf0) == 0x70)
			in->condition = condition[s->opcode >> 1 & 7] & 15;
		return;
	}
	if (memory)
		return;
	if (s->map == MAP_TWO)
		in->flags |= renamed_two(s);
	if (s->map != MAP_ONE || s->vex)
		return;
	in->flags |= renamed_one(s);
	fuse_one(s);
}
