/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of near.h share: a line of the level behind takes the place of
 * one of the first level. */
#ifndef SIM_NEAR_INTERNAL_H
#define SIM_NEAR_INTERNAL_H

#include "dcache.h"
#include "watched.h"
#include "writebuf_fast.h"

/* A line that is to come from the level behind. */
struct near {
	u64 line, start;	/* asked for at that cycle */
	u32 victim;		/* slot of the line that makes room */
	int outer;		/* slot in the level behind */
};

/* What is compiled for a shape of cache. */
struct near_fns {
	u32 ways;		/* of the first level */
	bool small;		/* its lines are as large as granules */
	u32 behind;		/* ways of the level behind; 0: any, and any
				   fill buffers */
	bool single;		/* there is one of those */
	access_fn *other;	/* core.load_other */
	access_fn *first;	/* load_first() */
	access_fn *access;
	access_fn *recorded;	/* the same, which shows no line */
	unshown_fn *unshown[2];	/* loads, stores */
};

/* Whether there is one fill buffer. */
SIM_INLINE bool
is_single(const struct core *c, const struct near_fns *fns)
{
	return fns->behind ? fns->single : c->fsb.capacity == 1;
}

/* Whether an access spans two lines. */
SIM_INLINE bool
is_split(u32 what, u64 va, unsigned bits)
{
	return (va ^ (va + (what >> 1) - 1)) >> bits;
}

/* The slot of a line among those of a set, or -1. */
SIM_INLINE int
find_way(const struct core *c, u32 first, u64 line, u32 ways)
{
	return array_find_flat(c->data_line, first, line, ways);
}

SIM_INLINE u32
oldest_way(const struct core *c, u32 first, u32 ways)
{
	return ways == 1 ? first
			 : first + oldest_of(c->data_stamp + first, ways);
}

/* Whether the buffer of what is written back has room at cycle t. */
SIM_INLINE bool
can_write(struct core *c, u64 t)
{
	return queue_start(c, &c->wbb, t) == t;
}

/* Then: a line, or a word, goes out. */
SIM_INLINE void
write_out(struct core *c, u64 addr, u64 t, bool word)
{
	u64 done;

	if (!write_near(c, addr))
		outer_write(c, 0, addr, t, word);
	done = c->bus_free > t ? c->bus_free : t + 1;
	queue_put_soon(c, &c->wbb, t, done);
	if (word && c->config->mem.ordered)
		c->written = later(c->written, done);
}

/* The changed line in slot s goes out before another one takes its place. */
static SIM_NOINLINE void
write_back(struct core *c, u32 s, u64 t)
{
	c->sig[SIG_DCACHE_WB]++;
	c->data_dirty[s] = 0;
	write_out(c, c->data_line[s] << c->dline_bits, t, false);
}

/* Looks for the line at cycle t: true if buffers have room for it, and for what
 * is in its place. */
SIM_INLINE bool
is_near(struct core *c, struct near *n, u64 t, unsigned bits)
{
	u64 addr = n->line << bits;

	if (c->data_line[n->victim] == ARRAY_EMPTY)
		return false;
	n->start = queue_start(c, &c->fsb, t);
	if (n->start == QUEUE_BUSY ||
	    queue_start(c, &c->ldq, n->start) != n->start ||
	    (c->data_dirty[n->victim] && !can_write(c, n->start)) ||
	    (c->writebuf.n &&
	     writebuf_waits(c, addr, addr + (1ull << bits), n->start)))
		return false;
	n->outer = outer_find(&c->outer[0], addr);
	return true;
}

/* The line is read there; the cycle that it is here. */
SIM_INLINE u64
read_near(struct core *c, const struct near *n)
{
	struct outer_level *level = &c->outer[0];
	u64 begin = outer_begin(level, n->start, level->repeat[0]);

	outer_take(level, begin, level->repeat[0]);
	c->sig[SIG_L2_ACCESS]++;
	c->sig[level->state[n->outer] ? SIG_L2_LOAD_M : SIG_L2_LOAD_E]++;
	if (level->ages)
		level->lines.stamp[n->outer] =
			array_tick(&level->lines, &level->clock);
	return begin + level->config->latency;
}

/* It takes the place of another one. */
SIM_INLINE void
replace_line(struct core *c, const struct near *n, u32 clock, u64 ready,
	     unsigned bits)
{
	u32 s = n->victim;
	u64 addr = c->data_line[s] << bits;

	if (bits != SHADOW_GRANULE_BITS)
		shadow_drop_slot(c, s);
	else
		shadow_drop(c, addr, s);
	c->data_line[s] = n->line;
	c->data_ready[s] = ready;
	c->data_stamp[s] = clock;
}

#endif
