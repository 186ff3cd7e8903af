/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads whose line is in the first-level cache unknown to the table, or
 * behind it, with nothing else in their way: nearly all of those that the fast
 * path leaves over where there is a level behind.  What is more than that
 * is left to access_load_other(), before anything has been counted.
 *
 * Most find nothing else under way either, but for the end of the line before:
 * those are looked for first of all, and counted by enum alone.
 *
 * It is compiled for the ways that first-level caches have, and for lines as
 * large as the table's granules (bits is SHADOW_GRANULE_BITS) or any; for three
 * machines besides for what is behind the first level there.
 */
#include "near.h"
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

/* The same for a line that comes from farther: what has to make room there may
 * take lines out of the first level. */
static SIM_NOINLINE u64
read_far(struct core *c, u64 line, u64 start)
{
	return outer_read(c, 0, line << c->dline_bits, start, OUTER_LOAD);
}

SIM_INLINE void
load_near(struct core *c, struct near *n, u64 va, u64 t,
	  const struct block_access *a, u32 first, u32 ways, unsigned bits)
{
	u64 ready;

	if (SIM_LIKELY(n->outer >= 0)) {
		ready = read_near(c, n);
	} else {
		ready = read_far(c, n->line, n->start);
		n->victim = oldest_way(c, first, ways);
	}
	data_count_miss(c, false);
	c->sig[SIG_DCACHE_FILL]++;
	c->sig[SIG_MISS_OCCUPANCY] += ready - n->start;
	account_pending(&c->sig[SIG_DCACHE_PENDING], &c->pending_end,
			n->start, ready);
	if (SIM_UNLIKELY(c->data_dirty[n->victim]))
		write_back(c, n->victim, n->start);
	replace_line(c, n, (u32)c->now - a->clock_back, ready, bits);
	queue_put_soon(c, &c->fsb, n->start,
		       ready + c->config->mem.beat * LINE_BEATS_BEHIND);
	queue_put_soon(c, &c->ldq, n->start,
		       ready > n->start ? ready : n->start + 1);
	if (SIM_UNLIKELY(n->start != t))
		data_wait(c, n->start - t, SIG_ALU_FSB);
	load_wait(c, a, va, (int)n->victim, n->start, ready, false);
}

SIM_INLINE void
load(struct core *c, u32 what, u64 va, const struct block_access *a,
     u32 ways, unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back;
	struct near n = {.line = va >> bits};
	u32 first = ((u32)n.line & c->l1d.set_mask) * ways;
	int slot = find_way(c, first, n.line, ways);

	if (SIM_UNLIKELY((va + (what >> 1) - 1) >> bits != n.line)) {
		access_load_other(c, what, va, a);
		return;
	}
	if (slot >= 0 && c->data_ready[slot] <= t) {
		c->data_stamp[slot] = (u32)c->now - a->clock_back;
		data_known(c, va, (u32)slot);
		return;
	}
	alone_forget(c);
	n.victim = oldest_way(c, first, ways);
	if (SIM_UNLIKELY(slot >= 0 || !is_near(c, &n, t, bits)))
		access_load_other(c, what, va, a);
	else
		load_near(c, &n, va, t, a, first, ways, bits);
}

/* ---- Nothing else under way ------------------------------------------- */

/* The cycle that a line can be asked for at, which one buffer alone waits for
 * until the line before has been written. */
SIM_INLINE u64
start_alone(const struct core *c, u64 t)
{
	const struct queue *fsb = &c->fsb;

	return fsb->capacity == 1 && t < fsb->calm && fsb->calm != QUEUE_BUSY
		       ? fsb->calm
		       : t;
}

/* Whether nothing is in the way of the line but what the one before still does,
 * and the level behind has it. */
SIM_INLINE bool
comes_alone(struct core *c, struct near *n, unsigned bits)
{
	struct outer_level *level = &c->outer[0];
	u64 addr = n->line << bits;

	if (!outer_is_free(level, n->start, level->repeat[0]) ||
	    c->data_line[n->victim] == ARRAY_EMPTY ||
	    (!writebuf_lets_by(&c->writebuf, addr, bits, n->start) &&
	     writebuf_waits(c, addr, addr + (1ull << bits), n->start)))
		return false;
	n->outer = outer_find(level, addr);
	return n->outer >= 0;
}

/* The same where nothing of that takes a call; false may be wrong. */
SIM_INLINE bool
comes_quickly(const struct core *c, struct near *n, unsigned bits,
	      const struct near_fns *fns)
{
	const struct outer_level *level = &c->outer[0];
	u64 addr = n->line << bits;

	if (!outer_is_free(level, n->start, level->repeat[0]) ||
	    (!fns->small && c->data_line[n->victim] == ARRAY_EMPTY) ||
	    (fns->behind != 1 && level->clock == UINT32_MAX) ||
	    !writebuf_lets_by(&c->writebuf, addr, bits, n->start))
		return false;
	n->outer = outer_find_quick(level, addr, fns->behind);
	return n->outer >= 0;
}

/* What load_near() and load_alone() do there. */
SIM_INLINE void
take_line(struct core *c, const struct near *n, bool ages)
{
	struct outer_level *level = &c->outer[0];

	outer_take(level, n->start, level->repeat[0]);
	if (ages)
		level->lines.stamp[n->outer] =
			array_tick(&level->lines, &level->clock);
}

SIM_INLINE bool
is_alone(const struct core *c, const struct near *n)
{
	return n->start >= c->fsb.calm && n->start >= c->ldq.last &&
	       n->start >= c->pending_end && !c->alone_watched;
}

/* What load_near() does for such a load, and the entries of both buffers. */
SIM_INLINE u64
read_alone(struct core *c, const struct near *n)
{
	const struct alone_load *l = &c->alone_load;
	u64 ready = n->start + l->latency, done = ready + l->behind;
	u64 last = later(c->fsb.last, n->start);

	take_line(c, n, c->outer[0].ages);
	c->alone[ALONE_NEAR_E + (c->outer[0].state[n->outer] != 0)]++;
	if (c->fsb.capacity > 1)
		c->alone[ALONE_BEHIND] += last - n->start;
	c->sig[SIG_DCACHE_PENDING_EDGE] += n->start > c->pending_end;
	c->pending_end = ready;
	c->fsb.since = n->start;
	c->fsb.calm = c->fsb.capacity == 1 ? done : last;
	c->fsb.last = done;
	c->ldq.since = c->ldq.calm = n->start;
	c->ldq.last = ready;
	return ready;
}

/* From now on that is noted in core.alone_load, too, so that it need not be
 * known of the next one. */
SIM_INLINE void
note_near(struct core *c, u64 ready)
{
	struct alone_load *l = &c->alone_load;

	if (SIM_UNLIKELY(c->waits_watched))
		return;
	l->before = c->fsb.calm - l->behind;
	l->ready = ready;
	l->calm = later(c->fsb.calm, ready + 1);
}

/* A load of which more is to be known than load_alone() notes. */
SIM_INLINE void
load_first(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 ways, unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back, ready;
	struct near n = {.line = va >> bits};
	u32 first = ((u32)n.line & c->l1d.set_mask) * ways;
	bool dirty;

	alone_forget(c);
	n.start = start_alone(c, t);
	if (!is_alone(c, &n) || find_way(c, first, n.line, ways) >= 0) {
		c->load_other(c, what, va, a);
		return;
	}
	n.victim = oldest_way(c, first, ways);
	dirty = c->data_dirty[n.victim];
	if (SIM_UNLIKELY((dirty && !can_write(c, n.start)) ||
			 !comes_alone(c, &n, bits))) {
		c->load_other(c, what, va, a);
		return;
	}
	ready = read_alone(c, &n);
	if (SIM_UNLIKELY(dirty))
		write_back(c, n.victim, n.start);
	replace_line(c, &n, (u32)c->now - a->clock_back, ready, bits);
	if (SIM_UNLIKELY(n.start != t))
		data_wait(c, n.start - t, SIG_ALU_FSB);
	if (c->n_pending) {
		load_wait(c, a, va, (int)n.victim, n.start, ready, true);
		return;
	}
	note_near(c, ready);
	load_wait_alone(c, a, va, n.victim, n.start, ready);
}

/* The one buffer is free so many cycles after a load came. */
SIM_INLINE void
wait_buffer(struct core *c, u64 cycles)
{
	c->sig[SIG_REPLAY] += cycles != 0;
	count_stall(c, cycles);
	wait_noted(c, CYCLES(cycles));
}

/*
 * What load_first() does for a load at cycle t behind one that is noted, if
 * somebody waits for it, and nothing is written back: it is noted in turn.
 */
SIM_INLINE void
load_noted(struct core *c, const struct near *n, u64 va,
	   const struct block_access *a, u32 clock, u64 t, unsigned bits,
	   const struct near_fns *fns)
{
	struct alone_load *l = &c->alone_load;
	u64 calm = l->ready + l->behind, late = later(calm, t) - t;
	u32 kind = a->alone - 1u;

	take_line(c, n, fns->behind != 1 && c->outer[0].ages);
	/* Without a branch: nobody could predict it. */
	kind += (c->outer[0].state[n->outer] != 0) * ALONE_KINDS;
	c->alone[ALONE_WAITS + kind]++;
	c->alone[ALONE_BEHIND] += late;
	l->before = l->ready;
	l->ready = n->start + l->latency;
	l->calm = later(calm, l->ready + 1);
	replace_line(c, n, clock, l->ready, bits);
	shadow_put_slot(c, va, n->victim, true);
	wait_noted(c, l->advance[a->alone]);
	if (is_single(c, fns))
		wait_buffer(c, late);
}

SIM_INLINE void
load_alone(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 clock, unsigned bits, const struct near_fns *fns)
{
	const struct alone_load *l = &c->alone_load;
	u64 t = core_cycle(c) - a->cycles_back;
	struct near n = {.line = va >> bits, .start = t};
	u32 set = ((u32)n.line & c->l1d.set_mask) * fns->ways;

	if (t < l->calm || !l->advance[a->alone] ||
	    find_way(c, set, n.line, fns->ways) >= 0) {
		fns->first(c, what, va, a);
		return;
	}
	n.victim = oldest_way(c, set, fns->ways);
	if (is_single(c, fns))
		n.start = later(l->ready + l->behind, t);
	if (SIM_UNLIKELY(c->data_dirty[n.victim] ||
			 !comes_quickly(c, &n, bits, fns)))
		fns->first(c, what, va, a);
	else
		load_noted(c, &n, va, a, clock, t, bits, fns);
}

/* A store to one that the tables show comes to the write buffer at cycle
 * t. */
static SIM_NOINLINE void
put_any(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	u64 wait = writebuf_store(c, va, t);

	if (SIM_UNLIKELY(wait))
		data_wait(c, wait, SIG_ALU_WBB);
	if (SIM_UNLIKELY(c->indirect))
		core_look(c, a);
}

/* The same where nothing happens at that cycle but that it comes in. */
SIM_INLINE void
put(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	struct writebuf *w = &c->writebuf;
	u64 block = va >> w->block_bits;

	if (writebuf_holds(w, block))
		c->sig[SIG_WBB_MERGED]++;
	else if (SIM_UNLIKELY(w->n == w->entries))
		put_any(c, va, t, a);
	else
		writebuf_add(w, block, t);
}

static SIM_NOINLINE void
put_behind(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	if (SIM_LIKELY(writebuf_pass(c, t)))
		put(c, va, t, a);
	else
		put_any(c, va, t, a);
}

static SIM_NOINLINE void
put_next(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	if (!writebuf_turn(c, va >> c->writebuf.block_bits, t))
		put_behind(c, va, t, a);
}

void
near_put(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	if (t < c->writebuf.next)
		put(c, va, t, a);
	else if (c->writebuf.drain_at > 1)
		put_behind(c, va, t, a);
	else
		put_next(c, va, t, a);
}

/* A store to one line of a cache that is written through, and that a miss
 * brings none to: what access_past() does. */
SIM_INLINE void
store_through(struct core *c, u64 va, const struct block_access *a, u32 ways,
	      unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back, line = va >> bits;
	int slot = find_way(c, ((u32)line & c->l1d.set_mask) * ways, line,
			    ways);

	if (slot >= 0)
		c->data_stamp[slot] = (u32)c->now - a->clock_back;
	if (slot >= 0 && c->data_ready[slot] <= t)
		data_known(c, va, (u32)slot);
	else if (slot < 0 || c->config->pipe.miss_counts_secondary)
		data_count_miss(c, true);
	near_put(c, va, t, a);
}

/* The same for a cache that is written back, and no write buffer that merges:
 * what misses takes an entry of the other one. */
SIM_INLINE void
store_past(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 ways, unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back, line = va >> bits;
	int slot = find_way(c, ((u32)line & c->l1d.set_mask) * ways, line,
			    ways);

	if (slot >= 0) {
		c->data_stamp[slot] = (u32)c->now - a->clock_back;
		data_change(c, (u32)slot);
		if (c->data_ready[slot] <= t)
			data_known(c, va, (u32)slot);
		else if (c->config->pipe.miss_counts_secondary)
			data_count_miss(c, true);
	} else if (can_write(c, t)) {
		data_count_miss(c, true);
		write_out(c, va, t, true);
	} else {
		core_access(c, what, va, a);
	}
}

/* Whether stores to lines that the table does not show go to a buffer. */
SIM_INLINE bool
takes_stores(const struct core *c)
{
	return c->goes_through || c->goes_past;
}

/* There they do. */
SIM_INLINE void
store_out(struct core *c, u32 what, u64 va, const struct block_access *a,
	  u32 ways, unsigned bits)
{
	if (c->goes_through)
		store_through(c, va, a, ways, bits);
	else
		store_past(c, what, va, a, ways, bits);
}

/* An access that may span lines, or is behind loads that somebody may have
 * waited for in the meantime. */
SIM_INLINE void
access_any(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 ways, unsigned bits, access_fn *first)
{
	u64 page;

	pending_until(c, core_cycle(c) - a->cycles_back);
	page = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);
	if (page > SHADOW_PAGE_SLOTS || is_split(what, va, bits) ||
	    (what & 1 && !takes_stores(c))) {
		core_access(c, what, va, a);
		return;
	}
	c->dtlb.stamp[page] = (u32)c->now - a->clock_back;
	if (what & 1)
		store_out(c, what, va, a, ways, bits);
	else
		first(c, what, va, a);
}

/* One to a line that the table does not show, and a page that it does. */
SIM_INLINE void
load_unshown(struct core *c, u32 what, u64 va, const struct block_access *a,
	     u32 page, u32 clock, unsigned bits, const struct near_fns *fns)
{
	if (SIM_UNLIKELY(c->n_pending) || is_split(what, va, bits)) {
		fns->access(c, what, va, a);
		return;
	}
	c->dtlb.stamp[page] = clock;
	load_alone(c, what, va, a, clock, bits, fns);
}

SIM_INLINE void
store_unshown(struct core *c, u32 what, u64 va, const struct block_access *a,
	      u32 page, u32 clock, u32 ways, unsigned bits,
	      const struct near_fns *fns)
{
	if (SIM_UNLIKELY(c->n_pending) || is_split(what, va, bits) ||
	    !takes_stores(c)) {
		fns->access(c, what, va, a);
		return;
	}
	c->dtlb.stamp[page] = clock;
	store_out(c, what, va, a, ways, bits);
}

#define NEAR(name, ways, small, behind, single)                              \
	static void other_##name(struct core *c, u32 what, u64 va,           \
				 const struct block_access *a)               \
	{                                                                    \
		load(c, what, va, a, ways, LINE_BITS(small));                \
	}                                                                    \
	static SIM_NOINLINE void first_##name(                               \
		struct core *c, u32 what, u64 va,                            \
		const struct block_access *a)                                \
	{                                                                    \
		load_first(c, what, va, a, ways, LINE_BITS(small));          \
	}                                                                    \
	static SIM_NOINLINE void access_##name(                              \
		struct core *c, u32 what, u64 va,                            \
		const struct block_access *a)                                \
	{                                                                    \
		access_any(c, what, va, a, ways, LINE_BITS(small),           \
			   first_##name);                                    \
	}                                                                    \
	static void recorded_##name(struct core *c, u32 what, u64 va,        \
				    const struct block_access *a)            \
	{                                                                    \
		access_any(c, what, va, a, ways, LINE_BITS(small),           \
			   other_##name);                                    \
	}                                                                    \
	static unshown_fn load_##name, store_##name;                         \
	static const struct near_fns near_##name = {                         \
		ways, small, behind, single,                                 \
		other_##name, first_##name, access_##name, recorded_##name,  \
		{load_##name, store_##name},                                 \
	};                                                                   \
	static void load_##name(struct core *c, u32 what, u64 va,            \
				const struct block_access *a, u32 page,      \
				u32 clock)                                   \
	{                                                                    \
		load_unshown(c, what, va, a, page, clock, LINE_BITS(small),  \
			     &near_##name);                                  \
	}                                                                    \
	static void store_##name(struct core *c, u32 what, u64 va,           \
				 const struct block_access *a, u32 page,     \
				 u32 clock)                                  \
	{                                                                    \
		store_unshown(c, what, va, a, page, clock, ways,             \
			      LINE_BITS(small), &near_##name);               \
	}
#define LINE_BITS(small) ((small) ? SHADOW_GRANULE_BITS : c->dline_bits)

NEAR(1, 1, true, 0, false)
NEAR(2, 2, true, 0, false)
NEAR(4, 4, true, 0, false)
NEAR(4_any, 4, false, 0, false)
/* Of the 21064 and the 21066, the 21164, and the Pentium. */
NEAR(1_1, 1, true, 1, false)
NEAR(1_3, 1, true, 3, false)
NEAR(2_1, 2, true, 1, true)

/* What is compiled for caches such as these, or NULL. */
static const struct near_fns *
near_of(const struct core *c)
{
	static const struct near_fns *const all[] = {
		&near_1_1, &near_1_3, &near_2_1,
		&near_1, &near_2, &near_4, &near_4_any,
	};
	const struct cache_config *l1d = &c->config->l1d;
	bool small = c->dline_bits == SHADOW_GRANULE_BITS;

	if (!c->n_outer || c->outer[0].predicted || c->coherence ||
	    c->dline_bits < SHADOW_GRANULE_BITS ||
	    (l1d->ways > 1 && l1d->policy != POLICY_LRU))
		return NULL;
	for (unsigned i = 0; i < SIM_COUNT(all); i++)
		if (all[i]->ways == l1d->ways && all[i]->small == small &&
		    (!all[i]->behind ||
		     (all[i]->behind == c->outer[0].lines.ways &&
		      all[i]->single == (c->fsb.capacity == 1))))
			return all[i];
	return NULL;
}

/* The same for loads that are alone. */
static bool
can_be_alone(const struct core *c)
{
	return c->outer[0].config->latency && c->ldq.capacity > 1;
}

void
near_choose(struct core *c)
{
	const struct near_fns *near = near_of(c);

	c->near = NULL;
	c->load_other = access_load_other;
	c->access = c->window ? c->window_fns->accessor(c)
			      : core_access;
	c->goes_through = c->config->l1d.write_through &&
			  c->config->l1d.no_write_allocate &&
			  c->config->mem.wbb_bytes;
	c->goes_past = !c->config->l1d.write_through &&
		       c->config->l1d.no_write_allocate &&
		       !c->config->mem.wbb_bytes;
	c->fetches_near = c->n_outer && !c->outer[0].predicted &&
			  !c->config->l2.data_only;
	c->writes_near = c->n_outer && !c->config->l2.write_through;
	c->stores_shown = c->goes_through && c->writes_near && !c->window &&
			  !c->coherence;
	if (!c->window && !c->tells && near) {
		c->load_other = near->other;
		if (can_be_alone(c) && c->recording) {
			c->access = near->recorded;
		} else if (can_be_alone(c)) {
			c->access = near->access;
			c->near = near;
		}
	}
	core_route(c);
}

unshown_fn *
near_unshown(const struct core *c, bool store)
{
	return c->near ? c->near->unshown[store] : NULL;
}
