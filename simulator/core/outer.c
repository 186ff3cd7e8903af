/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "outer_internal.h"

#include "coherence.h"
#include "memory.h"
#include "prefetch.h"

#include "machine/ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct outer_signals outer_signals[OUTER_LEVELS] = {
	{
		.access = SIG_L2_ACCESS,
		.miss = SIG_L2_MISS,
		.clean = SIG_L2_MISS_CLEAN,
		.writeback = SIG_L2_WB,
		.out = SIG_L2_OUT,
		.way = {SIG_L2_WAY_I, SIG_L2_WAY_D},
		.found = {
			{SIG_L2_IFETCH_MISS, SIG_L2_IFETCH_E, SIG_L2_IFETCH_M},
			{SIG_L2_LOAD_MISS, SIG_L2_LOAD_E, SIG_L2_LOAD_M},
			{SIG_L2_STORE_MISS, SIG_L2_STORE_E, SIG_L2_STORE_M},
			{SIG_L2_WRITE_MISS, SIG_L2_WRITE_E, SIG_L2_WRITE_M},
			{SIG_L2_PREFETCH_MISS, SIG_L2_PREFETCH_E,
			 SIG_L2_PREFETCH_M},
			{SIG_L2_WALK_MISS, SIG_L2_WALK_E, SIG_L2_WALK_M},
		},
	},
	{
		.access = SIG_L3_ACCESS,
		.miss = SIG_L3_MISS,
		.clean = SIG_L3_MISS_CLEAN,
		.writeback = SIG_L3_WB,
		.out = SIG_L3_OUT,
		.way = {SIG_L3_WAY, SIG_L3_WAY},
		.found = {
			{SIG_L3_IFETCH_MISS, SIG_L3_IFETCH_E, SIG_L3_IFETCH_M},
			{SIG_L3_LOAD_MISS, SIG_L3_LOAD_E, SIG_L3_LOAD_M},
			{SIG_L3_STORE_MISS, SIG_L3_STORE_E, SIG_L3_STORE_M},
			{SIG_L3_WRITE_MISS, SIG_L3_WRITE_E, SIG_L3_WRITE_M},
			{SIG_L3_PREFETCH_MISS, SIG_L3_PREFETCH_E,
			 SIG_L3_PREFETCH_M},
			{SIG_L3_WALK_MISS, SIG_L3_WALK_E, SIG_L3_WALK_M},
		},
	},
};

static int
level_init(struct outer_level *level, const struct cache_config *config)
{
	u32 lines = config->size / config->line;
	u64 *key = calloc(lines, sizeof *key);
	u32 *stamp = calloc(lines, sizeof *stamp);
	u16 *next = calloc(lines / config->ways, sizeof *next);

	level->state = calloc(lines, sizeof *level->state);
	if (config->way_entries)
		level->predicted = calloc(config->way_entries,
					  sizeof *level->predicted);
	if (!key || !stamp || !next || !level->state ||
	    (config->way_entries && !level->predicted)) {
		free(key);
		free(stamp);
		free(next);
		return -ENOMEM;
	}
	level->lines.key = key;
	level->lines.stamp = stamp;
	level->lines.next = next;
	level->config = config;
	level->ages = config->ways > 1 && config->policy == POLICY_LRU;
	level->line_bits = (u32)__builtin_ctz(config->line);
	return 0;
}

void
outer_clear(struct core *c)
{
	for (unsigned i = 0; i < c->n_outer; i++) {
		const struct cache_config *config = c->outer[i].config;
		struct array *a = &c->outer[i].lines;
		u32 lines = config->size / config->line;

		ahead_of_writes(a->key, lines * sizeof *a->key);
		array_init(a, lines, config->ways, config->policy, a->key,
			   a->stamp, a->next);
	}
}

/* Instructions come in lines of the first level's. */
static void
repeats_init(struct core *c)
{
	u32 repeat = c->config->l2.repeat;

	c->outer[0].repeat[0] = repeat;
	c->outer[0].repeat[1] =
		repeat * c->config->l1i.line / c->config->l1d.line;
	c->outer[1].repeat[0] = c->outer[1].repeat[1] = c->config->l3.repeat;
}

int
outer_init(struct core *c)
{
	const struct cache_config *config[OUTER_LEVELS] = {&c->config->l2,
							   &c->config->l3};
	int error = 0;

	for (unsigned i = 0; i < OUTER_LEVELS && config[i]->size && !error;
	     i++)
		error = level_init(&c->outer[c->n_outer++], config[i]);
	c->outer[0].gives = c->n_outer > 1 && c->config->l3.victim;
	repeats_init(c);
	return error;
}

/* Cycles lost because another way was looked at first; from then on the
 * table has the right one.  Writes know where their line is. */
static u64
predict_way(struct core *c, unsigned i, u32 slot, enum outer_request what)
{
	struct outer_level *level = &c->outer[i];
	u32 ways = level->lines.ways, at;
	u8 way = (u8)(slot % ways);

	if (!level->predicted || what == OUTER_WRITE)
		return 0;
	at = slot / ways & (level->config->way_entries - 1);
	if (level->predicted[at] == way)
		return 0;
	level->predicted[at] = way;
	c->sig[outer_signals[i].way[what != OUTER_IFETCH]]++;
	return level->config->way_penalty;
}

static void
fill_way(struct outer_level *level, u32 slot)
{
	u32 ways = level->lines.ways;

	if (level->predicted)
		level->predicted[slot / ways &
				 (level->config->way_entries - 1)] =
			(u8)(slot % ways);
}

/* Takes the lines of that memory out of level i; true if one was dirty. */
static bool
level_invalidate(struct core *c, unsigned i, u64 addr, u64 end)
{
	struct outer_level *level = &c->outer[i];
	bool dirty = false;

	for (; addr < end; addr += level->config->line) {
		int slot = array_find(&level->lines, addr >> level->line_bits);

		if (slot < 0)
			continue;
		if (level->state[slot] & OUTER_DIRTY) {
			c->sig[outer_signals[i].writeback]++;
			dirty = true;
		}
		c->sig[outer_signals[i].out]++;
		level->lines.key[slot] = ARRAY_EMPTY;
		level->lines.stamp[slot] = 0;
		level->state[slot] = 0;
	}
	return dirty;
}

/* The levels before i lose what an inclusive level loses. */
static bool
invalidate_inner(struct core *c, unsigned i, u64 addr)
{
	u64 end = addr + c->outer[i].config->line;
	bool dirty = data_invalidate(c, addr, end);

	if (!c->outer[i].config->data_only)
		fetch_invalidate(c, addr, end);
	/* The directory takes what has left an inclusive level for gone. */
	if (c->coherence)
		prefetch_clean(c, addr, end, &dirty, true);
	while (i--)
		dirty |= level_invalidate(c, i, addr, end);
	return dirty;
}

static u32 make_room(struct core *c, unsigned i, u64 line, u64 t);

/* A line leaves the level before level i, which is a victim: for that. */
static SIM_NOINLINE void
put_victim(struct core *c, unsigned i, u64 addr, u64 t, bool dirty)
{
	struct outer_level *level = &c->outer[i];
	u64 line = addr >> level->line_bits;
	int slot = array_find(&level->lines, line);

	c->sig[SIG_L3_VICTIM]++;
	if (slot < 0)
		slot = (int)make_room(c, i, line, t);
	else if (level->lines.policy == POLICY_LRU)
		level->lines.stamp[slot] =
			array_tick(&level->lines, &level->clock);
	level->state[slot] |= dirty ? OUTER_DIRTY : 0;
}

/* A line leaves level i, for what is behind it if that wants it. */
SIM_INLINE void
hand_on(struct core *c, unsigned i, u64 addr, u64 t, bool dirty)
{
	c->sig[outer_signals[i].writeback] += dirty;
	if (c->outer[i].gives)
		put_victim(c, i + 1, addr, t, dirty);
	else if (dirty)
		outer_write(c, i + 1, addr, t, false);
}

/* A place for a line in level i; what was there leaves. */
static u32
make_room(struct core *c, unsigned i, u64 line, u64 t)
{
	struct outer_level *level = &c->outer[i];
	u32 slot = array_victim(&level->lines, line);
	u64 addr = level->lines.key[slot] << level->line_bits;
	bool dirty = level->state[slot] & OUTER_DIRTY;

	if (level->lines.key[slot] != ARRAY_EMPTY) {
		c->sig[outer_signals[i].out]++;
		if (level->config->inclusive)
			dirty |= invalidate_inner(c, i, addr);
		hand_on(c, i, addr, t, dirty);
	}
	c->sig[outer_signals[i].clean] += !dirty;
	level->lines.key[slot] = line;
	level->lines.stamp[slot] = array_tick(&level->lines, &level->clock);
	level->state[slot] = 0;
	fill_way(level, slot);
	if (c->prefetch && !i)
		prefetch_replaced(c, slot);
	return slot;
}

/* Counts how a request finds a line. */
SIM_INLINE void
count_found(struct core *c, unsigned i, enum outer_request what, int slot)
{
	const struct outer_level *level = &c->outer[i];
	unsigned found = slot < 0 ? FOUND_MISS
			 : level->state[slot] ? FOUND_MODIFIED
					      : FOUND_EXCLUSIVE;

	if (SIM_UNLIKELY(c->store_shared) && what == OUTER_STORE && !i &&
	    slot >= 0)
		c->sig[SIG_L2_STORE_S]++;
	else
		c->sig[outer_signals[i].found[what][found]]++;
}

/* A line that level i has not, unless a prefetcher has asked for it long ago:
 * its slot or -1. */
static SIM_NOINLINE int
missed(struct core *c, unsigned i, u64 addr, u64 t)
{
	int slot = c->prefetch && !i ? prefetch_arrived(c, addr, t) : -1;

	if (slot < 0)
		c->sig[outer_signals[i].miss]++;
	return slot;
}

/* Looks for a line at cycle t and counts how it is found; its slot or -1. */
SIM_INLINE int
look_up(struct core *c, unsigned i, u64 addr, u64 t, enum outer_request what)
{
	struct outer_level *level = &c->outer[i];
	int slot = outer_find(level, addr);

	c->sig[outer_signals[i].access]++;
	if (slot < 0)
		slot = missed(c, i, addr, t);
	else if (level->lines.policy == POLICY_LRU)
		level->lines.stamp[slot] =
			array_tick(&level->lines, &level->clock);
	count_found(c, i, what, slot);
	return slot;
}

/* The second level has asked for a line at cycle t, whose first word is there
 * at another. */
static void
count_outstanding(struct core *c, u64 t, u64 ready, enum outer_request what)
{
	struct outer_level *level = &c->outer[0];
	u64 last = ready + c->config->mem.beat * LINE_BEATS_BEHIND;

	account_pending(c, PENDING_OUTER, &level->pending_end, t, ready);
	if (what != OUTER_LOAD)
		return;
	c->sig[SIG_L2_LOAD_OCCUPANCY] += last - t;
	account_pending(c, PENDING_OUTER_LOADS, &level->loads_end, t, last);
}

/* The same where a victim is behind the second level: its line comes first, with
 * what is known of it, so that the one which makes room has its place. */
static u32
swap_lines(struct core *c, u64 addr, u64 t, enum outer_request what, u64 *ready)
{
	struct outer_level *level = &c->outer[0];
	u32 slot;
	u8 state;

	*ready = outer_read(c, 1, addr, t, what);
	state = c->outer[1].given;
	slot = make_room(c, 0, addr >> level->line_bits, t);
	level->state[slot] = state;
	count_outstanding(c, t, *ready, what);
	return slot;
}

/* The line comes from behind level i; its slot. */
static SIM_NOINLINE u32
read_miss(struct core *c, unsigned i, u64 addr, u64 t,
	  enum outer_request what, u64 *ready)
{
	struct outer_level *level = &c->outer[i];
	u32 slot;

	if (c->prefetch && !i) {
		int late = prefetch_late(c, addr, t, ready);

		if (late >= 0)
			return (u32)late;
	}
	if (level->gives)
		return swap_lines(c, addr, t, what, ready);
	slot = make_room(c, i, addr >> level->line_bits, t);
	*ready = outer_read(c, i + 1, addr, t, what);
	if (!i)
		count_outstanding(c, t, *ready, what);
	return slot;
}

/* A line is read that level has, once it has read the one before; the cycle
 * that this begins. */
SIM_INLINE u64
read_hit(struct outer_level *level, u64 t, enum outer_request what)
{
	u32 cycles = level->repeat[what == OUTER_IFETCH];
	u64 start = outer_begin(level, t, cycles);

	outer_take(level, start, cycles);
	return start;
}

/* A third level that is a victim has been asked for a line, which it has in that
 * slot, or -1: if it has it, it has not any more. */
static SIM_NOINLINE u64
read_victim(struct core *c, u64 addr, u64 t, enum outer_request what, int slot)
{
	struct outer_level *level = &c->outer[1];
	u64 ready;

	level->given = 0;
	if (slot < 0)
		return outer_read(c, 2, addr, t, what);
	ready = read_hit(level, t, what) + level->config->latency +
		predict_way(c, 1, (u32)slot, what);
	level->given = level->state[slot];
	level->lines.key[slot] = ARRAY_EMPTY;
	level->lines.stamp[slot] = 0;
	level->state[slot] = 0;
	return ready;
}

/* What follows is compiled for each level: i is a constant. */

SIM_INLINE u64
level_read(struct core *c, unsigned i, u64 addr, u64 t,
	   enum outer_request what)
{
	struct outer_level *level = &c->outer[i];
	u64 ready;
	int slot;

	if (level->config->data_only && what == OUTER_IFETCH)
		return outer_read(c, i + 1, addr, t, what);
	slot = look_up(c, i, addr, t, what);
	if (SIM_UNLIKELY(i && level->config->victim))
		return read_victim(c, addr, t, what, slot);
	if (slot < 0)
		slot = (int)read_miss(c, i, addr, t, what, &ready);
	else
		ready = read_hit(level, t, what) + level->config->latency +
			predict_way(c, i, (u32)slot, what);
	if (what == OUTER_STORE)
		level->state[slot] |= OUTER_OWNED;
	return ready;
}

/* Less than a line, or a line, that level i has no place for yet, or that
 * goes through it. */
static SIM_NOINLINE void
write_through(struct core *c, unsigned i, u64 addr, u64 t, bool word,
	      int slot)
{
	const struct cache_config *config = c->outer[i].config;

	if (slot < 0 && !config->no_write_allocate) {
		slot = (int)make_room(c, i, addr >> c->outer[i].line_bits, t);
		if (word)
			outer_read(c, i + 1, addr, t, OUTER_STORE);
	}
	if (slot < 0 || config->write_through)
		outer_write(c, i + 1, addr, t, word);
	else
		c->outer[i].state[slot] |= OUTER_DIRTY;
}

SIM_INLINE void
level_write(struct core *c, unsigned i, u64 addr, u64 t, bool word)
{
	struct outer_level *level = &c->outer[i];
	int slot = look_up(c, i, addr, t, OUTER_WRITE);

	if (SIM_UNLIKELY(slot < 0 || level->config->write_through))
		write_through(c, i, addr, t, word, slot);
	else
		level->state[slot] |= OUTER_DIRTY;
}

u64
outer_read(struct core *c, unsigned i, u64 addr, u64 t,
	   enum outer_request what)
{
	if (i == c->n_outer)
		return memory_read(c, addr, t, what);
	return i ? level_read(c, 1, addr, t, what)
		 : level_read(c, 0, addr, t, what);
}

void
outer_write(struct core *c, unsigned i, u64 addr, u64 t, bool word)
{
	if (i == c->n_outer) {
		memory_write(c, t);
		if (SIM_UNLIKELY(c->coherence != NULL) && !word)
			coherence_written(c, addr);
		return;
	}
	if (i)
		level_write(c, 1, addr, t, word);
	else
		level_write(c, 0, addr, t, word);
}

u32
outer_put(struct core *c, u64 addr, u64 t)
{
	return make_room(c, 0, addr >> c->outer[0].line_bits, t);
}

bool
outer_owns(struct core *c, u64 addr)
{
	int slot = outer_find(&c->outer[0], addr);

	return slot >= 0 && c->outer[0].state[slot];
}

void
outer_upgrade(struct core *c, u64 addr)
{
	int slot = outer_find(&c->outer[0], addr);

	if (slot < 0)
		return;
	c->sig[SIG_L2_ACCESS]++;
	count_found(c, 0, OUTER_STORE, slot);
	c->outer[0].state[slot] |= OUTER_OWNED;
}
