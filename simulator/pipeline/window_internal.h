/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window's state, and what its files share. */
#ifndef PIPELINE_WINDOW_INTERNAL_H
#define PIPELINE_WINDOW_INTERNAL_H

#include "core/unordered.h"
#include "distant.h"
#include "window.h"
#include "window_forward.h"
#include "window_move.h"

#define RING_PORTS 0xffull	/* of an entry: ports that are taken, see
				   PORTS_EXACT */

#define KINDS 7			/* bits of HOLD_ALL */
#define SLOT_NEW 255		/* the next instruction begins a fetch cycle */

/* Signals that a run through the window counts: two ranges of them. */
#define TALLY_STALLS (SIG_ALU_WBB - SIG_CYCLE_ISSUE + 1)
#define TALLY_N (TALLY_STALLS + SIG_WRONG_INSN - SIG_RETIRE_1 + 1)

/*
 * Time of the window.  Cycles are those of core_cycle(): retired is the
 * present.
 */
struct window_clock {
	u64 dispatch;		/* cycle of the last dispatch */
	u64 arrive;		/* cycle of the last arrival */
	u64 retired;		/* cycle of the last retirement */
	u64 late_from;		/* of what made the last arrival late: */
	u16 late[2];		/* stalls before that cycle and from it on */
	u16 n_arrive;		/* instructions that arrived then; SLOT_NEW */
	u16 n_dispatch;		/* micro-ops dispatched in that cycle */
	u16 n_retired;		/* micro-ops retired in that cycle, */
	u16 n_insns;		/* and instructions with the last of theirs */
};

/*
 * What a look came to: at something whose delay the window cannot know, a
 * line of instructions or an access that the shadow table does not have.
 */
struct window_look {
	u32 what;	/* see LOOK_DATA */
	u32 wait;	/* cycles until it was there */
	u32 walk;	/* cycles of table walks */
	bool trap;	/* the page is brought by software */
};

/* What is looked at: an access by its instruction, or a line of the block by
 * number; below all of them are outcomes of the block's branch. */
#define LOOK_DATA (1u << 31)
#define LOOK_STORE (1u << 30)
#define LOOK_LINE (1u << 29)
#define LOOK_FORWARD (1u << 28)	/* what a store may have to be waited for; of
				   one of the same block its number, up to
				   LOOK_NUMBER, from bit 16 on */
#define LOOK_NUMBER 0xfffu

#define STEP (1u << 31)

#define NO_STATE UINT32_MAX

#define FLIGHT_RING 128

/* When so many instructions had retired. */
struct window_retired {
	u64 cycle, insns;
};

/* How far a micro-op has come that waits for what a look comes to. */
enum window_stage {
	STAGE_NEW,	/* not yet begun */
	STAGE_ISSUED,	/* what it loads is looked for */
	STAGE_RETIRED	/* where it stores is looked for */
};

/* What the cycles without retirement in front of a micro-op come from. */
struct window_delay {
	u64 own;	/* cycles of its latency beyond the first */
	u64 walk;	/* of these, for a page */
	u64 wait;	/* cycles that it waited after its dispatch */
	u8 own_cause, wait_cause;
};

/* A place that is given back at that cycle. */
struct window_held {
	u64 cycle;
	u16 insn;		/* of its block, that holds it */
};

#define QUEUE_FULL 128u	/* more than the entries of any: its byte's last bit */
#define HELD_MOST (QUEUE_FULL - WINDOW_MANY) /* at a time */

struct window {
	/* Where the block before ended. */
	u32 state;		/* NO_STATE: only below */
	bool current;		/* what is below is that state too */
	bool remember;
	struct window_clock now;
	u64 base;		/* cycle of dispatch then */

	/* What most blocks have nothing of. */
	union {
		struct {
			u32 n_held;	/* places that are held, below */
			bool exact;	/* the block has been begun below */
			bool fetch;	/* its lines or page are elsewhere */
			bool sharing;	/* there are shares */
			bool ordering;	/* there is an order */
		};
		u64 odd;		/* any of these */
	};

	/* The block so far. */
	u16 clear;		/* registers that are known to be clear where
				   it begins, but for what has been written at
				   their low end.  Few blocks ask for that, so
				   it is no part of the state but, of those,
				   of the first key */
	u32 from;		/* of the next step's key; NO_STATE: it cannot
				   be remembered */
	u32 how;
	struct window_move *at;	/* the last step or move */
	struct block *block;	/* NULL: none is under way */
	struct block *before;	/* the last one before */
	u64 idle;		/* cycles without an instruction behind it */
	u32 fetched;		/* lines that have been */
	u32 lost;		/* cycles for its pages */
	u32 looked;		/* looks that are kept */
	u32 held_new;		/* places that it holds */
	struct window_look look[LOOKS];
	u32 queued;		/* of that queue, in the state that it begins
				   in: an exact run's */
	bool holds;		/* the access that is looked for may */

	/* Places that are held and not in the state, n_held, those of the
	 * block last; in an exact run they are booked as well. */
	u64 held_off;		/* blocks begun before that cycle hold none */
	struct window_held held[HELD_MOST];

	/* The state in full. */
	u64 taken;		/* places taken, a byte per queue */
	u64 last;		/* nothing is booked behind that cycle, in the
				   ring */
	u64 stale;		/* what is booked is behind that */
	u64 ready[WINDOW_REGS];
	u64 written[2];		/* registers that may be late, a bit each */
	u16 cause[WINDOW_REGS];	/* stall that waiting for it is */
	u64 part_until[WINDOW_HELD]; /* the last write of a part is known to
				   all from that cycle on, the last load of a
				   segment register has retired */
	u8 part[WINDOW_HELD];	/* that part */
	u32 parts;		/* registers of which that may matter */
	u64 until[WINDOW_BUSY];
	u32 units;		/* those that may be busy, a bit each */
	/*
	 * Per cycle: in the lowest byte the ports that are taken, in the
	 * next ones the places that each queue is given back.  The highest
	 * byte is free for window_state.c.
	 */
	u64 ring[WINDOW_RING];
	struct distant distant;	/* places that are given back behind it */

	/* The exact run of one block. */
	s32 tally[TALLY_N];
	u64 used;		/* places of it that may not be zero, a bit
				   each */
	s32 told[TALLY_N];	/* of it, what the signals have already */
	bool telling;		/* that is something */
	bool watched;		/* the sampler is told of each instruction */
	bool single;		/* each of the block's is looked at */
	u64 arrived;		/* cycle that the instruction did */
	u64 resolved;		/* cycle that its branch is done */
	u64 guessed;		/* cycle that its branch was dispatched */
	u64 retired;		/* cycle of retirement that it began with */
	u64 kept_out;		/* cycles that the micro-op waited for room
				   when all in front had retired: stores were
				   waiting for their lines */
	unsigned pos;		/* micro-op that is next, or under way: */
	enum window_stage stage;
	u64 stood;		/* cycle that it got there */
	struct window_delay delay;
	struct window_look got;	/* what its looks came to so far */
	u32 line;		/* next to arrive */
	u32 replay;		/* looks that have been used again */

	struct interval *interval; /* interval_internal.h; NULL: it is run
				   exactly, as all of this says */

	struct window_shares *shares; /* NULL: not asked for */

	struct window_forward *forward; /* NULL: there is none */

	struct window_order *order; /* NULL: accesses are not compared */
	u64 issued;		/* cycle that the micro-op under way was, */
	u64 wanted;		/* and that a load could have been, but for
				   addresses of stores that were not known */
	u64 unlocked;		/* cycle from which the bus is not locked */
	struct spans crossed;	/* accesses of two lines are under way */

	/* For events of instructions in flight: when those before retired. */
	bool flights;		/* there are such events */
	u32 flight;		/* entries so far */
	struct window_retired flown[FLIGHT_RING];

	/* Worked out once. */
	const struct pipeline_config *pipe;
	u8 predictor;		/* enum fast_predictor */
	unsigned decode_redirect;
	u64 bias;		/* taken + bias: bit 7 says that it is full */
	u64 queues;		/* bytes of ones for those that there are */
	u64 enter[KINDS];	/* 1 for each queue that holds the kind */
	u64 leave[UNTIL_RETIRE + 1][KINDS];
	u64 held_place;		/* 1 for the queue; 0: there is none */
	u32 held_shift, held_entries;
	u32 held_most;		/* of them that are kept apart */

	/* What is remembered. */
	struct window_move *move;
	u32 moves_used;		/* place 0 is not used */
	u32 *heads;		/* by hash: a move's place and part of its
				   hash, or 0 */
	u32 head_mask;		/* of those that are in use */
	u32 *more;		/* by a move's place: of a list of counts */
	struct window_count *pool; /* lists, each ends with none of nothing */
	u32 pool_used;
	u64 *arena;		/* states, one behind the other */
	u32 arena_used;		/* words */
	u32 index_used;
	u32 era;		/* how often everything has been forgotten */
	u32 *index;		/* of states by hash: place, or 0 */
	u32 index_mask;		/* of the places in use */
};

static inline const struct window_program *
window_program(const struct window *w)
{
	return w->block->detail->window;
}

/* ---- window_new.c ------------------------------------------------------- */

/* Nothing is remembered any more, nor what is remembered used. */
void window_forget(struct core *c);

/* ---- window_program.c: a block's micro-ops together --------------------- */

/* Fills in what follows from the program's micro-ops; enter: room for what it
 * has under that name. */
void program_survey(struct window_program *p, const struct window_config *wc,
		    u64 *enter);

/* ---- window.c: the exact run ------------------------------------------ */

/* Begins the block, before its first micro-op. */
void window_begin(struct window *w);

/*
 * Runs the block until that access can be looked at; the cycle.  What it
 * comes to is told with window_found().
 */
u64 window_reach(struct core *c, struct window *w, u32 what);
void window_found(struct window *w, struct window_look o);

/* Runs it until that instruction has issued; the cycle. */
u64 window_issue(struct core *c, struct window *w, unsigned insn);

/* Runs what is left of the block's n first micro-ops. */
void window_finish(struct core *c, struct window *w, unsigned n);

/* The instruction of the block's end, which repeats itself, does so no more. */
void window_end_repeat(struct window *w);

/* What comes behind the block arrives when its outcome allows. */
void window_leave(struct window *w, const struct block *t, unsigned outcome);

/* Forgets what has been booked for the cycles up to then. */
void window_pass(struct window *w, u64 cycle);

/* Takes one of the ports from that cycle on, which is behind the ring. */
u64 window_take_distant_port(struct window *w, unsigned ports, u64 cycle);

/* ---- window_parts.c: parts of registers -------------------------------- */

/* The micro-op, which could be dispatched at that cycle, reads or loads a
 * register that may have to be waited for: the cycle that it can. */
u64 parts_wait(struct window *w, const struct window_op *op, u64 at);

/* It has retired at that cycle: registers of which it wrote a part, and a
 * segment register that its instruction has loaded. */
void parts_note(struct window *w, const struct window_op *op, u64 at);

/* ---- window_insns.c: instructions one by one --------------------------- */

/* That one of the block has retired at that cycle; where window.single. */
void insns_end(struct core *c, struct window *w, unsigned insn, u64 at);

/* ---- window_look.c: what has to be looked at -------------------------- */

/* In an exact run the block's line w->line is fetched at that cycle; the
 * cycles until it is there. */
u32 window_fetch_line(struct core *c, struct window *w, u64 at);

/* The lines up to that one are fetched, or known to be there. */
void window_fetch_lines(struct core *c, struct window *w, u32 last);

/* Goes on exactly with a block that was run by steps so far. */
void window_exactly(struct core *c, struct window *w);

/* The block's pages are fetched. */
void window_fetch_pages(struct core *c, struct window *w);

/* ---- window_state.c: the state as a string of words --------------------- */

#define FAR_CYCLES 200	/* what is booked farther ahead is not remembered */
#define STATE_WORDS \
	(4 + WINDOW_REGS + WINDOW_BUSY + WINDOW_HELD + FAR_CYCLES)

struct state_text {
	unsigned n;
	u64 word[STATE_WORDS];
};

/* The state that the window is in when block t follows; false if there is too
 * much ahead. */
bool state_write(struct state_text *s, struct window *w,
		 const struct block *t);

/* Puts the window, at that cycle of dispatch, into its state. */
void state_restore(struct window *w);

/* ---- window_index.c, window_move.c: what is remembered ---------------- */

/* 0 or -ENOMEM. */
int states_init(struct window *w);
void states_free(struct window *w);
int moves_init(struct window *w);
void moves_free(struct window *w);

/* Everything is forgotten. */
void moves_forget(struct window *w);

/* No room for more than a few moves. */
bool moves_full(const struct window *w);

/* The state that the window is in, known from now on, when block t follows;
 * NO_STATE if it is too far from rest to come again. */
u32 state_find(struct window *w, const struct block *t);

/* The step or move with that key, looked up; or NULL. */
struct window_move *move_look_up(struct window *w, u64 what,
				 const struct block *next);

/* A new one with that key, or NULL if there is no room; w->at from now on. */
struct window_move *move_add(struct window *w, u64 what,
			     const struct block *next);

/* The move counts what the tally has; false if that is too much. */
bool move_count(struct window *w, struct window_move *m);

/* ---- window_held.c: places that are not in a state ----------------------- */

void held_init(struct window *w, const struct window_config *wc);

/* Whether the micro-op that is under way may hold its place. */
bool held_can(const struct window *w);

/* It does so up to that cycle; false: not apart from the state. */
bool held_keep(struct window *w, u16 insn, u64 cycle);

/* The first n are booked; all that are booked are so no more. */
void held_book(struct window *w, u32 n);
void held_unbook(struct window *w);

/* All are booked and held no longer, nor are the next ones. */
void held_give_up(struct window *w);

/* Those that have been given back are held no longer. */
void held_pass(struct window *w);

/* Whether they may matter to block t, behind w->at. */
bool held_matter(const struct window *w, const struct block *t);

/* ---- window_shares.c: what of that is whose ---------------------------- */

void shares_free(struct window *w);

/* An exact run begins; an instruction is over and has all that has been
 * counted since; the block is over. */
void shares_begin(struct window *w);
void shares_add(struct window *w, unsigned signal, s32 n, unsigned insn);
void shares_take(struct window *w, unsigned insn);
void shares_end(struct window *w);

/* That move keeps what the exact run had, or is made again. */
void shares_keep(struct window *w, const struct window_move *m);
void shares_move(struct window *w, const struct window_move *m);

/* No block was over. */
void shares_none(struct window *w);

void shares_forget(struct window *w);
bool shares_full(const struct window *w);

/* ---- window_order.c: accesses that pass each other ---------------------- */

void order_free(struct window *w);

/* An access that is looked for at that cycle. */
void order_access(struct core *c, struct window *w, u32 what, u64 va,
		  unsigned bytes, u64 at);

/* ---- window_forward.c: loads that wait for stores ------------------------ */

/* 0 or -ENOMEM. */
int forward_init(struct window *w);
void forward_free(struct window *w);

/* What is known of blocks that are over is known no more. */
void forward_forget(struct window *w);

/* The step that has been added last is about a load that waits for that store
 * of the block, which is run exactly. */
void forward_keep_step(struct window *w, unsigned number);

/* When the data of that store of the block is known: by that step, or NULL:
 * from the exact run. */
u64 forward_known_here(const struct window *w, const struct window_move *m,
		       unsigned number);

/* The block is over, by that move; or has been run exactly, to that move, or
 * NULL. */
void forward_end(struct window *w, const struct window_move *m);
void forward_end_exactly(struct window *w, struct window_move *m);

/* Whether a load may have to wait for a store, and for which. */
bool forward_find(struct window *w, u64 va, unsigned bytes,
		  struct window_source *from);

/* The least cycles from a load to its reader. */
SIM_INLINE u64
forward_use(const struct window *w)
{
	u64 fp = w->pipe->window.load_use_fp;

	return fp < w->pipe->load_use ? fp : w->pipe->load_use;
}

/* A micro-op that stores has issued at that cycle: its part of the store is
 * known then, data of a register when that is, what it has computed itself
 * when it is done. */
SIM_INLINE void
forward_known(struct window *w, const struct window_op *op, u64 at, u64 done)
{
	u64 *known = &w->forward->known[forward_place(op->store)];

	if (op->flags & OP_LOAD)
		at = done;
	if (op->data != REG_NONE)
		at = later(at, w->ready[op->data]);
	*known = later(*known, at);
}

/* ---- window_table.c: where it is kept ---------------------------------- */

/* Zeros, a multiple of 2 MB; NULL without memory. */
void *table_new(size_t bytes);
void table_free(void *table, size_t bytes);

#include "window_find.h"

#include "window_tally.h"

#endif
