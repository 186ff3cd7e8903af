/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core: the structures of one processor while it runs - caches, TLBs,
 * predictors, buffers, time - and the fast path through them.
 *
 * Time.  core.now packs cycles (high half) and an access clock (low half),
 * both since core.epoch, so that one addition per block moves both on.  A
 * block adds its static cost when it is entered; an access of the block
 * then finds its own time by going back from the block's end.
 *
 * Shadow tables.  shadow[x] has the address of a granule of memory only if
 * its line is in the data cache and not in flight; dtlb.shown[y]
 * holds a page only if it is in the micro-DTLB.  A hit is one
 * comparison of both, and the tables say whose stamps to renew.  The
 * eviction of a line or a page clears its entries.
 *
 * Stamps of the access clock make the LRU order exact.
 *
 * The parts are structs of one concern, each with a header of its own; they are
 * members without a name (-fms-extensions), so that c->now is the time's.
 */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include "core_branch.h"
#include "core_data.h"
#include "core_insn.h"
#include "core_memory.h"
#include "core_time.h"

/* Enters block t. */
typedef void enter_fn(struct core *c, struct block *t);

/* What a window, of the room pipeline/, does for the core. */
struct window_fns {
	/* An empty one; NULL without memory. */
	struct window *(*create)(const struct sim_config *config);
	/* For core.stores, which it owns; NULL: it does not forward. */
	struct stores *(*stores)(struct window *w);
	/* Whether a load has to wait for a store; see stores.h. */
	bool (*forwards)(struct core *c, u64 va, unsigned bytes);
	/* For core.access. */
	access_fn *(*accessor)(const struct core *c);
	/* Block p is over, t would come next, but not here and now. */
	void (*pause)(struct core *c, struct block *p, struct block *t);
	/* The block under way is over; whether there was one. */
	bool (*end)(struct core *c);
	/* Nothing enters for so many cycles. */
	void (*skip)(struct core *c, u64 cycles);
};

struct core {
	struct core_time;
	struct core_branch;
	struct core_data;
	struct core_insn;
	struct core_memory;

	const struct sim_config *config;
	struct window *window;	/* PIPELINE_WINDOW, else NULL */
	const struct window_fns *window_fns;
};

/* Outcome of one access to the data side. */
struct data_result {
	u64 ready;	/* cycle the data is there; 0: a hit */
	u64 wait;	/* cycles the access waited for a buffer */
	u8 wait_signal;	/* which stall that is */
	u8 replay;	/* cycles the pipeline was blocked for the micro-TLB */
	bool refill;	/* the joint TLB missed */
};

/* Sets a core up, which is all zero; 0 or -ENOMEM.  config stays the caller's.  fns is what
 * PIPELINE_WINDOW has: pipeline_init() knows. */
int core_init(struct core *c, const struct sim_config *config,
	      const struct window_fns *fns);

/* Whatever it executes is modelled from here on: its caches are empty. */
void core_model(struct core *c);

/* Makes signals count for this slot and context from now on. */
void core_bind(struct core *c, struct machine_slot *slot, unsigned tc);

/* Recording on or off.  While it is on, the shadow table is empty, so that
 * every access takes the slow path. */
void core_record(struct core *c, bool on);

/* In that cycle, or soon after, told is set unless recording begins before. */
void core_alarm(struct core *c, u64 cycle);

/*
 * All that core from holds goes to core to, which need not be set up; from
 * keeps its time and its watchers, and must not execute any more.
 */
void core_move(struct core *to, struct core *from);

/* To be called when the sampler or the profiler has changed: where accesses go
 * that the fast path leaves over. */
void core_route(struct core *c);

/* The CPU has nothing to do for so many cycles, which are not counted. */
void core_skip(struct core *c, u64 cycles);

/* Notes what follows from the load that missed alone: to be called before
 * anybody asks memory, its bus, or the buffers of fills or loads. */
void alone_note(struct core *c);

SIM_INLINE void
alone_forget(struct core *c)
{
	if (c->alone_load.ready != QUEUE_BUSY)
		alone_note(c);
}

/* Notes when its line is there: to be called before anybody asks for that, of
 * any line.  Those that missed alone before it are there by then. */
SIM_INLINE void
alone_line(struct core *c)
{
	const struct alone_load *l = &c->alone_load;

	if (l->ready != QUEUE_BUSY && !c->n_outer)
		c->data_ready[l->slot] = l->ready;
}

/* Takes back what was accounted ahead, before contexts change. */
void core_take_back(struct core *c);

/* A watcher wants to see what buffers count while it happens, or what enum
 * alone stands for. */
void core_watch(struct core *c, bool buffers, bool alone, bool waits);

/* The current block is over, and its thread goes on at that address some
 * other time; another one's block is entered next. */
void core_pause(struct core *c, u64 next);

/* Cycle at the end of the current block. */
static inline u64
core_cycle(const struct core *c)
{
	return c->epoch + (c->now >> 32);
}

/*
 * Out of line: a data access that the shadow table does not know.  what is
 * ACCESS_WHAT(); the arguments are in the places that they have in a callback
 * of the engine.
 */
#define ACCESS_WHAT(bytes, store) ((bytes) << 1 | (store))
void core_access(struct core *c, u32 what, u64 va,
		 const struct block_access *a);

/*
 * The same where core.direct, at that time of the access clock: the line is
 * known to be in that slot, but its page is not shown; the page is in that
 * slot, but the line is not shown; neither is.
 */
void access_shown(struct core *c, u32 what, u64 va,
		  const struct block_access *a, u32 slot, u32 clock);
void access_unshown(struct core *c, u32 what, u64 va,
		    const struct block_access *a, u32 page, u32 clock);
void access_unknown(struct core *c, u32 what, u64 va,
		    const struct block_access *a, u32 clock);

static inline void
core_data(struct core *c, const struct block_access *a, u64 va,
	  unsigned bytes, bool store)
{
	c->access(c, ACCESS_WHAT(bytes, store), va, a);
}

/* 1 + the bank of the data cache that va is in. */
SIM_INLINE u32
bank_of(const struct core *c, u64 va)
{
	const struct issue_config *issue = &c->config->pipe.issue;

	return 1 + ((u32)(va >> __builtin_ctz(issue->bank_bytes)) &
		    (issue->banks - 1u));
}

/* align.c: if two accesses of a pair want one bank of the data cache, the
 * second one waits for that. */
void core_bank(struct core *c, const struct block_access *a, u64 va);

/* Whether a store of the only active context may have to wait for others. */
SIM_INLINE bool
core_may_order(const struct core *c, const struct block_access *a)
{
	return core_cycle(c) - a->cycles_back < c->written;
}

/* The cycles that a store at cycle t waits for those before; and lets the only
 * active context wait for them. */
u64 order_wait(const struct core *c, u64 va, u64 t);
void core_order(struct core *c, const struct block_access *a, u64 va);

/* Counts a misaligned access; and lets the only active context wait for it
 * as well. */
void count_misaligned(struct core *c, bool store);
void core_misaligned(struct core *c, const struct block_access *a,
		     bool store);

/* barrier.c: the cycles that a barrier waits which issues at cycle t, until
 * all that was loaded is there and all that was stored is written.  And lets
 * the only active context wait for that. */
u64 barrier_wait(struct core *c, u64 t);
void core_barrier(struct core *c, const struct block_access *a);

/* Block p has been executed: what it did is on the other side, or not. */
SIM_INLINE void
core_side(struct core *c, const struct block *p)
{
	if (SIM_LIKELY(!p->side_first))
		return;
	if (c->side && c->side != p->side_first)
		c->sig[c->side == SIDE_X87 ? SIG_X87_TO_MMX
					   : SIG_MMX_TO_X87]++;
	c->side = p->side_last;
}

/* Called when now has reached the deadline. */
void core_attend(struct core *c, struct block *t);

/*
 * Control transfers of p but the plain conditional branch: what they count,
 * and whether they were predicted (last_outcome); the cycles lost.
 */
u64 core_branch(struct core *c, const struct block *p, const struct block *t);

/* Where nothing is modelled: counts the outcome of p's conditional branch, its
 * delay slot, and what a string instruction that repeats itself takes back. */
void core_count_branch(struct core *c, const struct block *p,
		       const struct block *t);

/* Which of the outcomes that are counted apart the last branch had. */
SIM_INLINE unsigned
core_outcome(const struct core *c)
{
	return c->last_outcome & (BRANCH_OUTCOMES - 1);
}

/* As core_branch(), for KIND_HELD and for KIND_OWN, where fast_held() and the
 * like leave it over; in units of now. */
u64 core_held(struct core *c, struct block *p, const struct block *t);
u64 core_own(struct core *c, struct block *p, const struct block *t);

/*
 * Corrects sig where a string instruction repeats itself: it is completed
 * once, but t, which is nothing but the instruction, counts it again.  Where
 * cycles are known by how many instructions issue, that of a repetition is
 * one of a long instruction.
 */
void core_repeat(struct core *c, u64 *sig, const struct block *t);

/* The same where p's thread goes on with t some other time, and that will not be known
 * to be behind p.  NULL: with what no block is known of. */
void core_repeat_apart(struct core *c, const struct block *p,
		       const struct block *t);

/* Resolves what block p left open, knowing that t follows. */
void core_leave(struct core *c, const struct block *p, const struct block *t);

/* Fetches t's page, or the two that it spans, and its lines, not all of
 * which are where they were; p ran before it. */
void core_fetch(struct core *c, const struct block *p, struct block *t);

/* Chooses core.fetch, for most kinds of instruction caches. */
void fetch_choose(struct core *c);

/* The cache slot of the block's line number i. */
void fetch_keep_slot(struct block *t, unsigned i, u16 slot);

/* The core is a forked child's from now on: what is under way is its parent's,
 * and counted there.  To be bound to what the child counts then. */
void core_child(struct core *c);

/* Accounts buffers, distances and profiles up to the present: the program, or
 * what is counted of it, ends.  Stores that still wait are written behind it,
 * as they are while the kernel does what the end takes. */
void core_settle(struct core *c);

/* Cycles that the last walk of page tables took, where these are read. */
static inline u32
core_walked(const struct core *c)
{
	return c->walker ? c->refill : 0;
}

/* Shared by the fast path and the merged contexts. */
void data_page(struct core *c, struct micro_tlb *m, u64 va, u32 clock,
	       struct data_result *r);
/* Of a window.  Where page tables are read, the line is looked for when that is over:
 * core_walked() cycles behind t. */
void data_access(struct core *c, u64 va, bool store, u32 clock, u64 t,
		 struct data_result *r);
void data_access_lines(struct core *c, u64 va, unsigned bytes, bool store,
		       u32 clock, u64 t, struct data_result *r);

/* Fetches a line wanted at cycle t; the cycle it is there (at most t if it is
 * in the cache).  And one that is known not to be in the cache. */
u64 fetch_line(struct core *c, u64 line, u32 clock, u64 t, u16 *slot);
u64 fetch_missing(struct core *c, u64 line, u32 clock, u64 t, u16 *slot);

/* Brings the page of va into micro-ITLB m; cycles lost.  *refill: it was in
 * no TLB. */
unsigned fetch_page(struct core *c, struct micro_tlb *m, u64 va, u32 clock,
		    bool *refill);
void shadow_clear(struct core *c);

/* log2 of the bytes of a page of the operating system. */
u32 tlb_page_bits(const struct core *c);

/* pending.c: loads outstanding on the only active context */

/* Notes the load a of va, issued at cycle issue, whose reader finds the data
 * at cycle ready, and does not come at once. */
void pending_load(struct core *c, const struct block_access *a, u64 va,
		  u64 issue, u64 ready);
void pending_until(struct core *c, u64 t);
void pending_shift(struct core *c, u64 cycles);

/* The pipeline waits: everything behind is later. */
SIM_INLINE void
pending_pass(struct core *c, u64 cycles)
{
	c->now += CYCLES(cycles);
	if (SIM_UNLIKELY(c->n_pending))
		pending_shift(c, cycles);
}

/* An access that its block has not counted. */
SIM_INLINE void
count_access(struct core *c, bool store)
{
	c->sig[SIG_DACCESS]++;
	c->sig[SIG_DACCESS_STORE] += store;
}

/* A stall, after which something issues again. */
SIM_INLINE void
count_stall(struct core *c, u64 cycles)
{
	c->sig[SIG_LONG_STALL] += cycles > c->config->pipe.long_stall;
}

/* Whether p owes something that is left when t behind it is over; and notes
 * that, if p was over at cycle end. */
bool pending_leaves(const struct block *p, const struct block *t);
void pending_debts(struct core *c, const struct block *p,
		   const struct block *t, u64 end);
void pending_enter(struct core *c, const struct block *t);

/* What an inclusive outer level loses, the first level loses as well; true
 * if data was dirty. */
bool data_invalidate(struct core *c, u64 addr, u64 end);
void fetch_invalidate(struct core *c, u64 addr, u64 end);

#endif
