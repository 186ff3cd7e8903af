/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefetchers, two levels of cache and a bus as one would write them down. */
#ifndef PREFETCH_NAIVE_H
#define PREFETCH_NAIVE_H

#include "oracle.h"

#include <string.h>

enum { NAIVE_MISS, NAIVE_CLEAN, NAIVE_CHANGED };
enum { NAIVE_LOAD, NAIVE_STORE, NAIVE_WRITE, NAIVE_AHEAD };

struct naive_line {
	bool valid, dirty, owned, marked;
	u64 number, used;
};

/* A cache of 64-byte lines. */
struct naive_cache {
	unsigned sets, ways;
	struct naive_line line[1024];
};

/* What a prefetcher knows. */
struct naive_unit {
	const struct prefetch_config *config;
	struct {
		bool valid;
		u64 key, last, used, ahead;
		s64 step;
		unsigned times;
	} row[64];
	u64 flight[SIM_PREFETCH_BUFFERS], ready[SIM_PREFETCH_BUFFERS];
	unsigned n;
};

struct naive {
	const struct sim_config *config;
	struct naive_cache first, second;
	struct naive_unit unit[SIM_PREFETCHERS];
	u64 time, access, bus;
	u64 miss[2], found[4][3], reads, writes;
	u64 brought, brought_used, ahead, ahead_used, late, dropped;
};

static void
naive_cache_init(struct naive_cache *k, const struct cache_config *config)
{
	k->ways = config->ways;
	k->sets = config->size ? config->size / 64 / config->ways : 0;
}

static void
naive_init(struct naive *o, const struct sim_config *config)
{
	memset(o, 0, sizeof *o);
	o->config = config;
	naive_cache_init(&o->first, &config->l1d);
	naive_cache_init(&o->second, &config->l2);
	for (u32 i = 0; i < config->n_prefetchers; i++)
		o->unit[i].config = &config->prefetcher[i];
}

static struct naive_line *
naive_find(struct naive_cache *k, u64 number)
{
	for (unsigned i = 0; i < k->sets * k->ways; i++)
		if (k->line[i].valid && k->line[i].number == number)
			return &k->line[i];
	return NULL;
}

/* The line to replace: an empty one, or that of the oldest use. */
static struct naive_line *
naive_oldest(struct naive_cache *k, u64 number)
{
	struct naive_line *row = k->line + number % k->sets * k->ways;
	struct naive_line *best = row;

	for (unsigned w = 1; w < k->ways; w++) {
		u64 a = row[w].valid ? row[w].used : 0;

		if (a < (best->valid ? best->used : 0))
			best = &row[w];
	}
	return best;
}

static u64
naive_bus(struct naive *o, u64 t, unsigned cycles)
{
	u64 start = t > o->bus ? t : o->bus;

	o->bus = start + cycles;
	return start;
}

static void
naive_memory_write(struct naive *o, u64 t)
{
	o->writes++;
	naive_bus(o, t, o->config->mem.bus_writeback);
}

static u64
naive_memory_read(struct naive *o, u64 t)
{
	o->reads++;
	return naive_bus(o, t, o->config->mem.bus_fill) +
	       o->config->mem.latency;
}

static struct naive_line *
naive_second_room(struct naive *o, u64 number, u64 t)
{
	struct naive_line *e = naive_oldest(&o->second, number);

	if (e->valid && e->dirty)
		naive_memory_write(o, t);
	*e = (struct naive_line){.valid = true, .number = number,
				 .used = ++o->time};
	return e;
}

/* The flight of a line to the second level; false: there is none. */
static bool
naive_flying(struct naive *o, u64 number, struct naive_unit **u, unsigned *k)
{
	for (u32 i = 0; i < o->config->n_prefetchers; i++) {
		*u = &o->unit[i];
		if ((*u)->config->fills != PREFETCH_FILLS_L2)
			continue;
		for (*k = 0; *k < (*u)->n; ++*k)
			if ((*u)->flight[*k] == number)
				return true;
	}
	return false;
}

static void
naive_land(struct naive_unit *u, unsigned k)
{
	u->n--;
	u->flight[k] = u->flight[u->n];
	u->ready[k] = u->ready[u->n];
}

/* The second level is asked for a line; whether it has it, in what is
 * returned, or the cycle of one that is late. */
static struct naive_line *
naive_second(struct naive *o, u64 number, u64 t, unsigned what)
{
	struct naive_line *e = naive_find(&o->second, number);
	struct naive_unit *u;
	unsigned k;

	if (e) {
		e->used = ++o->time;
	} else if (naive_flying(o, number, &u, &k) && u->ready[k] <= t) {
		e = naive_second_room(o, number, t);
		o->ahead_used++;
		naive_land(u, k);
	}
	o->found[what][!e ? NAIVE_MISS
		       : e->dirty || e->owned ? NAIVE_CHANGED
					      : NAIVE_CLEAN]++;
	return e;
}

static u64
naive_read(struct naive *o, u64 number, u64 t, unsigned what)
{
	u64 ready = t + o->config->l2.latency;
	struct naive_line *e;
	struct naive_unit *u;
	unsigned k;

	if (!o->second.sets)
		return naive_memory_read(o, t);
	e = naive_second(o, number, t, what);
	if (!e && naive_flying(o, number, &u, &k)) {
		ready = u->ready[k] > ready ? u->ready[k] : ready;
		o->late++;
		e = naive_second_room(o, number, t);
		naive_land(u, k);
	} else if (!e) {
		e = naive_second_room(o, number, t);
		ready = naive_memory_read(o, t);
	}
	e->owned |= what == NAIVE_STORE;
	return ready;
}

/* A line leaves the first level. */
static void
naive_write(struct naive *o, u64 number, u64 t)
{
	struct naive_line *e;

	if (!o->second.sets) {
		naive_memory_write(o, t);
		return;
	}
	e = naive_second(o, number, t, NAIVE_WRITE);
	if (!e)
		e = naive_second_room(o, number, t);
	e->dirty = true;
}

/* ---- Prefetchers ------------------------------------------------------ */

static void naive_train(struct naive *o, unsigned fills, u64 pc, u64 va, u64 t,
			bool wanted);

/* A line comes into the first level. */
static struct naive_line *
naive_fill(struct naive *o, u64 number, u64 t, unsigned what, u64 *ready)
{
	struct naive_line *e, was;

	*ready = naive_read(o, number, t, what);
	e = naive_oldest(&o->first, number);
	was = *e;
	*e = (struct naive_line){.valid = true, .number = number,
				 .used = o->access};
	if (was.valid && was.dirty)
		naive_write(o, was.number, t);
	return e;
}

/* Whether the first level's request is one that counts for "wanted". */
static bool
naive_wants(struct naive *o, u64 number)
{
	struct naive_line *e;
	bool used;

	if (!o->second.sets)
		return false;
	e = naive_find(&o->second, number);
	used = e && e->marked;
	if (used) {
		o->ahead_used++;
		e->marked = false;
	}
	return used || !e;
}

/* Buffers of lines that are there by now. */
static void
naive_settle(struct naive *o, struct naive_unit *u, u64 t)
{
	for (unsigned k = 0; k < u->n;) {
		u64 number = u->flight[k];
		bool outer = u->config->fills == PREFETCH_FILLS_L2;

		if (u->ready[k] > t) {
			k++;
			continue;
		}
		if (outer && !naive_find(&o->second, number))
			naive_second_room(o, number, t)->marked = true;
		naive_land(u, k);
	}
}

static void
naive_issue(struct naive *o, struct naive_unit *u, u64 from, u64 va, u64 t)
{
	bool outer = u->config->fills == PREFETCH_FILLS_L2, wanted;
	u64 number = va / 64, ready;
	struct naive_unit *other;
	unsigned k;

	if (from / 4096 != va / 4096 ||
	    naive_find(outer ? &o->second : &o->first, number) ||
	    (outer && naive_flying(o, number, &other, &k)))
		return;
	naive_settle(o, u, t);
	if (u->n == u->config->buffers) {
		o->dropped++;
		return;
	}
	if (outer) {
		u->flight[u->n] = number;
		u->ready[u->n++] = naive_memory_read(o, t);
		o->ahead++;
		return;
	}
	wanted = naive_wants(o, number);
	naive_fill(o, number, t, NAIVE_AHEAD, &ready)->marked = true;
	u->flight[u->n] = number;
	u->ready[u->n++] = ready;
	o->brought++;
	if (o->second.sets)
		naive_train(o, PREFETCH_FILLS_L2, 0, number * 64, t, wanted);
}

static void
naive_stride(struct naive *o, struct naive_unit *u, u64 pc, u64 va, u64 t)
{
	unsigned r = (unsigned)(pc % u->config->entries);
	s64 step = (s64)(va - u->row[r].last);
	s64 lines = (s64)(va / 64) - (s64)(u->row[r].last / 64);
	bool known = u->row[r].valid && u->row[r].key == pc;

	if (step < 128 && step > -128)
		step = lines * 64;
	u->row[r].last = va;
	if (!known) {
		u->row[r].valid = true;
		u->row[r].key = pc;
		u->row[r].step = 0;
		u->row[r].times = 0;
		return;
	}
	if (step == 0 || step != u->row[r].step) {
		u->row[r].step = step;
		u->row[r].times = 0;
		return;
	}
	if (u->row[r].times < u->config->confidence)
		u->row[r].times++;
	if (u->row[r].times < u->config->confidence)
		return;
	for (s64 i = 1; i <= u->config->degree; i++)
		naive_issue(o, u, va, va + (u64)(i * step), t);
}

static void
naive_stream(struct naive *o, struct naive_unit *u, u64 va, u64 t)
{
	u64 page = va / 4096, number = va / 64;
	unsigned r = 0, reach = u->config->reach;
	s64 step;

	for (unsigned i = 0; i < u->config->entries; i++)
		if (u->row[i].used < u->row[r].used)
			r = i;
	for (unsigned i = 0; i < u->config->entries; i++)
		if (u->row[i].valid && u->row[i].key == page)
			r = i;
	if (!u->row[r].valid || u->row[r].key != page) {
		u->row[r].valid = true;
		u->row[r].key = page;
		u->row[r].last = number;
		u->row[r].step = 0;
		u->row[r].times = 0;
		u->row[r].ahead = 0;
	}
	u->row[r].used = ++o->time;
	step = (s64)(number - u->row[r].last);
	if (!step)
		return;
	if (!reach)
		step = step > 0 ? 1 : -1;
	else if (step > (s64)reach || step < -(s64)reach)
		step = 0;
	u->row[r].last = number;
	if (step != u->row[r].step) {
		u->row[r].step = step;
		u->row[r].times = 0;
		u->row[r].ahead = number;
	}
	if (!step)
		return;
	if (u->row[r].times < u->config->confidence)
		u->row[r].times++;
	if (step > 0 ? u->row[r].ahead < number : u->row[r].ahead > number)
		u->row[r].ahead = number;
	if (u->row[r].times < u->config->confidence)
		return;
	for (unsigned i = 0; i < u->config->degree; i++) {
		u64 next = u->row[r].ahead + (u64)step;

		if (next / 64 != number / 64 ||
		    (s64)(next - number) / step > u->config->distance)
			return;
		u->row[r].ahead = next;
		naive_issue(o, u, va, next * 64, t);
	}
}

/* pc: of a load, for strides; 0: of none. */
static void
naive_train(struct naive *o, unsigned fills, u64 pc, u64 va, u64 t,
	    bool wanted)
{
	for (u32 i = 0; i < o->config->n_prefetchers; i++) {
		struct naive_unit *u = &o->unit[i];
		bool stride = u->config->kind == PREFETCH_STRIDE;

		if (stride && pc)
			naive_stride(o, u, pc, va, t);
		if (stride || pc || u->config->fills != fills)
			continue;
		if (u->config->kind == PREFETCH_STREAM)
			naive_stream(o, u, va, t);
		else
			for (unsigned k = 1; wanted && k <= u->config->degree;
			     k++)
				naive_issue(o, u, va, va + 64 * k, t);
	}
}

/* What is known of a line before it is accessed. */
struct naive_look {
	u64 va;
	bool hit, first, wanted;
};

static struct naive_look
naive_look(struct naive *o, u64 va)
{
	struct naive_line *e = naive_find(&o->first, va / 64);
	struct naive_look l = {.va = va, .hit = e, .first = e && e->marked};

	if (e)
		e->marked = false;
	o->brought_used += l.first;
	if (!e)
		l.wanted = naive_wants(o, va / 64);
	return l;
}

static void
naive_touch(struct naive *o, u64 number, bool store, u64 t)
{
	struct naive_line *e = naive_find(&o->first, number);
	u64 ready;

	if (!e) {
		o->miss[store]++;
		e = naive_fill(o, number, t, store ? NAIVE_STORE : NAIVE_LOAD,
			       &ready);
	}
	e->used = o->access;
	e->dirty |= store;
}

/* Of one line or two, each of which trains. */
static void
naive_access(struct naive *o, u64 pc, u64 va, unsigned bytes, bool store, u64 t)
{
	unsigned n = 1 + (va / 64 != (va + bytes - 1) / 64);
	struct naive_look l[2];
	bool any = false;

	o->access++;
	for (unsigned i = 0; i < n; i++) {
		l[i] = naive_look(o, i ? va + bytes - 1 : va);
		any |= !l[i].hit || l[i].first;
	}
	for (unsigned i = 0; i < n; i++)
		naive_touch(o, l[i].va / 64, store, t);
	if (any && !store)
		naive_train(o, PREFETCH_FILLS_L1D, pc, va, t, true);
	for (unsigned i = 0; i < n; i++) {
		if (l[i].hit && !l[i].first)
			continue;
		naive_train(o, PREFETCH_FILLS_L1D, 0, l[i].va, t, true);
		if (!l[i].hit && o->second.sets)
			naive_train(o, PREFETCH_FILLS_L2, 0, l[i].va, t,
				    l[i].wanted);
	}
}

#endif
