/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The write buffer that merges: what mostly happens to it, without a call. */
#ifndef SIM_WRITEBUF_FAST_H
#define SIM_WRITEBUF_FAST_H

#include "memory.h"

/* The memory that the oldest entry is of. */
SIM_INLINE u64
writebuf_oldest(const struct writebuf *w)
{
	return w->block[w->head] << w->block_bits;
}

/* It has begun to be written, and will be at cycle done. */
SIM_INLINE void
writebuf_begin(struct writebuf *w, u64 done)
{
	w->done = w->free = done;
	w->newest = w->n == 1 ? WRITEBUF_NONE : w->newest;
}

SIM_INLINE void
writebuf_end(struct writebuf *w)
{
	w->head = WRITEBUF_RING(w->head + 1);
	w->n--;
	w->done = 0;
}

/* The cycle that the oldest entry begins to be written, as things are, or is,
 * if it has begun. */
SIM_INLINE u64
writebuf_due(const struct writebuf *w)
{
	u64 at = w->since[w->head] + w->drain_after;

	if (w->done)
		return w->done;
	if (!w->n)
		return UINT64_MAX;
	if (w->n >= w->drain_at) {
		u64 full = w->since[WRITEBUF_RING(w->head + w->drain_at - 1)];

		at = full < at ? full : at;
	}
	return later(at, w->free);
}

/* What has happened up to cycle t, and something has; false: more than there
 * mostly is, which is not all done, or the level behind does not have an entry
 * where it had it. */
SIM_INLINE bool
writebuf_pass(struct core *c, u64 t)
{
	struct writebuf *w = &c->writebuf;

	if (w->done) {
		writebuf_end(w);
		w->next = writebuf_due(w);
		if (t < w->next)
			return true;
	}
	if (SIM_UNLIKELY(!write_there(c, writebuf_oldest(w))))
		return false;
	writebuf_begin(w, w->next + w->cycles);
	if (w->done <= t)
		writebuf_end(w);
	w->next = writebuf_due(w);
	return SIM_LIKELY(t < w->next);
}

/*
 * Where entries do not wait for others (drain_at is 1): a store comes in at
 * cycle t, by when the only one has been written, and takes its place.  False:
 * it is otherwise, and nothing is done.
 */
SIM_INLINE bool
writebuf_turn(struct core *c, u64 block, u64 t)
{
	struct writebuf *w = &c->writebuf;
	u64 done = w->next + w->cycles;

	if (w->n != 1 || w->done || t < done ||
	    SIM_UNLIKELY(!write_there(c, writebuf_oldest(w))))
		return false;
	w->block[w->head] = w->newest = block;
	w->since[w->head] = w->next = t;
	w->free = done;
	return true;
}

/* True if an entry of the block waits: the oldest may be on its way. */
SIM_INLINE bool
writebuf_holds(const struct writebuf *w, u64 block)
{
	u32 first = w->done != 0;

	if (block == w->newest)
		return true;
	for (u32 i = first + 1; i < w->n; i++)
		if (w->block[WRITEBUF_RING(w->head + i - 1)] == block)
			return true;
	return false;
}

/* Whether it is known without a call that no entry of a line of so many bits
 * waits: mostly there is one entry, which stays one. */
SIM_INLINE bool
writebuf_lets_by(const struct writebuf *w, u64 addr, unsigned bits, u64 t)
{
	return !w->n || (w->n == 1 && t < w->next && w->block_bits <= bits &&
			 writebuf_oldest(w) >> bits != addr >> bits);
}

/* There is room for an entry, which comes in at cycle t. */
SIM_INLINE void
writebuf_add(struct writebuf *w, u64 block, u64 t)
{
	u32 i = WRITEBUF_RING(w->head + w->n++);

	w->block[i] = w->newest = block;
	w->since[i] = t;
	/* Otherwise it is due when it was. */
	if (!w->done && (w->n == 1 || w->n == w->drain_at))
		w->next = writebuf_due(w);
}

#endif
