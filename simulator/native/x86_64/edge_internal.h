/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of edges share. */
#ifndef NATIVE_EDGE_INTERNAL_H
#define NATIVE_EDGE_INTERNAL_H

#include "code.h"

#include "core/fast.h"
#include "target/target.h"

#define EDGE_FIELD(reg, field) \
	EMIT_BASE(reg, (s32)offsetof(struct block, field))

/* What registers of an edge are for.  All but the last have other values in
 * between. */
enum { EDGE_BLOCK, EDGE_SLOT, EDGE_NOW, EDGE_SPARE, EDGE_PAGE, EDGE_REGS };

#define EDGE_LEAVES (BLOCK_LINES + 8)

/* The edge from p to t that is being emitted. */
struct edge_code {
	struct emitter *e;
	const struct block *p, *t;
	bool taken;		/* p's branch, if it has one */
	const u8 *r;		/* registers, as above */
	u8 *from[EDGE_LEAVES];	/* jumps to the call of C */
	unsigned n_from;
	/* Another way through the predictor, emitted behind the edge: where
	 * it comes from, and goes on; NULL: none. */
	u8 *unheld, *join;
	/* charge.c: what p's registers owe if its branch is predicted, and if
	 * not; cycles that are lost in any case; and as above. */
	struct edge right, wrong;
	u64 fixed;
	u8 *missed, *charged;
};

/* Whether t's code counts t when it enters it, and does no more. */
static inline bool
edge_counts(const struct code_block *t)
{
	bool counts = t->copy == COPY_WHOLE ? code_enter == ENTER_COUNT
		      : t->copy == COPY_COUNTED && !code_calls_only;

	return counts && !t->block->marked;
}

/* Lets C enter t if cc holds: nothing has been changed so far. */
void edge_leave_if(struct edge_code *x, unsigned cc);

/* edge.c: whether t's lines can be looked at inline. */
bool edge_has_lines(const struct block *t);

/* As fast_fetch_known(): leaves if not; page: that is known to be there.
 * EDGE_BLOCK is set to t. */
void edge_look(struct edge_code *x, bool page);

/* Time passes, and t is the block under way: what the outcome in EDGE_SLOT
 * costs, and what EDGE_SPARE has. */
void edge_advance(struct edge_code *x, bool outcome, bool spare);

/* The stamps of t's lines and page. */
void edge_stamp(struct edge_code *x, bool page);

/* arrive.c: the place of host_state.known that a register, a hash of the target,
 * chooses: compares what is there with the target; the other hash; and where code of that
 * target is. */
void arrive_look_at(struct emitter *e, u8 target, u8 place);
void arrive_other_place(struct emitter *e, u8 target, u8 place);
struct emit_memory arrive_known(u8 place);

/* arrive_brief.c: what arrive_find() leaves to code that is shared. */
void arrive_find_begin(struct emitter *e);

/* Lets C enter t, where all registers are the target's. */
void edge_by_c(struct emitter *e, const struct code_block *t,
	       enum host_enter how);

/*
 * predict.c: whether p's branch can be predicted inline.  And as
 * fast_predicted() or fast_branch() do it: the outcome is then in EDGE_SLOT, if
 * predict_has_outcome().  Leaves to C before anything is changed.
 */
bool predict_is_inline(const struct block *p); /* or there is none */
bool predict_has_outcome(const struct block *p);
void predict_emit(struct edge_code *x);
void predict_emit_rest(struct edge_code *x);

/*
 * charge.c: whether the end of p can be resolved inline, and into t.  Then as
 * above, and EDGE_SPARE is what else it takes, in units of now, if
 * charge_takes_time().
 */
bool charge_is_inline(const struct block *p);
bool charge_find(struct edge_code *x);
bool charge_takes_time(const struct edge_code *x);
void charge_emit(struct edge_code *x);
void charge_emit_rest(struct edge_code *x);

#endif
