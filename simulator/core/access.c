/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access on the only active context that the fast path left over. */
#include "access_internal.h"
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
		c->sig[SIG_ALU_DTLB] += c->refill;
		c->sig[SIG_DTLB_WALK] += c->refill;
	} else {
		c->uncounted += c->refill;
	}
	pending_pass(c, c->refill);
}

SIM_INLINE void
page_wait(struct core *c, const struct block_access *a, enum page_result page)
{
	if (page == PAGE_MISS)
		page_replay(c);
	else if (page == PAGE_REFILL)
		page_refill(c, a);
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

void
access_lines_any(struct core *c, u32 what, u64 va,
		 const struct block_access *a)
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
		access_lines_any(c, what, va, a);
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

/* What was loaded before is not waited for any more; that may have led to the
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
