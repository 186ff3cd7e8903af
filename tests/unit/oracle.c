/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "oracle.h"

#include <stdlib.h>

u32
dice_next(struct dice *d)
{
	d->state = d->state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(d->state >> 33);
}

u32
dice_below(struct dice *d, u32 n)
{
	return dice_next(d) % n;
}

bool
dice_percent(struct dice *d, unsigned n)
{
	return dice_below(d, 100) < n;
}

u32
dice_pick(struct dice *d, const u32 *list, u32 n)
{
	return list[dice_below(d, n)];
}

void
dice_tlb(struct dice *d, struct tlb_config *t, u32 page_bits, u32 policies)
{
	*t = (struct tlb_config){
		.entries = DICE_PICK(d, 4, 8, 16, 32, 64),
		.ways = DICE_PICK(d, 0, 0, 1, 2, 4),
		.page_bits = page_bits,
		.policy = (u8)dice_below(d, policies),
	};
}

/* ---- Arrays ----------------------------------------------------------- */

void
oracle_array_init(struct oracle_array *a, unsigned entries, unsigned ways,
		  u8 policy)
{
	*a = (struct oracle_array){.policy = policy, .random = 0x2545f491};
	if (!entries)
		return;
	a->ways = ways ? ways : entries;
	a->sets = entries / a->ways;
	a->entry = calloc(entries, sizeof *a->entry);
	if (!a->entry)
		abort();
}

void
oracle_array_free(struct oracle_array *a)
{
	free(a->entry);
}

static struct oracle_entry *
set_of(struct oracle_array *a, u64 key)
{
	return a->entry + key % a->sets * a->ways;
}

struct oracle_entry *
oracle_find(struct oracle_array *a, u64 key, u64 time)
{
	struct oracle_entry *set = set_of(a, key);

	for (unsigned w = 0; w < a->ways; w++) {
		if (!set[w].valid || set[w].key != key)
			continue;
		set[w].used = time;
		return &set[w];
	}
	return NULL;
}

/* Marsaglia's generator of 32 bits with shifts 13, 17, 5. */
static u32
xorshift(u32 *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return *x;
}

static struct oracle_entry *
choose(struct oracle_array *a, struct oracle_entry *set)
{
	struct oracle_entry *best = set;

	for (unsigned w = 0; w < a->ways; w++)
		if (!set[w].valid)
			return &set[w];
	if (a->policy == POLICY_RANDOM)
		return &set[xorshift(&a->random) % a->ways];
	for (unsigned w = 1; w < a->ways; w++) {
		if (a->policy == POLICY_LRU && set[w].used < best->used)
			best = &set[w];
		if (a->policy != POLICY_LRU && set[w].filled < best->filled)
			best = &set[w];
	}
	return best;
}

struct oracle_entry *
oracle_fill(struct oracle_array *a, u64 key, u64 time,
	    struct oracle_entry *old)
{
	struct oracle_entry *e = choose(a, set_of(a, key));

	*old = *e;
	*e = (struct oracle_entry){
		.valid = true, .key = key, .used = time, .filled = a->fills++};
	return e;
}

/* ---- Buffers, memory -------------------------------------------------- */

static void
give_back(struct oracle_buffer *b, u64 t)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < b->n; i++)
		if (b->done[i] > t)
			b->done[kept++] = b->done[i];
	b->n = kept;
}

u64
oracle_take(struct oracle_buffer *b, u64 t)
{
	give_back(b, t);
	if (b->n < b->capacity)
		return t;
	t = b->done[0];
	for (unsigned i = 1; i < b->n; i++)
		if (b->done[i] < t)
			t = b->done[i];
	give_back(b, t);
	return t;
}

void
oracle_put(struct oracle_buffer *b, u64 done)
{
	b->done[b->n++] = done;
}

static void
hold(struct oracle_holds *h, u64 from, u64 to)
{
	unsigned i = h->n++ % ORACLE_HELD;

	h->from[i] = from;
	h->to[i] = to;
}

/* How many are held in any of these cycles, and the first cycle that one of them is
 * not. */
static unsigned
held(const struct oracle_holds *h, u64 from, u64 to, u64 *until)
{
	unsigned n = 0;

	*until = ~0ull;
	for (unsigned i = 0; i < h->n && i < ORACLE_HELD; i++) {
		if (h->from[i] >= to || h->to[i] <= from)
			continue;
		n++;
		if (h->to[i] < *until)
			*until = h->to[i];
	}
	return n;
}

/* The first cycle from t on at which so many cycles are free. */
static u64
free_from(const struct oracle_holds *h, u64 t, u64 cycles)
{
	u64 until;

	while (held(h, t, t + cycles, &until) >= h->capacity)
		t = until;
	return t;
}

static u64
bus(struct oracle *o, u64 t, unsigned cycles)
{
	u64 start = t > o->bus_free ? t : o->bus_free;

	if (o->unordered) {
		start = free_from(&o->bus, t, cycles);
		hold(&o->bus, start, start + cycles);
		return start;
	}
	o->bus_free = start + cycles;
	return start;
}

/* True if the second level had it. */
static bool
second_level(struct oracle *o, u64 addr, bool dirty)
{
	u64 line = addr / o->config->l2.line;
	struct oracle_entry old, *e;

	o->n.l2_access++;
	e = oracle_find(&o->l2, line, o->time);
	if (e) {
		e->dirty |= dirty;
		return true;
	}
	o->n.l2_miss++;
	e = oracle_fill(&o->l2, line, o->time, &old);
	e->dirty = dirty;
	if (old.valid && old.dirty) {
		o->n.l2_writeback++;
		o->bus_free += o->config->mem.bus_writeback;
	}
	return false;
}

static u64
memory_read(struct oracle *o, u64 addr, u64 t)
{
	o->time++;
	if (o->l2.entry && second_level(o, addr, false))
		return t + o->config->l2.latency;
	return bus(o, t, o->config->mem.bus_fill) + o->config->mem.latency;
}

static void
write_unordered(struct oracle *o, u64 addr, u64 t)
{
	u64 start = free_from(&o->victims, t, 1), done = start + 1;

	o->time++;
	if (o->l2.entry)
		second_level(o, addr, true);
	else
		done = bus(o, start, o->config->mem.bus_writeback) +
		       o->config->mem.bus_writeback;
	hold(&o->victims, start, done);
}

static void
memory_write(struct oracle *o, u64 addr, u64 t, struct oracle_result *r)
{
	u64 start;

	if (o->unordered) {
		write_unordered(o, addr, t);
		return;
	}
	start = oracle_take(&o->wbb, t);
	o->time++;
	r->wait += start - t;
	if (o->l2.entry)
		second_level(o, addr, true);
	else
		bus(o, start, o->config->mem.bus_writeback);
	oracle_put(&o->wbb, o->bus_free > start ? o->bus_free : start + 1);
}

/* ---- Data ------------------------------------------------------------- */

void
oracle_init(struct oracle *o, const struct sim_config *c)
{
	*o = (struct oracle){.config = c};
	oracle_array_init(&o->data, c->l1d.size / c->l1d.line, c->l1d.ways,
			  c->l1d.policy);
	oracle_array_init(&o->code, c->l1i.size / c->l1i.line, c->l1i.ways,
			  c->l1i.policy);
	oracle_array_init(&o->dtlb, c->dtlb.entries, c->dtlb.ways,
			  c->dtlb.policy);
	oracle_array_init(&o->itlb, c->itlb.entries, c->itlb.ways,
			  c->itlb.policy);
	oracle_array_init(&o->jtlb, c->jtlb.entries, c->jtlb.ways,
			  c->jtlb.policy);
	if (c->l2.size)
		oracle_array_init(&o->l2, c->l2.size / c->l2.line,
				  c->l2.ways, c->l2.policy);
	o->fsb.capacity = c->mem.fsb;
	o->wbb.capacity = c->mem.wbb;
	o->ldq.capacity = c->mem.ldq;
	o->unordered = pipeline_is_window(&c->pipe);
	o->fills.capacity = c->mem.fsb;
	o->victims.capacity = c->mem.wbb;
	o->bus.capacity = 1;
}

void
oracle_free(struct oracle *o)
{
	oracle_array_free(&o->data);
	oracle_array_free(&o->code);
	oracle_array_free(&o->dtlb);
	oracle_array_free(&o->itlb);
	oracle_array_free(&o->jtlb);
	oracle_array_free(&o->l2);
}

/* True if the joint TLB has the page; without one, none does. */
static bool
joint(struct oracle *o, u64 va)
{
	u64 page;
	struct oracle_entry old;

	if (!o->jtlb.entry)
		return false;
	page = va >> o->config->jtlb.page_bits;
	o->time++;
	if (oracle_find(&o->jtlb, page, o->time))
		return true;
	oracle_fill(&o->jtlb, page, o->time, &old);
	return false;
}

static void
data_line(struct oracle *o, u64 va, bool store, u64 now, u64 t,
	  struct oracle_result *r)
{
	const struct cache_config *c = &o->config->l1d;
	const struct memory_config *mem = &o->config->mem;
	u64 line = va / c->line, start;
	struct oracle_entry old, *e = oracle_find(&o->data, line, now);

	if (e) {
		if (e->ready > t && o->config->pipe.miss_counts_secondary)
			o->n.miss++;
		if (e->ready > t && e->ready > r->ready)
			r->ready = e->ready;
		if (e->ready <= t)
			e->ready = 0; /* for the next process */
	} else {
		o->n.miss++;
		if (store && c->no_write_allocate) {
			memory_write(o, va, t, r);
			return;
		}
		o->n.fill++;
		start = o->unordered ? free_from(&o->fills, t, 1)
				     : oracle_take(&o->fsb, t);
		r->wait += start - t;
		e = oracle_fill(&o->data, line, now, &old);
		e->ready = memory_read(o, line * c->line, start);
		if (e->ready > r->ready)
			r->ready = e->ready;
		if (old.valid && old.dirty) {
			o->n.writeback++;
			memory_write(o, old.key * c->line, start, r);
		}
		if (o->unordered)
			hold(&o->fills, start, e->ready + 3ull * mem->beat);
		else
			oracle_put(&o->fsb, e->ready + 3ull * mem->beat);
	}
	if (store && c->write_through)
		memory_write(o, va, t, r);
	else if (store)
		e->dirty = true;
}

static void
data_page(struct oracle *o, u64 va, u64 now, struct oracle_result *r)
{
	u64 page = va >> o->config->dtlb.page_bits;
	struct oracle_entry old;

	if (!oracle_find(&o->dtlb, page, now)) {
		oracle_fill(&o->dtlb, page, now, &old);
		o->n.dtlb++;
		r->replay = o->config->pipe.dtlb_replay;
		if (!joint(o, va)) {
			o->n.jtlb_d++;
			r->refill = true;
		}
	}
}

struct oracle_result
oracle_data(struct oracle *o, u64 va, unsigned bytes, bool store, u64 t)
{
	struct oracle_result r = {0};
	const struct pipeline_config *pipe = &o->config->pipe;
	u64 last = va + bytes - 1, now = ++o->time;
	bool split = va / o->config->l1d.line != last / o->config->l1d.line;

	data_page(o, va, now, &r);
	if (split)
		data_page(o, last, now, &r);
	/* In order, the access starts again when its pages are there. */
	if (pipe->kind == PIPELINE_INORDER)
		t += r.replay + (r.refill ? pipe->tlb_refill : 0);
	data_line(o, va, store, now, t, &r);
	if (split) {
		o->n.split++;
		data_line(o, last, store, now, t, &r);
	}
	return r;
}

/* ---- Code ------------------------------------------------------------- */

void
oracle_code(struct oracle *o, u64 va, unsigned bytes)
{
	const struct sim_config *c = o->config;
	u64 end = va + bytes - 1, now = ++o->time;
	struct oracle_entry old;

	for (u64 page = va >> c->itlb.page_bits;
	     page <= end >> c->itlb.page_bits; page++) {
		if (oracle_find(&o->itlb, page, now))
			continue;
		oracle_fill(&o->itlb, page, now, &old);
		o->n.itlb++;
		o->n.jtlb_i += !joint(o, page == va >> c->itlb.page_bits
						 ? va : end);
	}
	for (u64 line = va / c->l1i.line; line <= end / c->l1i.line; line++) {
		if (oracle_find(&o->code, line, now))
			continue;
		oracle_fill(&o->code, line, now, &old);
		memory_read(o, line * c->l1i.line, 0);
		o->n.fetch_miss++;
	}
}

/* ---- Branches --------------------------------------------------------- */

void
oracle_branch_init(struct oracle_branch *b, const struct branch_config *c)
{
	*b = (struct oracle_branch){.config = c};
	b->counter = calloc(c->entries, sizeof *b->counter);
	b->target = calloc(c->target_entries + 1, sizeof *b->target);
	if (!b->counter || !b->target)
		abort();
	for (unsigned i = 0; i < c->entries; i++)
		b->counter[i] = c->initial;
}

void
oracle_branch_free(struct oracle_branch *b)
{
	free(b->counter);
	free(b->target);
}

bool
oracle_cond(struct oracle_branch *b, u64 pc, bool taken)
{
	u64 index = pc >> b->config->pc_shift;
	bool predicted;
	unsigned *n;

	if (b->config->kind == PREDICT_NOT_TAKEN)
		return taken;
	if (b->config->kind == PREDICT_GSHARE)
		for (unsigned i = 0; i < b->config->history_bits; i++)
			if (b->history[i])
				index ^= 1ull << i;
	for (unsigned i = SIM_COUNT(b->history) - 1; i > 0; i--)
		b->history[i] = b->history[i - 1];
	b->history[0] = taken;
	n = &b->counter[index % b->config->entries];
	predicted = *n >= 2;
	if (taken && *n < 3)
		++*n;
	else if (!taken && *n > 0)
		--*n;
	return predicted != taken;
}

bool
oracle_indirect(struct oracle_branch *b, u64 pc, u64 target)
{
	u64 index;
	bool wrong;

	if (!b->config->target_entries)
		return true;
	index = (pc >> b->config->pc_shift) % b->config->target_entries;
	wrong = b->target[index] != target;
	b->target[index] = target;
	return wrong;
}

void
oracle_call(struct oracle_branch *b, u64 address)
{
	if (!b->config->return_entries)
		return;
	if (b->depth == b->config->return_entries) {
		for (unsigned i = 1; i < b->depth; i++)
			b->stack[i - 1] = b->stack[i];
		b->depth--;
	}
	b->stack[b->depth++] = address;
}

enum oracle_return
oracle_return(struct oracle_branch *b, u64 target)
{
	if (!b->depth)
		return RETURN_UNKNOWN;
	return b->stack[--b->depth] == target ? RETURN_RIGHT : RETURN_WRONG;
}
