/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLBs: what is rare, the joint TLB's misses, first touches of pages. */
#include "tlb.h"
#include "pages.h"

/* Above all page numbers: pages of page tables in a TLB. */
#define TABLE_PAGES (1ull << 60)
#define TABLE_ENTRY_BITS 3

u32
tlb_page_bits(const struct core *c)
{
	return c->itlb.page_bits < c->dtlb.page_bits ? c->itlb.page_bits
						     : c->dtlb.page_bits;
}

/* The pages of an entry that leaves joint TLB j leave a micro-TLB. */
static void
purge(struct micro_tlb *m, const struct joint_tlb *j, u64 entry)
{
	u32 bits = j->bits - m->page_bits;

	if (m->joint != j)
		return;
	for (u64 page = entry << bits; page >> bits == entry; page++) {
		int slot = array_find(&m->array, page);

		if (slot < 0)
			continue;
		tlb_forget(m, page);
		m->page[slot] = ARRAY_EMPTY;
		m->stamp[slot] = 0;
	}
}

/* Slot of a page in a joint TLB that is not where it was last time; if it
 * is not there at all, it is afterwards. */
int
joint_find(struct core *c, struct joint_tlb *j, u64 page, bool *there)
{
	int slot = array_find(&j->array, page);

	*there = slot >= 0;
	if (!*there) {
		slot = (int)array_victim(&j->array, page);
		if (j->inclusive && j->page[slot] != ARRAY_EMPTY) {
			purge(&c->itlb, j, j->page[slot]);
			purge(&c->dtlb, j, j->page[slot]);
		}
		j->page[slot] = page;
		j->touched[slot] = 0;
	}
	j->hint[page & (JTLB_HINTS - 1)] = (u16)slot;
	return slot;
}

static void
touch(struct core *c, u64 page)
{
	if (pages_add(c->pages, page))
		c->sig[SIG_OS_PAGE]++;
}

/* Notes that the page of va, part of what entry slot maps, is touched. */
void
joint_touch(struct core *c, struct joint_tlb *j, u64 va, u32 slot)
{
	j->touched[slot] |= (u8)(1u << (va >> j->page_bits & 7));
	touch(c, va >> j->page_bits);
}

/*
 * The page tables lie in virtual memory: to read an entry, the page that it
 * is in has to be in the DTLB, or be brought there first.
 */
static void
map_table(struct core *c, u64 page, u32 clock)
{
	struct micro_tlb *m = &c->dtlb;
	u64 table = TABLE_PAGES |
		    page >> (m->page_bits - TABLE_ENTRY_BITS);
	int slot = array_find(&m->array, table);

	if (slot < 0) {
		c->sig[SIG_TLB_DOUBLE]++;
		slot = (int)array_victim(&m->array, table);
		tlb_forget(m, m->page[slot]);
		m->page[slot] = table;
		m->hidden += m->page_bits == SHADOW_PAGE_BITS;
	}
	m->stamp[slot] = clock;
}

/* The page tables are looked at for the page of va. */
void
tlb_walk(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	if (c->config->dtlb.maps_tables)
		map_table(c, va >> m->page_bits, clock);
	touch(c, va >> tlb_page_bits(c));
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
