/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The levels behind the first one: second and third, on the chip, beside it
 * or on the board.  Each is an array of lines that answers requests of the
 * level before it; the last one asks memory.
 *
 * A line is in one of the states that a single processor brings about:
 * exclusive, or modified once it was asked for to be written (owned)
 * or has written it back here (dirty).  Only a dirty line is written back.
 */
#ifndef SIM_OUTER_H
#define SIM_OUTER_H

#include "machine/config.h"

struct core;

/* What is wanted of a level.  A line that is to be read, or a line or word
 * that comes from the level before. */
enum outer_request {
	OUTER_IFETCH,
	OUTER_LOAD,
	OUTER_STORE,	/* read to be written: a store missed */
	OUTER_WRITE,	/* written back, or written through */
	OUTER_PREFETCH,	/* read for a prefetcher */
	OUTER_WALK,	/* of a page table */
	OUTER_REQUESTS
};

enum outer_state {
	OUTER_DIRTY = 1 << 0,
	OUTER_OWNED = 1 << 1
};

/*
 * Makes the levels that the configuration has; 0 or -ENOMEM.  They live as
 * long as the core, and have to be emptied before the first request.
 */
int outer_init(struct core *c);
void outer_clear(struct core *c);

/* A line of level i (0: the second level) or from behind it, wanted at cycle
 * t; the cycle it is there.  what is not OUTER_WRITE. */
u64 outer_read(struct core *c, unsigned i, u64 addr, u64 t,
	       enum outer_request what);

/*
 * Hands level i, or what is behind it, a line at cycle t; or, if word, less
 * than a line: a level that allocates for it then reads the rest.
 */
void outer_write(struct core *c, unsigned i, u64 addr, u64 t, bool word);

/* A line is put into the level behind the first one at cycle t: its slot. */
u32 outer_put(struct core *c, u64 addr, u64 t);

/* A level that is told of stores: whether the second one has a line as this
 * CPU's own, and that the data cache's, which is clean, is from now on. */
bool outer_owns(struct core *c, u64 addr);
void outer_upgrade(struct core *c, u64 addr);

/* Several CPUs, see coherence.h.  The memory addr..end is one line there. */

/*
 * Another CPU has asked for the line: what the levels have of it is clean
 * from now on, or gone.  dirty: the first level had changed it.  -1 if no
 * level had it, 1 if one of them was dirty, else 0.
 */
int outer_clean(struct core *c, u64 addr, u64 end, bool dirty, bool lose);

bool outer_holds(const struct core *c, u64 addr, u64 end);

/* The line, as far as it is here, is this CPU's own, to be written. */
void outer_own(struct core *c, u64 addr, u64 end);

#endif
