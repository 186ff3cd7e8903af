/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a block to the next one: fast_enter() of just these two, as far as
 * that is known, else a call of C.
 */
#include "code.h"

#include "core/fast.h"
#include "target/target.h"

#define FIELD(reg, field) \
	EMIT_BASE(reg, (s32)offsetof(struct block, field))

enum { BLOCK, SLOT, NOW, SPARE, PAGE };

/* Calls C for t; attend: only since the deadline has come. */
static void
call_c(struct emitter *e, const struct code_block *t, bool attend)
{
	unsigned by = t->block->marked ? HOST_MARKED :
		      t->block->n_line > 3 ? 3 : t->block->n_line - 1u;

	glue_begin(e, t->live, GLUE_C);
	emit_number(e, HOST_RDI, (u64)(uintptr_t)&core);
	emit_number(e, HOST_RSI, (u64)(uintptr_t)t->block);
	glue_call(e, t->live, GLUE_C,
		  EMIT_GS(HOST_AT(host_state.on_enter[attend ? HOST_ATTEND
							     : by])));
}

/* C says where the code goes on. */
static void
record(struct emitter *e, struct code_block *t)
{
	glue_begin(e, t->live, GLUE_C);
	emit_number(e, HOST_RDI, (u64)(uintptr_t)t);
	glue_call(e, t->live, GLUE_C, EMIT_GS(HOST_AT(host_state.on_record)));
	emit_jump_by(e, EMIT_GS(HOST_AT(host_state.next)));
}

void
edge_call(struct emitter *e, struct code_block *t)
{
	if (t->block && t->recorded) {
		record(e, t);
		return;
	}
	if (t->block)
		call_c(e, t, false);
	emit_reach(emit_jump(e), t->body);
}

static bool
is_inline(const struct block *p, const struct block *t)
{
	u8 known = KIND_COND | KIND_OWES;

	return code_enter != ENTER_CALL && !(p->kind & ~known) && !t->marked &&
	       !(p->owes & t->needs) && t->n_line <= 2 &&
	       t->page_entry != BLOCK_NO_PAGE;
}

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

/* As fast_fetch_known(): jumps away if not, from up to three places. */
static unsigned
look(struct emitter *e, const struct block *t, bool page, const u8 *r,
     u8 **from)
{
	unsigned n = 0;

	if (!page) {
		emit_op(e, EMIT_LOAD, EMIT_64, r[PAGE],
			FIELD(r[BLOCK], page_entry));
		emit_op(e, EMIT_SUB, EMIT_64, r[PAGE],
			EMIT_GS(HOST_AT(core.itlb.shown[0]) +
				8 * (s32)t->page_at));
		emit_ri(e, EMIT_ALU_CMP, EMIT_64, r[PAGE],
			SHADOW_PAGE_SLOTS);
		from[n++] = emit_jcc(e, EMIT_JA);
	}
	emit_op(e, EMIT_LOAD, EMIT_64, r[NOW], FIELD(r[BLOCK], line));
	for (unsigned i = 0; i < t->n_line; i++) {
		if (i)
			emit_op(e, EMIT_LEA, EMIT_64, r[NOW],
				EMIT_BASE(r[NOW], 1));
		emit_op(e, EMIT_LOAD_16, EMIT_32, r[SLOT],
			EMIT_BASE(r[BLOCK],
				  (s32)(offsetof(struct block, line_slot) +
					2 * i)));
		emit_op(e, EMIT_CMP, EMIT_64, r[NOW],
			EMIT_GS_INDEX(HOST_AT(core.line_number[0]), r[SLOT],
				      8));
		from[n++] = emit_jcc(e, EMIT_JNE);
	}
	return n;
}

/* The place of p's counter, as fast_branch() has it. */
static struct emit_memory
counter(struct emitter *e, const struct block *p, bool taken, const u8 *r)
{
	s32 at = HOST_AT(core.bht[0]);

	if (code_enter == ENTER_TABLE)
		return EMIT_GS(at + p->bht_index);
	emit_op(e, EMIT_LOAD, EMIT_64, r[SLOT],
		EMIT_GS(HOST_AT(core.history)));
	emit_rr(e, EMIT_LOAD, EMIT_32, r[SPARE], r[SLOT]);
	emit_op(e, EMIT_LEA, EMIT_64, r[SLOT],
		(struct emit_memory){r[SLOT], r[SLOT], 1, false, taken});
	emit_op(e, EMIT_STORE, EMIT_64, r[SLOT],
		EMIT_GS(HOST_AT(core.history)));
	emit_ri(e, EMIT_ALU_AND, EMIT_32, r[SPARE], (s32)core.history_mask);
	emit_ri(e, EMIT_ALU_XOR, EMIT_32, r[SPARE], p->bht_index);
	emit_ri(e, EMIT_ALU_AND, EMIT_32, r[SPARE], (s32)core.bht_mask);
	return EMIT_GS_INDEX(at, r[SPARE], 1);
}

/* As fast_branch(); its cost is added to NOW. */
static void
branch(struct emitter *e, const struct block *p, bool taken, const u8 *r)
{
	struct emit_memory at = counter(e, p, taken, r);
	s32 shares = (s32)(p->shares * sizeof core.outcome[0]);

	emit_op(e, EMIT_LOAD_8, EMIT_32, r[SLOT], at);
	if (taken)
		emit_ri(e, EMIT_ALU_XOR, EMIT_32, r[SLOT], 3);
	emit_op(e, EMIT_LOAD_8, EMIT_32, r[BLOCK],
		EMIT_GS_INDEX(HOST_AT(core.next_counter[0]), r[SLOT], 1));
	emit_op(e, EMIT_STORE_8, EMIT_8, r[BLOCK], at);
	emit_ri(e, EMIT_ALU_AND, EMIT_32, r[SLOT],
		OUTCOME_TAKEN | OUTCOME_MISS);
	emit_op(e, EMIT_STORE_8, EMIT_8, r[SLOT],
		EMIT_GS(HOST_AT(core.last_outcome)));
	emit_op(e, EMIT_LOAD, EMIT_64, r[BLOCK],
		EMIT_GS(HOST_AT(core.outcome)));
	emit_increment(e, (struct emit_memory){r[BLOCK], r[SLOT], 8, false,
					       shares});
	emit_op(e, EMIT_ADD, EMIT_64, r[NOW],
		EMIT_GS_INDEX(HOST_AT(core.cost[0]), r[SLOT], 8));
}

/* The stamps of t's lines and page. */
static void
stamp(struct emitter *e, const struct block *t, bool page, const u8 *r)
{
	for (unsigned i = 0; i < t->n_line; i++) {
		emit_op(e, EMIT_LOAD_16, EMIT_32, r[SLOT],
			EMIT_BASE(r[BLOCK],
				  (s32)(offsetof(struct block, line_slot) +
					2 * i)));
		emit_op(e, EMIT_STORE, EMIT_32, r[NOW],
			EMIT_GS_INDEX(HOST_AT(core.line_stamp[0]), r[SLOT],
				      4));
	}
	if (!page)
		emit_op(e, EMIT_STORE, EMIT_32, r[NOW],
			EMIT_GS_INDEX(HOST_AT(core.itlb.stamp[0]), r[PAGE],
				      4));
}

static void
enter_inline(struct emitter *e, const struct code_block *p,
	     const struct code_block *t, bool taken)
{
	bool page = page_is_known(p->block, t->block);
	unsigned n = !page ? 5 : code_enter == ENTER_HISTORY ? 4 : 3;
	struct code_scratch s;
	u8 *from[4], *due;
	const u8 *r = s.reg;
	u64 block = (u64)(uintptr_t)t->block;

	scratch_take(e, &s, n, 0, t->live);
	scratch_flags(e, &s, t->live);
	emit_number(e, r[BLOCK], block);
	n = look(e, t->block, page, r, from);
	emit_increment(e, FIELD(r[BLOCK], execs));
	emit_op(e, EMIT_STORE, EMIT_64, r[BLOCK], EMIT_GS(HOST_AT(core.prev)));
	emit_op(e, EMIT_LOAD, EMIT_64, r[NOW], FIELD(r[BLOCK], advance));
	emit_op(e, EMIT_ADD, EMIT_64, r[NOW], EMIT_GS(HOST_AT(core.now)));
	if (p->block->kind & KIND_COND) {
		branch(e, p->block, taken, r);
		emit_number(e, r[BLOCK], block);
	}
	emit_op(e, EMIT_STORE, EMIT_64, r[NOW], EMIT_GS(HOST_AT(core.now)));
	stamp(e, t->block, page, r);
	emit_op(e, EMIT_CMP, EMIT_64, r[NOW], EMIT_GS(HOST_AT(core.deadline)));
	due = emit_jcc(e, EMIT_JAE);
	scratch_give(e, &s);
	emit_reach(emit_jump(e), t->body);

	for (unsigned i = 0; i < n; i++)
		emit_reach(from[i], e->p);
	scratch_give(e, &s);
	call_c(e, t, false);
	emit_reach(emit_jump(e), t->body);

	emit_reach(due, e->p);
	scratch_give(e, &s);
	call_c(e, t, true);
	emit_reach(emit_jump(e), t->body);
}

void
edge_enter(struct emitter *e, const struct code_block *p,
	   struct code_block *t, bool taken)
{
	if (t->block && p->block && !t->recorded &&
	    is_inline(p->block, t->block))
		enter_inline(e, p, t, taken);
	else
		edge_call(e, t);
}
