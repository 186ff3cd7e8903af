/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLBs: the micro-TLBs' slow side, the joint TLB, first touches of pages. */
#include "core.h"
#include "pages.h"

/* Slot of a page in the joint TLB, or -1: mostly where it was last time. */
static int
jtlb_find(struct core *c, u64 page)
{
	u16 *hint = &c->jtlb_hint[page & (JTLB_HINTS - 1)];
	int slot;

	if (SIM_LIKELY(c->jtlb_page[*hint] == page))
		return *hint;
	slot = array_find(&c->jtlb, page);
	if (slot >= 0)
		*hint = (u16)slot;
	return slot;
}

bool
jtlb_access(struct core *c, u64 va)
{
	u64 page;
	int slot;

	if (!c->config->jtlb.entries)
		return true;
	page = va >> c->config->jtlb.page_bits;
	slot = jtlb_find(c, page);
	if (SIM_LIKELY(slot >= 0)) {
		c->jtlb.stamp[slot] = ++c->jtlb_clock;
		return true;
	}
	if (pages_add(c->pages, va >> c->dpage_bits))
		c->sig[SIG_OS_PAGE]++;
	slot = (int)array_victim(&c->jtlb, page);
	c->jtlb.key[slot] = page;
	c->jtlb.stamp[slot] = ++c->jtlb_clock;
	c->jtlb_hint[page & (JTLB_HINTS - 1)] = (u16)slot;
	return false;
}

void
shadow_put_page(struct shadow_page *table, u64 va, u32 slot)
{
	u64 page = va >> SHADOW_PAGE_BITS;

	table[SHADOW_PAGE_INDEX(page)].page = page;
	table[SHADOW_PAGE_INDEX(page)].slot = slot;
}

void
shadow_drop_page(struct shadow_page *table, u64 page, u32 page_bits)
{
	u32 bits = page_bits - SHADOW_PAGE_BITS;

	for (u64 p = page << bits; p >> bits == page; p++)
		if (table[SHADOW_PAGE_INDEX(p)].page == p)
			table[SHADOW_PAGE_INDEX(p)].page = ARRAY_EMPTY;
}

/* Brings the page of va into the micro-ITLB; cycles lost. */
unsigned
fetch_page(struct core *c, u64 va, u32 clock, bool *refill)
{
	u64 page = va >> c->ipage_bits;
	int slot = array_find(&c->itlb, page);
	unsigned bubble = 0;

	*refill = false;
	if (slot < 0) {
		c->sig[SIG_ITLB_MISS]++;
		bubble = c->config->pipe.itlb_bubble;
		if (!jtlb_access(c, va)) {
			c->sig[SIG_JTLB_I_MISS]++;
			*refill = true;
		}
		slot = (int)array_victim(&c->itlb, page);
		if (c->itlb_page[slot] != ARRAY_EMPTY)
			shadow_drop_page(c->fetch_page, c->itlb_page[slot],
					 c->ipage_bits);
		c->itlb_page[slot] = page;
	}
	c->itlb_stamp[slot] = clock;
	shadow_put_page(c->fetch_page, va, (u32)slot);
	return bubble;
}
