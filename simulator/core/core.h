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
 * comparison of both, and the tables say whose stamps to renew.  Whoever
 * evicts a line or a page clears its entries.
 *
 * Stamps of the access clock make the LRU order exact.
 */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include "code/block.h"
#include "machine/machine.h"
#include "outer.h"
#include "edge.h"
#include "predict.h"
#include "replace.h"
#include "writebuf.h"

#define CORE_MAX_LINES 4096	/* per first-level cache */
#define CORE_MAX_TLB 128	/* entries of a micro-TLB */
#define CORE_MAX_JTLB 2048
#define JTLB_MAX_LOG 256	/* entries of one that has a log */
#define CORE_MAX_BHT 16384
#define CORE_MAX_RETURN 64
#define CORE_MAX_TARGETS 4096
#define CORE_MAX_QUEUE 128	/* with those that wait for an entry */
#define CORE_MAX_PENDING 64
#define CORE_EDGES 512		/* power of two */

#define SHADOW_GRANULE_BITS 5
#define SHADOW_GRANULE (1u << SHADOW_GRANULE_BITS)
#define SHADOW_ENTRIES 4096
/* Addresses have 48 bits and are sign-extended: an entry has room for where
 * the line is.  None is at the end of the lower half. */
#define SHADOW_ENTRY(addr, slot) (((addr) << 16) - (slot))
#define SHADOW_EMPTY SHADOW_ENTRY((1ull << 47) - SHADOW_GRANULE, 0)
/* From an entry to an address: bytes << 16 | slot, if it is behind it; up to
 * SHADOW_LAST() for an access of so many bytes that the granule has. */
#define SHADOW_WAY(va, entry) (((va) << 16) - (entry))
#define SHADOW_LAST(bytes) ((u64)(SHADOW_GRANULE - (bytes)) << 16 | 0xffff)
#define SHADOW_INDEX(va) \
	(((va) >> SHADOW_GRANULE_BITS) & (SHADOW_ENTRIES - 1))

#define SHADOW_PAGE_BITS 12	/* larger pages have several entries */
#define SHADOW_PAGES 4096	/* so many that few programs share an entry */
#define SHADOW_PAGE_INDEX(page) ((page) & (SHADOW_PAGES - 1))
/* An entry has a page, of 52 bits, and where it is in the micro-TLB. */
#define SHADOW_PAGE_ENTRY(page, slot) (((page) << 8) - (slot))
#define SHADOW_PAGE_SLOT(entry) ((u8)-(entry))
#define SHADOW_PAGE_EMPTY (1ull << 62)
#define SHADOW_PAGE_CAN_BE(page) (!((page) >> 52))
#define PAGE_HINTS 1024
#define PAGE_HINT(page) ((page) & (PAGE_HINTS - 1))
#define TLB_BEHIND 1024
#define BEHIND_INDEX(page) ((page) & (TLB_BEHIND - 1))
#define JTLB_PARTS 8		/* pages that an entry can map */
#define JTLB_LOG 4096

#define CYCLES(n) ((u64)(n) << 32)	/* in units of core.now */
#define RENORM_CYCLES (1u << 28)	/* epoch moves on before this */

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
};

#define OUTER_HINTS 1024

/* A level behind the first one. */
struct outer_level {
	const struct cache_config *config;
	struct array lines;
	u8 *state;		/* enum outer_state, per line */
	u8 *predicted;		/* way; NULL: none is predicted */
	bool ages;		/* a line's last use matters */
	u32 clock;		/* of accesses, for LRU */
	u32 line_bits;
	u32 hint[OUTER_HINTS];	/* slots of lines that were found last, by their
				   low bits; not used where there is one way */
	u64 pending_end;	/* misses are accounted up to here; of the
				   second level only */
	u64 loads_end;		/* ... those of loads, until all is here */
	u64 read_from, read_until; /* lines that were read without a gap */
	u32 repeat[2];		/* cycles of that: of data, of instructions */
};

#define OUTER_LEVELS 2

/*
 * A buffer whose entries are taken and given back at known times.  It is calm
 * while no more than two of them overlap: then they are accounted ahead, as
 * if no other came, and are not in the ring; see queue_put_ahead().  Where
 * there is one entry only, none may overlap; see queue_put_one().
 */
struct queue {
	u32 n, capacity;
	u32 head;		/* place of the entry that is done first */
	u64 since;		/* occupancy is accounted up to here */
	u64 calm;		/* from here on at most one of those ahead is
				   left, of a single one none; QUEUE_BUSY if
				   there are none */
	u64 last;		/* when the last one is done, or QUEUE_BUSY */
	u8 signal[CORE_MAX_QUEUE + 1]; /* of each occupancy */
	u64 done[CORE_MAX_QUEUE]; /* a ring, ascending from head */
};

#define QUEUE_BUSY (~0ull)

/*
 * Something that comes late - a load that missed, a long operation that is
 * not over with its block - and who waits for it.
 */
struct pending {
	u64 ready;
	u64 use;		/* cycle its reader issues, or PENDING_LATER */
	u64 va;			/* of a load */
	bool soon;		/* its reader issues as soon as it could */
	bool mmx;		/* of an MMX instruction */
	u8 reg;
	u8 signal;		/* stall that waiting for it is */
};

#define PENDING_LATER (~0ull)

/* Where the pages of a TLB were last, by their low bits, and how many of those
 * that it holds share that. */
struct page_hints {
	u16 slot[PAGE_HINTS], here[PAGE_HINTS];
};

/* A micro-TLB; see tlb.h for what its table shows. */
struct micro_tlb {
	u64 shown[SHADOW_PAGES]; /* SHADOW_PAGE_ENTRY() */
	u64 aside[SHADOW_PAGES]; /* of a page that had that place before */
	u32 stamp[CORE_MAX_TLB + 1]; /* the last one: unmapped pages */
	u16 behind[TLB_BEHIND]; /* where a page was in the joint TLB last:
				   joint_place() */
	u64 page[CORE_MAX_TLB];
	u16 next[CORE_MAX_TLB];
	u32 set_aside;	/* pages that are */
	u32 hidden;	/* those that the table neither shows nor has aside */
	u32 page_bits;
	bool lru_of_8;	/* LRU, all of 8 entries */
	bool lru_of_many; /* ... of a larger multiple of 8 */
	bool usual;	/* and tlb_miss_usual() may do */
	bool hinted;	/* there are hints: all of more than 8 entries */
	u16 filled;	/* lru_of_many: slots below are not empty */
	struct page_hints hints;
	u8 miss, refill; /* signals: of it, of what is behind it */
	struct array array;
	struct joint_tlb *joint; /* behind it; NULL: the page tables */
};

/*
 * A TLB behind a micro-TLB, or two.  Where the least recently used of all
 * entries is replaced, a log has its uses in their order, and the stamp of an
 * entry is the place of its last one: the oldest entry is the first in the log
 * whose stamp says so.
 */
struct joint_tlb {
	u64 page[CORE_MAX_JTLB];
	u32 stamp[CORE_MAX_JTLB];
	/* Pages of the operating system that have been touched, by place: part
	 * of what the entry maps, slot. */
	u64 holds[JTLB_PARTS * CORE_MAX_JTLB];
	u16 next[CORE_MAX_JTLB];
	struct page_hints hints;
	bool logs;
	u8 log[JTLB_LOG];	/* slots */
	u32 first;		/* in the log, behind what does not count */
	struct array array;
	u32 clock;		/* the last place in the log, if it has one */
	u32 bits;		/* that one entry maps */
	u32 page_bits;		/* of a page of the operating system */
	u32 parts;		/* pages that one entry maps */
	bool inclusive;
};

_Static_assert(JTLB_MAX_LOG == 256, "a slot is a byte of the log");
_Static_assert(JTLB_PARTS * CORE_MAX_JTLB <= 65536, "a place has 16 bits");

/* What core_repeat() takes back of a block's counts. */
struct repeat {
	const struct block *of;
	unsigned n;
	struct block_count count[SIG_INSN_LAST + 2];
};

/*
 * The last load that missed alone and was waited for (ALONE_WAITS).  Until
 * another access finds it under way, this is all that is noted of it: what
 * buffers, bus and memory would know of it follows, and data_ready of its
 * slot, which until then is a time before its miss.  Of one whose line came
 * from the level behind, see near.c, data_ready is known.
 */
struct alone_load {
	u64 ready;		/* the cycle that its line is there: behind it
				   data_is_alone(), and nothing is pending;
				   QUEUE_BUSY: there is none */
	u64 before;		/* the cycle that the line before was there */
	u64 calm;		/* near.c: the first one behind ready that the
				   buffer of that line is free at */
	u32 slot;
	/* What is the same each time. */
	u32 latency;		/* from its miss until ready */
	u32 behind;		/* from then until all of the line is written */
	u64 advance[1 + ALONE_KINDS]; /* what time moves on by for each
					 block_access.alone */
};

struct core;
struct calls_context;

/* An access that the fast path leaves over. */
typedef void access_fn(struct core *c, u32 what, u64 va,
		       const struct block_access *a);

/* One to a line that the table does not show: its page is in that slot. */
typedef void unshown_fn(struct core *c, u32 what, u64 va,
			const struct block_access *a, u32 page, u32 clock);

/* Enters block t. */
typedef void enter_fn(struct core *c, struct block *t);

/* Fetches block t, which follows p. */
typedef void fetch_fn(struct core *c, const struct block *p, struct block *t);

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
	/* Hot. */
	u64 now;
	u64 deadline;		/* in units of now: core_attend() then */
	u64 alarm;		/* the cycle when told is set, 0: none */
	struct block *prev;
	u64 (*outcome)[BRANCH_OUTCOMES];
	u64 cost[BRANCH_OUTCOMES]; /* of a branch's outcome, in units of now */
	u64 history;
	u32 history_mask;
	u32 bht_mask;
	u8 next_counter[8];	/* by COUNTER_MEETS(), see fast.h */
	u8 last_outcome;
	bool recording;		/* several contexts: blocks are queued */
	bool told;		/* ... or will be from the next one on */
	bool indirect;		/* accesses are somebody else's first, see
				   core_route() */
	bool direct;		/* ... not, and access_shown() may do */
	bool shadow_off;	/* the table of lines stays empty */
	bool compares;		/* ... for all accesses: window_compare() */
	bool plain;		/* see data_is_plain() in dcache.h */
	bool buffers_watched;	/* somebody looks at what buffers count while
				   they do: nothing is accounted ahead */
	bool alone_watched;	/* ... or at what enum alone stands for, up */
	bool waits_watched;	/* ... to, or from ALONE_WAITS on: more than
				   that time passes, see waited */
	bool goes_through;	/* stores go to the write buffer, whether they
				   hit or not */
	bool goes_past;		/* stores that miss do, to the other one */
	bool stores_shown;	/* goes_through, and that is all that stores to
				   lines in the table do */
	bool fetches_near;	/* a line in the level behind is just read */
	bool writes_near;	/* ... and just written */
	u64 *sig;		/* signals of the current context */
	u64 *alone;		/* enum alone, of the process */
	u64 waited;		/* cycles that ALONE_WAITS stand for */
	u64 epoch;		/* cycles before now's count began */
	struct sampler *sampler; /* NULL: no counter is watched */
	struct profiler *profiler; /* NULL: no profile is made */
	const struct sampler_fns *samples; /* see watched.h */
	const struct profiler_fns *profiles;

	/* Data side. */
	access_fn *access;	/* core_access(), or for such as near.c has, or
				   window_accessor() */
	access_fn *load_other;	/* if it is not plain: near_choose() */
	unshown_fn *unshown[2];	/* loads, stores; NULL: access */
	unshown_fn *sampled[2];	/* where a sampler alone is told, at its
				   deadline; NULL: access */
	const struct near_fns *near; /* NULL: near.c has none */
	u64 shadow[SHADOW_ENTRIES]; /* SHADOW_ENTRY() */
	u32 data_stamp[CORE_MAX_LINES]; /* last access */
	u8 data_dirty[CORE_MAX_LINES];
	bool tells;		/* the level behind is told_of_stores */
	bool data_own[CORE_MAX_LINES]; /* and knows that the line is stored to */
	u64 data_line[CORE_MAX_LINES];
	u64 data_ready[CORE_MAX_LINES]; /* cycle the fill is complete */
	u16 data_next[CORE_MAX_LINES];
	struct micro_tlb dtlb;

	/* Instruction side. */
	fetch_fn *fetch;	/* core_fetch() and core_attend(), for blocks
				   whose page is shown; NULL: none */
	u32 line_stamp[CORE_MAX_LINES];
	u64 line_number[CORE_MAX_LINES];
	u64 line_ready[CORE_MAX_LINES];
	u16 line_next[CORE_MAX_LINES];
	struct micro_tlb itlb;
	u8 bht[CORE_MAX_BHT];
	u64 returns[CORE_MAX_RETURN];
	u32 n_returns;
	s32 return_owner;	/* context, -1: nobody */
	u64 targets[CORE_MAX_TARGETS];
	struct predict *predict; /* NULL: the table bht is it */

	/* Geometry, worked out once. */
	const struct sim_config *config;
	struct array l1i, l1d;
	u32 dline_bits, iline_bits;

	/* Joint TLBs: of both sides, or of instructions and of data. */
	struct joint_tlb joint[2];

	/* Behind the first level, outwards. */
	struct outer_level outer[OUTER_LEVELS];
	unsigned n_outer;

	/* Memory side. */
	struct alone_load alone_load; /* the last one */
	u64 bus_free;		/* from here to ldq: see alone_forget() */
	u64 reads[2];		/* cycles that the last lines from memory
				   are there; the later one first */
	u64 written;		/* memory_config.ordered: the cycle that stores
				   that missed are written */
	u64 pending_end;	/* D-misses are accounted up to here */
	u64 returned;		/* memory_return(): the last of its cycles */
	struct queue fsb, ldq, wbb, ifb;
	struct writebuf writebuf;
	struct pending pending[CORE_MAX_PENDING];
	unsigned n_pending;
	struct edge edge[CORE_EDGES]; /* those seen last, by a hash: what one
					 costs is the same each time */
	struct repeat repeat;	/* of the last one that was asked for */
	u64 redirect;		/* cycle of the last fetch redirect */
	u64 uncounted;		/* cycles that no signal has, in a pipeline in
				   order: refills by software */
	u32 bank;		/* 1 + that of a pair's first access, or 0 */
	u8 side;		/* enum block_side of the last instruction that
				   has one */
	struct window *window;	/* PIPELINE_WINDOW, else NULL */
	const struct window_fns *window_fns;
	struct stores *stores;	/* of the window, see stores.h; NULL: loads never
				   wait for stores */
	struct page_set *pages;	/* touched so far */

	/* Several CPUs, see coherence.h. */
	struct coherence *coherence; /* NULL: there is one */
	u8 cpu;
	bool store_shared;	/* the last store was to a line that others
				   had as well */
	/* Which calls led to the blocks of each context, see calls.h; NULL:
	 * nobody asks. */
	struct calls_context *calls;
};

/* Where a micro-TLB's table shows that page to be: its slot; above
 * SHADOW_PAGE_SLOTS if it does not. */
#define SHADOW_PAGE_SLOTS 255
SIM_INLINE u64
shown_slot(const struct micro_tlb *m, u64 page)
{
	return (page << 8) - m->shown[SHADOW_PAGE_INDEX(page)];
}

/* The same of t's page and the micro-ITLB. */
SIM_INLINE u64
block_shown(const struct micro_tlb *m, const struct block *t)
{
	return t->page_entry - m->shown[t->page_at];
}

/* The same of those that have been set aside. */
SIM_INLINE u64
aside_slot(const struct micro_tlb *m, u64 page)
{
	return (page << 8) - m->aside[SHADOW_PAGE_INDEX(page)];
}

_Static_assert(CORE_MAX_TLB <= SHADOW_PAGE_SLOTS, "an entry has room");

/* Outcome of one access to the data side. */
struct data_result {
	u64 ready;	/* cycle the data is there; 0: a hit */
	u64 wait;	/* cycles the access waited for a buffer */
	u8 wait_signal;	/* which stall that is */
	u8 replay;	/* cycles the pipeline was blocked for the micro-TLB */
	bool refill;	/* the joint TLB missed */
};

/* Sets a core up; 0 or -ENOMEM.  config stays the caller's.  fns is what
 * PIPELINE_WINDOW has: pipeline_init() knows. */
int core_init(struct core *c, const struct sim_config *config,
	      const struct window_fns *fns);

/* Makes signals count for this slot and context from now on. */
void core_bind(struct core *c, struct machine_slot *slot, unsigned tc);

/* Recording on or off.  While it is on, the shadow table is empty, so that
 * every access takes the slow path. */
void core_record(struct core *c, bool on);

/* In that cycle, or soon after, told is set unless recording begins before. */
void core_alarm(struct core *c, u64 cycle);

/*
 * All that core from holds goes to core to, which need not be set up; from
 * keeps its time and who watches it, and must not execute any more.
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

/* Somebody wants to see what buffers count while it happens, or what enum
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

/* Shared by the fast path and the merged contexts. */
void data_page(struct core *c, u64 va, u32 clock, struct data_result *r);
void data_access(struct core *c, u64 va, bool store, u32 clock, u64 t,
		 struct data_result *r);
void data_access_lines(struct core *c, u64 va, unsigned bytes, bool store,
		       u32 clock, u64 t, struct data_result *r);

/* Fetches a line wanted at cycle t; the cycle it is there (at most t if it is
 * in the cache).  And one that is known not to be in the cache. */
u64 fetch_line(struct core *c, u64 line, u32 clock, u64 t, u16 *slot);
u64 fetch_missing(struct core *c, u64 line, u32 clock, u64 t, u16 *slot);

/* Brings the page of va into the micro-ITLB; cycles lost.  *refill: it was in
 * no TLB. */
unsigned fetch_page(struct core *c, u64 va, u32 clock, bool *refill);
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
