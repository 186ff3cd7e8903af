/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers for code between the target's instructions: those that it does not
 * need just there, or others, which are put aside. */
#include "code.h"

#define RAX_SLOT 5

static struct emit_memory
slot(unsigned i)
{
	return EMIT_GS(HOST_AT(host_state.slot[0]) + 8 * (s32)i);
}

/* One of candidates: the first that is dead, or any; HOST_NONE: none. */
static u8
choose(u16 candidates, u16 live)
{
	u16 dead = candidates & (u16)~live;

	if (!candidates)
		return HOST_NONE;
	return (u8)__builtin_ctz(dead ? dead : candidates);
}

void
scratch_take(struct emitter *e, struct code_scratch *s, unsigned n, u16 avoid,
	     struct code_live live)
{
	u16 candidates = (u16)~(avoid | 1u << HOST_RSP);

	*s = (struct code_scratch){.n = (u8)n};
	if (live.flags)
		candidates &= (u16)~(1u << HOST_RAX);
	for (unsigned i = 0; i < n; i++) {
		u8 r = choose(candidates, live.regs);

		candidates &= (u16)~(1u << r);
		s->reg[i] = r;
		if (!(live.regs >> r & 1))
			continue;
		emit_op(e, EMIT_STORE, EMIT_64, r, slot(i));
		s->spilled |= (u16)(1u << i);
	}
}

void
scratch_flags(struct emitter *e, struct code_scratch *s,
	      struct code_live live)
{
	if (!live.flags)
		return;
	s->flags = true;
	s->rax = live.regs & 1;
	if (s->rax)
		emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, slot(RAX_SLOT));
	emit_flags_save(e);
}

void
scratch_give(struct emitter *e, const struct code_scratch *s)
{
	if (s->flags)
		emit_flags_restore(e);
	if (s->rax)
		emit_op(e, EMIT_LOAD, EMIT_64, HOST_RAX, slot(RAX_SLOT));
	for (unsigned i = 0; i < s->n; i++)
		if (s->spilled >> i & 1)
			emit_op(e, EMIT_LOAD, EMIT_64, s->reg[i], slot(i));
}
