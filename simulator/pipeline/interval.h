/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Issue out of order by intervals: the machine of window.h, but block by block.
 *
 * A block is cut into chunks of a few micro-ops.  What a chunk does when
 * nothing is in its way is worked out once: from the cycle that its first
 * micro-op is dispatched, or has arrived, to the cycles that matter later on,
 * its targets: when it has retired, when its branch is done, when registers
 * that it writes are ready, units free, the data of its stores known.  And for
 * all that it may wait for, its sources - registers that it reads, units, ports
 * that those before have still to do with, its own loads that miss - how many
 * cycles lie between that source and each target: the critical path between
 * them.  A target is the latest of these.
 *
 * Between chunks there is what a window has: the cycle of dispatch, when
 * registers, units and ports are ready, the places of the queues that are taken
 * and when they are given back.  A chunk enters the window when its first half
 * has room.  So a mispredicted branch costs the time until it resolves, and
 * what the front end takes behind that; a load that misses far keeps places
 * until none is left, and other loads that miss meanwhile overlap it unless they
 * depend on it, through registers or stores.
 *
 * Karkhanis, Smith: A First-Order Superscalar Processor Model (2004); Eyerman,
 * Eeckhout, Karkhanis, Smith: A Mechanistic Performance Model for Superscalar
 * Out-of-Order Processors (2009); Genbrugge, Eyerman, Eeckhout: Interval
 * Simulation (2010).
 *
 * Beyond what window.h says, not modelled: which micro-op of several that are
 * ready goes to a port first, beyond a chunk; the order in which micro-ops of a
 * chunk enter and leave queues; events of single instructions in flight
 * (NEED_FLIGHT) and of accesses that pass each other (NEED_ORDER).
 */
#ifndef PIPELINE_INTERVAL_H
#define PIPELINE_INTERVAL_H

#include "window.h"

#define INTERVAL_OPS 16		/* of a chunk, at most */
#define INTERVAL_PORTS 32	/* sets of ports that are told apart */

/* Sources.  Registers are numbered as those of micro-ops. */
enum {
	SOURCE_UNIT = WINDOW_REGS,
	SOURCE_PORT = SOURCE_UNIT + WINDOW_BUSY,
	SOURCE_LOAD = SOURCE_PORT + INTERVAL_PORTS, /* of the chunk */
	SOURCE_N = SOURCE_LOAD + INTERVAL_OPS
};

/* Targets: these first, then registers and units, then its stores. */
enum { TARGET_END, TARGET_BRANCH, TARGET_OTHERS };

#define TARGET_STORE SOURCE_N	/* interval_target.at: that and its place among
				   what is kept of a block's stores */
#define TARGETS_MAX (TARGET_OTHERS + INSN_DST * INTERVAL_OPS + WINDOW_BUSY + 4)
#define TARGETS_EVEN(n) (((n) + 1u) & ~1u)

/* So many cycles from a source to a target, or from one to an access. */
struct interval_edge {
	u8 at;
	int16_t cycles;
};

/* Something that the chunk may wait for. */
struct interval_source {
	u8 at;
	u8 n;			/* edges, to targets */
	u16 first;		/* of them */
	u16 insn;		/* of the block, the first that waits for it */
	int16_t slack;		/* it matters when it is ready more than that
				   before the dispatch is -slack */
};

/* What waits for it, if it is far away. */
struct interval_far {
	u64 places;		/* that they give back when they issue */
	u16 ops;		/* micro-ops of the chunk, a bit each */
	int16_t middle;		/* cycles from it to when they issue, a mean */
};

struct interval_target {
	u8 at;
	u8 cause;		/* stall that waiting for it is */
	u8 load;		/* SOURCE_LOAD and more: what that load loads */
};

/* A load, or a store that is looked for when its address is known: when it issues. */
struct interval_access {
	u16 insn;
	u8 op;			/* of the chunk */
	u8 n;			/* edges, from sources */
	u16 first;
	u16 latency;
	int16_t arrive;
	int16_t base[INTERVAL_WIDTH];
};

/* A set of ports that it needs for so long. */
struct interval_port {
	u8 source;		/* which of its sources they are */
	u16 ticks;		/* INTERVAL_TICKS per cycle */
};

#define INTERVAL_TICKS 840	/* per cycle: any number of ports up to 8 */

struct interval_chunk {
	const struct interval_chunk *next; /* of the block, or NULL */
	u8 n_op, n_target, n_source, n_store;
	u8 n_load, n_access;	/* accesses: loads first */
	u8 n_slot;		/* places that its micro-ops take */
	u8 first_missing;	/* source: loads that anything waits for, */
	u8 n_missing;		/* so many */
	bool serial;		/* alone in the window, its first micro-op */
	bool branch;		/* TARGET_BRANCH is there */
	bool parts;		/* it has to do with parts of registers */
	bool slot;		/* the delay slot of a branch-likely */
	bool stores;		/* its block does */
	u8 cause;		/* stall that its own latency is */
	u16 first, insn;	/* first micro-op, and its instruction */
	u16 end_insn;		/* behind its last instruction */
	u16 cause_insn;		/* whose latency that is */
	u8 late_phase;		/* micro-ops in the last cycle that arrive */
	u16 late_last;		/* cycles from first to last arrival */
	int16_t arrive_slack;
	int16_t middle;		/* cycles from the dispatch of its last micro-op
				   to when they issue, a mean; may be negative */
	u8 arrive_first[INTERVAL_WIDTH + 1]; /* cycles until the first arrives, by */
	u16 arrive_cycles[INTERVAL_WIDTH + 1]; /* those arrived: until the last, */
	u8 arrive_n[INTERVAL_WIDTH + 1]; /* and how many have then */
	u64 enter, enter_first;	/* places, and those of the first half; that
				   is no more than a queue has */
	u64 enters;		/* the highest bits of lanes that it enters */
	u64 issued, retired;	/* given back then */
	u32 reads, narrow, keeps; /* of its micro-ops together */
	u32 ports, heavy;	/* sets that it needs; for more cycles than its
				   dispatch takes: a bit each */
	const struct interval_source *source; /* n_source, then sets of ports,
				   then loads */
	const struct interval_far *far; /* by source */
	const struct interval_edge *edge;
	const struct interval_target *target;
	const struct interval_access *access;
	const struct interval_edge *access_edge;
	const struct interval_port *port; /* by set */
	const int16_t *arrive;	/* by target */
	const s32 *base;	/* by place in its cycle, then target, an even
				   number of them */
};

#define INTERVAL_NEVER INT16_MIN /* no path */

/* What is known of a table, once. */
struct interval_table {
	const struct pipeline_config *pipe;
	unsigned step;		/* micro-ops of a chunk, at most */
	unsigned n_set;
	u16 set[INTERVAL_PORTS]; /* ports: sets that may be too few */
	u8 size[INTERVAL_PORTS];
};

void interval_table_init(struct interval_table *table,
			 const struct pipeline_config *pipe);

/* A queue's places in a word: LANE bits each, the highest of which says that it
 * is full. */
#define INTERVAL_LANE 10
#define INTERVAL_FULL_BITS \
	(1ull << 9 | 1ull << 19 | 1ull << 29 | 1ull << 39 | 1ull << 49 | \
	 1ull << 59)

/* 1 for each queue that a micro-op of that kind enters; or gives a place back
 * to then. */
u64 interval_places(const struct window_config *wc, unsigned kind);
u64 interval_leaves(const struct window_config *wc, unsigned kind,
		    unsigned until);

/* The chunks of a block's micro-ops; NULL without memory. */
const struct interval_chunk *
interval_build(const struct interval_table *table,
	       const struct window_program *program,
	       void *(*alloc)(size_t bytes));

#endif
