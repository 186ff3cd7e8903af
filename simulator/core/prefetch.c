/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefetchers: what trains them, and lines on their way. */
#include "prefetch_internal.h"

#include "dcache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Setting up ------------------------------------------------------- */

static u64 *
new_marks(u32 lines)
{
	u64 *mark = malloc(lines * sizeof *mark);

	for (u32 i = 0; mark && i < lines; i++)
		mark[i] = PREFETCH_NO_LINE;
	return mark;
}

static int
init_unit(struct prefetch_unit *u, const struct prefetch_config *config)
{
	u->config = config;
	u->entry = calloc(config->entries + 1, sizeof *u->entry);
	u->place = calloc(config->entries + 1, sizeof *u->place);
	if (!u->entry || !u->place)
		return -ENOMEM;
	for (u32 i = 0; i <= config->entries; i++) {
		u->entry[i].key = PREFETCH_NO_LINE;
		u->place[i].newer = (u16)(i == config->entries ? 0 : i + 1);
		u->place[i].older = (u16)(i ? i - 1 : config->entries);
	}
	return 0;
}

/* Loads are known by their addresses whatever level is filled. */
static void
group_unit(struct prefetch *x, struct prefetch_unit *u)
{
	struct prefetch_group *g = u->config->kind == PREFETCH_STRIDE
					   ? &x->loads
					   : &x->by_fill[u->config->fills];

	g->unit[g->n++] = u;
	x->fills_outer |= u->config->fills == PREFETCH_FILLS_L2;
}

int
prefetch_init(struct core *c)
{
	const struct sim_config *config = c->config;
	struct prefetch *x;
	int error = 0;

	if (!config->n_prefetchers)
		return 0;
	x = c->prefetch = calloc(1, sizeof *x);
	if (!x)
		return -ENOMEM;
	x->n = config->n_prefetchers;
	x->mark[0] = new_marks(config->l1d.size / config->l1d.line);
	if (config->l2.size)
		x->mark[1] = new_marks(config->l2.size / config->l2.line);
	if (!x->mark[0] || (config->l2.size && !x->mark[1]))
		return -ENOMEM;
	for (u32 i = 0; i < x->n && !error; i++) {
		error = init_unit(&x->unit[i], &config->prefetcher[i]);
		group_unit(x, &x->unit[i]);
	}
	return error;
}

void
prefetch_child(struct core *c)
{
	for (u32 i = 0; i < c->prefetch->n; i++)
		c->prefetch->unit[i].n = 0;
}

void
prefetch_replaced(struct core *c, u32 slot)
{
	c->prefetch->mark[1][slot] = PREFETCH_NO_LINE;
}

/* ---- Lines on their way ----------------------------------------------- */

static bool
is_outer(const struct prefetch_unit *u)
{
	return u->config->fills == PREFETCH_FILLS_L2;
}

/* Line k of u arrives; its slot. */
static u32
arrive(struct core *c, struct prefetch_unit *u, u32 k, u64 t)
{
	struct prefetch_flight f = u->flight[k];
	u32 slot = outer_put(c, f.line << c->outer[0].line_bits, t);

	u->flight[k] = u->flight[--u->n];
	c->outer[0].state[slot] |= f.state;
	c->prefetch->mark[1][slot] = f.line;
	return slot;
}

/* Line k of u needs its buffer no more.  One that the level behind has got in
 * another way has been in vain. */
static void
land(struct core *c, struct prefetch_unit *u, u32 k, u64 t)
{
	struct prefetch_flight f = u->flight[k];
	int slot = is_outer(u) ? array_find(&c->outer[0].lines, f.line) : -1;

	if (is_outer(u) && slot < 0) {
		arrive(c, u, k, t);
		return;
	}
	u->flight[k] = u->flight[--u->n];
	if (slot >= 0)
		c->outer[0].state[slot] |= f.state;
}

/* Lines that are there by cycle t. */
static void
settle(struct core *c, struct prefetch_unit *u, u64 t)
{
	for (u32 k = 0; k < u->n;) {
		if (u->flight[k].ready > t)
			k++;
		else
			land(c, u, k, t);
	}
}

/* The unit that fetches a line into the level behind, and its flight; or
 * NULL. */
static struct prefetch_unit *
find_flight(const struct core *c, u64 line, u32 *k)
{
	struct prefetch *x = c->prefetch;

	for (u32 i = 0; i < x->n; i++) {
		struct prefetch_unit *u = &x->unit[i];

		if (!is_outer(u))
			continue;
		for (*k = 0; *k < u->n; ++*k)
			if (u->flight[*k].line == line)
				return u;
	}
	return NULL;
}

int
prefetch_arrived(struct core *c, u64 addr, u64 t)
{
	u32 k;
	struct prefetch_unit *u =
		find_flight(c, addr >> c->outer[0].line_bits, &k);

	u32 slot;

	if (!u || u->flight[k].ready > t)
		return -1;
	c->sig[SIG_PREFETCH_L2_USED]++;
	slot = arrive(c, u, k, t);
	c->prefetch->mark[1][slot] = PREFETCH_NO_LINE;
	return (int)slot;
}

int
prefetch_late(struct core *c, u64 addr, u64 t, u64 *ready)
{
	u32 k, slot;
	struct prefetch_unit *u =
		find_flight(c, addr >> c->outer[0].line_bits, &k);

	if (!u)
		return -1;
	*ready = later(u->flight[k].ready, t + c->outer[0].config->latency);
	c->sig[SIG_PREFETCH_L2_LATE]++;
	slot = arrive(c, u, k, t);
	c->prefetch->mark[1][slot] = PREFETCH_NO_LINE;
	return (int)slot;
}

/* ---- Other CPUs -------------------------------------------------------- */

bool
prefetch_under_way(const struct core *c, u32 k, u64 *addr)
{
	const struct prefetch *x = c->prefetch;

	for (u32 i = 0; x && i < x->n; i++) {
		const struct prefetch_unit *u = &x->unit[i];

		if (!is_outer(u))
			continue;
		if (k < u->n) {
			*addr = u->flight[k].line << c->outer[0].line_bits;
			return true;
		}
		k -= u->n;
	}
	return false;
}

bool
prefetch_clean(struct core *c, u64 addr, u64 end, bool *dirty, bool lose)
{
	u32 bits = c->outer[0].line_bits, k;
	bool held = false;

	for (; c->prefetch && addr < end; addr += 1ull << bits) {
		struct prefetch_unit *u = find_flight(c, addr >> bits, &k);

		if (!u)
			continue;
		held = true;
		*dirty |= u->flight[k].state & OUTER_DIRTY;
		u->flight[k].state = 0;
		if (lose)
			u->flight[k] = u->flight[--u->n];
	}
	return held;
}

bool
prefetch_holds(const struct core *c, u64 addr, u64 end)
{
	u32 bits = c->outer[0].line_bits, k;

	for (; c->prefetch && addr < end; addr += 1ull << bits)
		if (find_flight(c, addr >> bits, &k))
			return true;
	return false;
}

/* ---- Fills ------------------------------------------------------------- */

/* One comes into the level behind. */
static void
fill_outer(struct core *c, struct prefetch_unit *u, u64 line, u64 t)
{
	u64 ready = outer_read(c, 1, line << c->outer[0].line_bits, t,
			       OUTER_PREFETCH);

	u->flight[u->n++] = (struct prefetch_flight){
		line, ready, c->outer[1].given};
	c->sig[SIG_PREFETCH_L2]++;
}

/* ---- What trains them ------------------------------------------------- */

SIM_INLINE void
train(struct core *c, const struct prefetch_group *of,
      const struct prefetch_trigger *g)
{
	for (u32 i = 0; i < of->n; i++)
		prefetch_train(c, of->unit[i], g);
}

/* Whether the level has a line that was prefetched into it, and is used for the
 * first time. */
static bool
take_mark(u64 *mark, int slot, u64 line)
{
	if (slot < 0 || mark[slot] != line)
		return false;
	mark[slot] = PREFETCH_NO_LINE;
	return true;
}

/* The data cache is about to ask the level behind: prefetch_trigger.wanted, if
 * any prefetcher is there. */
static bool
wants_outer(struct core *c, u64 va)
{
	bool used;
	int slot;

	if (!c->n_outer || !c->prefetch->fills_outer)
		return false;
	slot = outer_find(&c->outer[0], va);
	used = take_mark(c->prefetch->mark[1], slot,
			 va >> c->outer[0].line_bits);
	c->sig[SIG_PREFETCH_L2_USED] += used;
	return used || slot < 0;
}

/* A line comes into the data cache, as data_fill() does it. */
static void
fill_first(struct core *c, struct prefetch_unit *u, u64 line, u64 t)
{
	u64 addr = line << c->dline_bits, ready;
	struct prefetch_trigger g = {.va = addr, .t = t,
				     .wanted = wants_outer(c, addr)};
	struct data_result r = {0};	/* nothing waits for it */
	u32 s;

	ready = c->n_outer ? outer_read(c, 0, addr, t, OUTER_PREFETCH)
			   : memory_read(c, addr, t, OUTER_PREFETCH);
	s = data_victim(c, line, false);
	data_evict(c, s, t, &r, false);
	c->data_line[s] = line;
	c->data_ready[s] = ready;
	c->data_stamp[s] = c->prefetch->stamp;
	c->data_dirty[s] = 0;
	c->data_own[s] = c->tells && outer_owns(c, addr);
	c->prefetch->mark[0][s] = line;
	c->sig[SIG_PREFETCH_L1D]++;
	u->flight[u->n++] = (struct prefetch_flight){line, ready, 0};
	if (c->n_outer)
		train(c, &c->prefetch->by_fill[PREFETCH_FILLS_L2], &g);
}

void
prefetch_issue(struct core *c, struct prefetch_unit *u, u64 addr, u64 t)
{
	u64 line = addr >> (is_outer(u) ? c->outer[0].line_bits
					: c->dline_bits);
	u32 k;

	if (array_find(is_outer(u) ? &c->outer[0].lines : &c->l1d, line) >= 0 ||
	    (is_outer(u) && find_flight(c, line, &k)))
		return;
	settle(c, u, t);
	if (u->n == u->config->buffers) {
		c->sig[SIG_PREFETCH_DROPPED]++;
		return;
	}
	alone_forget(c);
	if (is_outer(u))
		fill_outer(c, u, line, t);
	else
		fill_first(c, u, line, t);
}

/* ---- Accesses --------------------------------------------------------- */

/* What is known of a line before it is accessed. */
struct look_line {
	u64 va;		/* the access, or its last byte */
	bool hit;	/* the data cache has it */
	bool seen;	/* it misses, or was prefetched and is used now */
	bool outer;	/* it does not hit: wants_outer() */
};

/* What is known of an access before it is made. */
struct look {
	u64 t;
	struct look_line line, second;
	bool split;	/* the second one is there */
};

SIM_INLINE struct look_line
look_line(struct core *c, u64 va, int slot)
{
	struct look_line l = {.va = va, .hit = slot >= 0};
	bool first = take_mark(c->prefetch->mark[0], slot,
			       va >> c->dline_bits);

	c->sig[SIG_PREFETCH_L1D_USED] += first;
	l.seen = !l.hit || first;
	l.outer = !l.hit && wants_outer(c, va);
	return l;
}

static SIM_NOINLINE void
look_second(struct core *c, u64 last, struct look *l)
{
	int slot = array_find(&c->l1d, last >> c->dline_bits);

	l->split = true;
	l->second = look_line(c, last, slot);
}

SIM_INLINE void
look_before(struct core *c, u32 what, u64 va, const struct block_access *a,
	    struct look *l)
{
	u64 line = va >> c->dline_bits, last = va + (what >> 1) - 1;
	int slot = array_find(&c->l1d, line);

	l->t = core_cycle(c) - a->cycles_back;
	l->split = false;
	c->looked_line = line;
	c->looked_slot = slot;
	c->prefetch->stamp = (u32)c->now - a->clock_back;
	l->line = look_line(c, va, slot);
	if (SIM_UNLIKELY(last >> c->dline_bits != line))
		look_second(c, last, l);
}

/* A line has come into the data cache for an access: what was marked in its
 * slot has left. */
static void
forget_mark(struct core *c, u64 va)
{
	u64 line = va >> c->dline_bits;
	int slot = data_find_looked(c, line);

	if (slot < 0)
		slot = array_find(&c->l1d, line);
	if (slot >= 0)
		c->prefetch->mark[0][slot] = PREFETCH_NO_LINE;
}

/* Those that know lines see each of an access. */
SIM_INLINE void
train_line(struct core *c, const struct look_line *l, struct prefetch_trigger g)
{
	if (!l->seen)
		return;
	g.va = l->va;
	train(c, &c->prefetch->by_fill[PREFETCH_FILLS_L1D], &g);
	g.wanted = l->outer;
	if (!l->hit && c->n_outer)
		train(c, &c->prefetch->by_fill[PREFETCH_FILLS_L2], &g);
}

/* The access has been made. */
SIM_INLINE void
look_behind(struct core *c, u32 what, u64 va, const struct block_access *a,
	    const struct look *l)
{
	struct prefetch *x = c->prefetch;
	struct prefetch_trigger g = {
		.va = va, .t = c->window ? c->asked : l->t, .wanted = true};
	bool seen = l->line.seen || (l->split && l->second.seen);

	if (!l->line.hit)
		forget_mark(c, va);
	if (SIM_UNLIKELY(l->split) && !l->second.hit)
		forget_mark(c, l->second.va);
	c->looked_line = ARRAY_EMPTY;
	if (!seen)
		return;
	if (!(what & 1) && x->loads.n) {
		g.pc = c->prev->vaddr + a->place;
		train(c, &x->loads, &g);
	}
	train_line(c, &l->line, g);
	if (SIM_UNLIKELY(l->split))
		train_line(c, &l->second, g);
}

static void
prefetch_access(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	struct look l;

	look_before(c, what, va, a, &l);
	c->prefetch->access(c, what, va, a);
	look_behind(c, what, va, a, &l);
}

/* An access whose page is shown. */
static void
prefetch_unshown(struct core *c, u32 what, u64 va, const struct block_access *a,
		 u32 page, u32 clock)
{
	struct look l;

	look_before(c, what, va, a, &l);
	c->prefetch->unshown[what & 1](c, what, va, a, page, clock);
	look_behind(c, what, va, a, &l);
}

void
prefetch_wrap(struct core *c)
{
	c->prefetch->access = c->access;
	c->access = prefetch_access;
}

unshown_fn *
prefetch_wrap_unshown(struct core *c, unsigned store, unshown_fn *fn)
{
	c->prefetch->unshown[store] = fn;
	return fn ? prefetch_unshown : NULL;
}
