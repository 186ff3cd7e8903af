/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Issue out of order, retirement in order: an interval model.
 *
 * Each micro-op passes five points in time, each at least one cycle behind
 * the one before: it arrives from fetch and decode; it is dispatched, in
 * order, when the reorder list and its queues have room; it issues when its
 * operands and a port are free, the oldest first; it is done after its
 * latency, or when the cache has delivered; and it retires, in order.  A
 * mispredicted branch redirects the arrival when it is done.
 *
 * A block is run through the window when the next one is entered, for then
 * the outcome of its branch is known; or before, up to an access or a line
 * of instructions that has to be looked for at the right time.  All of this
 * is remembered: the window's state, relative to the cycle of dispatch, is
 * kept once, and from there the steps of a block (struct window_move), when
 * to look and, for each thing that this has come to, how it goes on, up to
 * the next state.  Only what has not been seen before is run.
 *
 * Not modelled: the names of physical registers, loads that go ahead of a
 * store by mistake, clusters.
 */
#ifndef PIPELINE_WINDOW_H
#define PIPELINE_WINDOW_H

#include "core/core.h"

#define WINDOW_BUSY 8		/* class_config.busy: 0 is nothing, */
#define WINDOW_LOCK 7		/* and this one is locked instructions' */

/* Registers of micro-ops, behind those of instructions. */
enum {
	REG_ADDRESSES = REG_N,	/* where the stores so far store, all of them */
	REG_LOADED,		/* what the instruction has loaded */
	REG_RESULT,		/* what it will store */
	WINDOW_REGS
};

enum window_op_flags {
	OP_FIRST = 1 << 0,  /* of its instruction */
	OP_LAST = 1 << 1,
	OP_LOAD = 1 << 2,
	OP_STORE = 1 << 3,
	OP_SERIAL = 1 << 4, /* alone in the window */
	OP_GROUP = 1 << 5,  /* begins a fetch group within the block */
	OP_LINE = 1 << 6,   /* begins a cache line, or the block */
	OP_BRANCH = 1 << 7, /* of the block's branch */
};

#define WINDOW_SRC 7

/* So many micro-ops fill any queue, or more. */
#define WINDOW_MANY 112

/* General registers that have parts, see enum PART_LOW of insn.h. */
#define WINDOW_PARTS 16
#define WINDOW_PART_BITS ((1u << WINDOW_PARTS) - 1)

/* Behind them, registers that wait for themselves: ES, DS, FS, GS, where they
 * are renamed once (window_config.renames_segments). */
#define WINDOW_SEGMENTS 4
#define WINDOW_HELD (WINDOW_PARTS + WINDOW_SEGMENTS)

/* A micro-op. */
struct window_op {
	u8 flags;	/* enum window_op_flags */
	u8 kind;	/* number of its bit in enum window_holds */
	u8 busy;	/* what is busy for repeat cycles, or 0 */
	u16 ports;	/* any of them; 0: none is needed */
	u16 latency;
	u16 repeat;
	u16 insn;	/* index of its instruction */
	u16 line;	/* of the block, with the last byte of that */
	u8 cause;	/* stall that waiting for its result is */
	u8 decode;	/* OP_FIRST: micro-ops of the instruction, 255: more */
	u8 extra;	/* OP_FIRST: further cycles that decoding takes */
	u8 store;	/* number of its instruction among the block's stores,
			   from 1; 0: it does not store, 255: or more */
	bool awaits;	/* REG_ADDRESSES, to load */
	bool joined;	/* shares the place of the one in front of it, in
			   dispatch, the reorder list and retirement: by
			   intervals */
	bool ends;	/* OP_LAST of an instruction that does not repeat
			   itself */
	u8 data;	/* register that it needs to be done, or REG_NONE */
	u8 n_src, n_dst;
	u8 src[WINDOW_SRC];
	u8 dst[INSN_DST];
	/* Where parts of registers matter (window_config.part_wait). */
	u8 src_part[WINDOW_SRC]; /* that is read */
	u8 dst_part[INSN_DST];	/* that is written; 0: all */
	u32 reads;		/* registers of which a part is, a bit each;
				   segment registers that are loaded */
	u32 narrow;		/* registers of which only a part is written;
				   segment registers that are renamed */
	u32 keeps;		/* registers that are not written */
	u16 inherits;		/* of narrow, those of which all is known if
				   they were clear where the block begins */
};

/* What a block is to the window. */
struct interval_chunk;

struct window_program {
	const struct interval_chunk *interval; /* PIPELINE_INTERVAL: its first,
				   see interval.h */
	unsigned n;
	unsigned n_without_slot; /* without the delay slot of a branch-likely */
	unsigned slots;		/* places that they take: those not joined */
	u32 stores;		/* micro-ops that store */
	u32 enters;		/* those that enter window_store_queue() */
	const u16 *first; /* micro-op of each instruction, and n behind them */
	const u64 *enter; /* places that the first i micro-ops enter, of each
			     queue a byte, as in struct window; for i up to
			     n_without_slot, or WINDOW_MANY */
	u64 written[2];		/* registers that are: a bit each */
	u64 dead[2];		/* registers that are written, and not read
				   before: likewise */
	u16 whole;		/* registers of which nothing is read before
				   they are written, as a whole: likewise */
	u16 inherits;		/* of all micro-ops */
	u16 clears;		/* registers that are clear at its end, */
	u16 spoils;		/* and that may not be even if they were */
	struct window_op op[];
};

struct window;

/* Whether it is the address or the data of a store, or both. */
SIM_INLINE bool
window_op_stores(const struct window_op *op)
{
	return op->store && (op->flags & OP_STORE ||
			     1u << op->kind == HOLD_DATA);
}

/* A byte for each queue that holds that kind of micro-op, above the lowest
 * one: 1. */
u64 window_places(const struct window_config *wc, unsigned kind);

/* The only queue besides the list that stores stay in until they retire, or
 * -1. */
int window_store_queue(const struct window_config *wc);

/* The micro-ops of n instructions; NULL without memory. */
struct window_program *window_build(const struct sim_config *config,
				    const struct insn *insn, unsigned n,
				    void *(*alloc)(size_t bytes));

/* Sets up a core, which is all zero, with the pipeline of its table; 0 or -ENOMEM. */
int pipeline_init(struct core *c, const struct sim_config *config);

/* The same of one that only counts blocks, up to core_model(). */
int pipeline_init_counts(struct core *c, const struct sim_config *config);

/* An empty window; NULL without memory. */
struct window *window_new(const struct sim_config *config);
void window_free(struct window *w);

/*
 * Enters block t: the one before is run through the window, and the core's
 * time moves on by the cycles until its last instruction has retired.
 */
void window_enter(struct core *c, struct block *t);

/* What does that in fewer instructions, for blocks of so many lines. */
enter_fn *window_enterer(const struct sim_config *config, unsigned n_line);

/* The block that was entered last, and the one before. */
const struct block *window_entered(const struct window *w);
const struct block *window_before(const struct window *w);

/* Block p is over, t would come next, but not here and now. */
void window_pause(struct core *c, struct block *p, struct block *t);

/* The block that is under way, if there is one, is over, and it is not known
 * what comes next: a branch at its end is not looked at.  Whether there was
 * one. */
bool window_end(struct core *c);

/* Nothing enters the window for so many cycles, behind the block that is
 * under way. */
void window_skip(struct core *c, u64 cycles);

/*
 * Whether the block that is entered is run through the window so that the
 * sampler is told of each of its instructions by itself (sample_retired()).
 */
void window_watch(struct core *c, bool on);

/* The cycle that an instruction of the block entered issues in, its first
 * micro-op, which has not got farther yet; the present if none is under way. */
u64 window_issues(struct core *c, unsigned insn);

/* Something of what the window counts, and whose it is.  A list ends with
 * none. */
struct window_share {
	s32 n;
	u16 insn;
	u8 signal;
};

/*
 * From now on, what is counted of these signals is known by instruction:
 * window_shared() has it of the block that was over last, as far as that is
 * what only the window knows; of another window it is nothing.  0, or -1
 * without memory.  To be said before the first block is entered.
 */
int window_share(struct window *w, const u16 *signal, unsigned n);
const struct window_share *window_shared(const struct window *w);

/* Events of instructions in flight are counted from now on: nothing is
 * remembered, for they depend on more than a state has. */
void window_flights(struct core *c);

/*
 * From now on accesses are compared by address, see window_order.c: all of
 * them come here, and nothing is remembered.  0 or -ENOMEM.
 */
int window_compare(struct core *c);

/* What core.stores is, and whether a load has to wait for a store: see
 * window_forward.h. */
struct stores *window_stores(struct window *w);
bool window_forwards(struct core *c, u64 va, unsigned bytes);

/* core.access: for one that the shadow table does not know, of the block
 * entered. */
access_fn *window_accessor(const struct core *c);

#endif
