/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the merge share: contexts, and the steps of a cycle. */
#ifndef SIM_MERGE_INTERNAL_H
#define SIM_MERGE_INTERNAL_H

#include "merge.h"
#include "pipeline/issue.h"

/* What an instruction of a block may have to do when it issues. */
enum merge_step {
	STEP_ASKS = 1 << 0,	/* for pages, a line, what comes next */
	STEP_WAITS = 1 << 1,	/* for what its block computes */
	STEP_UNIT = 1 << 2,	/* for a unit that contexts share */
	STEP_OWES = 1 << 3,	/* somebody may wait for what it computes */
	STEP_ACCESSES = 1 << 4,
	STEP_SEVERAL = 1 << 5,	/* not just one, or not counted with its block */
	STEP_OTHER = 1 << 6,	/* keeps a unit, waits for memory */
	STEP_ANY = (1 << 7) - 1
};

/* The same for all of a block's. */
struct merge_plan {
	const struct insn *code;
	const struct block *of;
	struct merge_plan *next; /* of those executed and not counted */
	u32 execs[SIM_MAX_TC];	/* that have not been counted, by context */
	u16 owes;		/* cycles that registers are late at its end */
	bool executed;		/* and not counted */
	u8 step[];
};

/* A hardware context.  Times are cycles since the beginning. */
struct context {
	struct schedule s;
	struct context *after;	/* the next one with a thread, round the core */
	u64 *sig;
	u8 vpe;
	struct merge_queue *first, *last; /* its threads; first is running */
	s64 slice;		/* instructions left to the first one */

	/* The block that it is in, and where. */
	struct block *block;
	struct merge_plan *plan; /* NULL: it has none */
	const struct insn *code;
	const u8 *step;		/* enum merge_step of each instruction */
	u32 owes;		/* see struct merge_plan */
	u32 insn;		/* next to issue */
	u32 access, access_end;
	u64 line;		/* first of the block's not asked for yet */
	bool arrived;		/* its pages have been looked up */

	/* No register is late behind that but by what the plan says. */
	u64 late;

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
	u32 active;		/* contexts with a thread */
	struct context *last;	/* those behind it may issue first */
	u64 limit;		/* nobody but the one that issues can before */
	bool draining;
	u64 unit_ready[2];	/* MDU, FPU: shared by all */
	struct context *stack;	/* whose return stack is in the core */
	u64 outcome[2][BRANCH_OUTCOMES]; /* not counted from here */
	u64 scratch[SIG_N];
	bool planned;		/* blocks have a plan */
	bool plain;		/* accesses that hit change nothing else */
	struct merge_plan *executed; /* whose executions are not counted */
	u8 any[BLOCK_MAX_INSN];	/* a block without a plan: STEP_ANY */
	struct merge_cpus *cpus; /* NULL: contexts share the core */
	/* One context: the thread whose block the core is in; one that has
	 * ended. */
	const struct merge_queue *entered;
	struct merge_queue gone;
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

/* merge_plan.c: the plan of a block, made if it has none; NULL without
 * memory. */
struct merge_plan *plan_find(const struct sim_config *config, struct block *b);

/* Counts what blocks with a plan have executed. */
void plan_count(struct merge *m);

/* merge_single.c: there is one context, of one CPU. */
bool merge_is_single(const struct merge *m);

/* Works off what is recorded; the context if it needs records, or NULL. */
struct context *single_run(struct merge *m);

/* The fast path goes on with the thread of q; NULL: with none of them. */
void single_end(struct merge *m, const struct merge_queue *q);

/* merge.c: the thread whose turn it is on x, NULL if x is idle. */
struct merge_queue *context_thread(struct merge *m, struct context *x);

/* The same; a time slice does not end before it is known where its thread
 * goes on. */
struct merge_queue *context_thread_known(struct merge *m, struct context *x);

static inline bool
queue_is_dry(const struct merge_queue *q)
{
	return q->head == q->tail;
}

/* Where the thread goes on behind block p, as far as is known. */
static inline u64
queue_next(const struct merge_queue *q, const struct block *p)
{
	if (q->head == q->tail + q->open)
		return p->fall;
	return q->record[q->head & q->record_mask].block->vaddr;
}

/*
 * No context can issue until cycle end, when x does.  Time at exception
 * level is not user time; while all wait for fetch it is fetch's, else the
 * stall that x waits for.
 */
void context_pass_gap(struct merge *m, struct context *x, u64 end);

/* What an access counts besides what its block counts each time. */
static inline void
context_count(struct core *c, const struct merge_access *a)
{
	if (SIM_UNLIKELY(a->access->flags & ACCESS_IS_UNCOUNTED)) {
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
