/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How blocks are left, and the blocks that are put where an exit leads. */
#include "explain.h"

/* The last exit with room for an edge, and where that ends. */
static struct last {
	u8 *end;
	u64 exit;
} last;

void
exits_begin(void)
{
	last.end = NULL;
}

/* The way out of an exit that is not linked. */
static void
emit_leave(u64 number)
{
	struct emitter *e = code_cold_emitter();
	struct code_exit *x = code_exit_of(number);

	explain_part(e, "to the engine, until it is linked");
	x->leave = e->p;
	emit_reach(x->site, e->p);
	emit_put(e, EMIT_64, EMIT_GS(HOST_AT(host_state.exit)), (s32)number);
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.leave)));
}

void
exit_emit_if(struct emitter *e, unsigned cc, u64 number)
{
	explain_part(e, "an exit");
	code_exit_of(number)->site = emit_jcc(e, cc);
	emit_leave(number);
}

void
exit_emit(struct emitter *e, u64 number)
{
	struct code_exit *x = code_exit_of(number);
	const struct block *from = x->from->block;

	explain_part(e, "an exit");
	if (x->kind == CODE_INDIRECT) {
		edge_tell_block(e, x->from);
		emit_put(e, EMIT_64, EMIT_GS(HOST_AT(host_state.exit)),
			 (s32)number);
		emit_jump_by(e, arrive_is_inline(from)
					? arrive_by(from)
					: EMIT_GS(HOST_AT(host_state.indirect)));
		return;
	}
	x->site = emit_jump(e);
	emit_leave(number);
	if (x->kind == CODE_CALLS_KERNEL || !edge_may_fit(x->from))
		return;
	emit_nothing(e, EXIT_ROOM - EXIT_JUMP);
	x->room = EXIT_ROOM;
	last = (struct last){e->p, number};
}

/* Puts b where an edge leads from the block before, if that goes on there: behind what
 * counts b, so that there is nothing to jump over.  False: it does not. */
static bool
put_behind_last(struct emitter *e, struct code_block *b)
{
	struct code_exit *x = code_exit_of(last.exit);
	u8 *at;

	if (last.end != e->p || x->edge || x->target != b->pc)
		return false;
	at = last.end - EXIT_ROOM;
	b->body = at + EXIT_ROOM_NEXT;
	if (!edge_fits(at, EXIT_ROOM_NEXT, x->from, b))
		return false;
	x->room = EXIT_ROOM_NEXT;
	x->from->end = e->p = b->body;
	return true;
}

/* ... or behind the code that enters it from that exit, if that does no more than count
 * it. */
void
exit_put_behind(struct emitter *e, struct code_block *b,
		const struct code_exit *by)
{
	const u8 *begin;

	if (put_behind_last(e, b))
		return;
	b->body = NULL;
	if (by && by->kind == CODE_DIRECT &&
	    edge_is_shared(e, by->from, b)) {
		begin = edge_between(e, by->from, b);
		explain_front(by->from, b, begin, e->p);
	} else if (by && by->kind == CODE_INDIRECT && arrive_are_brief() &&
		   !b->block->marked) {
		b->arrive = e->p;
		arrive_brief_at(e, b);
	} else {
		b->body = e->p;
	}
}
