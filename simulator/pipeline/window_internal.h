/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window's state, and what its files share. */
#ifndef PIPELINE_WINDOW_INTERNAL_H
#define PIPELINE_WINDOW_INTERNAL_H

#include "window.h"

#define RING_AT(cycle) ((cycle) & (WINDOW_RING - 1))
#define RING_PORTS 0xffull	/* of an entry: ports that are taken */

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
	u8 late[2];		/* stalls before that cycle and from it on */
	u8 n_arrive;		/* instructions that arrived then, or SLOT_NEW */
	u8 n_dispatch;		/* micro-ops dispatched in that cycle */
	u8 n_retired;		/* micro-ops retired in that cycle */
};

#define MOVE_COUNTS 24
#define MOVE_LOOKS 4

/*
 * From one state to another, when a block is run through the window: with
 * the same outcome, the same accesses noted, and each of them found there as
 * long after it was looked for.  When to look for an access depends on what
 * became of those before it: for each of them there is a step, which says no
 * more than that, and behind the last one the move.
 */
struct window_move {
	const struct window_program *program; /* NULL: empty */
	const struct window_program *next; /* of the block that is entered */
	u64 notes;		/* see notes_of() */
	u64 waits;		/* of the accesses looked for, 16 bits each */
	u32 from, to;		/* states: places in the arena */
	u16 dispatch, retired;	/* cycles that they move on by; a step:
				   dispatch is the cycle of the look */
	u32 counts;		/* what it counts: a place, see counts_find() */
	u8 outcome;		/* OUTCOME_* */
	u8 step;		/* accesses looked for */
} __attribute__((aligned(64)));

/* A list of what is counted: the signals, and how often each.  Few such
 * lists come to pass; each is kept once. */
struct window_counts {
	u32 n;
	s32 count[MOVE_COUNTS];	/* times 256, plus the signal */
};

/* What an access came to that was noted. */
struct window_look {
	u64 at;		/* cycle that it was looked for */
	u64 ready;	/* cycle that it is there, 0: it was */
	u64 walk;	/* cycles of table walks */
	bool trap;	/* the page is brought by software */
};

#define NO_STATE UINT32_MAX

struct window {
	/* Where the block before ended. */
	u32 state;		/* NO_STATE: only below */
	bool current;		/* what is below is that state too */
	bool remember;
	bool fetch;		/* the block's lines or page are elsewhere */
	struct window_clock now;

	/* The state in full. */
	u64 taken;		/* places taken, a byte per queue */
	u64 last;		/* nothing is booked behind that cycle */
	u64 stale;		/* not current: what is booked is behind that */
	u64 ready[WINDOW_REGS];
	u64 written[2];		/* registers that may be late, a bit each */
	u8 cause[WINDOW_REGS];	/* stall that waiting for it is */
	u64 until[WINDOW_BUSY];
	/*
	 * Per cycle: in the lowest byte the ports that are taken, in the
	 * next ones the places that each queue is given back.  The highest
	 * byte is free for window_state.c.
	 */
	u64 ring[WINDOW_RING];

	/* The run of one block. */
	s32 tally[TALLY_N];
	u64 resolved;		/* cycle that its branch is done */
	u64 guessed;		/* cycle that its branch was dispatched */
	u64 line;		/* next to be fetched */
	unsigned note;		/* next to be looked at */
	unsigned looked;	/* notes that have been looked at already */
	struct window_note list[WINDOW_NOTES];
	struct window_look look[WINDOW_NOTES];

	/* Worked out once. */
	const struct pipeline_config *pipe;
	unsigned decode_redirect;
	u64 bias;		/* taken + bias: bit 7 says that it is full */
	u64 enter[KINDS];	/* 1 for each queue that holds the kind */
	u64 leave[UNTIL_RETIRE + 1][KINDS];

	/* What is remembered. */
	struct window_move *move;
	void *moves;		/* the memory that they are in */
	struct window_counts *counts;
	u32 counts_used;
	u32 *counts_index;	/* by hash: the place of one of them */
	u64 *arena;		/* states, one behind the other */
	u32 arena_used;		/* words */
	u32 index_used;
	u32 era;		/* how often everything has been forgotten */
	u32 *index;		/* of states by hash: place, or 0 */
};

/* Runs n micro-ops of block t. */
void window_run(struct core *c, struct window *w, struct block *t, unsigned n);

/* Nothing arrives before that cycle, and why. */
void window_late(struct window *w, u64 cycle, unsigned cause);

/* What comes behind the block arrives when its outcome allows. */
void window_leave(struct window *w, const struct block *t, unsigned outcome);

/* Looks at note number i, at that cycle, unless it has been done. */
void window_look(struct core *c, struct window *w, unsigned i, u64 at);

/* The notes as one number; ~0 if there are too many for a move. */
static inline u64
notes_of(const struct window *w, unsigned n)
{
	u64 notes = n;

	if (n > MOVE_LOOKS)
		return ~0ull;
	for (unsigned i = 0; i < n; i++)
		notes = notes << 10 | (u64)w->list[i].insn << 1 |
			w->list[i].store;
	return notes;
}

static inline unsigned
tally_of(unsigned signal)
{
	return signal <= SIG_ALU_WBB
		       ? signal - SIG_CYCLE_ISSUE
		       : signal - SIG_RETIRE_1 + TALLY_STALLS;
}

static inline unsigned
signal_of(unsigned tally)
{
	return tally < TALLY_STALLS ? tally + SIG_CYCLE_ISSUE
				    : tally - TALLY_STALLS + SIG_RETIRE_1;
}

/* Forgets what has been booked for the cycles up to then. */
void window_pass(struct window *w, u64 cycle);

/* window_state.c: remembers states; 0 or -ENOMEM. */
int states_init(struct window *w);
void states_free(struct window *w);

/* The state that the window is in, known from now on, when program follows
 * (NULL: any may); NO_STATE if it is too far from rest to come again. */
u32 state_find(struct window *w, const struct window_program *program);

/* The place of a list of counts in w->counts. */
u32 counts_find(struct window *w, const struct window_counts *counts);

/* Puts the window, at that cycle of dispatch, into the state. */
void state_restore(struct window *w);

/* The move or step with key's program, next, notes, waits, from, outcome and step,
 * or NULL; and a new one. */
const struct window_move *move_find(const struct window *w,
				    const struct window_move *key);
void move_add(struct window *w, const struct window_move *move);

#endif
