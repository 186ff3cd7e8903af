/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictors on an edge: see core/fast_predict.h, which has all of them. */
#include "edge_internal.h"

enum { BLOCK = EDGE_BLOCK, SLOT, NOW, SPARE };

bool
predict_is_inline(const struct block *p)
{
	if (!(p->kind & (KIND_COND | KIND_OWN | KIND_HELD)))
		return !(p->kind & KIND_SLOW);
	switch (code_enter) {
	case ENTER_TABLE:
	case ENTER_HISTORY:
		return p->kind & KIND_COND;
	case ENTER_ICACHE:
	case ENTER_BUFFER:
		return p->kind & KIND_OWN;
	case ENTER_HELD:
		return p->kind & KIND_HELD;
	default:
		return false;
	}
}

/* A jump that is held costs nothing, and counts none of the outcomes. */
bool
predict_has_outcome(const struct block *p)
{
	return p->branch == BRANCH_DIRECT_COND;
}

/* reg = [pointer + index * scale], or the other way round. */
static void
load(struct edge_code *x, enum emit_op op, u8 reg, u8 base, const void *pointer,
     u8 index, u8 scale)
{
	emit_number(x->e, x->r[base], (u64)(uintptr_t)pointer);
	emit_op(x->e, op, EMIT_32, x->r[reg],
		(struct emit_memory){x->r[base],
				     index == HOST_NONE ? HOST_NONE
							: x->r[index],
				     scale, false, 0});
}

static void
store(struct edge_code *x, enum emit_size size, u8 reg, u8 base,
      const void *pointer, u8 index, u8 scale)
{
	emit_number(x->e, x->r[base], (u64)(uintptr_t)pointer);
	emit_op(x->e, size == EMIT_8 ? EMIT_STORE_8 : EMIT_STORE, size,
		x->r[reg],
		(struct emit_memory){x->r[base],
				     index == HOST_NONE ? HOST_NONE
							: x->r[index],
				     scale, false, 0});
}

/* ---- Tables of counters ---------------------------------------------- */

/* The place of p's counter, as fast_branch() has it. */
static struct emit_memory
counter(struct edge_code *x)
{
	s32 at = HOST_AT(core.bht[0]);
	const u8 *r = x->r;

	if (code_enter == ENTER_TABLE)
		return EMIT_GS(at + x->p->bht_index);
	emit_op(x->e, EMIT_LOAD, EMIT_64, r[SLOT],
		EMIT_GS(HOST_AT(core.history)));
	emit_rr(x->e, EMIT_LOAD, EMIT_32, r[SPARE], r[SLOT]);
	emit_op(x->e, EMIT_LEA, EMIT_64, r[SLOT],
		(struct emit_memory){r[SLOT], r[SLOT], 1, false, x->taken});
	emit_op(x->e, EMIT_STORE, EMIT_64, r[SLOT],
		EMIT_GS(HOST_AT(core.history)));
	emit_ri(x->e, EMIT_ALU_AND, EMIT_32, r[SPARE], (s32)core.history_mask);
	emit_ri(x->e, EMIT_ALU_XOR, EMIT_32, r[SPARE], x->p->bht_index);
	emit_ri(x->e, EMIT_ALU_AND, EMIT_32, r[SPARE], (s32)core.bht_mask);
	return EMIT_GS_INDEX(at, r[SPARE], 1);
}

/* As fast_branch(). */
static void
table(struct edge_code *x)
{
	struct emit_memory at = counter(x);
	const u8 *r = x->r;

	emit_op(x->e, EMIT_LOAD_8, EMIT_32, r[SLOT], at);
	if (x->taken)
		emit_ri(x->e, EMIT_ALU_XOR, EMIT_32, r[SLOT], 3);
	emit_op(x->e, EMIT_LOAD_8, EMIT_32, r[BLOCK],
		EMIT_GS_INDEX(HOST_AT(core.next_counter[0]), r[SLOT], 1));
	emit_op(x->e, EMIT_STORE_8, EMIT_8, r[BLOCK], at);
	emit_ri(x->e, EMIT_ALU_AND, EMIT_32, r[SLOT],
		OUTCOME_TAKEN | OUTCOME_MISS);
}

/* One that is wrong in the second pipe costs more, in C. */
static void
look_second(struct edge_code *x, u8 reg, s32 miss)
{
	if (!(x->p->traits & TRAIT_SECOND))
		return;
	emit_test(x->e, x->r[reg], miss);
	edge_leave_if(x, EMIT_JNE);
}

/* ---- Counters in the first-level cache ------------------------------- */

/* As fast_icache(). */
static void
icache(struct edge_code *x)
{
	const struct predict *predict = core.predict;
	const struct block *p = x->p;
	u32 line = p->traits / TRAIT_LINE;
	const u8 *r = x->r;

	load(x, EMIT_LOAD_16, SLOT, SPARE, &p->line_slot[line & 1], HOST_NONE,
	     1);
	emit_number(x->e, r[SPARE], p->line + line);
	emit_op(x->e, EMIT_CMP, EMIT_64, r[SPARE],
		EMIT_GS_INDEX(HOST_AT(core.line_number[0]), r[SLOT], 8));
	edge_leave_if(x, EMIT_JNE);
	emit_shift(x->e, true, EMIT_32, r[SLOT],
		   (u8)__builtin_ctz(predict->per_line));
	load(x, EMIT_LOAD_8, SPARE, NOW, predict->counter + p->bht_index, SLOT,
	     1);
	if (p->traits & TRAIT_BACKWARD) {
		emit_rr(x->e, EMIT_LOAD, EMIT_32, r[BLOCK], r[SPARE]);
		emit_shift(x->e, false, EMIT_32, r[BLOCK],
			   (u8)__builtin_ctz(PREDICT_NO_COUNTER));
		emit_op(x->e, EMIT_LEA, EMIT_32, r[SPARE],
			(struct emit_memory){r[SPARE], r[BLOCK], 1, false, 0});
	}
	load(x, EMIT_LOAD_16, SPARE, BLOCK, &predict->learn[x->taken], SPARE,
	     4);
	look_second(x, SPARE, OUTCOME_MISS << 8);
	emit_op(x->e, EMIT_STORE_8, EMIT_8, r[SPARE],
		(struct emit_memory){r[NOW], r[SLOT], 1, false, 0});
	emit_rr(x->e, EMIT_LOAD, EMIT_32, r[SLOT], r[SPARE]);
	emit_shift(x->e, false, EMIT_32, r[SLOT], 8);
}

/* ---- Buffers of branches --------------------------------------------- */

static bool
is_jump(const struct block *p)
{
	return p->branch != BRANCH_DIRECT_COND;
}

/* Whether a branch that the buffer does not hold is predicted by that, if it
 * is not there at all: fast_unheld(). */
static bool
may_be_unheld(const struct edge_code *x)
{
	return !is_jump(x->p) && !x->taken &&
	       !(x->p->traits & TRAIT_BACKWARD &&
		 target.config->branch.static_backward);
}

/* SLOT: where the buffer has p's branch; as fast_is_held(), fast_goes_on(). */
static void
look_held(struct edge_code *x)
{
	const struct predict *predict = core.predict;
	const u8 *r = x->r;

	load(x, EMIT_LOAD_16, SLOT, SPARE, &x->p->bht_index, HOST_NONE, 1);
	emit_rr(x->e, EMIT_LOAD, EMIT_32, r[SPARE], r[SLOT]);
	emit_shift(x->e, true, EMIT_32, r[SPARE],
		   (u8)__builtin_ctz(sizeof *predict->known));
	emit_number(x->e, r[BLOCK], (u64)(uintptr_t)predict->known);
	emit_op(x->e, EMIT_LEA, EMIT_64, r[SPARE],
		(struct emit_memory){r[BLOCK], r[SPARE], 1, false, 0});
	emit_number(x->e, r[BLOCK], block_branch_pc(x->p));
	emit_op(x->e, EMIT_CMP, EMIT_64, r[BLOCK], EMIT_BASE(r[SPARE], 0));
	if (may_be_unheld(x))
		x->unheld = emit_jcc(x->e, EMIT_JNE);
	else
		edge_leave_if(x, EMIT_JNE);
	if (x->taken) {
		emit_number(x->e, r[BLOCK], x->t->vaddr);
		emit_op(x->e, EMIT_CMP, EMIT_64, r[BLOCK],
			EMIT_BASE(r[SPARE],
				  offsetof(struct predict_known, target)));
		edge_leave_if(x, EMIT_JNE);
	}
	load(x, EMIT_LOAD, SPARE, BLOCK, &predict->clock, HOST_NONE, 1);
	emit_ri(x->e, EMIT_ALU_ADD, EMIT_32, r[SPARE], 1);
	edge_leave_if(x, EMIT_JE);
}

/* SPARE: the address of the counter; BLOCK: COUNTER_MEETS(). */
static void
find_counter(struct edge_code *x)
{
	const struct predict *predict = core.predict;
	const u8 *r = x->r;

	emit_rr(x->e, EMIT_LOAD, EMIT_32, r[SPARE], r[SLOT]);
	if (code_enter == ENTER_BUFFER) {
		load(x, EMIT_LOAD_8, BLOCK, NOW, predict->history, SLOT, 1);
		emit_shift(x->e, true, EMIT_32, r[SPARE],
			   (u8)predict->history_bits);
		emit_op(x->e, EMIT_LEA, EMIT_32, r[SPARE],
			(struct emit_memory){r[SPARE], r[BLOCK], 1, false, 0});
	}
	emit_number(x->e, r[NOW], (u64)(uintptr_t)predict->counter);
	emit_op(x->e, EMIT_LEA, EMIT_64, r[SPARE],
		(struct emit_memory){r[SPARE], r[NOW], 1, false, 0});
	emit_op(x->e, EMIT_LOAD_8, EMIT_32, r[BLOCK], EMIT_BASE(r[SPARE], 0));
	if (is_jump(x->p)) {
		emit_test(x->e, r[BLOCK], COUNTER_TAKEN);
		edge_leave_if(x, EMIT_JE);
	}
	if (x->taken)
		emit_ri(x->e, EMIT_ALU_XOR, EMIT_32, r[BLOCK], 3);
	if (!is_jump(x->p))
		look_second(x, BLOCK, OUTCOME_MISS);
}

/* As fast_hit(), and the history. */
static void
count_held(struct edge_code *x)
{
	struct predict *predict = core.predict;
	const u8 *r = x->r;

	emit_op(x->e, EMIT_LOAD_8, EMIT_32, r[NOW],
		EMIT_GS_INDEX(HOST_AT(core.next_counter[0]), r[BLOCK], 1));
	emit_op(x->e, EMIT_STORE_8, EMIT_8, r[NOW], EMIT_BASE(r[SPARE], 0));
	emit_ri(x->e, EMIT_ALU_AND, EMIT_32, r[BLOCK],
		OUTCOME_TAKEN | OUTCOME_MISS);
	load(x, EMIT_LOAD, SPARE, NOW, &predict->clock, HOST_NONE, 1);
	emit_ri(x->e, EMIT_ALU_ADD, EMIT_32, r[SPARE], 1);
	emit_op(x->e, EMIT_STORE, EMIT_32, r[SPARE], EMIT_BASE(r[NOW], 0));
	store(x, EMIT_32, SPARE, NOW, predict->branches.stamp, SLOT, 4);
	if (code_enter == ENTER_BUFFER) {
		load(x, EMIT_LOAD_8, SPARE, NOW, predict->history, SLOT, 1);
		emit_op(x->e, EMIT_LEA, EMIT_32, r[SPARE],
			(struct emit_memory){r[SPARE], r[SPARE], 1, false,
					     x->taken});
		emit_ri(x->e, EMIT_ALU_AND, EMIT_32, r[SPARE],
			(s32)predict->history_mask);
		store(x, EMIT_8, SPARE, NOW, predict->history, SLOT, 1);
	}
	emit_rr(x->e, EMIT_LOAD, EMIT_32, r[SLOT], r[BLOCK]);
	emit_op(x->e, EMIT_LOAD, EMIT_64, r[SPARE],
		EMIT_GS(HOST_AT(core.sig)));
	emit_increment(x->e, EMIT_BASE(r[SPARE], 8 * SIG_BTB_HIT));
	emit_increment(x->e, EMIT_BASE(r[SPARE], 8 * SIG_BTB_TAKEN_OR_HIT));
}

/* As fast_held() and fast_buffer(). */
static void
buffer(struct edge_code *x)
{
	look_held(x);
	find_counter(x);
	count_held(x);
}

/* As fast_unheld(), if no other branch shares its place. */
static void
unheld(struct edge_code *x)
{
	const struct predict *predict = core.predict;
	u64 key = block_branch_pc(x->p) >> predict->pc_shift;
	const u8 *r = x->r;

	load(x, EMIT_LOAD_16, SLOT, SPARE, &predict->here[PREDICT_HERE(key)],
	     HOST_NONE, 1);
	emit_test(x->e, r[SLOT], 0xffff);
	edge_leave_if(x, EMIT_JNE);
	emit_op(x->e, EMIT_LOAD, EMIT_64, r[SPARE],
		EMIT_GS(HOST_AT(core.sig)));
	emit_increment(x->e, EMIT_BASE(r[SPARE], 8 * SIG_BTB_MISS));
}

/* ---- All ------------------------------------------------------------- */

/* The outcome is counted, as fast_outcome() does. */
static void
count_outcome(struct edge_code *x)
{
	s32 shares = (s32)(x->p->shares * sizeof core.outcome[0]);
	const u8 *r = x->r;

	emit_op(x->e, EMIT_STORE_8, EMIT_8, r[SLOT],
		EMIT_GS(HOST_AT(core.last_outcome)));
	emit_op(x->e, EMIT_LOAD, EMIT_64, r[BLOCK],
		EMIT_GS(HOST_AT(core.outcome)));
	emit_increment(x->e, (struct emit_memory){r[BLOCK], r[SLOT], 8, false,
						  shares});
}

void
predict_emit(struct edge_code *x)
{
	if (x->p->kind & KIND_COND || x->p->kind == KIND_SLOW)
		table(x);
	else if (code_enter == ENTER_ICACHE && x->p->kind & KIND_OWN)
		icache(x);
	else if (x->p->kind & (KIND_OWN | KIND_HELD))
		buffer(x);
	x->join = x->e->p;
	if (predict_has_outcome(x->p))
		count_outcome(x);
	else if (x->p->kind & KIND_HELD)
		emit_put(x->e, EMIT_8, EMIT_GS(HOST_AT(core.last_outcome)), 0);
}

void
predict_emit_rest(struct edge_code *x)
{
	if (!x->unheld)
		return;
	emit_reach(x->unheld, x->e->p);
	unheld(x);
	emit_reach(emit_jump(x->e), x->join);
}
