/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Systems of MIPS: see system_modes.h and system_levels.h. */
#include "code/block.h"
#include "program/system_marks.h"
#include "system_isa.h"
#include "system_levels.h"
#include "system_modes.h"
#include "system_words.h"

static struct {
	bool big;
	struct modes modes;
	struct levels levels;
	bool called;		/* the block before ended with a call */
} mips;

/* 0 for an instruction of MIPS16e. */
static u32
word_of(const struct system_code *code)
{
	const u8 *b = code->byte;

	if (code->size < 4)
		return 0;
	return mips.big ? (u32)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3] :
			  (u32)b[3] << 24 | b[2] << 16 | b[1] << 8 | b[0];
}

static enum system_mark
mips_mark(const struct system_code *code)
{
	u32 word = word_of(code);

	if (word == SYSTEM_MARK_START)
		return MARK_START;
	if (word == SYSTEM_MARK_STOP)
		return MARK_STOP;
	return (word & MASK_WAIT) == WORD_WAIT ? MARK_WAIT : MARK_NONE;
}

static void
mips_place(struct system_block *p, const struct system_code *code, unsigned n)
{
	static u32 word[BLOCK_MAX_INSN];
	enum levels_effect levels;

	for (unsigned i = 0; i < n; i++)
		word[i] = word_of(&code[i]);
	levels = levels_effect(word, n);
	p->user = p->pc < MODES_KERNEL_BASE;
	p->effect = (u8)(p->user ? EFFECT_NONE : modes_effect(word, n));
	p->levels = (u8)levels;
	p->returns = levels == LEVELS_RETURN;
}

static void
mips_enter(const struct system_block *p, struct system_entry *e)
{
	e->mode = modes_enter(&mips.modes, (u32)p->pc,
			      (enum modes_effect)p->effect, &e->vector);
	if (e->vector == VECTOR_GENERAL && mips.called)
		e->vector = VECTOR_CALL;
	levels_enter(&mips.levels, p->user, e->vector != VECTOR_NONE,
		     (enum levels_effect)p->levels);
	e->off = mips.levels.off;
	mips.called = p->syscall;
}

static u64
mips_vectors(void)
{
	return mips.modes.based ? mips.modes.base : 0;
}

const struct system_isa *
system_isa_mips(bool big)
{
	static const struct system_isa isa = {
		mips_mark, mips_place, mips_enter, mips_vectors,
	};

	mips.big = big;
	return &isa;
}
