/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a block to the next one: fast_enter() of just these two, as far as
 * that is known, else a call of C.
 */
#include "edge_internal.h"
#include "explain.h"

#include "target/counters.h"

enum { BLOCK = EDGE_BLOCK, SLOT, NOW, SPARE, PAGE };

static void
call_c(struct emitter *e, const struct code_block *t)
{
	unsigned by = t->block->marked ? HOST_MARKED :
		      t->block->n_line > 3 ? 3 : t->block->n_line - 1u;

	glue_begin(e, t->live, GLUE_C);
	emit_number(e, HOST_RDI, (u64)(uintptr_t)&core);
	emit_number(e, HOST_RSI, (u64)(uintptr_t)t->block);
	glue_call(e, t->live, GLUE_C,
		  EMIT_GS(HOST_AT(host_state.on_enter[by])));
}

void
edge_call(struct emitter *e, struct code_block *t)
{
	if (t->block && t->copy != COPY_WHOLE) {
		record_enter(e, t);
		return;
	}
	if (t->block)
		call_c(e, t);
	emit_reach(emit_jump(e), t->body);
}

/* Code that lets C enter host_state.block, and goes on there. */
static void *
begin(struct emitter *e, struct emit_memory to)
{
	static const struct code_live all = {0xffff, HOST_FLAGS};
	struct emit_memory body = EMIT_GS(HOST_AT(host_state.entry));
	void *at = e->p;

	glue_begin(e, all, GLUE_C);
	emit_number(e, HOST_RAX, code_first());
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RSI,
		EMIT_GS(HOST_AT(host_state.block)));
	emit_op(e, EMIT_LEA, EMIT_64, HOST_RAX,
		(struct emit_memory){HOST_RAX, HOST_RSI, 1, false, 0});
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RSI,
		EMIT_BASE(HOST_RAX, offsetof(struct code_block, block)));
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RAX,
		EMIT_BASE(HOST_RAX, offsetof(struct code_block, body)));
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, body);
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RDX,
		EMIT_GS(HOST_AT(host_state.cycles)));
	emit_number(e, HOST_RDI, (u64)(uintptr_t)&core);
	glue_call(e, all, GLUE_C, to);
	emit_jump_by(e, body);
	return at;
}

void
edge_begin(struct emitter *e)
{
	host_state.enters[HOST_ANY] =
		begin(e, EMIT_GS(HOST_AT(host_state.on_enter[3])));
	host_state.enters[HOST_DUE] =
		begin(e, EMIT_GS(HOST_AT(host_state.on_enter[HOST_ATTEND])));
	host_state.enters[HOST_BEHIND] =
		begin(e, EMIT_GS(HOST_AT(host_state.on_behind)));
}

void
edge_by_c(struct emitter *e, const struct code_block *t, enum host_enter how)
{
	emit_put(e, EMIT_64, EMIT_GS(HOST_AT(host_state.block)),
		 (s32)((u64)(uintptr_t)t - code_first()));
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.enters[0]) + 8 * (s32)how));
}

bool
edge_has_lines(const struct block *t)
{
	return t->n_line <= BLOCK_LINES && t->page_entry != BLOCK_NO_PAGE;
}

static bool
is_inline(const struct block *p, const struct block *t)
{
	return code_enter > ENTER_COUNT && !t->marked &&
	       charge_is_inline(p) && edge_has_lines(t);
}

/* ---- Where nothing is modelled --------------------------------------- */

/* Which counter of t is for executions behind p. */
static unsigned
which_behind(const struct block *p, const struct block *t)
{
	if (p->branch != BRANCH_DIRECT_COND)
		return BLOCK_BEHIND_ANY;
	return t->vaddr == p->fall ? BLOCK_BEHIND_NOT + p->shares
				   : BLOCK_BEHIND_TAKEN;
}

/* What counts t is near, and half of core.prev tells them apart. */
bool
edge_is_shared(const struct emitter *e, const struct code_block *p,
	       const struct code_block *t)
{
	const u64 *counter;

	if (!p->block || !t->block || !edge_counts(t) ||
	    p->block->branch == BRANCH_REP ||
	    (u64)(uintptr_t)p->block >> 32 != (u64)(uintptr_t)t->block >> 32)
		return false;
	counter = counters_of(t->block, which_behind(p->block, t->block));
	return counter && emit_is_near(e, counter);
}

bool
edge_is_there(const struct code_block *p, const struct code_block *t)
{
	return t->block && p->block &&
	       t->front[which_behind(p->block, t->block)];
}

void
edge_tell_block(struct emitter *e, const struct code_block *p)
{
	u64 block = (u64)(uintptr_t)p->block;
	struct emit_memory prev = EMIT_GS(HOST_AT(core.prev));

	if (code_enter != ENTER_COUNT || p->copy != COPY_WHOLE || !block)
		return;
	emit_put(e, EMIT_32, prev, (s32)(u32)block);
	emit_put(e, EMIT_32, EMIT_GS(HOST_AT(core.prev) + 4),
		 (s32)(u32)(block >> 32));
}

/* With a register, without flags, which would have to be put aside if the target
 * needs them. */
static void
count_one(struct emitter *e, const u64 *counter, bool flags, u8 spare)
{
	if (!flags) {
		emit_increment_near(e, counter);
		return;
	}
	emit_op_near(e, EMIT_LOAD, spare, counter);
	emit_op(e, EMIT_LEA, EMIT_64, spare, EMIT_BASE(spare, 1));
	emit_op_near(e, EMIT_STORE, spare, counter);
}

void
edge_go_on(struct emitter *e, struct code_block *t)
{
	if (!t->body)
		t->body = e->p;
	else if (t->body != e->p)
		emit_reach(emit_jump(e), t->body);
}

/* As fast_count(). */
static void
enter_counted(struct emitter *e, unsigned counter, struct code_block *t)
{
	bool turns = t->copy != COPY_WHOLE, flags = t->live.flags && !turns;
	struct code_scratch s;
	u8 *over = NULL;

	scratch_take(e, &s, flags || turns, 0, t->live);
	if (turns) {
		scratch_flags(e, &s, t->live);
		over = record_turn(e, s.reg[0], t->block);
	}
	explain_part(e, "the block is counted, behind its branch if it has one");
	count_one(e, counters_of(t->block, counter), flags, s.reg[0]);
	if (turns)
		emit_put(e, EMIT_32, EMIT_GS(HOST_AT(core.prev)),
			 (s32)(u32)(uintptr_t)t->block);
	scratch_give(e, &s);
	edge_go_on(e, t);
	if (!over)
		return;
	e = code_cold_emitter();
	emit_reach(over, e->p);
	scratch_give(e, &s);
	edge_call(e, t);
}

bool
edge_fits(const u8 *at, unsigned room, const struct code_block *p,
	  const struct code_block *t)
{
	const struct emitter e = {.p = (u8 *)(uintptr_t)at};
	bool next = t->body == at + EXIT_ROOM_NEXT;

	return room >= (next ? EXIT_ROOM_NEXT : EXIT_ROOM) &&
	       t->copy == COPY_WHOLE && !t->live.flags &&
	       edge_is_shared(&e, p, t);
}

bool
edge_may_fit(const struct code_block *p)
{
	return code_enter == ENTER_COUNT && p->copy == COPY_WHOLE && p->block;
}

/* ---- The whole model ------------------------------------------------- */

/*
 * Whether t's page is p's.  It is still where it was, if nothing but a fetch
 * takes pages away; and that it was used again need not be noted: none was
 * fetched since, so that the order of uses is the same.  (Lines have to be
 * looked at: one that is on its way is waited for, if t has not found it
 * before.)
 */
static bool
page_is_known(const struct block *p, const struct block *t)
{
	const struct sim_config *config = target.config;

	return p->page_entry == t->page_entry && !config->l2.inclusive &&
	       !config->l3.inclusive && !core.joint[0].inclusive &&
	       !core.joint[1].inclusive;
}

void
edge_leave_if(struct edge_code *x, unsigned cc)
{
	x->from[x->n_from++] = emit_jcc(x->e, cc);
}

/* Where t keeps the slot of its line number i, from BLOCK. */
static struct emit_memory
slot_of_line(const struct edge_code *x, unsigned i)
{
	const u16 *slot = i < 2 ? &x->t->line_slot[i]
				: &block_more_slot(x->t)[i - 2];

	return EMIT_BASE(x->r[BLOCK],
			 (s32)((const u8 *)slot - (const u8 *)x->t));
}

void
edge_look(struct edge_code *x, bool page)
{
	struct emitter *e = x->e;
	const u8 *r = x->r;

	emit_number(e, r[BLOCK], (u64)(uintptr_t)x->t);
	if (!page) {
		emit_op(e, EMIT_LOAD, EMIT_64, r[PAGE],
			EDGE_FIELD(r[BLOCK], page_entry));
		emit_op(e, EMIT_SUB, EMIT_64, r[PAGE],
			EMIT_GS(HOST_AT(core.itlb.shown[0]) +
				8 * (s32)x->t->page_at));
		emit_ri(e, EMIT_ALU_CMP, EMIT_64, r[PAGE],
			SHADOW_PAGE_SLOTS);
		edge_leave_if(x, EMIT_JA);
	}
	emit_op(e, EMIT_LOAD, EMIT_64, r[NOW], EDGE_FIELD(r[BLOCK], line));
	for (unsigned i = 0; i < x->t->n_line; i++) {
		if (i)
			emit_op(e, EMIT_LEA, EMIT_64, r[NOW],
				EMIT_BASE(r[NOW], 1));
		emit_op(e, EMIT_LOAD_16, EMIT_32, r[SLOT], slot_of_line(x, i));
		emit_op(e, EMIT_CMP, EMIT_64, r[NOW],
			EMIT_GS_INDEX(HOST_AT(core.line_number[0]), r[SLOT],
				      8));
		edge_leave_if(x, EMIT_JNE);
	}
}

void
edge_stamp(struct edge_code *x, bool page)
{
	const u8 *r = x->r;

	for (unsigned i = 0; i < x->t->n_line; i++) {
		emit_op(x->e, EMIT_LOAD_16, EMIT_32, r[SLOT],
			slot_of_line(x, i));
		emit_op(x->e, EMIT_STORE, EMIT_32, r[NOW],
			EMIT_GS_INDEX(HOST_AT(core.line_stamp[0]), r[SLOT],
				      4));
	}
	if (!page)
		emit_op(x->e, EMIT_STORE, EMIT_32, r[NOW],
			EMIT_GS_INDEX(HOST_AT(core.itlb.stamp[0]), r[PAGE],
				      4));
}

void
edge_advance(struct edge_code *x, bool outcome, bool spare)
{
	struct emitter *e = x->e;
	const u8 *r = x->r;

	emit_number(e, r[BLOCK], (u64)(uintptr_t)x->t);
	emit_op(e, EMIT_LOAD, EMIT_64, r[NOW], EDGE_FIELD(r[BLOCK], advance));
	emit_op(e, EMIT_ADD, EMIT_64, r[NOW], EMIT_GS(HOST_AT(core.now)));
	if (outcome)
		emit_op(e, EMIT_ADD, EMIT_64, r[NOW],
			EMIT_GS_INDEX(HOST_AT(core.cost[0]), r[SLOT], 8));
	if (spare)
		emit_op(e, EMIT_LEA, EMIT_64, r[NOW],
			(struct emit_memory){r[NOW], r[SPARE], 1, false, 0});
	emit_op(e, EMIT_STORE, EMIT_64, r[NOW], EMIT_GS(HOST_AT(core.now)));
	emit_increment(e, EDGE_FIELD(r[BLOCK], execs));
	emit_op(e, EMIT_STORE, EMIT_64, r[BLOCK], EMIT_GS(HOST_AT(core.prev)));
}

static unsigned
registers(const struct edge_code *x, bool page)
{
	if (!page)
		return EDGE_REGS;
	return x->p->kind & KIND_DYNAMIC || code_enter == ENTER_HISTORY ||
			       charge_takes_time(x)
		       ? 4 : 3;
}

/* False: nothing has been emitted. */
static bool
enter_inline(struct emitter *e, const struct block *p,
	     const struct code_block *t)
{
	bool page = page_is_known(p, t->block);
	struct code_scratch s;
	struct edge_code x = {
		.e = e, .p = p, .t = t->block, .r = s.reg,
		.taken = p->branch != BRANCH_DIRECT_COND ||
			 t->block->vaddr != p->fall,
	};
	u8 *due;

	if (!charge_find(&x))
		return false;
	explain_part(e, "registers that the block does not need, and flags");
	scratch_take(e, &s, registers(&x, page), 0, t->live);
	scratch_flags(e, &s, t->live);
	explain_part(e, "its lines, and its page: are they here?");
	edge_look(&x, page);
	explain_part(e, "the branch, and what registers owe");
	charge_emit(&x);
	explain_part(e, "the block's own cycles; it is counted");
	edge_advance(&x, predict_has_outcome(p), charge_takes_time(&x));
	explain_part(e, "its lines are the last ones used");
	edge_stamp(&x, page);
	explain_part(e, "the deadline: has it come?");
	emit_op(e, EMIT_CMP, EMIT_64, s.reg[NOW],
		EMIT_GS(HOST_AT(core.deadline)));
	due = emit_jcc(e, EMIT_JAE);
	scratch_give(e, &s);
	emit_reach(emit_jump(e), t->body);

	explain_part(e, "by C: not all is here");
	charge_emit_rest(&x);
	for (unsigned i = 0; i < x.n_from; i++)
		emit_reach(x.from[i], e->p);
	scratch_give(e, &s);
	edge_by_c(e, t, HOST_ANY);

	explain_part(e, "by C: the deadline has come");
	emit_reach(due, e->p);
	scratch_give(e, &s);
	edge_by_c(e, t, HOST_DUE);
	return true;
}

void
edge_enter(struct emitter *e, const struct code_block *p,
	   struct code_block *t)
{
	if (edge_is_shared(e, p, t)) {
		enter_counted(e, which_behind(p->block, t->block), t);
		return;
	}
	if (t->block && p->block && t->copy == COPY_WHOLE &&
	    is_inline(p->block, t->block) && enter_inline(e, p->block, t))
		return;
	explain_part(e, "by C");
	edge_tell_block(e, p);
	edge_call(e, t);
}

u8 *
edge_between(struct emitter *e, const struct code_block *p, struct code_block *t)
{
	u8 *at = e->p;
	unsigned i;

	if (!edge_is_shared(e, p, t)) {
		edge_enter(e, p, t);
		return at;
	}
	i = which_behind(p->block, t->block);
	if (!t->front[i]) {
		enter_counted(e, i, t);
		t->front[i] = at;
	}
	return t->front[i];
}
