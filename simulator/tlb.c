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

/* Notes that the page of va, part of what entry slot maps, is touched. */
static void
touch(struct core *c, u64 va, int slot)
{
	u8 bit = (u8)(1u << (va >> SHADOW_PAGE_BITS & 7));

	if (SIM_LIKELY(c->jtlb_touched[slot] & bit))
		return;
	c->jtlb_touched[slot] |= bit;
	if (pages_add(c->pages, va >> SHADOW_PAGE_BITS))
		c->sig[SIG_OS_PAGE]++;
}

bool
jtlb_access(struct core *c, u64 va)
{
	u64 page;
	int slot;
	bool there;

	if (!c->config->jtlb.entries)
		return true;
	page = va >> c->config->jtlb.page_bits;
	slot = jtlb_find(c, page);
	there = slot >= 0;
	if (SIM_UNLIKELY(!there)) {
		slot = (int)array_victim(&c->jtlb, page);
		c->jtlb.key[slot] = page;
		c->jtlb_touched[slot] = 0;
		c->jtlb_hint[page & (JTLB_HINTS - 1)] = (u16)slot;
	}
	c->jtlb.stamp[slot] = array_tick(&c->jtlb, &c->jtlb_clock);
	touch(c, va, slot);
	return there;
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
 * The table of pages shows each page of the micro-DTLB, unless two of them
 * share an entry, or pages are larger than an entry: those are hidden, and
 * only then a page that the table does not show has to be looked for.
 */
static void
show_page(struct core *c, u64 va, u32 slot)
{
	u64 p = va >> SHADOW_PAGE_BITS;
	struct shadow_page *entry = &c->shadow_page[SHADOW_PAGE_INDEX(p)];

	if (c->dpage_bits == SHADOW_PAGE_BITS && entry->page != ARRAY_EMPTY)
		c->dtlb_hidden++;
	entry->page = p;
	entry->slot = slot;
}

static void
forget_page(struct core *c, u64 page)
{
	struct shadow_page *entry = &c->shadow_page[SHADOW_PAGE_INDEX(page)];

	if (c->dpage_bits > SHADOW_PAGE_BITS)
		shadow_drop_page(c->shadow_page, page, c->dpage_bits);
	else if (entry->page == page)
		entry->page = ARRAY_EMPTY;
	else
		c->dtlb_hidden--;
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
	if (SIM_LIKELY(c->dtlb_page[s] != ARRAY_EMPTY))
		forget_page(c, c->dtlb_page[s]);
	c->dtlb_page[s] = va >> c->dpage_bits;
	return there;
}

/* The page of va, which the table does not show: mostly it is not there. */
static enum page_result
slow_page(struct core *c, u64 va, u32 clock)
{
	enum page_result result = PAGE_HIT;
	u64 page = va >> c->dpage_bits;
	int found = c->dtlb_hidden ? array_find(&c->dtlb, page) : -1;
	u32 slot = (u32)found;

	if (SIM_LIKELY(found < 0)) {
		slot = array_victim(&c->dtlb, page);
		result = fill_page(c, va, slot) ? PAGE_MISS : PAGE_REFILL;
	} else if (c->dpage_bits == SHADOW_PAGE_BITS) {
		c->dtlb_hidden--;
	}
	show_page(c, va, slot);
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
