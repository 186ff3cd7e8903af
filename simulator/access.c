/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access on the only active context that the fast path left over. */
#include "core.h"

/* The pipeline is blocked for the micro-DTLB, and for a refill behind it. */
static void
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

/* Only the page was missing: the line is in the cache. */
static void
access_page(struct core *c, u64 va, bool store, u32 clock)
{
	enum page_result page = data_page(c, va, clock);

	c->data_stamp[store][c->shadow_slot[SHADOW_INDEX(va)]] = clock;
	if (page != PAGE_HIT)
		page_stall(c, page == PAGE_REFILL);
}

void
data_access_lines(struct core *c, u64 va, unsigned bytes, bool store,
		  u32 clock, u64 t, struct data_result *r)
{
	u64 last = va + bytes - 1;

	data_access(c, va, store, clock, t, r);
	if (SIM_LIKELY(!((va ^ last) >> c->dline_bits)))
		return;
	c->sig[SIG_SPLIT]++;
	c->sig[SIG_DACCESS]++;
	data_access(c, last, store, clock, t, r);
}

static void
access_lines(struct core *c, const struct block_access *a, u64 va,
	     unsigned bytes, bool store)
{
	u64 t = core_cycle(c) - a->cycles_back;
	struct data_result r = {0};

	data_access_lines(c, va, bytes, store, (u32)c->now - a->clock_back, t,
			  &r);
	if (r.replay || r.refill)
		page_stall(c, r.refill);
	if (r.wait) {
		c->sig[r.wait_signal] += r.wait;
		c->sig[SIG_REPLAY]++;
		pending_pass(c, r.wait);
	}
	if (!store && r.ready > t)
		pending_load(c, a, va, core_cycle(c) - a->cycles_back,
			     r.ready);
}

void
core_data(struct core *c, const struct block_access *a, u64 va,
	  unsigned bytes, bool store)
{
	if (c->n_pending)
		pending_until(c, core_cycle(c) - a->cycles_back);
	if (va - c->shadow_base[SHADOW_INDEX(va)] <= SHADOW_GRANULE - bytes &&
	    !(store && c->config->l1d.write_through))
		access_page(c, va, store, (u32)c->now - a->clock_back);
	else
		access_lines(c, a, va, bytes, store);
}
