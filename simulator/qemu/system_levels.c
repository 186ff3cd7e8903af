/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_levels.h"

#include "system_words.h"

/* What is known about bit 0 of a register. */
enum bit { UNKNOWN, CLEAR, SET, CURRENT };

static u8
inverse(u8 bit)
{
	return bit == CLEAR ? SET : bit == SET ? CLEAR : UNKNOWN;
}

static u8
both(u8 a, u8 b)
{
	if (a == CLEAR || b == CLEAR)
		return CLEAR;
	return a == SET || a == b ? b : b == SET ? a : UNKNOWN;
}

static u8
either(u8 a, u8 b)
{
	if (a == SET || b == SET)
		return SET;
	return a == CLEAR || a == b ? b : b == CLEAR ? a : UNKNOWN;
}

static u8
immediate(u32 word, u8 before)
{
	switch (word_op(word)) {
	case OP_LUI:
		return CLEAR;
	case OP_ANDI:
		return word & 1 ? before : CLEAR;
	case OP_ORI:
		return word & 1 ? SET : before;
	case OP_ADDI:
	case OP_ADDIU:
	case OP_XORI:
		return word & 1 ? inverse(before) : before;
	default:
		return UNKNOWN;
	}
}

static u8
combination(u32 word, u8 a, u8 b)
{
	switch (word & 63) {
	case FN_AND:
		return both(a, b);
	case FN_OR:
		return either(a, b);
	case FN_NOR:
		return inverse(either(a, b));
	case FN_ADDU:
		return a == CLEAR ? b : b == CLEAR ? a : UNKNOWN;
	default:
		return UNKNOWN;
	}
}

static void
follow(u32 word, u8 bit[32])
{
	unsigned op = word_op(word), rs = word_rs(word), rt = word_rt(word);

	if (op == OP_SPECIAL)
		bit[word_rd(word)] = combination(word, bit[rs], bit[rt]);
	else if ((word & MASK_RT) == WORD_MFC0_STATUS)
		bit[rt] = CURRENT;
	else if (op == OP_COP0 && !rs)
		bit[rt] = UNKNOWN;
	else if (op >= OP_ADDI && op <= OP_LUI)
		bit[rt] = immediate(word, bit[rs]);
	else if (op == OP_SPECIAL3 && (word & 63) == FN_INS)
		bit[rt] = word_field(word, 6) ? bit[rt] : bit[rs];
	else if (op == OP_SPECIAL3 || (op >= OP_LB && op <= OP_LWR))
		bit[rt] = UNKNOWN;
	bit[0] = CLEAR;
}

enum levels_effect
levels_effect(const u32 *word, unsigned n)
{
	u8 bit[32] = {CLEAR};
	u32 last = n ? word[n - 1] : 0;

	if (last == WORD_ERET)
		return LEVELS_RETURN;
	if ((last & MASK_RT) == WORD_DI)
		return LEVELS_OFF;
	if ((last & MASK_RT) == WORD_EI)
		return LEVELS_ON;
	if ((last & MASK_RT) != WORD_MTC0_STATUS)
		return LEVELS_SAME;
	for (unsigned i = 0; i + 1 < n; i++)
		follow(word[i], bit);
	switch (bit[word_rt(last)]) {
	case CLEAR:
		return LEVELS_OFF;
	case SET:
		return LEVELS_ON;
	default:
		return LEVELS_SAME;
	}
}

void
levels_enter(struct levels *l, bool user, bool exception,
	     enum levels_effect effect)
{
	if (l->pending == LEVELS_RETURN) {
		l->off = l->before & 1;
		l->before >>= 1;
	} else if (l->pending != LEVELS_SAME) {
		l->off = l->pending == LEVELS_OFF;
	}
	if (user) {
		l->off = false;
		l->before = 0;
	} else if (exception) {
		l->before = l->before << 1 | l->off;
	}
	l->pending = effect;
}
