/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLBs: what is rare, the joint TLB's misses, first touches of pages. */
#include "tlb.h"
#include "own_tlb.h"
#include "walk.h"
#include "pages.h"

/* Above all page numbers: pages of page tables in a TLB, which its table does
 * not show. */
#define TABLE_PAGES (1ull << 60)
#define TABLE_ENTRY_BITS 3

u32
tlb_page_bits(const struct core *c)
{
	if (c->config->os_page_bits)
		return c->config->os_page_bits;
	return c->itlb.page_bits < c->dtlb.page_bits ? c->itlb.page_bits
						     : c->dtlb.page_bits;
}

/* The slot of a page, or -1: if the hint has another page that shares it, and
 * no other one does, it is not there. */
static int
hints_find(const struct page_hints *h, const struct array *a, u64 page)
{
	u32 at = PAGE_HINT(page), slot = h->slot[at], here = h->here[at];
	u64 hinted = a->key[slot];

	if (hinted == page)
		return (int)slot;
	if (!here || (here == 1 && hinted != ARRAY_EMPTY &&
		      PAGE_HINT(hinted) == at))
		return -1;
	return array_find(a, page);
}

static int
tlb_find(const struct micro_tlb *m, u64 page)
{
	return m->hinted ? hints_find(&m->hints, &m->array, page)
			 : array_find(&m->array, page);
}

/* The slot that is to hold a page: of the oldest entries, the first that is
 * empty. */
u32
tlb_victim(struct micro_tlb *m, u64 page)
{
	if (!m->lru_of_many)
		return array_victim(&m->array, page);
	while (m->filled < m->array.ways &&
	       m->page[m->filled] != ARRAY_EMPTY)
		m->filled++;
	return m->filled < m->array.ways
		       ? m->filled
		       : oldest_of_many(m->stamp, m->array.ways);
}

/* What is in that slot leaves. */
static void
tlb_empty(struct micro_tlb *m, u32 slot)
{
	tlb_forget(m, m->page[slot]);
	tlb_put(m, slot, ARRAY_EMPTY);
	m->stamp[slot] = 0;
	if (slot < m->filled)
		m->filled = (u16)slot;
}

/* The pages of an entry that leaves joint TLB j leave a micro-TLB. */
static void
purge(struct micro_tlb *m, const struct joint_tlb *j, u64 entry)
{
	u32 bits = j->bits - m->page_bits;

	if (m->joint != j)
		return;
	for (u64 page = entry << bits; page >> bits == entry; page++) {
		int slot = tlb_find(m, page);

		if (slot >= 0)
			tlb_empty(m, (u32)slot);
	}
}

/* The same of those that contexts have to themselves. */
static void
purge_own(struct own_tlbs *own, const struct joint_tlb *j, u64 entry)
{
	for (u32 i = 0; own && i < own->n; i++)
		if (i != own->here)
			purge(&own->tlb[i], j, entry);
}

/* Pages at addresses first to last leave m. */
static void
micro_unmap(struct micro_tlb *m, u64 first, u64 last)
{
	u32 entries = (m->array.set_mask + 1) * m->array.ways;

	for (u32 slot = 0; slot < entries; slot++) {
		u64 page = m->page[slot];

		if (page >= first >> m->page_bits &&
		    page <= last >> m->page_bits)
			tlb_empty(m, slot);
	}
}

static void
joint_unmap(struct joint_tlb *j, u64 first, u64 end)
{
	u32 entries = (j->array.set_mask + 1) * j->array.ways;

	for (u32 part = 0; part < j->parts; part++)
		for (u32 slot = 0; slot < entries; slot++) {
			u64 *page = &j->holds[part * CORE_MAX_JTLB | slot];

			if (*page >= first && *page < end)
				*page = ARRAY_EMPTY;
		}
}

static void
tlbs_unmap(struct micro_tlb *m, u64 first, u64 end, u32 bits)
{
	micro_unmap(m, first << bits, (end << bits) - 1);
	if (m->joint)
		joint_unmap(m->joint, first, end);
}

void
tlb_unmap(struct core *c, u64 first, u64 end)
{
	u32 bits = tlb_page_bits(c);

	tlbs_unmap(&c->itlb, first, end, bits);
	tlbs_unmap(&c->dtlb, first, end, bits);
	for (u32 i = 0; c->own_itlbs && i < c->own_itlbs->n; i++)
		micro_unmap(&c->own_itlbs->tlb[i], first << bits,
			    (end << bits) - 1);
	for (u32 i = 0; c->own_dtlbs && i < c->own_dtlbs->n; i++)
		micro_unmap(&c->own_dtlbs->tlb[i], first << bits,
			    (end << bits) - 1);
}

/* The array of j is set up, and empty: slots are filled in their order. */
void
joint_init(struct joint_tlb *j)
{
	u32 entries = (j->array.set_mask + 1) * j->array.ways;

	j->logs = !j->array.set_mask && j->array.policy == POLICY_LRU &&
		  entries <= JTLB_MAX_LOG;
	for (u32 part = 0; part < j->parts; part++)
		for (u32 slot = 0; slot < entries; slot++)
			j->holds[part * CORE_MAX_JTLB | slot] = ARRAY_EMPTY;
	if (!j->logs)
		return;
	j->first = 1;
	for (u32 slot = 0; slot < j->array.ways; slot++)
		joint_log(j, (u8)slot);
}

void
joint_shorten(struct joint_tlb *j)
{
	u32 n = 0;

	for (u32 at = j->first; at <= j->clock; at++) {
		u8 slot = j->log[at];

		if (j->stamp[slot] != at)
			continue;
		j->log[++n] = slot;
		j->stamp[slot] = n;
	}
	j->first = 1;
	j->clock = n;
}

/* The entry of the log's TLB that was used last before all others. */
static u32
joint_oldest(struct joint_tlb *j)
{
	while (j->stamp[j->log[j->first]] != j->first)
		j->first++;
	return j->log[j->first];
}

/* Replaces an entry of j by one for page; its slot. */
static u32
joint_replace(struct core *c, struct joint_tlb *j, u64 page)
{
	u32 slot = j->logs ? joint_oldest(j) : array_victim(&j->array, page);
	u64 before = j->page[slot];

	if (before != ARRAY_EMPTY && j->inclusive) {
		purge(&c->itlb, j, before);
		purge(&c->dtlb, j, before);
		purge_own(c->own_itlbs, j, before);
		purge_own(c->own_dtlbs, j, before);
	}
	hints_replace(&j->hints, &j->array, slot, page);
	/* None becomes empty again, and the last one is filled last. */
	j->array.full |= !j->array.set_mask && slot + 1 == j->array.ways;
	for (u32 part = 0; part < j->parts; part++)
		j->holds[part * CORE_MAX_JTLB | slot] = ARRAY_EMPTY;
	if (c->walker)
		walk_tables(c, page << j->bits);
	return slot;
}

/* Slot of a page in a joint TLB that is not where it was last time; if it
 * is not there at all, it is afterwards. */
u32
joint_find(struct core *c, struct joint_tlb *j, u64 page, bool *there)
{
	int found = hints_find(&j->hints, &j->array, page);
	u32 slot;

	*there = found >= 0;
	slot = *there ? (u32)found : joint_replace(c, j, page);
	j->hints.slot[PAGE_HINT(page)] = (u16)slot;
	return slot;
}

static void
touch(struct core *c, u64 page)
{
	if (pages_touch(c->pages, page))
		c->sig[SIG_OS_PAGE]++;
}

/* The page of va, which has that place in holds, is touched. */
void
joint_touch(struct core *c, struct joint_tlb *j, u64 va, u32 place)
{
	j->holds[place] = va >> j->page_bits;
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
	int slot = tlb_find(m, table);

	if (slot < 0) {
		c->sig[SIG_TLB_DOUBLE]++;
		slot = (int)tlb_victim(m, table);
		tlb_forget(m, m->page[slot]);
		tlb_put(m, (u32)slot, table);
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
	if (c->walker)
		walk_tables(c, va);
}

/* Slot of the page of va, which the table then shows, or -1. */
int
tlb_find_hidden(struct micro_tlb *m, u64 va)
{
	int slot = tlb_find(m, va >> m->page_bits);

	if (slot < 0)
		return slot;
	if (m->page_bits == SHADOW_PAGE_BITS)
		m->hidden--;
	tlb_show(m, va, (u32)slot);
	return slot;
}

/* A page that has several entries, or none because it is of page tables,
 * leaves. */
void
tlb_forget_page(struct micro_tlb *m, u64 page)
{
	u32 bits = m->page_bits - SHADOW_PAGE_BITS;

	if (!SHADOW_PAGE_CAN_BE(page)) {
		m->hidden -= page != ARRAY_EMPTY && !bits;
		return;
	}
	for (u64 p = page << bits; p >> bits == page; p++)
		if (shown_slot(m, p) <= SHADOW_PAGE_SLOTS)
			m->shown[SHADOW_PAGE_INDEX(p)] = SHADOW_PAGE_EMPTY;
}

unsigned
fetch_page(struct core *c, struct micro_tlb *m, u64 va, u32 clock,
	   bool *refill)
{
	enum page_result page = tlb_access(c, m, va, clock);

	*refill = page == PAGE_REFILL;
	return page == PAGE_HIT ? 0 : c->config->pipe.itlb_bubble;
}
