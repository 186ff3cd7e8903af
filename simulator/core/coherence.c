/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "coherence.h"
#include "near.h"

#include "dcache.h"
#include "prefetch.h"

#include <stdlib.h>

#define FIRST_ENTRIES 4096u
#define NO_OWNER (-1)

/* What the directory knows of a line: sharers only if there is no owner. */
struct entry {
	u64 line;
	u16 sharers;		/* bit per CPU */
	s32 owner;		/* or NO_OWNER */
};

struct coherence {
	struct core *core[SIM_MAX_TC];
	u32 line_bits;		/* of the longest line of any cache */
	bool evictions_told;	/* a line written back is gone */
	struct entry *entry;	/* by hash, linear probing */
	u32 mask, used;
};

/* ---- The directory --------------------------------------------------- */

static struct entry *
entries_new(u32 n)
{
	struct entry *e = malloc(n * sizeof *e);

	for (u32 i = 0; e && i < n; i++)
		e[i] = (struct entry){.line = ARRAY_EMPTY, .owner = NO_OWNER};
	return e;
}

static struct entry *
place_of(struct entry *entry, u32 mask, u64 line)
{
	u32 at = (u32)(line * 0x9e3779b97f4a7c15ull >> 32) & mask;

	while (entry[at].line != line && entry[at].line != ARRAY_EMPTY)
		at = (at + 1) & mask;
	return &entry[at];
}

/* Twice the room; false if there is none. */
static bool
grow(struct coherence *d)
{
	u32 mask = 2 * d->mask + 1;
	struct entry *bigger = entries_new(mask + 1);

	if (!bigger)
		return false;
	for (u32 i = 0; i <= d->mask; i++)
		if (d->entry[i].line != ARRAY_EMPTY)
			*place_of(bigger, mask, d->entry[i].line) =
				d->entry[i];
	free(d->entry);
	d->entry = bigger;
	d->mask = mask;
	return true;
}

/* The entry of a line, a new one if need be; NULL if there is no memory left
 * for it, then no owner of the line is known. */
static struct entry *
look_up(struct coherence *d, u64 line)
{
	struct entry *e = place_of(d->entry, d->mask, line);

	if (e->line == line)
		return e;
	if (d->used >= d->mask / 4 * 3) {
		if (!grow(d))
			return NULL;
		e = place_of(d->entry, d->mask, line);
	}
	d->used++;
	e->line = line;
	return e;
}

static u32
longest_line(const struct sim_config *config)
{
	const u32 line[] = {config->l1i.line, config->l1d.line,
			    config->l2.size ? config->l2.line : 0,
			    config->l3.size ? config->l3.line : 0};
	u32 longest = 0;

	for (unsigned i = 0; i < SIM_COUNT(line); i++)
		if (line[i] > longest)
			longest = line[i];
	return longest;
}

struct coherence *
coherence_new(const struct sim_config *config)
{
	const struct cache_config *last = config->l3.size ? &config->l3
							  : &config->l2;
	struct coherence *d = calloc(1, sizeof *d);

	if (!d)
		return NULL;
	d->line_bits = (u32)__builtin_ctz(longest_line(config));
	d->evictions_told = last->size && last->inclusive &&
			    !last->write_through;
	d->mask = FIRST_ENTRIES - 1;
	d->entry = entries_new(FIRST_ENTRIES);
	if (d->entry)
		return d;
	free(d);
	return NULL;
}

void
coherence_free(struct coherence *d)
{
	if (d)
		free(d->entry);
	free(d);
}

/* ---- What a CPU has -------------------------------------------------- */

enum held { HELD_NOT, HELD_CLEAN, HELD_DIRTY };

static enum held
more_of(enum held a, enum held b)
{
	return a > b ? a : b;
}

/* The data cache's part; what it has changed goes to the level behind. */
static enum held
data_clean(struct core *c, u64 addr, u64 end)
{
	enum held held = HELD_NOT;

	for (; addr < end; addr += 1ull << c->dline_bits) {
		int s = array_find(&c->l1d, addr >> c->dline_bits);

		if (s < 0)
			continue;
		held = more_of(held, c->data_dirty[s] ? HELD_DIRTY
						      : HELD_CLEAN);
		c->sig[SIG_DCACHE_WB] += c->data_dirty[s];
		c->data_dirty[s] = 0;
		c->data_own[s] = false;
	}
	return held;
}

static bool
code_held(const struct core *c, u64 addr, u64 end)
{
	for (; addr < end; addr += 1ull << c->iline_bits)
		if (array_find(&c->l1i, addr >> c->iline_bits) >= 0)
			return true;
	return false;
}

/* The CPU cleans its line, or loses it; how it had it. */
static enum held
surrender(struct core *c, u64 addr, u64 end, bool lose)
{
	enum held held = data_clean(c, addr, end);
	int level = outer_clean(c, addr, end, held == HELD_DIRTY, lose);

	c->sig[SIG_EXT_DATA_HIT] += held != HELD_NOT;
	if (level >= 0)
		held = more_of(held, level ? HELD_DIRTY : HELD_CLEAN);
	if (!held && code_held(c, addr, end))
		held = HELD_CLEAN;
	if (lose) {
		data_invalidate(c, addr, end);
		fetch_invalidate(c, addr, end);
	}
	return held;
}

static bool
holds(struct core *c, u64 addr, u64 end)
{
	u64 step = 1ull << c->dline_bits;

	if (code_held(c, addr, end) || outer_holds(c, addr, end))
		return true;
	for (; addr < end; addr += step)
		if (array_find(&c->l1d, addr >> c->dline_bits) >= 0)
			return true;
	return false;
}

/* ---- Requests -------------------------------------------------------- */

/* Where the line of an address begins, and where it ends. */
static u64
line_start(const struct coherence *d, u64 addr, u64 *end)
{
	u64 start = addr >> d->line_bits << d->line_bits;

	*end = start + (1ull << d->line_bits);
	return start;
}

/* The owner is asked for the line: for itself, or to share it. */
static enum held
intervene(struct coherence *d, const struct entry *e, u64 addr, u64 t,
	  bool lose)
{
	struct core *owner = d->core[(unsigned)e->owner];
	u64 end, start = line_start(d, addr, &end);
	enum held held = surrender(owner, start, end, lose);

	owner->sig[SIG_EXT_INTERVENTION]++;
	owner->sig[SIG_EXT_INTERVENTION_E] += held == HELD_CLEAN;
	owner->sig[SIG_EXT_INTERVENTION_M] += held == HELD_DIRTY;
	if (held == HELD_DIRTY && !lose)
		memory_write(owner, t);
	return held;
}

/* Whether a sharer still has the line. */
static bool
is_shared(const struct coherence *d, u32 sharers, u64 addr)
{
	u64 end, start = line_start(d, addr, &end);

	for (; sharers; sharers &= sharers - 1)
		if (holds(d->core[__builtin_ctz(sharers)], start, end))
			return true;
	return false;
}

/* The sharers but for CPU cpu lose the line. */
static void
invalidate_others(struct coherence *d, u32 sharers, unsigned cpu, u64 addr)
{
	u64 end, start = line_start(d, addr, &end);

	for (u32 left = sharers & ~(1u << cpu); left; left &= left - 1) {
		struct core *c = d->core[__builtin_ctz(left)];

		c->sig[SIG_EXT_INVALIDATE]++;
		if (surrender(c, start, end, true))
			c->sig[SIG_EXT_INVALIDATE_HIT]++;
	}
}

void
coherence_store(struct core *c, u64 addr, u64 t)
{
	struct coherence *d = c->coherence;
	struct entry *e = look_up(d, addr >> d->line_bits);
	u64 end, start = line_start(d, addr, &end);

	c->store_shared = false;
	if (!e || e->owner == c->cpu)
		return;
	if (e->owner != NO_OWNER) {
		c->sig[SIG_OTHER_STORE_M] +=
			intervene(d, e, addr, t, true) == HELD_DIRTY;
	} else if (e->sharers) {
		invalidate_others(d, e->sharers, c->cpu, addr);
		c->store_shared = holds(c, start, end);
		c->sig[SIG_UPGRADE_SHARED] += c->store_shared;
		outer_own(c, start, end);
	}
	e->owner = c->cpu;
	e->sharers = 0;
}

/* The owner shares the line from now on, if it still has it. */
static void
share(struct coherence *d, struct entry *e, struct core *c, u64 addr, u64 t)
{
	enum held held = intervene(d, e, addr, t, false);

	c->sig[SIG_OTHER_READ_E] += held == HELD_CLEAN;
	c->sig[SIG_OTHER_READ_M] += held == HELD_DIRTY;
	if (held != HELD_NOT)
		e->sharers = (u16)(1u << e->owner);
	e->owner = NO_OWNER;
}

void
coherence_read(struct core *c, u64 addr, u64 t, enum outer_request what)
{
	struct coherence *d = c->coherence;
	struct entry *e;

	/* A store has asked before. */
	if (what == OUTER_STORE)
		return;
	e = look_up(d, addr >> d->line_bits);
	if (!e || e->owner == c->cpu)
		return;
	if (e->owner != NO_OWNER) {
		share(d, e, c, addr, t);
	} else if (!e->sharers &&
		   (what == OUTER_LOAD || what == OUTER_PREFETCH)) {
		e->owner = c->cpu;
		return;
	} else {
		c->sig[SIG_OTHER_READ_E] += is_shared(
			d, e->sharers & ~(1u << c->cpu), addr);
	}
	e->sharers |= (u16)(1u << c->cpu);
}

void
coherence_written(struct core *c, u64 addr)
{
	struct coherence *d = c->coherence;
	struct entry *e;

	if (!d->evictions_told)
		return;
	e = look_up(d, addr >> d->line_bits);
	if (e && e->owner == c->cpu)
		e->owner = NO_OWNER;
}

/* ---- A CPU joins ----------------------------------------------------- */

static void
join_line(struct coherence *d, u64 addr, unsigned cpu)
{
	struct entry *e = look_up(d, addr >> d->line_bits);

	if (e)
		e->owner = (s32)cpu;
}

static void
join_lines(struct coherence *d, const struct array *a, u32 bits, unsigned cpu)
{
	u32 n = (a->set_mask + 1) * a->ways;

	for (u32 i = 0; i < n; i++)
		if (a->key[i] != ARRAY_EMPTY)
			join_line(d, a->key[i] << bits, cpu);
}

void
coherence_join(struct coherence *d, struct core *c, unsigned cpu)
{
	u64 addr;

	d->core[cpu] = c;
	c->cpu = (u8)cpu;
	c->coherence = d;
	c->plain = false;
	near_choose(c);
	join_lines(d, &c->l1i, c->iline_bits, cpu);
	join_lines(d, &c->l1d, c->dline_bits, cpu);
	for (unsigned i = 0; i < c->n_outer; i++)
		join_lines(d, &c->outer[i].lines, c->outer[i].line_bits, cpu);
	for (u32 k = 0; prefetch_under_way(c, k, &addr); k++)
		join_line(d, addr, cpu);
}
