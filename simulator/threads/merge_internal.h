/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the merge share: contexts, and the steps of a cycle. */
#ifndef SIM_MERGE_INTERNAL_H
#define SIM_MERGE_INTERNAL_H

#include "core/dcache.h"
#include "merge.h"
#include "pipeline/issue.h"
#include "pipeline/window.h"
#include "watch/calls.h"
#include "watch/regions.h"

/* What an instruction of a block may have to do when it issues. */
enum merge_step {
	STEP_ASKS = 1 << 0,	/* for pages, a line, what comes next */
	STEP_WAITS = 1 << 1,	/* for several operands, or a unit */
	STEP_UNIT = 1 << 2,	/* for a unit that contexts share */
	STEP_OWES = 1 << 3,	/* an instruction may wait for its result */
	STEP_ACCESSES = 1 << 4,
	STEP_OTHER = 1 << 5,	/* keeps a unit, waits for memory */
	STEP_SLOW = 1 << 6,	/* more than issue_quick() does */
	STEP_ANY = (1 << 7) - 1
};

/* An instruction of a block. */
struct merge_op {
	u8 step;		/* enum merge_step */
	u8 owes;		/* the register that may be waited for, or
				   REG_UNREAD */
	u8 ready, address;	/* cycles until that is ready, as an address */
	u8 cause;		/* stall that waiting for it is */
	u8 waits;		/* the register that it may wait for, or
				   REG_UNWRITTEN */
	u8 slack;		/* cycles that it may be late */
	u8 other;		/* the stall in place of SIG_ALU_OTHER */
	u8 ticks;		/* accesses that are counted with its block */
	u16 until;		/* where in struct schedule the cycle is that
				   it is ready */
};

/* That of a register that no instruction writes. */
#define OP_READY offsetof(struct schedule, ready[REG_UNWRITTEN])

/* The same for all of a block's, and one that ends it. */
struct merge_plan {
	const struct insn *code;
	const struct block *of;
	struct merge_plan *next; /* of those executed and not counted */
	u32 execs[SIM_MAX_TC];	/* that have not been counted, by context */
	u16 owes;		/* cycles that registers are late at its end */
	u16 executed;		/* contexts that have some of those */
	struct merge_op op[];
};

/* A hardware context.  Times are cycles since the beginning. */
struct context {
	struct schedule s;
	struct context *after;	/* the next one with a thread, round the core */
	u64 *sig;
	u8 vpe;
	struct merge_queue *first, *last; /* its threads; first is running */
	struct micro_tlb *itlb, *dtlb; /* its own, or those of all */
	s64 slice;		/* instructions left to the first one, */
	s64 given;		/* ... of so many */

	/* The block that it is in, and where. */
	struct block *block;
	struct merge_plan *plan; /* NULL: it has none */
	const struct insn *code;
	const struct merge_op *op; /* of each instruction */
	u32 owes;		/* see struct merge_plan */
	u32 insn;		/* next to issue */
	u32 access, access_end;
	u32 paged;		/* pages of accesses before are known */
	u64 line;		/* first of the block's not asked for yet */
	bool arrived;		/* its pages have been looked up */

	/* No register is late behind that but by what the plan says. */
	u64 late;

	/* The next issue, if it is known. */
	bool known;
	u8 todo;		/* enum merge_step of it, and this: */
#define TODO_ISSUE (STEP_ANY + 1)
	struct issue issue;	/* as far as operands matter */
	u64 at;

	/* What keeps it besides operands, and the latest of that. */
	u64 kept;
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
	bool draining;
	bool woke;		/* a context may have got a thread */
	u64 unit_ready[2];	/* MDU, FPU: shared by all */
	struct context *stack;	/* whose return stack is in the core */
	u64 outcome[2][BRANCH_OUTCOMES]; /* not counted from here */
	u64 scratch[SIG_N];
	bool planned;		/* blocks have a plan */
	bool plain;		/* accesses that hit change nothing else */
	struct merge_plan *executed; /* whose executions are not counted */
	struct merge_op any[BLOCK_MAX_INSN + 1]; /* a block without a plan */
	struct merge_cpus *cpus; /* NULL: contexts share the core */
	/* One context: the thread whose block the core is in; one that has
	 * ended. */
	const struct merge_queue *entered;
	struct merge_queue gone;
	void (*changes)(void);	/* before a context runs another thread */
	bool counts;		/* and models nothing */
	enter_fn *enter[3];	/* a block of one line, two, more, as the fast
				   path does */
	struct context tc[SIM_MAX_TC];
};

/* Block t goes through a core as on the fast path. */
SIM_INLINE void
merge_enter(const struct merge *m, struct core *c, struct block *t)
{
	m->enter[t->n_line > 2 ? 2 : t->n_line - 1](c, t);
}

/* merge_turns.c: issues until no context can; the context that needs
 * records, or NULL. */
struct context *turns_run(struct merge *m);

/* merge_prepare.c */

/* Finds out when the context can issue next; false if it needs records. */
bool context_prepare(struct merge *m, struct context *x);

/* The context's next slot goes to an instruction that is thrown away. */
void context_prepare_wrong(struct context *x);

/* When x can issue the instruction that it is at, for which nothing has to be
 * asked for any more, if its operands are late. */
void context_wait(struct merge *m, struct context *x);

/* The block is done, with its delay slot or without: what it counts is
 * counted. */
void context_finish(struct merge *m, struct context *x, bool slot);

/* Nothing but a new thread is known about the context. */
void context_restart(struct merge *m, struct context *x);

/* The VPE of x works at exception level for so many cycles. */
void context_except(struct merge *m, struct context *x, u64 cycles);

/* merge_issue.c */

/* Issues what has been prepared, now; time passes. */
void context_issue(struct merge *m, struct context *x);

/* An instruction that accesses memory and misses; false: it starts again,
 * behind a refill of the joint TLB. */
bool context_issue_late(struct merge *m, struct context *x, unsigned step,
			u64 t);

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

/* merge_threads.c: the thread whose turn it is on x, NULL if x is idle. */
struct merge_queue *context_thread(struct merge *m, struct context *x);

/* The same; a time slice does not end before it is known where its thread
 * goes on. */
struct merge_queue *context_thread_known(struct merge *m, struct context *x);

/* The thread that was the first of x before others gave what they had recorded is it
 * again, and has what was left of its time slice, which was of so many instructions. */
void context_give_back(struct merge *m, struct context *x,
		       const struct merge_queue *first, s64 slice, s64 given);

/* merge_wake.c: q has been worked off up to its end: the threads that wait
 * for that are admitted. */
void queue_wake(struct merge *m, struct merge_queue *q);

/* No thread waits for q's waker any more. */
void queue_give_up(struct merge_queue *q);

static inline bool
queue_is_dry(const struct merge_queue *q)
{
	return q->head == q->tail;
}

/* The block that the thread goes on with; NULL: it is not known. */
static inline const struct block *
queue_next(const struct merge_queue *q)
{
	return q->head == q->tail + q->open
		       ? q->ahead
		       : q->record[q->head & q->record_mask].block;
}

/* The branch at the end of p, and its record of a profile. */
static inline struct block
merge_branch(const struct block *p)
{
	return (struct block){
		.vaddr = p->vaddr, .fall = p->fall, .fall_low = p->fall_low,
		.shares = p->shares, .branch = p->branch, .kind = KIND_SLOW,
		.traits = p->traits, .branch_at = p->branch_at,
		.bht_index = p->bht_index,
		.detail = block_none.detail, .own = p->own,
	};
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

/* When op can issue as far as its operand matters.  Without a branch: none
 * could predict whether it is late. */
SIM_INLINE struct issue
op_issue(const struct schedule *s, const struct merge_op *op)
{
	u64 ready = *(const u64 *)((const char *)s + op->until);
	u8 cause = s->cause[op->waits];
	unsigned other = 0u - (cause == SIG_ALU_OTHER);

	return (struct issue){
		.at = later(ready, s->next + op->slack) - op->slack,
		.cause = (u8)(cause ^ ((cause ^ op->other) & other)),
		.reg = op->waits,
	};
}

/* Nothing is known about its next issue. */
SIM_INLINE void
context_forget(struct context *x)
{
	x->known = false;
	x->at = ~0ull;
}

/* When x can issue the instruction that it is at, for which nothing has to be
 * asked for any more. */
SIM_INLINE void
context_step(struct merge *m, struct context *x, const struct merge_op *op,
	     unsigned step)
{
	x->known = true;
	x->todo = (u8)(step | TODO_ISSUE);
	x->issue = op_issue(&x->s, op);
	x->at = later(x->issue.at, x->kept);
	if (step & STEP_WAITS || x->late > x->s.next)
		context_wait(m, x);
}

/* The instruction that x was at has issued. */
SIM_INLINE void
context_next(struct merge *m, struct context *x)
{
	const struct merge_op *op = &x->op[++x->insn];
	unsigned step = op->step;

	if (!(step & STEP_ASKS)) {
		context_step(m, x, op, step);
		return;
	}
	context_forget(x);
	if (x->insn == x->block->n_insn)
		context_finish(m, x, true);
}

/* The next access of the instruction that x is at; NULL: no more.  Two
 * questions in one: no predictor knows the answer to the first. */
SIM_INLINE const struct merge_access *
next_access(const struct context *x)
{
	const struct merge_queue *q = x->first;
	const struct merge_access *a = &q->access[x->access & q->access_mask];
	u32 insn = a->insn | (u32)(x->access == x->access_end) << 16;

	return insn <= x->insn ? a : NULL;
}

/* A hit in one line at cycle t, through micro-TLB m, that changes nothing but
 * stamps, and to which state the line has: it is made.  Else false.  plain:
 * data_is_plain(). */
SIM_INLINE bool
access_hits(struct core *c, struct micro_tlb *m, const struct merge_access *a,
	    u32 clock, u64 t, bool plain)
{
	u64 page = shown_slot(m, a->va >> SHADOW_PAGE_BITS);
	u64 last = a->va + a->bytes - 1;
	u32 bits = data_line_bits(c, plain);
	u64 line = a->va >> bits;
	int s = plain ? array_find_flat(c->data_line,
					((u32)line & c->l1d.set_mask) * 4,
					line, 4)
		      : array_find(&c->l1d, line);

	if (page > SHADOW_PAGE_SLOTS)
		page = aside_slot(m, a->va >> SHADOW_PAGE_BITS);
	if (page > SHADOW_PAGE_SLOTS || (a->va ^ last) >> bits || s < 0 ||
	    c->data_ready[s] > t)
		return false;
	if (!plain && a->store && c->config->l1d.write_through)
		return false;
	m->stamp[page] = clock;
	c->data_stamp[s] = clock;
	if (SIM_UNLIKELY(c->tells) && a->store)
		data_change(c, (u32)s);
	c->data_dirty[s] |= a->store;
	return true;
}

/* Whether all accesses of an instruction that makes some are hits; those before
 * the first that is not have been made. */
SIM_INLINE bool
all_hit(struct merge *m, struct context *x, u64 t)
{
	const struct merge_access *a = next_access(x);
	struct core *c = m->core;

	if (SIM_UNLIKELY(!a))
		return true;
	do {
		if (!access_hits(c, x->dtlb, a, (u32)c->now, t, true))
			return false;
		c->sig[SIG_SC_STORED] += a->stored;
		x->access++;
		a = next_access(x);
	} while (SIM_UNLIKELY(a != NULL));
	return true;
}

/* merge_fetch.c */

/* Block t follows block p: predictors, wrong path or bubble. */
void context_follow(struct merge *m, struct context *x, struct block *p,
		    struct block *t);

/* The wrong path that x was on is over. */
void context_turn_right(struct merge *m, struct context *x);

/* The core's return stack is that of x, which goes on alone. */
void context_own_returns(struct merge *m, struct context *x);

/* A context begins with what its thread has executed next; it has begun. */
SIM_INLINE void
context_arrive(struct core *c, unsigned tc, const struct merge_record *r)
{
	if (SIM_UNLIKELY(c->calls != NULL))
		calls_arrive(&c->calls[tc], r->block, r->path);
}

SIM_INLINE void
context_arrived(struct core *c, unsigned tc)
{
	if (SIM_UNLIKELY(c->calls != NULL))
		calls_arrived(&c->calls[tc]);
}

/* A context runs a thread in those regions from now on, or none. */
SIM_INLINE void
merge_regions(struct merge *m, unsigned tc, struct region_thread *thread)
{
	if (SIM_UNLIKELY(m->core->regions != NULL))
		regions_run(m->core, tc, thread);
}

/* Fetches the pages of the block that x has entered... */
void context_fetch_pages(struct merge *m, struct context *x);

/* ... and its lines up to the one with address last. */
void context_fetch_lines(struct merge *m, struct context *x, u64 last);

#endif
