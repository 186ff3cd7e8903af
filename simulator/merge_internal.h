/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the merge share: contexts, and the steps of a cycle. */
#ifndef SIM_MERGE_INTERNAL_H
#define SIM_MERGE_INTERNAL_H

#include "merge.h"
#include "pipeline/issue.h"

/* A hardware context.  Times are cycles since the beginning. */
struct context {
	struct schedule s;
	u64 *sig;
	u8 vpe;
	struct merge_queue *first, *last; /* its threads; first is running */
	s64 slice;		/* instructions left to the first one */

	/* The block that it is in, and where. */
	struct block *block;
	u32 insn;		/* next to issue */
	u32 access, access_end;
	u64 line;		/* first of the block's not asked for yet */
	bool arrived;		/* its pages have been looked up */

	/* The next issue, if it is known. */
	bool known;
	struct issue issue;	/* as far as operands matter */
	u64 at;

	/* What keeps it besides operands. */
	u64 fetched;
	u8 fetch_cause;
	u64 held;		/* by a buffer that is full, by a refill */
	u8 held_cause;
	u64 excepted;		/* its VPE is at exception level */
	u64 redirect;		/* fetch cannot run ahead from before this */
	u32 wrong;		/* slots of a wrong path still to be taken */

	/* Its return stack, while another context's is in the core. */
	u32 n_returns;
	u64 returns[CORE_MAX_RETURN];
};

struct merge {
	struct core *core;
	const struct sim_config *config;
	u32 n;			/* contexts */
	u32 turn;		/* who may issue first */
	bool draining;
	u64 unit_ready[2];	/* MDU, FPU: shared by all */
	struct context *stack;	/* whose return stack is in the core */
	u64 outcome[2][BRANCH_OUTCOMES]; /* not counted from here */
	u64 scratch[SIG_N];
	/* The only context's block, where more than one instruction issues
	 * per cycle: the cycle of each and that of its end. */
	u16 plan[BLOCK_MAX_INSN + 1];
	struct merge_cpus *cpus; /* NULL: contexts share the core */
	void (*changes)(void);	/* before a context runs another thread */
	struct context tc[SIM_MAX_TC];
};

/* merge_issue.c */

/* Finds out when the context can issue next; false if it needs records. */
bool context_prepare(struct merge *m, struct context *x);

/* Issues what has been prepared, now; time passes. */
void context_issue(struct merge *m, struct context *x);

/* Nothing but a new thread is known about the context. */
void context_restart(struct merge *m, struct context *x);

/* The VPE of x works at exception level for so many cycles. */
void context_except(struct merge *m, struct context *x, u64 cycles);

/* merge_window.c: works off what is recorded, on a machine with a window; the
 * context if it needs records, or NULL. */
struct context *merge_window(struct merge *m);

/* merge.c: the thread whose turn it is on x, NULL if x is idle. */
struct merge_queue *context_thread(struct merge *m, struct context *x);

/* What an access counts besides what its block counts each time. */
static inline void
context_count(struct core *c, const struct insn *in,
	      const struct merge_access *a)
{
	if (in->n_load + in->n_store == 0) {
		c->now++;
		count_access(c, a->store);
	}
	c->sig[SIG_SC_STORED] += a->stored;
}

/* merge_fetch.c */

/* Block t follows block p: predictors, wrong path or bubble. */
void context_follow(struct merge *m, struct context *x, struct block *p,
		    struct block *t);

/* Fetches the pages of the block that x has entered... */
void context_fetch_pages(struct merge *m, struct context *x);

/* ... and its lines up to the one with address last. */
void context_fetch_lines(struct merge *m, struct context *x, u64 last);

#endif
