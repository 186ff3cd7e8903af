/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses to caches of the usual kind that the fast path left over. */
#include "access_internal.h"
#include "tlb.h"

/* The usual ones: a line that is not there while others are under way. */
SIM_INLINE void
fill_busy(struct core *c, u64 va, const struct block_access *a,
	  bool store)
{
	u32 clock = (u32)c->now - a->clock_back, s;
	u64 t = core_cycle(c) - a->cycles_back;
	struct data_result r = {0};

	s = data_fill(c, va >> SHADOW_GRANULE_BITS, store, clock, t, &r, true);
	if (SIM_UNLIKELY(r.wait))
		buffer_stall(c, r.wait, r.wait_signal);
	if (!store)
		load_late(c, a, va, (int)s, r.ready, true);
}

static SIM_NOINLINE void
fill_store(struct core *c, u64 va, const struct block_access *a)
{
	fill_busy(c, va, a, true);
}

static SIM_NOINLINE void
fill_load_busy(struct core *c, u64 va, const struct block_access *a)
{
	fill_busy(c, va, a, false);
}

/* Where the data might be there before the load has issued. */
static SIM_NOINLINE void
load_late_any(struct core *c, u64 va, const struct block_access *a, u32 s,
	      u64 ready)
{
	load_late(c, a, va, (int)s, ready, true);
}

/* A load of one line, which goes to slot s, that misses at cycle t while
 * nothing else is under way, or is pending. */
SIM_INLINE void
load_alone(struct core *c, u64 va, const struct block_access *a,
	   u32 s, u64 t, bool dirty)
{
	u64 ready = t + c->config->mem.latency, issue = t;

	data_fill_alone(c, va >> SHADOW_GRANULE_BITS, s,
			(u32)c->now - a->clock_back, t);
	if (dirty) {
		struct data_result r = {0};

		c->data_dirty[s] = 0;
		data_write_back(c, 0, t, &r, true);
		if (SIM_UNLIKELY(r.wait))
			buffer_stall(c, r.wait, r.wait_signal);
		issue += r.wait;
	}
	if (SIM_UNLIKELY(ready <= issue)) {
		load_late_any(c, va, a, s, ready);
		return;
	}
	data_queue_alone(c, issue, ready);
	load_wait_alone(c, a, va, s, issue, ready);
}

static SIM_NOINLINE void
fill_load_dirty(struct core *c, u64 va, const struct block_access *a)
{
	load_alone(c, va, a,
		   data_victim(c, va >> SHADOW_GRANULE_BITS, true),
		   core_cycle(c) - a->cycles_back, true);
}

/* The same where an instruction waits for it; the line before was there at cycle
 * before. */
SIM_INLINE void
wait_alone(struct core *c, u64 va, const struct block_access *a,
	   u32 s, u64 t, u64 before)
{
	struct alone_load *l = &c->alone_load;

	/* Without a branch: the host could not predict it. */
	c->alone[ALONE_BEHIND] += later(before + l->behind, t) - t;
	l->before = before;
	l->ready = t + l->latency;
	l->slot = s;
	shadow_drop(c, c->data_line[s] << SHADOW_GRANULE_BITS, s);
	c->data_line[s] = va >> SHADOW_GRANULE_BITS;
	c->data_stamp[s] = (u32)c->now - a->clock_back;
	shadow_put_slot(c, va, s, true);
	c->alone[ALONE_WAITS - 1 + a->alone]++;
	wait_noted(c, l->advance[a->alone]);
}

/* Whether one that is alone can be described by nothing but that. */
SIM_INLINE bool
can_begin_alone(const struct core *c)
{
	return !c->waits_watched &&
	       c->fsb.last == c->reads[0] + c->alone_load.behind;
}

static SIM_NOINLINE void
fill_load(struct core *c, u64 va, const struct block_access *a)
{
	u32 s = data_victim(c, va >> SHADOW_GRANULE_BITS, true);
	u64 t = core_cycle(c) - a->cycles_back;

	alone_forget(c);
	if (c->n_pending || !data_is_alone(c, t))
		fill_load_busy(c, va, a);
	else if (SIM_UNLIKELY(c->data_dirty[s]))
		fill_load_dirty(c, va, a);
	else if (a->alone && can_begin_alone(c))
		wait_alone(c, va, a, s, t, c->reads[0]);
	else
		load_alone(c, va, a, s, t, false);
}

/* The same; most are behind one that was alone and waited for. */
SIM_INLINE void
fill_load_alone(struct core *c, u64 va, const struct block_access *a)
{
	u64 t = core_cycle(c) - a->cycles_back, before = c->alone_load.ready;
	u32 s;

	if (t <= before || SIM_UNLIKELY(!a->alone)) {
		fill_load(c, va, a);
		return;
	}
	s = data_victim(c, va >> SHADOW_GRANULE_BITS, true);
	if (SIM_UNLIKELY(c->data_dirty[s]))
		fill_load(c, va, a);
	else
		wait_alone(c, va, a, s, t, before);
}

/* A load of a line that is on its way. */
static SIM_NOINLINE void
load_merged(struct core *c, u64 va, const struct block_access *a)
{
	int s = data_find(c, va >> SHADOW_GRANULE_BITS);
	u64 ready = c->data_ready[s];

	c->sig[SIG_DCACHE_MERGED]++;
	load_late(c, a, va, s, ready, true);
}

/* An access to a line that the table does not show, but the cache has. */
static SIM_NOINLINE void
access_found(struct core *c, u32 what, u64 va, const struct block_access *a,
	     u32 s)
{
	bool store = what & 1;

	alone_line(c);
	c->data_stamp[s] = (u32)c->now - a->clock_back;
	if (store)
		data_change(c, s);
	if (SIM_LIKELY(c->data_ready[s] <= core_cycle(c) - a->cycles_back)) {
		shadow_put_slot(c, va, s, true);
	} else {
		if (c->config->pipe.miss_counts_secondary)
			data_count_miss(c, store);
		if (!store) {
			load_merged(c, va, a);
			return;
		}
	}
}

/* Whether the table shows both lines that an access spans, which are there at
 * cycle t, and the page of the second one. */
SIM_INLINE bool
split_shown(const struct core *c, u64 va, u64 last, u64 t)
{
	u64 first = SHADOW_WAY(va, c->shadow[SHADOW_INDEX(va)]);
	u64 second = SHADOW_WAY(last, c->shadow[SHADOW_INDEX(last)]);
	u64 page = shown_slot(&c->dtlb, last >> SHADOW_PAGE_BITS);

	return first <= SHADOW_LAST(1) && second <= SHADOW_LAST(1) &&
	       page <= SHADOW_PAGE_SLOTS && c->data_ready[(u16)first] <= t &&
	       c->data_ready[(u16)second] <= t;
}

/* A hit in the line of va, of a cache of the usual kind. */
SIM_INLINE void
split_hit(struct core *c, u64 va, bool store, u32 clock)
{
	u32 s = (u16)SHADOW_WAY(va, c->shadow[SHADOW_INDEX(va)]);

	c->data_stamp[s] = clock;
	c->data_ready[s] = 0;
	if (store)
		data_change(c, s);
}

/* An access to two lines: what access_lines_any() does, if both are there. */
static SIM_NOINLINE void
access_split(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	u32 clock = (u32)c->now - a->clock_back;
	u64 last = va + (what >> 1) - 1, page;
	bool store = what & 1;

	alone_line(c);
	if (!split_shown(c, va, last, core_cycle(c) - a->cycles_back)) {
		access_lines_any(c, what, va, a);
		return;
	}
	c->sig[SIG_SPLIT]++;
	count_access(c, store);
	split_hit(c, va, store, clock);
	split_hit(c, last, store, clock);
	page = shown_slot(&c->dtlb, last >> SHADOW_PAGE_BITS);
	c->dtlb.stamp[page] = clock;
}

SIM_NOINLINE void
access_plain(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	u64 last = va + (what >> 1) - 1;
	int s;

	if (SIM_UNLIKELY((va ^ last) >> SHADOW_GRANULE_BITS)) {
		access_split(c, what, va, a);
		return;
	}
	s = data_find(c, va >> SHADOW_GRANULE_BITS);
	if (s >= 0)
		access_found(c, what, va, a, (u32)s);
	else if (what & 1)
		fill_store(c, va, a);
	else
		fill_load_alone(c, va, a);
}

