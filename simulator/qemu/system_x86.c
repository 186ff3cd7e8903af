/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Systems of x86-64: see system_modes_x86.h. */
#include "program/system_marks.h"
#include "system_modes_x86.h"

#include <string.h>

#define OP_HLT 0xf4

static struct {
	const struct system_vectors *vectors;
	struct x86_modes modes;
} x86;

static enum system_mark
x86_mark(const struct system_code *code)
{
	static const u8 start[] = {SYSTEM_MARK_X86(SYSTEM_MARK_X86_START)};
	static const u8 stop[] = {SYSTEM_MARK_X86(SYSTEM_MARK_X86_STOP)};

	if (code->size == 1)
		return *code->byte == OP_HLT ? MARK_WAIT : MARK_NONE;
	if (code->size != sizeof start)
		return MARK_NONE;
	if (!memcmp(code->byte, start, sizeof start))
		return MARK_START;
	return memcmp(code->byte, stop, sizeof stop) ? MARK_NONE : MARK_STOP;
}

static void
x86_place(struct system_block *p, const struct system_code *code, unsigned n)
{
	enum x86_effect effect = x86_effect(code, n);

	p->user = p->pc < MODES_X86_KERNEL_BASE;
	if (p->user)
		return;
	if (effect == X86_RETURN && !x86_is_entry_code(x86.vectors, p->pc))
		effect = X86_SAME;
	p->effect = (u8)effect;
	p->returns = effect == X86_RETURN;
	p->vector = (u8)x86_vector(x86.vectors, p->pc);
}

static void
x86_enter_place(const struct system_block *p, struct system_entry *e)
{
	e->vector = (enum system_vector)p->vector;
	e->mode = x86_enter(&x86.modes, p->user, e->vector,
			    (enum x86_effect)p->effect);
	e->off = x86.modes.off;
}

static u64
no_vectors(void)
{
	return 0;
}

const struct system_isa *
system_isa_x86(const struct system_vectors *vectors)
{
	static const struct system_isa isa = {
		x86_mark, x86_place, x86_enter_place, no_vectors,
	};

	x86.vectors = vectors;
	return &isa;
}
