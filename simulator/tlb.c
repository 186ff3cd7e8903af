/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLBs: what is rare, the joint TLB's misses, first touches of pages. */
#include "tlb.h"
#include "pages.h"

/* Slot of a page in the joint TLB that is not where it was last time; if it
 * is not there at all, it is afterwards. */
int
jtlb_find(struct core *c, u64 page, bool *there)
{
	int slot = array_find(&c->jtlb, page);

	*there = slot >= 0;
	if (!*there) {
		slot = (int)array_victim(&c->jtlb, page);
		c->jtlb_page[slot] = page;
		c->jtlb_touched[slot] = 0;
	}
	c->jtlb_hint[page & (JTLB_HINTS - 1)] = (u16)slot;
	return slot;
}

/* Notes that the page of va, part of what entry slot maps, is touched. */
void
tlb_touch(struct core *c, u64 va, u32 slot)
{
	c->jtlb_touched[slot] |= (u8)(1u << (va >> SHADOW_PAGE_BITS & 7));
	if (pages_add(c->pages, va >> SHADOW_PAGE_BITS))
		c->sig[SIG_OS_PAGE]++;
}

/* Slot of the page of va, which the table then shows, or -1. */
int
tlb_find_hidden(struct micro_tlb *m, u64 va)
{
	int slot = array_find(&m->array, va >> m->page_bits);

	if (slot < 0)
		return slot;
	if (m->page_bits == SHADOW_PAGE_BITS)
		m->hidden--;
	tlb_show(m, va, (u32)slot);
	return slot;
}

/* A page that is hidden, or has several entries, leaves. */
void
tlb_forget_page(struct micro_tlb *m, u64 page)
{
	u32 bits = m->page_bits - SHADOW_PAGE_BITS;

	if (!bits) {
		m->hidden--;
		return;
	}
	for (u64 p = page << bits; p >> bits == page; p++)
		if (m->shown[SHADOW_PAGE_INDEX(p)].page == p)
			m->shown[SHADOW_PAGE_INDEX(p)].page = ARRAY_EMPTY;
}

enum page_result
data_page(struct core *c, u64 va, u32 clock)
{
	return tlb_access(c, &c->dtlb, va, clock);
}

/* Brings the page of va into the micro-ITLB; cycles lost. */
unsigned
fetch_page(struct core *c, u64 va, u32 clock, bool *refill)
{
	enum page_result page = tlb_access(c, &c->itlb, va, clock);

	*refill = page == PAGE_REFILL;
	return page == PAGE_HIT ? 0 : c->config->pipe.itlb_bubble;
}
