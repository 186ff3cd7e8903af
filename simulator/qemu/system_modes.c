/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_modes.h"

#include "system_words.h"

#define STATUS_EXL 2u

/* What is known about the value of a register. */
enum origin {
	FROM_SAVED = 1 << 0,	/* a word on the stack */
	FROM_CLEARED = 1 << 1	/* xori has cleared the bit */
};

static bool
writes_status(u32 word)
{
	return (word & MASK_RT) == WORD_MTC0_STATUS;
}

/* An instruction with an immediate: the origin of what it writes to rt. */
static u8
immediate_origin(u32 word, const u8 origin[32])
{
	u8 before = origin[word_rs(word)];

	switch (word_op(word)) {
	case OP_XORI:
		return word & STATUS_EXL ? FROM_CLEARED : before;
	case OP_ANDI:
	case OP_ORI:
		return before;
	default:
		return 0;
	}
}

static void
follow(u32 word, u8 origin[32])
{
	unsigned op = word_op(word), rs = word_rs(word), rt = word_rt(word);

	if (op == OP_SPECIAL) {
		if (word_rd(word))
			origin[word_rd(word)] = origin[rs] | origin[rt];
	} else if (op == OP_COP0) {
		if (!rs)	/* mfc0 */
			origin[rt] = 0;
	} else if (op >= OP_ADDI && op <= OP_LUI) {
		origin[rt] = immediate_origin(word, origin);
	} else if (op >= OP_LB && op <= OP_LWR) {
		origin[rt] = op == OP_LW && rs == REG_SP ? FROM_SAVED : 0;
	}
	origin[0] = 0;
}

enum modes_effect
modes_effect(const u32 *word, unsigned n)
{
	u8 origin[32] = {0}, last;

	if (!n)
		return EFFECT_NONE;
	if (word[n - 1] == WORD_ERET)
		return EFFECT_CLEARS;
	if (!writes_status(word[n - 1]))
		return EFFECT_NONE;
	for (unsigned i = 0; i + 1 < n; i++)
		follow(word[i], origin);
	last = origin[word_rt(word[n - 1])];
	if (last & FROM_CLEARED)
		return EFFECT_CLEARS;
	return last & FROM_SAVED ? EFFECT_SETS : EFFECT_NONE;
}

static enum system_vector
vector_at(const struct modes *m, u32 pc)
{
	u32 offset = pc - m->base;

	if (!m->based)
		return VECTOR_NONE;
	if (offset == 0)
		return VECTOR_REFILL;
	if (offset == 0x180)
		return VECTOR_GENERAL;
	if (offset >= 0x200 && offset < 0xa00 && !(offset & 0xff))
		return VECTOR_INTERRUPT;
	return VECTOR_NONE;
}

enum sim_mode
modes_enter(struct modes *m, u32 pc, enum modes_effect effect,
	    enum system_vector *vector)
{
	*vector = VECTOR_NONE;
	if (m->pending != EFFECT_NONE)
		m->exl = m->pending == EFFECT_SETS;
	m->pending = effect;
	if (pc < MODES_KERNEL_BASE) {
		m->exl = false;
		m->was_user = true;
		return MODE_USER;
	}
	if (m->was_user) {
		m->base = pc & ~0xfffu;
		m->based = true;
	}
	m->was_user = false;
	*vector = vector_at(m, pc);
	if (*vector != VECTOR_NONE)
		m->exl = true;
	return m->exl ? MODE_EXL : MODE_KERNEL;
}
