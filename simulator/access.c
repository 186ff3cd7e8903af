/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access on the only active context that the fast path left over. */
#include "dcache.h"
#include "tlb.h"

/* The pipeline is blocked for the micro-DTLB, and for a refill behind it. */
SIM_INLINE void
page_stall(struct core *c, bool refill)
{
	const struct pipeline_config *pipe = &c->config->pipe;

	c->sig[SIG_ALU_DTLB] += pipe->dtlb_replay;
	pending_pass(c, pipe->dtlb_replay);
	if (SIM_LIKELY(!refill))
		return;
	pending_pass(c, pipe->tlb_refill);
	if (pipe->refill_is_hardware)
		c->sig[SIG_ALU_DTLB] += pipe->tlb_refill;
}

/* What buffers made the access wait for. */
static void
buffer_stall(struct core *c, const struct data_result *r)
{
	c->sig[r->wait_signal] += r->wait;
	c->sig[SIG_REPLAY]++;
	count_stall(c, r->wait);
	pending_pass(c, r->wait);
}

/* An entry of the load queue from cycle issue until the data is there; the
 * cycle that it is had. */
SIM_INLINE u64
take_load_queue(struct core *c, u64 issue, u64 ready)
{
	u64 start, cycles = queue_take(c, &c->ldq, issue, &start);

	queue_put(&c->ldq, ready > start ? ready : start + 1);
	if (SIM_UNLIKELY(cycles)) {
		c->sig[SIG_ALU_LDQ] += cycles;
		c->sig[SIG_REPLAY]++;
		count_stall(c, cycles);
		pending_pass(c, cycles);
	}
	return start;
}

/* The reader of a load that missed, where it issues as soon as it could. */
SIM_INLINE void
count_replay(struct core *c, const struct block_access *a)
{
	c->sig[SIG_REPLAY_USE] += a->use == c->config->pipe.load_use;
}

/* A load whose data comes late; its line is in slot s, or gone (-1). */
SIM_INLINE void
load_late(struct core *c, const struct block_access *a, u64 va, int s,
	  u64 ready)
{
	u64 issue = core_cycle(c) - a->cycles_back, use;

	issue = take_load_queue(c, issue, ready);
	if (a->reg == REG_NONE || a->use == ACCESS_NEVER_USED)
		return;
	if (a->flags & ACCESS_USE_IS_ADDRESS)
		ready += c->config->pipe.unit_address;
	if (SIM_UNLIKELY(!(a->flags & ACCESS_USE_IS_NEXT))) {
		pending_load(c, a, va, issue, ready);
		return;
	}
	use = issue + a->use;
	if (SIM_UNLIKELY(c->n_pending)) {
		u64 before = core_cycle(c);

		pending_until(c, use);
		use += core_cycle(c) - before;
	}
	if (ready <= use)
		return;
	count_replay(c, a);
	count_stall(c, ready - use);
	c->sig[SIG_ALU_DMISS] += ready - use;
	c->sig[SIG_DCACHE_WAIT] += ready - use;
	if (SIM_LIKELY(s >= 0))
		shadow_put_slot(c, va, (u32)s);
	pending_pass(c, ready - use);
}

/* The second of the two lines that an access spans. */
static SIM_NOINLINE void
access_second(struct core *c, u64 va, bool store, u32 clock, u64 t,
	      struct data_result *r)
{
	c->sig[SIG_SPLIT]++;
	c->sig[SIG_DACCESS]++;
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

/* An access to a line or two, with their pages; the first page has been
 * asked for. */
static void
access_lines(struct core *c, const struct block_access *a, u64 va,
	     unsigned bytes, bool store, enum page_result page)
{
	u32 clock = (u32)c->now - a->clock_back;
	u64 last = va + bytes - 1, t = core_cycle(c) - a->cycles_back;
	struct data_result r = {0};
	int s = data_line(c, va, store, clock, t, &r);
	bool blocked = page != PAGE_HIT, refill = page == PAGE_REFILL;

	if (SIM_UNLIKELY((va ^ last) >> c->dline_bits)) {
		access_second(c, last, store, clock, t, &r);
		blocked |= r.replay || r.refill;
		refill |= r.refill;
		s = array_find(&c->l1d, va >> c->dline_bits);
	}
	if (blocked)
		page_stall(c, refill);
	if (SIM_UNLIKELY(r.wait))
		buffer_stall(c, &r);
	if (!store && r.ready > t)
		load_late(c, a, va, s, r.ready);
}

void
core_data(struct core *c, const struct block_access *a, u64 va,
	  unsigned bytes, bool store)
{
	u32 clock = (u32)c->now - a->clock_back, at = SHADOW_INDEX(va);
	enum page_result page;

	if (SIM_UNLIKELY(c->n_pending))
		pending_until(c, core_cycle(c) - a->cycles_back);
	page = tlb_access(c, &c->dtlb, va, clock);
	if (va - c->shadow_base[at] > SHADOW_GRANULE - bytes ||
	    (store && (c->config->l1d.write_through || c->coherence))) {
		access_lines(c, a, va, bytes, store, page);
		return;
	}
	c->data_stamp[c->shadow_slot[at]][store] = clock;
	if (page != PAGE_HIT)
		page_stall(c, page == PAGE_REFILL);
}
