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

/*
 * Slot of the page that the array holds, or -1 and the slot to replace: one
 * pass over the stamps and keys of a fully associative LRU array.
 */
static int
find_or_oldest(struct array *a, u64 page, u32 *victim)
{
	u64 oldest = ~0ull;
	int found = -1;

	if (a->policy != POLICY_LRU || a->set_mask) {
		found = array_find(a, page);
		if (found < 0)
			*victim = array_victim(a, page);
		return found;
	}
	for (u32 s = 0; s < a->ways; s++) {
		u64 age = (u64)a->stamp[s] << 32 | s;

		found = a->key[s] == page ? (int)s : found;
		oldest = age < oldest ? age : oldest;
	}
	*victim = (u32)oldest;
	return found;
}

/* Brings the page of va into slot s of the micro-DTLB; false if the joint
 * TLB has to be refilled for it. */
static bool
fill_page(struct core *c, u64 va, u32 s)
{
	bool there = jtlb_access(c, va);

	c->sig[SIG_DTLB_MISS]++;
	if (SIM_UNLIKELY(!there))
		c->sig[SIG_JTLB_D_MISS]++;
	if (c->dtlb_page[s] != ARRAY_EMPTY)
		shadow_drop_page(c->shadow_page, c->dtlb_page[s],
				 c->dpage_bits);
	c->dtlb_page[s] = va >> c->dpage_bits;
	return there;
}

/* The page of va, which the table does not show: mostly it is not there. */
static SIM_NOINLINE enum page_result
slow_page(struct core *c, u64 va, u32 clock)
{
	enum page_result result = PAGE_HIT;
	u32 slot;
	int found = find_or_oldest(&c->dtlb, va >> c->dpage_bits, &slot);

	if (found >= 0)
		slot = (u32)found;
	else
		result = fill_page(c, va, slot) ? PAGE_MISS : PAGE_REFILL;
	shadow_put_page(c->shadow_page, va, slot);
	c->dtlb_stamp[slot] = clock;
	return result;
}

enum page_result
data_page(struct core *c, u64 va, u32 clock)
{
	u64 p = va >> SHADOW_PAGE_BITS;
	const struct shadow_page *known = &c->shadow_page[SHADOW_PAGE_INDEX(p)];

	if (SIM_UNLIKELY(known->page != p))
		return slow_page(c, va, clock);
	c->dtlb_stamp[known->slot] = clock;
	return PAGE_HIT;
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
