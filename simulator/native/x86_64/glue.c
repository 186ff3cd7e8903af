/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of C from code: on the engine's stack, with what C may change and the
 * code behind needs put aside. */
#include "code.h"

static bool direction;		/* the target may have set the flag */

bool
glue_direction(void)
{
	return direction;
}

void
glue_note_direction(void)
{
	direction = true;
}

static void
push_flags(struct emitter *e)
{
	static const u8 code[] = {0x9c, 0xfc}; /* pushfq; cld */

	if (direction) {
		emit_copy(e, code, sizeof code);
		return;
	}
	emit_flags_save(e);
	emit_push(e, HOST_RAX);
}

static void
pop_flags(struct emitter *e)
{
	if (direction) {
		emit_byte(e, 0x9d); /* popfq */
		return;
	}
	emit_pop(e, HOST_RAX);
	emit_flags_restore(e);
}

static bool
has_flags(struct code_live live)
{
	return direction || live.flags;
}

static unsigned
words(struct code_live live, u16 changes)
{
	return (unsigned)__builtin_popcount(live.regs & changes) +
	       has_flags(live);
}

void
glue_begin(struct emitter *e, struct code_live live, u16 changes)
{
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RSP,
		EMIT_GS(HOST_AT(host_state.pointer)));
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RSP,
		EMIT_GS(HOST_AT(host_state.stack)));
	for (u8 r = 0; r < HOST_REGS; r++)
		if (live.regs & changes & 1u << r)
			emit_push(e, r);
}

void
glue_call(struct emitter *e, struct code_live live, u16 changes,
	  struct emit_memory to)
{
	bool odd = words(live, changes) & 1;

	if (has_flags(live))
		push_flags(e);
	if (odd)
		emit_op(e, EMIT_LEA, EMIT_64, HOST_RSP,
			EMIT_BASE(HOST_RSP, -8));
	emit_call(e, to);
	if (odd)
		emit_op(e, EMIT_LEA, EMIT_64, HOST_RSP,
			EMIT_BASE(HOST_RSP, 8));
	if (has_flags(live))
		pop_flags(e);
	for (u8 r = HOST_REGS; r-- > 0;)
		if (live.regs & changes & 1u << r)
			emit_pop(e, r);
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RSP,
		EMIT_GS(HOST_AT(host_state.pointer)));
}
