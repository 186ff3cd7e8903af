/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A write buffer that merges: stores that a first-level cache does not keep
 * (written through, or missed and not allocated for) wait in entries of
 * aligned blocks.  A store to a block that waits joins it.  The oldest entry
 * is written to the level behind when as many wait as drain_at says, or when
 * it has waited long enough; one entry at a time.
 */
#ifndef SIM_WRITEBUF_H
#define SIM_WRITEBUF_H

#include "machine/types.h"

struct core;

#define WRITEBUF_ENTRIES 64
#define WRITEBUF_RING(i) ((i) & (WRITEBUF_ENTRIES - 1))
#define WRITEBUF_NEVER (1ull << 62)
#define WRITEBUF_NONE (~0ull)

struct writebuf {
	u32 n, head;		/* a ring, in order of arrival */
	u32 block_bits;		/* log2 of the bytes of a block */
	/* Of memory_config. */
	u32 entries, drain_at, cycles;
	u64 drain_after;	/* WRITEBUF_NEVER if that is 0 */
	u64 newest;		/* block of the newest entry, if that waits, or
				   WRITEBUF_NONE */
	u64 block[WRITEBUF_ENTRIES];
	u64 since[WRITEBUF_ENTRIES]; /* cycle it came in */
	u64 done;		/* cycle the oldest is written, 0: it waits */
	u64 free;		/* cycle the way to the next level is free */
	u64 next;		/* nothing changes by itself before that cycle */
};

/* An empty one, of the kind and size that the CPU has. */
void writebuf_init(struct core *c);

/* A store of a word at cycle t; cycles waited because the buffer was full. */
u64 writebuf_store(struct core *c, u64 va, u64 t);

/* Entries are written up to cycle t as they come, without anybody asking. */
void writebuf_reach(struct core *c, u64 t);

/*
 * The memory from addr up to end is going to be read at cycle t: entries of
 * it, and what came in before them, are written first.  The cycle that this
 * is done; t if there are none.
 */
u64 writebuf_flush(struct core *c, u64 addr, u64 end, u64 t);

/* The same for all entries; those of a core that has no such buffer are none. */
u64 writebuf_drain(struct core *c, u64 t);

/* Whether there are any of those at cycle t. */
bool writebuf_waits(struct core *c, u64 addr, u64 end, u64 t);

#endif
