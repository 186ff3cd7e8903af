/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a block to one that only its branch knows: behind returns and other
 * indirect branches.  Which blocks meet is not known when code is emitted, so
 * that an edge has two halves.  One piece of code for each kind of branch
 * resolves that, of the block under way, as core/branch.h has it, and finds
 * the target in the table; from there on, the target's own code enters it.
 * In between, RAX is what the branch costs, in cycles, and these registers are
 * free:
 */
#include "edge_internal.h"

enum { BLOCK = EDGE_BLOCK, SLOT, NOW, SPARE, PAGE };

static const u8 reg[EDGE_REGS] = {
	[BLOCK] = HOST_RCX,
	[SLOT] = HOST_RDX,
	[NOW] = HOST_RSI,
	[SPARE] = HOST_RAX,
	[PAGE] = HOST_RDI,
};

#define FLAGS_SLOT EDGE_REGS

static struct emit_memory
slot(unsigned i)
{
	return EMIT_GS(HOST_AT(host_state.slot[0]) + 8 * (s32)i);
}

static void
save_all(struct emitter *e)
{
	for (unsigned i = 0; i < EDGE_REGS; i++)
		emit_op(e, EMIT_STORE, EMIT_64, reg[i], slot(i));
	emit_flags_save(e);
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, slot(FLAGS_SLOT));
}

static void
restore(struct emitter *e, struct code_live live)
{
	if (live.flags) {
		emit_op(e, EMIT_LOAD, EMIT_64, HOST_RAX, slot(FLAGS_SLOT));
		emit_flags_restore(e);
	}
	for (unsigned i = 0; i < EDGE_REGS; i++)
		if (live.regs >> reg[i] & 1)
			emit_op(e, EMIT_LOAD, EMIT_64, reg[i], slot(i));
}

/* ---- The branch ------------------------------------------------------ */

/* Where a table of targets alone predicts jumps, or nothing does. */
static bool
jumps_are_inline(void)
{
	return core.targets_alone || !target.config->branch.target_entries;
}

bool
arrive_is_inline(const struct block *p)
{
	bool jumps = p && (p->branch == BRANCH_IND_JUMP ||
			   p->branch == BRANCH_IND_CALL);

	if (!p || !(jumps || p->branch == BRANCH_RETURN) ||
	    code_copy != COPY_WHOLE || code_enter <= ENTER_COUNT)
		return false;
	return p->kind == KIND_SLOW && !p->owes_long && !p->side_first &&
	       !predict_holds_jumps(&target.config->branch) &&
	       (!jumps || jumps_are_inline());
}

struct emit_memory
arrive_by(const struct block *p)
{
	return EMIT_GS(HOST_AT(host_state.arrive[0]) +
		       8 * (p->branch == BRANCH_RETURN	   ? HOST_BY_RETURN
			    : p->branch == BRANCH_IND_JUMP ? HOST_BY_JUMP
							   : HOST_BY_CALL));
}

/* As redirect_inorder(); RDX: the signals, RSI: where the target goes on. */
static void
redirect(struct emitter *e, bool wrong)
{
	const struct pipeline_config *pipe = &target.config->pipe;
	s32 slots = wrong ? (s32)pipe->indirect : 0;
	s32 bubble = wrong ? (s32)pipe->wrong_bubble : (s32)pipe->taken_bubble;

	if (slots)
		emit_add_number(e, EMIT_BASE(reg[SLOT],
					     8 * (s32)SIG_CYCLE_KILLED), slots);
	if (bubble)
		emit_add_number(e, EMIT_BASE(reg[SLOT],
					     8 * (s32)SIG_IFU_REDIRECT),
				bubble);
	emit_put(e, EMIT_8, EMIT_GS(HOST_AT(core.last_outcome)),
		 wrong ? OUTCOME_MISS : 0);
	emit_number(e, HOST_RAX, (u64)(slots + bubble));
	emit_jump_to(e, reg[NOW]);
}

static void
count(struct emitter *e, unsigned signal)
{
	emit_increment(e, EMIT_BASE(reg[SLOT], 8 * (s32)signal));
}

/* As return_misses(). */
static void
leave_return(struct emitter *e)
{
	struct emit_memory n = EMIT_GS(HOST_AT(core.n_returns));
	u8 *none, *wrong, *on;

	emit_op(e, EMIT_LOAD, EMIT_32, HOST_RAX, n);
	emit_ri(e, EMIT_ALU_SUB, EMIT_32, HOST_RAX, 1);
	none = emit_jcc(e, EMIT_JB);
	emit_op(e, EMIT_STORE, EMIT_32, HOST_RAX, n);
	emit_op(e, EMIT_CMP, EMIT_64, reg[BLOCK],
		EMIT_GS_INDEX(HOST_AT(core.returns[0]), HOST_RAX, 8));
	wrong = emit_jcc(e, EMIT_JNE);
	redirect(e, false);
	emit_reach(none, e->p);
	count(e, SIG_RETURN_NOPRED);
	on = emit_jump(e);
	emit_reach(wrong, e->p);
	count(e, SIG_RETURN_MISS);
	emit_reach(on, e->p);
	redirect(e, true);
}

/* As target_misses(). */
static void
leave_jump(struct emitter *e)
{
	const struct branch_config *b = &target.config->branch;
	struct emit_memory entry =
		EMIT_GS_INDEX(HOST_AT(core.targets[0]), HOST_RAX, 8);
	u8 *wrong;

	if (b->target_entries) {
		emit_op(e, EMIT_LOAD, EMIT_64, reg[PAGE],
			EMIT_GS(HOST_AT(core.prev)));
		emit_op(e, EMIT_LOAD_16, EMIT_32, HOST_RAX,
			EDGE_FIELD(reg[PAGE], branch_at));
		emit_op(e, EMIT_ADD, EMIT_64, HOST_RAX,
			EDGE_FIELD(reg[PAGE], vaddr));
		if (b->pc_shift)
			emit_shift(e, false, EMIT_64, HOST_RAX,
				   (u8)b->pc_shift);
		emit_ri(e, EMIT_ALU_AND, EMIT_32, HOST_RAX,
			(s32)b->target_entries - 1);
		emit_op(e, EMIT_LOAD, EMIT_64, reg[PAGE], entry);
		emit_op(e, EMIT_STORE, EMIT_64, reg[BLOCK], entry);
		emit_rr(e, EMIT_CMP, EMIT_64, reg[PAGE], reg[BLOCK]);
		wrong = emit_jcc(e, EMIT_JNE);
		redirect(e, false);
		emit_reach(wrong, e->p);
	}
	count(e, SIG_JUMP_IND_MISS);
	redirect(e, true);
}

/* As push_return(), if there is room: a jump if not, or NULL. */
static u8 *
push(struct emitter *e)
{
	s32 room = (s32)target.config->branch.return_entries;
	struct emit_memory n = EMIT_GS(HOST_AT(core.n_returns));
	u8 *full;

	if (!room)
		return NULL;
	emit_op(e, EMIT_LOAD, EMIT_32, HOST_RAX, n);
	emit_ri(e, EMIT_ALU_CMP, EMIT_32, HOST_RAX, room);
	full = emit_jcc(e, EMIT_JE);
	emit_op(e, EMIT_LOAD, EMIT_64, reg[PAGE], EMIT_GS(HOST_AT(core.prev)));
	emit_op(e, EMIT_LOAD, EMIT_64, reg[PAGE], EDGE_FIELD(reg[PAGE], fall));
	emit_op(e, EMIT_STORE, EMIT_64, reg[PAGE],
		EMIT_GS_INDEX(HOST_AT(core.returns[0]), HOST_RAX, 8));
	emit_ri(e, EMIT_ALU_ADD, EMIT_32, HOST_RAX, 1);
	emit_op(e, EMIT_STORE, EMIT_32, HOST_RAX, n);
	return full;
}

/* A field of the place that a register chooses. */
#define KNOWN(field, by)                                           \
	EMIT_GS_INDEX(HOST_AT(host_state.known[0].field), (by), \
		      sizeof host_state.known[0] >> HOST_TARGET_SHIFT)

struct emit_memory
arrive_known(u8 place)
{
	return KNOWN(arrive, place);
}

void
arrive_look_at(struct emitter *e, u8 target, u8 place)
{
	emit_ri(e, EMIT_ALU_AND, EMIT_32, place,
		(s32)(HOST_TARGETS - 1) << HOST_TARGET_SHIFT);
	emit_op(e, EMIT_CMP, EMIT_64, target, KNOWN(pc, place));
}

void
arrive_other_place(struct emitter *e, u8 target, u8 place)
{
	emit_rr(e, EMIT_LOAD, EMIT_64, place, target);
	emit_shift(e, false, EMIT_64, place, HOST_TARGET_FOLD);
	emit_rr(e, EMIT_XOR, EMIT_32, place, target);
}

/* Looks for the target; a jump if it is not known. */
static u8 *
look_up(struct emitter *e)
{
	u8 *found, *unknown;

	emit_op(e, EMIT_LOAD, EMIT_64, reg[BLOCK],
		EMIT_GS(HOST_AT(host_state.target)));
	emit_rr(e, EMIT_LOAD, EMIT_32, HOST_RAX, reg[BLOCK]);
	arrive_look_at(e, reg[BLOCK], HOST_RAX);
	found = emit_jcc(e, EMIT_JE);
	arrive_other_place(e, reg[BLOCK], HOST_RAX);
	arrive_look_at(e, reg[BLOCK], HOST_RAX);
	unknown = emit_jcc(e, EMIT_JNE);
	emit_reach(found, e->p);
	return unknown;
}

/* The branch resolved; a jump where that is left to C, or NULL. */
static u8 *
resolve(struct emitter *e, enum host_arrive kind, struct emit_memory arrive)
{
	u8 *full = NULL;

	emit_op(e, EMIT_LOAD, EMIT_64, reg[NOW], arrive);
	emit_op(e, EMIT_LOAD, EMIT_64, reg[SLOT], EMIT_GS(HOST_AT(core.sig)));
	if (kind == HOST_BY_CALL)
		full = push(e);
	if (kind == HOST_BY_RETURN)
		leave_return(e);
	else
		leave_jump(e);
	return full;
}

static void
begin(struct emitter *e, enum host_arrive kind)
{
	static const struct code_live all = {0xffff, HOST_FLAGS};
	u8 *unknown, *full;

	host_state.arrive[kind] = e->p;
	save_all(e);
	unknown = look_up(e);
	full = resolve(e, kind, arrive_known(HOST_RAX));
	emit_reach(unknown, e->p);
	if (full)
		emit_reach(full, e->p);
	/* Nothing has been counted: C does all. */
	restore(e, all);
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.indirect)));
}

void
arrive_begin(struct emitter *e)
{
	begin(e, HOST_BY_RETURN);
	begin(e, HOST_BY_JUMP);
	begin(e, HOST_BY_CALL);
	arrive_find_begin(e);
}

/* ---- The target ------------------------------------------------------ */

/* C enters t; RAX has to be saved. */
static void
call_c(struct emitter *e, const struct code_block *t)
{
	struct emit_memory cycles = EMIT_GS(HOST_AT(host_state.cycles));

	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, cycles);
	restore(e, t->live);
	edge_by_c(e, t, HOST_BEHIND);
}

/* What the block before owes is worked out by C. */
static void
look_debts(struct edge_code *x)
{
	if (!x->t->needs)
		return;
	emit_op(x->e, EMIT_LOAD, EMIT_64, reg[BLOCK],
		EMIT_GS(HOST_AT(core.prev)));
	emit_op(x->e, EMIT_LOAD, EMIT_32, reg[BLOCK],
		EDGE_FIELD(reg[BLOCK], owes));
	emit_test(x->e, reg[BLOCK], (s32)x->t->needs);
	edge_leave_if(x, EMIT_JNE);
}

static void
enter(struct emitter *e, const struct code_block *t)
{
	struct edge_code x = {.e = e, .t = t->block, .r = reg};
	u8 *due;

	look_debts(&x);
	edge_look(&x, false);
	emit_shift(e, true, EMIT_64, HOST_RAX, 32);
	edge_advance(&x, false, true);
	edge_stamp(&x, false);
	emit_op(e, EMIT_CMP, EMIT_64, reg[NOW],
		EMIT_GS(HOST_AT(core.deadline)));
	due = emit_jcc(e, EMIT_JAE);
	restore(e, t->live);
	emit_reach(emit_jump(e), t->body);

	emit_reach(due, e->p);
	restore(e, t->live);
	edge_by_c(e, t, HOST_DUE);
	for (unsigned i = 0; i < x.n_from; i++)
		emit_reach(x.from[i], e->p);
}

void
arrive_at(struct emitter *e, struct code_block *t)
{
	bool usual = t->block && !t->block->marked;

	if (usual && edge_has_lines(t->block))
		enter(e, t);
	call_c(e, t);
}
