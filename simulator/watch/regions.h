/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts of regions: of what a thread does between two markers.
 *
 * Nothing is counted while blocks execute.  At a boundary - a marker, or where
 * a context goes on with another thread - what the context has counted since
 * the last one is added to all regions that the thread which it ran is in, in
 * the machine, where it outlives the process.  So regions may overlap, and one
 * that is in another one is part of it; within itself it is counted once.
 *
 * A boundary lies behind a block that ends with a marker, and behind what it
 * takes to get to the next one.  The instructions of the marker at a region's
 * end are taken off again, so that an empty region has none.  Where blocks go
 * through the core, that is known when the next block has been entered:
 * core_attend() calls.
 *
 * To look at what has been counted takes as long as there are blocks, whose
 * executions are added up.  So the blocks that follow a boundary are added up
 * one by one as they are entered (the trail), until there are too many: a short
 * region costs as much as its blocks.  Not while threads take turns.
 *
 * A region belongs to its thread: threads that it creates are in none, but a
 * forked child is where its parent was.
 */
#ifndef SIM_REGIONS_H
#define SIM_REGIONS_H

#include "calls.h"
#include "core/core.h"
#include "machine/machine_region.h"

#define REGIONS_OPEN 64		/* that a thread is in at a time */
#define REGIONS_TRAIL 512	/* blocks: about what it takes to add all up */
#define REGION_SHARES 32	/* signals that a marker counts */

/* A part of what a marker's own instructions count each time. */
struct region_share {
	int16_t n;
	u8 signal;
	bool stall;		/* known before only where contexts do not
				   compete */
};

/* What a block ends with. */
struct region_mark {
	u32 number;		/* regions_mark() finds it */
	u16 region;
	bool begins;
	bool conditional;	/* its jump is a conditional branch: MIPS */
	u8 shares;		/* as struct block has it */
	u8 n;
	struct region_share share[REGION_SHARES]; /* of the marker */
};

/* A boundary. */
struct region_place {
	unsigned tc;
	const struct block *entered; /* that is counted already, as far as its
					static counts go; NULL: none is */
	bool stalls;		/* the marker's static stalls are counted, */
	bool outcome;		/* and how its branch went */
};

struct region_open {
	u16 region;
	bool inherited;		/* by fork */
	u32 depth;		/* entries under way */
};

struct region_thread {
	struct region_open open[REGIONS_OPEN];
	u32 n;
	u32 left_out;		/* entries for which there was no room */
	/* Of the region of a procedure, if there is one. */
	struct calls_thread calls; /* under way */
	u32 depth;		/* of its call; inside: it is under way */
	bool inside;
};

struct regions {
	struct machine_map *map;
	/* What a context has counted so far, with blocks or without. */
	void (*look)(unsigned tc, bool blocks, u64 sum[SIG_N]);
	struct region_thread *running[SIM_MAX_TC]; /* NULL: none */
	u64 known[SIM_MAX_TC][SIG_N]; /* at the last boundary */
	u64 trail[SIG_N];	/* if the core is trailed: of blocks since */
	u32 n_trail;
	int only;		/* that a profile is of; -1: it is of all */
	const struct region_mark **mark;
	u32 n_mark, room;
};

/* Numbers a marker, from 1 on: 0 or -ENOMEM. */
int regions_number(struct regions *r, struct region_mark *mark);

static inline const struct region_mark *
regions_mark(const struct regions *r, u32 number)
{
	return r->mark[number - 1];
}

/* The core has entered a block that ends with that. */
SIM_INLINE void
regions_passed(struct core *c, const struct region_mark *mark)
{
	c->passed = mark;
	c->deadline = 0;
}

/* From core_attend(), of a core that runs on context tc: block t has been
 * entered. */
void regions_entered(struct core *c, unsigned tc, const struct block *t);

/* What blocks have executed is about to be counted otherwise: there is no trail
 * any more. */
void regions_steady(struct core *c, unsigned tc);

/* The thread that a context runs is behind that marker. */
void regions_pass(struct core *c, const struct region_mark *mark,
		  const struct region_place *at);

/* NULL is no thread. */
void regions_thread_free(struct region_thread *thread);

/* Context tc goes on with that thread, or, if it is NULL, with none. */
void regions_run(struct core *c, unsigned tc, struct region_thread *thread);

/* A thread that has counted nothing yet is in that region, which is its own, to
 * its end; behind fork in place of its parent's. */
void regions_own(struct regions *r, struct region_thread *thread,
		 unsigned region);

/* It is in none that is its own, behind fork not even in its parent's. */
void regions_disown(const struct regions *r, struct region_thread *thread);

/* What contexts have counted so far is in the machine. */
void regions_settle(struct core *c);

/* In a child just forked, whose counts begin at zero, and whose only thread is
 * on context tc. */
void regions_child(struct core *c, unsigned tc, struct region_thread *thread);

#endif
