/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLBs: the micro-TLBs' slow side, the joint TLB, first touches of pages. */
#include "core.h"
#include "pages.h"

bool
jtlb_access(struct core *c, u64 va)
{
	u64 page;
	int slot;
	u32 s;

	if (!c->config->jtlb.entries)
		return true;
	page = va >> c->config->jtlb.page_bits;
	slot = array_find(&c->jtlb, page);
	if (slot >= 0) {
		if (c->jtlb.policy == POLICY_LRU)
			c->jtlb.stamp[slot] = ++c->jtlb_clock;
		return true;
	}
	if (pages_add(c->pages, va >> c->dpage_bits))
		c->sig[SIG_OS_PAGE]++;
	s = array_victim(&c->jtlb, page);
	c->jtlb.key[s] = page;
	c->jtlb.stamp[s] = ++c->jtlb_clock;
	return false;
}

unsigned
fetch_page(struct core *c, u64 page, u32 clock, bool *refill, u16 *where)
{
	int slot = array_find(&c->itlb, page);
	u32 s;

	*refill = false;
	if (slot >= 0) {
		if (c->itlb.policy == POLICY_LRU)
			c->itlb_stamp[slot] = clock;
		*where = (u16)slot;
		return 0;
	}
	c->sig[SIG_ITLB_MISS]++;
	if (!jtlb_access(c, page << c->ipage_bits)) {
		c->sig[SIG_JTLB_I_MISS]++;
		*refill = true;
	}
	s = array_victim(&c->itlb, page);
	c->itlb_page[s] = page;
	c->itlb_stamp[s] = clock;
	*where = (u16)s;
	return c->config->pipe.itlb_bubble;
}
