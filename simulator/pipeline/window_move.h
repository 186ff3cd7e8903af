/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps and moves of a window: what is remembered of blocks. */
#ifndef PIPELINE_WINDOW_MOVE_H
#define PIPELINE_WINDOW_MOVE_H

#include "window.h"

#define MOVES (1u << 20)		/* that are remembered */
#define LOOKS 64		/* of one block that are kept */
#define MOVE_NEXT 4
#define MOVE_COUNTS 7

/* A signal, and how often it is counted. */
struct window_count {
	u8 signal;
	int8_t n;
};

/*
 * A step through a block, or the move behind the last one.  From a state of
 * the window the block runs until something has to be looked at: the step
 * says when that is, and what became of it is part of the next step's key.
 * The move leads to the next state, with the outcome of the branch in its
 * key.
 */
struct window_move {
	/* The key. */
	const struct block *next; /* that is entered; NULL: a step */
	u64 what;	/* is looked at; or OUTCOME_*: the block is over.
			   Above, what became of the look before: how_of() */
	u32 from;	/* a state, or the step before: STEP and its place;
			   0: an empty place */
	u32 to;		/* state, or its own place */
	u16 dispatch;	/* cycles that it moves on by; a step: with sign, of the look
			   since the first dispatch */
	u16 retired;
	u32 follow[MOVE_NEXT]; /* those that came behind it last: bytes from
				  the table's begin */
	/* What a move counts. */
	struct window_count count[MOVE_COUNTS];
	u8 n;		/* MOVE_COUNTS + 1: it is in a list, see more */
	union {
		u8 queued;	/* places of the queue of window_held.c that
				   are taken in that state */
		bool holds;	/* a step: its look may hold one */
	};
	/* A move: of window.clear, what stays and what comes. */
	u16 keeps, clears;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct window_move) == 64, "a move is a cache line");

#endif
