/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core's predictors, and what they said last. */
#ifndef SIM_CORE_BRANCH_H
#define SIM_CORE_BRANCH_H

#include "code/block.h"
#include "machine/machine.h"
#include "edge.h"
#include "predict.h"
#include "replace.h"

#define CORE_MAX_BHT 16384
#define CORE_MAX_RETURN 64
#define CORE_MAX_TARGETS 4096
#define CORE_EDGES 512		/* power of two */

/* What a buffer knows of a branch that it holds. */
struct predict_known {
	u64 pc;			/* where it was found last: its key drops bits */
	u64 target;		/* when it was taken last */
};

/* What predictors of the kinds in predict.h know. */
struct predict {
	u8 *counter;		/* of any kind */
	/* PREDICT_BTB: counters are as in bht, see fast.h */
	struct array branches;
	struct predict_known *known; /* by slot */
	u8 *history;
	u32 clock;
	u32 pc_shift;		/* PREDICT_ICACHE as well */
	u16 last;		/* slot found or filled last */
	u32 history_bits, history_mask;
	u16 here[PREDICT_HERE_N]; /* branches in the buffer that share a place:
				     none of most that are not taken */
	/* PREDICT_ICACHE */
	u32 per_line;
	/* [state * 2 + taken]: outcome << 8 | new counter; of own outcomes as
	 * well */
	u16 learn[2 * PREDICT_ICACHE_STATES];
	/* PREDICT_TOURNAMENT: counter[] is by the branch's own outcomes */
	u16 *local;
	u8 *global, *choice;
	u32 path;
	u32 own_mask, path_mask; /* of so many outcomes */
	struct tage *tage;	/* PREDICT_TAGE: counter[] is its first table */
};

/* What core_repeat() takes back of a block's counts. */
struct repeat {
	const struct block *of;
	unsigned n;
	struct block_count count[SIG_INSN_LAST + 2];
};

struct core_branch {
	u64 (*outcome)[BRANCH_OUTCOMES];
	u64 cost[BRANCH_OUTCOMES]; /* of a branch's outcome, in units of now */
	u64 history;
	u32 history_mask;
	u32 bht_mask;
	u8 next_counter[8];	/* by COUNTER_MEETS(), see fast.h */
	u8 last_outcome;
	struct predict *predict; /* NULL: the table bht is it */
	u8 bht[CORE_MAX_BHT];
	u64 returns[CORE_MAX_RETURN];
	u32 n_returns;
	s32 return_owner;	/* context, -1: none */
	bool targets_alone;	/* predict indirect jumps: nothing else does */
	u64 targets[CORE_MAX_TARGETS];
	struct edge edge[CORE_EDGES]; /* those seen last, by a hash: what one
					 costs is the same each time */
	struct repeat repeat;	/* of the last one that was asked for */
	u64 redirect;		/* cycle of the last fetch redirect */
};

#endif
