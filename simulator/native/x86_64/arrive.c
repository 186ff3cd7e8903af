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
slot(unsigned i, bool brief)
{
	if (brief && i == BLOCK)
		return EMIT_GS(HOST_AT(CODE_ASIDE));
	return EMIT_GS(HOST_AT(host_state.slot[0]) + 8 * (s32)i);
}

/* Whether the block is just counted, or recorded, and nothing of the branch is
 * modelled there. */
static bool
is_brief(bool recorded)
{
	return recorded || code_enter == ENTER_COUNT;
}

/* Whether that register is needed. */
static bool
is_used(unsigned i, bool brief)
{
	return !brief || i == BLOCK || i == SPARE;
}

static void
save_flags(struct emitter *e, bool brief)
{
	emit_flags_save(e);
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, slot(FLAGS_SLOT, brief));
}

static void
save_all(struct emitter *e)
{
	for (unsigned i = 0; i < EDGE_REGS; i++)
		emit_op(e, EMIT_STORE, EMIT_64, reg[i], slot(i, false));
	save_flags(e, false);
}

static void
restore(struct emitter *e, struct code_live live, bool brief)
{
	if (live.flags) {
		emit_op(e, EMIT_LOAD, EMIT_64, HOST_RAX,
			slot(FLAGS_SLOT, brief));
		emit_flags_restore(e);
	}
	for (unsigned i = 0; i < EDGE_REGS; i++)
		if (is_used(i, brief) && live.regs >> reg[i] & 1)
			emit_op(e, EMIT_LOAD, EMIT_64, reg[i], slot(i, brief));
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

	if (!p || !(jumps || p->branch == BRANCH_RETURN))
		return false;
	if (code_copy != COPY_WHOLE)
		return record_arrives();
	if (code_enter <= ENTER_COUNT)
		return code_enter == ENTER_COUNT;
	return p->kind == KIND_SLOW && !p->owes_long && !p->side_first &&
	       !predict_holds_jumps(&target.config->branch) &&
	       (!jumps || jumps_are_inline());
}

struct emit_memory
arrive_by(const struct block *p)
{
	return EMIT_GS(HOST_AT(host_state.arrive[0]) +
		       8 * (code_copy != COPY_WHOLE	   ? HOST_RECORDED
			    : p->branch == BRANCH_RETURN   ? HOST_BY_RETURN
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

/* A field of the place that RAX chooses. */
#define KNOWN(field)                                         \
	EMIT_GS_INDEX(HOST_AT(host_state.known[0].field), HOST_RAX, \
		      sizeof host_state.known[0] >> HOST_TARGET_SHIFT)

/* Looks at the place that RAX, a hash of the target, chooses. */
static void
look_at(struct emitter *e)
{
	emit_ri(e, EMIT_ALU_AND, EMIT_32, HOST_RAX,
		(s32)(HOST_TARGETS - 1) << HOST_TARGET_SHIFT);
	emit_op(e, EMIT_CMP, EMIT_64, reg[BLOCK], KNOWN(pc));
}

/* At its first place. */
static void
look_first(struct emitter *e)
{
	emit_rr(e, EMIT_LOAD, EMIT_32, HOST_RAX, reg[BLOCK]);
	look_at(e);
}

/* At its second place; a jump if it is not there. */
static u8 *
look_second(struct emitter *e)
{
	emit_rr(e, EMIT_LOAD, EMIT_64, HOST_RAX, reg[BLOCK]);
	emit_shift(e, false, EMIT_64, HOST_RAX, HOST_TARGET_FOLD);
	emit_rr(e, EMIT_XOR, EMIT_32, HOST_RAX, reg[BLOCK]);
	look_at(e);
	return emit_jcc(e, EMIT_JNE);
}

bool
arrive_is_brief(const struct block *p)
{
	return arrive_is_inline(p) && is_brief(code_copy != COPY_WHOLE);
}

void
arrive_find(struct emitter *e, const struct block *p, u64 exit)
{
	u8 *other;

	emit_op(e, EMIT_STORE, EMIT_64, reg[SPARE], slot(SPARE, true));
	save_flags(e, true);
	look_first(e);
	other = emit_jcc(e, EMIT_JNE);
	emit_jump_by(e, KNOWN(arrive));
	emit_reach(other, e->p);
	emit_put(e, EMIT_64, EMIT_GS(HOST_AT(host_state.exit)), (s32)exit);
	emit_jump_by(e, arrive_by(p));
}

/* Looks for the target; a jump if it is not known. */
static u8 *
look_up(struct emitter *e)
{
	u8 *found, *unknown;

	emit_op(e, EMIT_LOAD, EMIT_64, reg[BLOCK],
		EMIT_GS(HOST_AT(host_state.target)));
	look_first(e);
	found = emit_jcc(e, EMIT_JE);
	unknown = look_second(e);
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

/* Nothing has been counted: C does all. */
static void
give_up(struct emitter *e, bool brief)
{
	static const struct code_live all = {0xffff, HOST_FLAGS};

	restore(e, all, brief);
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.indirect)));
}

/* Behind arrive_find(). */
static void
begin_brief(struct emitter *e)
{
	u8 *unknown;

	emit_op(e, EMIT_STORE, EMIT_64, reg[BLOCK],
		EMIT_GS(HOST_AT(host_state.target)));
	unknown = look_second(e);
	emit_jump_by(e, KNOWN(arrive));
	emit_reach(unknown, e->p);
	give_up(e, true);
}

static void
begin(struct emitter *e, enum host_arrive kind)
{
	u8 *unknown, *full;

	host_state.arrive[kind] = e->p;
	if (is_brief(kind == HOST_RECORDED)) {
		begin_brief(e);
		return;
	}
	save_all(e);
	unknown = look_up(e);
	full = resolve(e, kind, KNOWN(arrive));
	emit_reach(unknown, e->p);
	if (full)
		emit_reach(full, e->p);
	give_up(e, false);
}

void
arrive_begin(struct emitter *e)
{
	begin(e, HOST_BY_RETURN);
	begin(e, HOST_BY_JUMP);
	begin(e, HOST_BY_CALL);
	begin(e, HOST_RECORDED);
}

/* ---- The target ------------------------------------------------------ */

/* C enters t; RAX has to be saved. */
static void
call_c(struct emitter *e, const struct code_block *t)
{
	struct emit_memory cycles = EMIT_GS(HOST_AT(host_state.cycles));

	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, cycles);
	restore(e, t->live, is_brief(false));
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
	restore(e, t->live, false);
	emit_reach(emit_jump(e), t->body);

	emit_reach(due, e->p);
	restore(e, t->live, false);
	edge_by_c(e, t, HOST_DUE);
	for (unsigned i = 0; i < x.n_from; i++)
		emit_reach(x.from[i], e->p);
}

/* As fast_count(), behind what is not a conditional branch. */
static void
enter_counted(struct emitter *e, struct code_block *t)
{
	bool turns = t->copy != COPY_WHOLE;
	u8 *over = turns ? record_turn(e, reg[BLOCK], t->block) : NULL;

	emit_number(e, reg[BLOCK], (u64)(uintptr_t)t->block);
	emit_increment(e, EDGE_FIELD(reg[BLOCK], execs));
	if (turns)
		emit_op(e, EMIT_STORE, EMIT_64, reg[BLOCK],
			EMIT_GS(HOST_AT(core.prev)));
	restore(e, t->live, true);
	emit_reach(emit_jump(e), t->body);
	if (!over)
		return;
	emit_reach(over, e->p);
	restore(e, t->live, true);
	edge_call(e, t);
}

static void
record(struct emitter *e, struct code_block *t)
{
	u8 *over;

	if (t->block && !t->block->marked) {
		over = record_arrive(e, reg[BLOCK], reg[SPARE], t->block);
		restore(e, t->live, true);
		emit_reach(emit_jump(e), t->body);
		emit_reach(over, e->p);
	}
	restore(e, t->live, true);
	edge_call(e, t);
}

void
arrive_at(struct emitter *e, struct code_block *t)
{
	bool usual = t->block && !t->block->marked;

	if (t->block && edge_counts(t)) {
		enter_counted(e, t);
		return;
	}
	if (t->copy != COPY_WHOLE) {
		record(e, t);
		return;
	}
	if (usual && edge_has_lines(t->block))
		enter(e, t);
	call_c(e, t);
}
