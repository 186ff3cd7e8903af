/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a block to one that only its branch knows, where nothing of that branch is
 * modelled, and blocks are just counted, or recorded.  The code that leaves looks for
 * the target itself; from there on, code of the target's enters it.  In between R11 is
 * the target, and R10 is free: compilers have nothing there that a procedure is called
 * with or returns, so that mostly neither is loaded again.  RAX, which is waited for
 * behind many a return, stays where it is.
 */
#include "edge_internal.h"
#include "explain.h"

#include "target/counters.h"

#define TARGET HOST_R11
#define SPARE HOST_R10
#define SPARE_ASIDE EMIT_GS(HOST_AT(host_state.slot[3]))
#define FLAGS_ASIDE EMIT_GS(HOST_AT(host_state.slot[5]))

bool
arrive_are_brief(void)
{
	return code_copy == COPY_WHOLE ? code_enter == ENTER_COUNT
				       : record_arrives();
}

static void
save_flags(struct emitter *e)
{
	emit_rr(e, EMIT_LOAD, EMIT_64, SPARE, HOST_RAX);
	emit_flags_save(e);
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, FLAGS_ASIDE);
	emit_rr(e, EMIT_LOAD, EMIT_64, HOST_RAX, SPARE);
}

static void
restore(struct emitter *e, struct code_live live)
{
	if (live.flags) {
		emit_rr(e, EMIT_LOAD, EMIT_64, SPARE, HOST_RAX);
		emit_op(e, EMIT_LOAD, EMIT_64, HOST_RAX, FLAGS_ASIDE);
		emit_flags_restore(e);
		emit_rr(e, EMIT_LOAD, EMIT_64, HOST_RAX, SPARE);
	}
	if (live.regs >> TARGET & 1)
		emit_op(e, EMIT_LOAD, EMIT_64, TARGET,
			EMIT_GS(HOST_AT(CODE_ASIDE)));
	if (live.regs >> SPARE & 1)
		emit_op(e, EMIT_LOAD, EMIT_64, SPARE, SPARE_ASIDE);
}

void
arrive_find(struct emitter *e, u64 exit)
{
	u8 *other;

	emit_op(e, EMIT_STORE, EMIT_64, SPARE, SPARE_ASIDE);
	save_flags(e);
	emit_rr(e, EMIT_LOAD, EMIT_32, SPARE, TARGET);
	arrive_look_at(e, TARGET, SPARE);
	other = emit_jcc(e, EMIT_JNE);
	emit_jump_by(e, arrive_known(SPARE));
	emit_reach(other, e->p);
	emit_put(e, EMIT_64, EMIT_GS(HOST_AT(host_state.exit)), (s32)exit);
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.arrive[HOST_BRIEFLY])));
}

/* At its second place; to the engine if it is not there. */
void
arrive_find_begin(struct emitter *e)
{
	static const struct code_live all = {0xffff, HOST_FLAGS};
	u8 *unknown;

	host_state.arrive[HOST_BRIEFLY] = e->p;
	arrive_other_place(e, TARGET, SPARE);
	arrive_look_at(e, TARGET, SPARE);
	unknown = emit_jcc(e, EMIT_JNE);
	emit_jump_by(e, arrive_known(SPARE));
	emit_reach(unknown, e->p);
	emit_op(e, EMIT_STORE, EMIT_64, TARGET,
		EMIT_GS(HOST_AT(host_state.target)));
	restore(e, all);
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.indirect)));
}

/* As fast_count(), behind what is not a conditional branch; tells: C has to know which
 * block is under way. */
static void
count(struct emitter *e, struct block *b, bool tells)
{
	const u64 *counter = tells ? NULL : counters_of(b, BLOCK_BEHIND_ANY);

	if (counter && emit_is_near(e, counter)) {
		emit_increment_near(e, counter);
		return;
	}
	emit_number(e, TARGET, (u64)(uintptr_t)b);
	emit_increment(e, EDGE_FIELD(TARGET, execs));
	if (tells)
		emit_op(e, EMIT_STORE, EMIT_64, TARGET,
			EMIT_GS(HOST_AT(core.prev)));
}

/* Counts t, or records it; where its turn may be over, a jump to where C asks. */
static u8 *
note(struct emitter *e, const struct code_block *t)
{
	bool turns = t->copy != COPY_WHOLE;
	u8 *over;

	if (!edge_counts(t))
		return record_arrive(e, TARGET, SPARE, t->block);
	over = turns ? record_turn(e, TARGET, t->block) : NULL;
	count(e, t->block, turns);
	return over;
}

void
arrive_brief_at(struct emitter *e, struct code_block *t)
{
	struct emitter *cold = code_cold_emitter();
	u8 *over;

	if (t->block->marked) {
		restore(e, t->live);
		edge_call(e, t);
		return;
	}
	explain_part(e, "an indirect branch arrives: the block is counted, or recorded");
	over = note(e, t);
	restore(e, t->live);
	edge_go_on(e, t);
	if (!over)
		return;
	emit_reach(over, cold->p);
	restore(cold, t->live);
	edge_call(cold, t);
}
