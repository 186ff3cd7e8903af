/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core's memory side: what is behind the first level, and what is under way
 * there. */
#ifndef SIM_CORE_MEMORY_H
#define SIM_CORE_MEMORY_H

#include "core_tlb.h"
#include "outer.h"
#include "writebuf.h"

#define CORE_MAX_QUEUE 128	/* with those that wait for an entry */
#define CORE_MAX_PENDING 64

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
	bool gives;		/* what leaves it to the level behind, a victim */
	u8 given;		/* by a victim: the state of the line that it was
				   asked for last, 0 if it had it not */
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
 * not over with its block - and its waiters.
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

struct core_memory {
	struct joint_tlb joint[2];
	struct outer_level outer[OUTER_LEVELS];
	unsigned n_outer;
	struct alone_load alone_load; /* the last one */
	struct unordered *unordered; /* NULL: accesses come in order of time */
	u64 bus_free;		/* behind the last one that had the bus; from
				   here to ldq: see alone_forget() */
	u64 reads[2];		/* cycles that the last lines from memory
				   are there; the later one first */
	u64 written;		/* memory_config.ordered: the cycle that stores
				   that missed are written */
	u64 pending_end;	/* D-misses are accounted up to here */
	u64 left, returned;	/* the last cycles of memory_leave(), _return() */
	struct walker *walker;	/* NULL: a refill takes what the table says */
	u32 refill;		/* cycles of the last refill of a joint TLB, */
	u32 refill_wait;	/* of which it waited so many to begin */
	struct queue fsb, ldq, wbb, ifb;
	struct writebuf writebuf;
	struct pending pending[CORE_MAX_PENDING];
	unsigned n_pending;
	struct page_set *pages;	/* touched so far */
	struct coherence *coherence; /* NULL: there is one */
	u8 cpu;
	bool store_shared;	/* the last store was to a line that others
				   had as well */
};

#endif
