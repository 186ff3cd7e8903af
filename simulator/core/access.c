/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access on the only active context that the fast path left over. */
#include "dcache.h"
#include "near.h"
#include "tlb.h"

/* The pipeline is blocked for the micro-DTLB, whose page the joint TLB has. */
SIM_INLINE void
page_replay(struct core *c)
{
	c->sig[SIG_ALU_DTLB] += c->config->pipe.dtlb_replay;
	pending_pass(c, c->config->pipe.dtlb_replay);
}

/* The same where that has to be refilled. */
static SIM_NOINLINE void
page_refill(struct core *c, const struct block_access *a)
{
	const struct pipeline_config *pipe = &c->config->pipe;

	page_replay(c);
	memory_refill(c, core_cycle(c) - a->cycles_back);
	if (pipe->refill_is_hardware) {
		c->sig[SIG_ALU_DTLB] += pipe->tlb_refill;
		c->sig[SIG_DTLB_WALK] += pipe->tlb_refill;
	} else {
		c->uncounted += pipe->tlb_refill;
	}
	pending_pass(c, pipe->tlb_refill);
}

SIM_INLINE void
page_wait(struct core *c, const struct block_access *a, enum page_result page)
{
	if (page == PAGE_MISS)
		page_replay(c);
	else if (page == PAGE_REFILL)
		page_refill(c, a);
}

/* data_wait() where that is rare. */
static SIM_NOINLINE void
buffer_stall(struct core *c, u64 cycles, unsigned signal)
{
	data_wait(c, cycles, signal);
}

/* An entry of the load queue from cycle issue until the data is there; the
 * cycle that it is had. */
SIM_INLINE u64
take_load_queue(struct core *c, u64 issue, u64 ready, bool plain)
{
	u64 start, done;

	alone_forget(c);
	start = plain ? queue_take_ahead(c, &c->ldq, issue)
		      : queue_take_busy(c, &c->ldq, issue);
	done = ready > start ? ready : start + 1;
	if (plain)
		queue_put_ahead(c, &c->ldq, start, done);
	else
		queue_put(&c->ldq, done);
	if (SIM_UNLIKELY(start != issue))
		buffer_stall(c, start - issue, SIG_ALU_LDQ);
	return start;
}

/* A load whose data comes late; its line is in slot s, or gone (-1). */
SIM_INLINE void
load_late(struct core *c, const struct block_access *a, u64 va, int s,
	  u64 ready, bool plain)
{
	u64 issue = core_cycle(c) - a->cycles_back;

	issue = take_load_queue(c, issue, ready, plain);
	load_wait(c, a, va, s, issue, ready, plain);
}

/* The second of the two lines that an access spans. */
static SIM_NOINLINE void
access_second(struct core *c, u64 va, bool store, u32 clock, u64 t,
	      struct data_result *r)
{
	c->sig[SIG_SPLIT]++;
	count_access(c, store);
	data_access(c, va, store, clock, t, r);
}

void
data_access_lines(struct core *c, u64 va, unsigned bytes, bool store,
		  u32 clock, u64 t, struct data_result *r)
{
	u64 last = va + bytes - 1;

	data_access(c, va, store, clock, t, r);
	if (SIM_UNLIKELY((va ^ last) >> c->dline_bits))
		access_second(c, last, store, clock, t, r);
}

/* An access to two lines, in one page or two, the first of which has been asked
 * for; the slot of the first line. */
static SIM_NOINLINE int
access_both(struct core *c, const struct block_access *a, u64 va, u64 last,
	    bool store, struct data_result *r)
{
	u32 clock = (u32)c->now - a->clock_back;
	u64 t;

	page_wait(c, a, tlb_access(c, &c->dtlb, last, clock));
	t = core_cycle(c) - a->cycles_back;
	data_line(c, va, store, clock, t, r);
	c->sig[SIG_SPLIT]++;
	count_access(c, store);
	data_line(c, last, store, clock, t, r);
	return array_find(&c->l1d, va >> c->dline_bits);
}

/* An access to a line or two; the page of the first has been asked for. */
SIM_INLINE void
access_lines(struct core *c, const struct block_access *a, u64 va,
	     unsigned bytes, bool store)
{
	u32 clock = (u32)c->now - a->clock_back, bits = c->dline_bits;
	u64 last = va + bytes - 1, t = core_cycle(c) - a->cycles_back;
	struct data_result r = {0};
	int s;

	if ((va ^ last) >> bits) {
		struct data_result both = {0}; /* so that r needs no memory */

		s = access_both(c, a, va, last, store, &both);
		t = core_cycle(c) - a->cycles_back;
		r = both;
	} else {
		s = data_line(c, va, store, clock, t, &r);
	}
	if (SIM_UNLIKELY(r.wait))
		buffer_stall(c, r.wait, r.wait_signal);
	if (!store && r.ready > t)
		load_late(c, a, va, s, r.ready, false);
}

static SIM_NOINLINE void
access_any(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	access_lines(c, a, va, what >> 1, what & 1);
}

/* A word goes past the first level at cycle t. */
SIM_INLINE void
store_out(struct core *c, u64 va, u64 t, struct data_result *r)
{
	if (!c->config->mem.wbb_bytes) {
		data_write_out(c, va, true, t, r);
		return;
	}
	r->wait = writebuf_store(c, va, t);
	r->wait_signal = SIG_ALU_WBB;
}

/* A store to one line, of a cache that a miss brings none to: what
 * access_any() does, as far as there is anything to do. */
static SIM_NOINLINE void
access_past(struct core *c, u64 va, const struct block_access *a)
{
	u32 clock = (u32)c->now - a->clock_back;
	int slot = array_find(&c->l1d, va >> c->dline_bits);
	u64 t = core_cycle(c) - a->cycles_back;
	struct data_result r = {0};

	if (slot >= 0)
		data_hit(c, (u32)slot, va, true, clock, t, &r);
	else
		data_count_miss(c, true);
	if (slot < 0 || c->config->l1d.write_through)
		store_out(c, va, t, &r);
	if (SIM_UNLIKELY(r.wait))
		buffer_stall(c, r.wait, r.wait_signal);
}

void
access_load_other(struct core *c, u32 what, u64 va,
		  const struct block_access *a)
{
	access_lines(c, a, va, what >> 1, false);
}

/* Caches other than the usual ones. */
SIM_INLINE void
access_other(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	u64 last = va + (what >> 1) - 1;

	if (!(what & 1))
		c->load_other(c, what, va, a);
	else if (c->config->l1d.no_write_allocate && !c->coherence &&
		 va >> c->dline_bits == last >> c->dline_bits)
		access_past(c, va, a);
	else
		access_any(c, what, va, a);
}

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

/* The same where somebody waits for it; the line before was there at cycle
 * before. */
SIM_INLINE void
wait_alone(struct core *c, u64 va, const struct block_access *a,
	   u32 s, u64 t, u64 before)
{
	struct alone_load *l = &c->alone_load;

	/* Without a branch: nobody could predict it. */
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

/* An access to two lines: what access_any() does, if both are there. */
static SIM_NOINLINE void
access_split(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	u32 clock = (u32)c->now - a->clock_back;
	u64 last = va + (what >> 1) - 1, page;
	bool store = what & 1;

	alone_line(c);
	if (!split_shown(c, va, last, core_cycle(c) - a->cycles_back)) {
		access_any(c, what, va, a);
		return;
	}
	c->sig[SIG_SPLIT]++;
	count_access(c, store);
	split_hit(c, va, store, clock);
	split_hit(c, last, store, clock);
	page = shown_slot(&c->dtlb, last >> SHADOW_PAGE_BITS);
	c->dtlb.stamp[page] = clock;
}

static SIM_NOINLINE void
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

/* An access whose page has been asked for: to a line that the table shows,
 * or not.  Here and below all calls are the last thing, so that no registers
 * need to be kept. */
static SIM_NOINLINE void
access_line(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	u64 way = SHADOW_WAY(va, c->shadow[SHADOW_INDEX(va)]);
	bool store = what & 1;

	if (way > SHADOW_LAST(what >> 1) ||
	    (store && SIM_UNLIKELY(!c->plain) &&
	     (c->config->l1d.write_through || c->coherence))) {
		if (SIM_UNLIKELY(!c->plain))
			access_other(c, what, va, a);
		else
			access_plain(c, what, va, a);
		return;
	}
	c->data_stamp[(u16)way] = (u32)c->now - a->clock_back;
	if (store)
		data_change(c, (u16)way);
}

/* The access starts again when its page is there: only then is the line asked
 * for. */
static SIM_NOINLINE void
access_page_any(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	u32 clock = (u32)c->now - a->clock_back;

	page_wait(c, a, tlb_miss(c, &c->dtlb, va, clock));
	access_line(c, what, va, a);
}

/* Where the page was found, as tlb.h has it for usual micro-TLBs: once it is
 * there, the line can be asked for; false: all is done. */
SIM_INLINE bool
page_comes(struct core *c, u32 what, u64 va, const struct block_access *a,
	   int page)
{
	if (SIM_UNLIKELY(page == PAGE_UNUSUAL)) {
		access_page_any(c, what, va, a);
		return false;
	}
	if (SIM_LIKELY(page == PAGE_MISS))
		page_replay(c);
	return true;
}

static SIM_NOINLINE void
access_page(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	u32 clock = (u32)c->now - a->clock_back;
	int page = tlb_miss_usual(c, &c->dtlb, va, clock);

	if (!page_comes(c, what, va, a, page))
		return;
	access_line(c, what, va, a);
}

void
access_shown(struct core *c, u32 what, u64 va, const struct block_access *a,
	     u32 slot, u32 clock)
{
	int page;

	if (SIM_UNLIKELY(c->n_pending)) {
		core_access(c, what, va, a);
		return;
	}
	page = tlb_miss_known(c, &c->dtlb, va, clock);
	if (!page_comes(c, what, va, a, page))
		return;
	c->data_stamp[slot] = clock;
	if (what & 1)
		data_change(c, slot);
}

void
access_unshown(struct core *c, u32 what, u64 va, const struct block_access *a,
	       u32 page, u32 clock)
{
	if (SIM_UNLIKELY(c->n_pending)) {
		core_access(c, what, va, a);
		return;
	}
	c->dtlb.stamp[page] = clock;
	access_plain(c, what, va, a);
}

void
access_unknown(struct core *c, u32 what, u64 va, const struct block_access *a,
	       u32 clock)
{
	int page;

	if (SIM_UNLIKELY(c->n_pending)) {
		core_access(c, what, va, a);
		return;
	}
	page = tlb_miss_known(c, &c->dtlb, va, clock);
	if (!page_comes(c, what, va, a, page))
		return;
	access_plain(c, what, va, a);
}

/* Nobody waits any more for what was loaded before; that may have led to the
 * line being shown. */
SIM_INLINE void
access_any_page(struct core *c, u32 what, u64 va, const struct block_access *a,
		bool may_be_shown)
{
	u64 slot = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);

	if (slot > SHADOW_PAGE_SLOTS) {
		access_page(c, what, va, a);
		return;
	}
	c->dtlb.stamp[slot] = (u32)c->now - a->clock_back;
	if (c->plain && !may_be_shown)
		access_plain(c, what, va, a);
	else
		access_line(c, what, va, a);
}

static SIM_NOINLINE void
access_pending(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	pending_until(c, core_cycle(c) - a->cycles_back);
	access_any_page(c, what, va, a, true);
}

void
core_access(struct core *c, u32 what, u64 va, const struct block_access *a)
{
	if (SIM_UNLIKELY(c->n_pending))
		access_pending(c, what, va, a);
	else
		access_any_page(c, what, va, a, false);
}
