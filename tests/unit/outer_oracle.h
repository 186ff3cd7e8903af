/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The levels behind the first one and the first one's contents, naively. */
#ifndef TEST_OUTER_ORACLE_H
#define TEST_OUTER_ORACLE_H

#include "core/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LEVELS OUTER_LEVELS

enum { MISS, EXCLUSIVE, MODIFIED };

struct naive_line {
	bool valid, dirty, owned;
	u64 number, used;
};

/* A level as rows of lines. */
struct naive_level {
	const struct cache_config *config;
	unsigned sets, next[8192], way[1 << 13];
	u32 random;
	struct naive_line *line;
	u64 found[OUTER_REQUESTS][3], out, writeback, way_miss[2];
};

struct naive {
	const struct sim_config *config;
	unsigned n;
	struct naive_level level[LEVELS];
	/* The first level: lines in sets, by last use. */
	struct naive_line *data, *code;
	u64 time, reads, writes, data_writeback, store_miss, load_miss;
	u64 victims;
	struct naive_line given; /* by the third level, to the second */
};

static inline void
naive_init(struct naive *o, const struct sim_config *c)
{
	const struct cache_config *config[] = {&c->l2, &c->l3};

	memset(o, 0, sizeof *o);
	o->config = c;
	o->data = calloc(c->l1d.size / c->l1d.line, sizeof *o->data);
	o->code = calloc(c->l1i.size / c->l1i.line, sizeof *o->code);
	for (unsigned i = 0; i < LEVELS && config[i]->size; i++) {
		struct naive_level *l = &o->level[o->n++];

		l->config = config[i];
		l->sets = config[i]->size / config[i]->line / config[i]->ways;
		l->random = 0x2545f491;
		l->line = calloc(l->sets * config[i]->ways, sizeof *l->line);
		assert_non_null(l->line);
	}
}

static inline void
naive_free(struct naive *o)
{
	for (unsigned i = 0; i < o->n; i++)
		free(o->level[i].line);
	free(o->data);
	free(o->code);
}

static inline struct naive_line *
in_set(struct naive_line *set, unsigned ways, u64 number)
{
	for (unsigned w = 0; w < ways; w++)
		if (set[w].valid && set[w].number == number)
			return &set[w];
	return NULL;
}

static inline struct naive_line *
oldest(struct naive_line *set, unsigned ways)
{
	struct naive_line *best = set;

	for (unsigned w = 0; w < ways; w++)
		if (!set[w].valid)
			return &set[w];
	for (unsigned w = 1; w < ways; w++)
		if (set[w].used < best->used)
			best = &set[w];
	return best;
}

static inline struct naive_line *
replaced(struct naive_level *l, unsigned set)
{
	unsigned ways = l->config->ways;
	struct naive_line *first = l->line + set * ways;

	if (l->config->policy == POLICY_LRU)
		return oldest(first, ways);
	if (l->config->policy != POLICY_RANDOM) {
		unsigned way = l->next[set];

		l->next[set] = (way + 1) % ways;
		return first + way;
	}
	for (unsigned w = 0; w < ways; w++)
		if (!first[w].valid)
			return first + w;
	l->random ^= l->random << 13;
	l->random ^= l->random >> 17;
	l->random ^= l->random << 5;
	return first + l->random % ways;
}

static inline void naive_write(struct naive *o, unsigned i, u64 addr,
			       bool word);

/* Drops what the rows hold of that memory; true if any of it was dirty. */
static inline bool
drop(struct naive_line *row, unsigned n, u64 bytes, u64 from, u64 to,
     u64 *writeback, u64 *out)
{
	bool dirty = false;

	for (unsigned k = 0; k < n; k++) {
		u64 addr = row[k].number * bytes;

		if (!row[k].valid || addr < from || addr >= to)
			continue;
		if (row[k].dirty) {
			++*writeback;
			dirty = true;
		}
		++*out;
		row[k] = (struct naive_line){0};
	}
	return dirty;
}

static inline bool
drop_inner(struct naive *o, unsigned i, u64 from, u64 to)
{
	const struct cache_config *d = &o->config->l1d, *f = &o->config->l1i;
	u64 unused = 0;
	bool dirty = drop(o->data, d->size / d->line, d->line, from, to,
			  &o->data_writeback, &unused);

	if (!o->level[i].config->data_only)
		drop(o->code, f->size / f->line, f->line, from, to, &unused,
		     &unused);
	for (unsigned k = 0; k < i; k++) {
		struct naive_level *l = &o->level[k];

		dirty |= drop(l->line, l->sets * l->config->ways,
			      l->config->line, from, to, &l->writeback,
			      &l->out);
	}
	return dirty;
}

static inline struct naive_line *allocate(struct naive *o, unsigned i,
					  u64 number);

/* A line comes into a third level that is a victim. */
static inline void
naive_victim(struct naive *o, unsigned i, u64 number, bool dirty)
{
	struct naive_level *l = &o->level[i];
	unsigned ways = l->config->ways;
	struct naive_line *e = in_set(l->line + number % l->sets * ways, ways,
				      number);

	o->victims++;
	if (!e) {
		e = allocate(o, i, number);
		if (l->config->way_entries)
			l->way[number % l->sets % l->config->way_entries] =
				(unsigned)(e - l->line) % ways;
	}
	e->used = ++o->time;
	e->dirty |= dirty;
}

static inline struct naive_line *
allocate(struct naive *o, unsigned i, u64 number)
{
	struct naive_level *l = &o->level[i];
	struct naive_line *e = replaced(l, (unsigned)(number % l->sets));
	u64 addr = e->number * l->config->line;
	bool dirty = e->dirty;

	if (e->valid) {
		bool victim = i + 1 < o->n && o->level[i + 1].config->victim;

		l->out++;
		if (l->config->inclusive)
			dirty |= drop_inner(o, i, addr,
					    addr + l->config->line);
		if (victim) {
			l->writeback += dirty;
			naive_victim(o, i + 1, e->number, dirty);
		} else if (dirty) {
			l->writeback++;
			naive_write(o, i + 1, addr, false);
		}
	}
	*e = (struct naive_line){
		.valid = true, .number = number, .used = ++o->time};
	return e;
}

static inline struct naive_line *
find(struct naive *o, unsigned i, u64 number, enum outer_request what)
{
	struct naive_level *l = &o->level[i];
	struct naive_line *e = in_set(l->line + number % l->sets *
						      l->config->ways,
				      l->config->ways, number);

	l->found[what][!e ? MISS
		       : e->dirty || e->owned ? MODIFIED
					      : EXCLUSIVE]++;
	if (e)
		e->used = ++o->time;
	return e;
}

static inline void
note_way(struct naive_level *l, struct naive_line *e, u64 number,
	 enum outer_request what, bool hit)
{
	unsigned set = (unsigned)(number % l->sets), *way;

	if (!l->config->way_entries)
		return;
	way = &l->way[set % l->config->way_entries];
	if (hit && *way != (unsigned)(e - l->line) % l->config->ways)
		l->way_miss[what != OUTER_IFETCH]++;
	*way = (unsigned)(e - l->line) % l->config->ways;
}

static inline void
naive_read(struct naive *o, unsigned i, u64 addr, enum outer_request what)
{
	struct naive_level *l = &o->level[i];
	struct naive_line *e;
	u64 number;

	if (i == o->n) {
		o->reads++;
		return;
	}
	if (l->config->data_only && what == OUTER_IFETCH) {
		naive_read(o, i + 1, addr, what);
		return;
	}
	number = addr / l->config->line;
	e = find(o, i, number, what);
	if (l->config->victim) {
		o->given = (struct naive_line){0};
		if (!e) {
			naive_read(o, i + 1, addr, what);
			return;
		}
		note_way(l, e, number, what, true);
		o->given = *e;
		*e = (struct naive_line){0};
		return;
	}
	if (!e && i + 1 < o->n && o->level[i + 1].config->victim) {
		struct naive_line given;

		naive_read(o, i + 1, addr, what);
		given = o->given;
		e = allocate(o, i, number);
		note_way(l, e, number, what, false);
		e->dirty = given.dirty;
		e->owned = given.owned;
	} else if (e) {
		note_way(l, e, number, what, true);
	} else {
		e = allocate(o, i, number);
		note_way(l, e, number, what, false);
		naive_read(o, i + 1, addr, what);
	}
	e->owned |= what == OUTER_STORE;
}

static inline void
naive_write(struct naive *o, unsigned i, u64 addr, bool word)
{
	struct naive_level *l = &o->level[i];
	struct naive_line *e;
	u64 number;

	if (i == o->n) {
		o->writes++;
		return;
	}
	number = addr / l->config->line;
	e = find(o, i, number, OUTER_WRITE);
	if (!e && !l->config->no_write_allocate) {
		e = allocate(o, i, number);
		note_way(l, e, number, OUTER_WRITE, false);
		if (word)
			naive_read(o, i + 1, addr, OUTER_STORE);
	}
	if (!e || l->config->write_through)
		naive_write(o, i + 1, addr, word);
	else
		e->dirty = true;
}

static inline void
naive_data(struct naive *o, u64 va, bool store)
{
	const struct cache_config *c = &o->config->l1d;
	u64 number = va / c->line, old;
	struct naive_line *set = o->data + number % (c->size / c->line /
						     c->ways) * c->ways;
	struct naive_line *e = in_set(set, c->ways, number);
	bool dirty;

	if (!e) {
		*(store ? &o->store_miss : &o->load_miss) += 1;
		if (store && c->no_write_allocate) {
			naive_write(o, 0, va, true);
			return;
		}
		naive_read(o, 0, number * c->line,
			   store ? OUTER_STORE : OUTER_LOAD);
		e = oldest(set, c->ways);
		old = e->number;
		dirty = e->valid && e->dirty;
		*e = (struct naive_line){0};
		if (dirty) {
			o->data_writeback++;
			naive_write(o, 0, old * c->line, false);
		}
		e->valid = true;
		e->number = number;
	}
	e->used = ++o->time;
	if (store && c->write_through)
		naive_write(o, 0, va, true);
	else
		e->dirty |= store;
}

static inline void
naive_code(struct naive *o, u64 va)
{
	const struct cache_config *c = &o->config->l1i;
	u64 number = va / c->line;
	struct naive_line *set = o->code + number % (c->size / c->line /
						     c->ways) * c->ways;
	struct naive_line *e = in_set(set, c->ways, number);

	if (!e) {
		e = oldest(set, c->ways);
		*e = (struct naive_line){0};
		naive_read(o, 0, number * c->line, OUTER_IFETCH);
		*e = (struct naive_line){.valid = true, .number = number};
	}
	e->used = ++o->time;
}

#endif
