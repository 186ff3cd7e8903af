/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Systems of x86-64: see system_modes_x86.h. */
#include "../system_marks.h"
#include "system_modes_x86.h"

#include <string.h>

#define OP_HLT 0xf4
/* Prefixes of branches. */
#define OP_BND 0xf2
#define OP_TAKEN 0x3e
#define OP_NOT_TAKEN 0x2e

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

/* Where a direct branch goes to: Jcc, jmp, call, loop. */
static u64
target_of(const struct system_code *code, u64 end)
{
	const u8 *op = code->byte;
	s32 far;

	while (*op == OP_BND || *op == OP_TAKEN || *op == OP_NOT_TAKEN)
		op++;
	if ((*op & 0xf0) == 0x70 || (*op & 0xfc) == 0xe0 || *op == 0xeb)
		return end + (u64)(int8_t)op[1];
	if (*op == 0x0f && (op[1] & 0xf0) == 0x80)
		op++;
	else if (*op != 0xe8 && *op != 0xe9)
		return 0;
	memcpy(&far, op + 1, sizeof far);
	return end + (u64)far;
}

static void
x86_place(struct system_block *p, const struct system_code *code, unsigned n)
{
	enum x86_effect effect = x86_effect(code, n);

	p->target = target_of(&code[n - 1], p->end);
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
