/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of blocks that record what they do, for threads that take turns: they
 * write it down, and call C where a turn may be over, or more is asked of a block
 * or an access than which it is (threads/written.h).
 */
#include "code.h"
#include "explain.h"

#include "target/procedures.h"
#include "target/target.h"
#include "threads/written.h"

/* Whether such a copy writes which blocks it enters. */
static bool
blocks_are_written(void)
{
	return !code_calls_only && !core.calls && !procedures_wanted();
}

/* C says where the code goes on. */
static void
call_c(struct emitter *e, struct code_block *t)
{
	glue_begin(e, t->live, GLUE_C);
	emit_number(e, HOST_RDI, (u64)(uintptr_t)t);
	glue_call(e, t->live, GLUE_C, EMIT_GS(HOST_AT(host_state.on_record)));
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.next)));
}

/* What is at the place that at is made, which goes on to the next one. */
static void
write_what(struct emitter *e, u8 at, u8 spare, u64 what)
{
	struct emit_memory next = EMIT_GS(HOST_AT(written.next));

	emit_number(e, spare, what);
	emit_op(e, EMIT_STORE, EMIT_64, spare,
		EMIT_BASE(at, offsetof(struct written_entry, what)));
	emit_op(e, EMIT_LEA, EMIT_64, at,
		EMIT_BASE(at, sizeof(struct written_entry)));
	emit_op(e, EMIT_STORE, EMIT_64, at, next);
}

/* t's instructions are taken from what is left. */
static void
take_from_turn(struct emitter *e, u8 spare, const struct block *t)
{
	struct emit_memory left = EMIT_GS(HOST_AT(written.left));

	emit_op(e, EMIT_LOAD, EMIT_64, spare, left);
	emit_op(e, EMIT_LEA, EMIT_64, spare,
		EMIT_BASE(spare, -(s32)t->n_insn));
	emit_op(e, EMIT_STORE, EMIT_64, spare, left);
}

/* Block t, whose turn goes on. */
static void
write_block(struct emitter *e, u8 at, u8 spare, const struct block *t)
{
	take_from_turn(e, at, t);
	emit_op(e, EMIT_LOAD, EMIT_64, at, EMIT_GS(HOST_AT(written.next)));
	write_what(e, at, spare, (u64)(uintptr_t)t);
}

/* A jump if the turn may be over; the flags change. */
static u8 *
look_at_turn(struct emitter *e)
{
	emit_compare(e, EMIT_GS(HOST_AT(written.left)), 0);
	return emit_jcc(e, EMIT_JLE);
}

void
record_enter(struct emitter *e, struct code_block *t)
{
	struct code_scratch s;
	u8 *over;

	if (!blocks_are_written() || t->block->marked ||
	    t->copy == COPY_COUNTED) {
		explain_part(e, "by C: its turn is recorded");
		call_c(e, t);
		return;
	}
	explain_part(e, "the block is recorded");
	scratch_take(e, &s, 2, 0, t->live);
	scratch_flags(e, &s, t->live);
	over = look_at_turn(e);
	write_block(e, s.reg[0], s.reg[1], t->block);
	scratch_give(e, &s);
	emit_reach(emit_jump(e), t->body);

	explain_part(e, "by C: the turn may be over");
	emit_reach(over, e->p);
	scratch_give(e, &s);
	call_c(e, t);
}

u8 *
record_turn(struct emitter *e, u8 spare, const struct block *t)
{
	u8 *over;

	explain_part(e, "the turn: may it be over?");
	over = look_at_turn(e);
	take_from_turn(e, spare, t);
	return over;
}

/* ---- Behind indirect branches -------------------------------------------- */

bool
record_arrives(void)
{
	return code_copy != COPY_WHOLE && blocks_are_written();
}

u8 *
record_arrive(struct emitter *e, u8 at, u8 spare, const struct block *t)
{
	u8 *over;

	explain_part(e, "the block is recorded");
	over = look_at_turn(e);
	write_block(e, at, spare, t);
	return over;
}

/* ---- Accesses -------------------------------------------------------------- */

void
record_access(struct emitter *e, const struct host_memory *m, s32 bytes,
	      u64 what, u16 names, struct code_live live)
{
	struct code_scratch s;
	u8 at, va;

	scratch_take(e, &s, 2, names, live);
	at = s.reg[0];
	va = s.reg[1];
	emit_address(e, va, m, bytes);
	emit_op(e, EMIT_LOAD, EMIT_64, at, EMIT_GS(HOST_AT(written.next)));
	emit_op(e, EMIT_STORE, EMIT_64, va,
		EMIT_BASE(at, offsetof(struct written_entry, va)));
	write_what(e, at, va, what);
	scratch_give(e, &s);
}
