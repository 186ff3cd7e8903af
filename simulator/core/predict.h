/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branch predictors that are more than a table of counters:
 *
 * PREDICT_BTB: a set-associative buffer of branches of all kinds with their
 * targets.  A branch enters it when it is taken.  Each has a two-bit counter,
 * or, with history_bits, one per pattern of its last outcomes.  What is not
 * found is predicted not taken; or with static_backward by the decoder, a
 * little late: direct jumps and backward branches taken.
 *
 * PREDICT_ICACHE: counters of one or two bits beside the instructions in
 * the first-level cache, lost when a line is filled; until an instruction
 * has one, the sign of its displacement predicts.
 *
 * PREDICT_TOURNAMENT: counters by a branch's own last outcomes, and by the
 * last outcomes of all; counters by the latter say which to believe.
 *
 * PREDICT_TAGE: see tage.h.
 */
#ifndef SIM_PREDICT_H
#define SIM_PREDICT_H

#include "machine/config.h"

struct block;
struct core;

/* Makes c->predict, if the kind is one of the above; 0 or -ENOMEM.  It
 * lives as long as the core. */
int predict_init(struct core *c);

/* Predicts p's conditional branch, which goes to t, and counts the outcome;
 * cycles lost. */
u64 predict_cond(struct core *c, const struct block *p,
		 const struct block *t);

/* How the buffer knew any other branch. */
enum predict_found { PREDICT_UNKNOWN, PREDICT_RIGHT, PREDICT_WRONG };

/* PREDICT_BTB: p's branch, always taken, to address target. */
enum predict_found predict_jump(struct core *c, const struct block *p,
				u64 target);

/* PREDICT_BTB: where branches that share low bits are counted. */
#define PREDICT_HERE_N 4096
#define PREDICT_HERE(key) ((key) & (PREDICT_HERE_N - 1))

/* PREDICT_ICACHE: an instruction in the cache without a counter, which has up
 * to four bits.  Its state is that, or one more if its branch goes back,
 * which predicts it then. */
#define PREDICT_NO_COUNTER 16
#define PREDICT_ICACHE_STATES 18

/* The instructions in this slot of the first-level cache are new. */
void predict_refill(struct core *c, u32 slot);

/* Kinds with a structure of their own, and those that hold all branches. */
SIM_INLINE bool
predict_is_own(const struct branch_config *b)
{
	return b->kind >= PREDICT_BTB;
}

SIM_INLINE bool
predict_holds_jumps(const struct branch_config *b)
{
	return b->kind == PREDICT_BTB;
}

/* block.bht_index of a block whose branch is there, to begin with: its place
 * in the table of counters, or of PREDICT_ICACHE in its line. */
SIM_INLINE u16
predict_place(const struct sim_config *config, u64 pc)
{
	const struct branch_config *b = &config->branch;
	u32 places = b->kind == PREDICT_ICACHE ? config->l1i.line >> b->pc_shift
					       : b->entries;

	return places ? (u16)(pc >> b->pc_shift & (places - 1)) : 0;
}

/* A buffer of all branches with one counter each, on a pipeline in order:
 * what is predicted rightly costs nothing and changes nothing else. */
SIM_INLINE bool
predict_is_quick(const struct sim_config *config)
{
	const struct branch_config *b = &config->branch;

	return predict_holds_jumps(b) && !b->history_bits &&
	       !b->return_entries && !config->pipe.taken_bubble &&
	       !pipeline_is_window(&config->pipe);
}

#endif
