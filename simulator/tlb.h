/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLBs, as far as they are inlined into a micro-TLB's misses, which are
 * common where there are 8 entries.
 */
#ifndef SIM_TLB_H
#define SIM_TLB_H

#include "core.h"
#include "oldest.h"

enum page_result {
	PAGE_HIT,	/* in the micro-TLB */
	PAGE_MISS,	/* brought there from the joint TLB */
	PAGE_REFILL	/* and there from the page tables */
};

/* The rarer halves of what is below; see there. */
void joint_init(struct joint_tlb *j);
u32 joint_find(struct core *c, struct joint_tlb *j, u64 page, bool *there);
void joint_touch(struct core *c, struct joint_tlb *j, u64 va, u32 slot);
void tlb_walk(struct core *c, struct micro_tlb *m, u64 va, u32 clock);
int tlb_find_hidden(struct micro_tlb *m, u64 va);
void tlb_forget_page(struct micro_tlb *m, u64 page);

#define JOINT_HINT(page) ((page) & (JTLB_HINTS - 1))
#define JOINT_HEAD CORE_MAX_JTLB

/* An entry is used: it is the newest. */
SIM_INLINE void
joint_renew_ring(struct joint_tlb *j, u32 slot)
{
	u32 newer = j->newer[slot], older = j->older[slot];
	u32 newest = j->older[JOINT_HEAD];

	if (slot == newest)
		return;
	j->older[newer] = (u16)older;
	j->newer[older] = (u16)newer;
	j->older[slot] = (u16)newest;
	j->newer[newest] = (u16)slot;
	j->newer[slot] = JOINT_HEAD;
	j->older[JOINT_HEAD] = (u16)slot;
}

SIM_INLINE void
joint_renew(struct joint_tlb *j, u32 slot)
{
	if (SIM_LIKELY(j->ring))
		joint_renew_ring(j, slot);
	else
		j->stamp[slot] = array_tick(&j->array, &j->clock);
}

/* A page that missed a micro-TLB: true if the joint TLB behind it had it. */
SIM_INLINE bool
joint_access(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	struct joint_tlb *j = m->joint;
	bool there = true;
	u64 page;
	u32 slot;

	if (SIM_UNLIKELY(!j)) {
		tlb_walk(c, m, va, clock);
		return false;
	}
	page = va >> j->bits;
	slot = j->hint[JOINT_HINT(page)];
	if (SIM_UNLIKELY(j->page[slot] != page))
		slot = joint_find(c, j, page, &there);
	joint_renew(j, slot);
	if (SIM_UNLIKELY(!(j->touched[slot] >> (va >> j->page_bits & 7) & 1)))
		joint_touch(c, j, va, slot);
	return there;
}

/* The slot of pages that need none. */
#define TLB_UNMAPPED CORE_MAX_TLB

SIM_INLINE bool
tlb_is_unmapped(const struct sim_config *config, u64 va)
{
	return config->unmapped_last && va >= config->unmapped_first &&
	       va <= config->unmapped_last;
}

/*
 * The table of pages shows each page of the micro-TLB, unless two of them
 * share an entry, or pages are larger than an entry: those are hidden, and
 * only then a page that the table does not show has to be looked for.
 */
SIM_INLINE void
tlb_show(struct micro_tlb *m, u64 va, u32 slot)
{
	u64 p = va >> SHADOW_PAGE_BITS;
	struct shadow_page *entry = &m->shown[SHADOW_PAGE_INDEX(p)];

	if (m->page_bits == SHADOW_PAGE_BITS)
		m->hidden += entry->page != ARRAY_EMPTY &&
			     entry->slot != TLB_UNMAPPED;
	entry->page = p;
	entry->slot = slot;
}

SIM_INLINE void
tlb_forget(struct micro_tlb *m, u64 page)
{
	struct shadow_page *entry = &m->shown[SHADOW_PAGE_INDEX(page)];

	if (page == ARRAY_EMPTY)
		return;
	if (SIM_LIKELY(entry->page == page &&
		       m->page_bits == SHADOW_PAGE_BITS))
		entry->page = ARRAY_EMPTY;
	else
		tlb_forget_page(m, page);
}

/* The page of va, which the table does not show, but may hide. */
SIM_INLINE enum page_result
tlb_miss(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	bool there;
	u32 slot;

	if (SIM_UNLIKELY(tlb_is_unmapped(c->config, va))) {
		tlb_show(m, va, TLB_UNMAPPED);
		return PAGE_HIT;
	}
	if (SIM_UNLIKELY(m->hidden)) {
		int found = tlb_find_hidden(m, va);

		if (found >= 0) {
			m->stamp[found] = clock;
			return PAGE_HIT;
		}
	}
	there = joint_access(c, m, va, clock);
	c->sig[m->miss]++;
	c->sig[m->refill] += !there;
	slot = SIM_LIKELY(m->lru_of_8) ? oldest_of_8(m->stamp)
				       : array_victim(&m->array,
						      va >> m->page_bits);
	tlb_forget(m, m->page[slot]);
	m->page[slot] = va >> m->page_bits;
	m->stamp[slot] = clock;
	tlb_show(m, va, slot);
	return there ? PAGE_MISS : PAGE_REFILL;
}

/* Whether tlb_miss() has no questions to ask that tlb_miss_usual() leaves
 * out. */
SIM_INLINE bool
tlb_is_usual(const struct core *c, const struct micro_tlb *m)
{
	return m->lru_of_8 && m->page_bits == SHADOW_PAGE_BITS && m->joint &&
	       m->joint->ring && !c->config->unmapped_last;
}

/* The entry of eight that has a page, or -1. */
SIM_INLINE int
tlb_find_of_8(const u64 *page, u64 p)
{
	for (int i = 0; i < 8; i++)
		if (page[i] == p)
			return i;
	return -1;
}

/* Entry slot of a micro-TLB that is usual is for page p from now on. */
SIM_INLINE void
tlb_replace_usual(struct micro_tlb *m, u32 slot, u64 p)
{
	u64 before = m->page[slot];
	struct shadow_page *entry = &m->shown[SHADOW_PAGE_INDEX(before)];

	if (SIM_LIKELY(entry->page == before))
		entry->page = ARRAY_EMPTY;
	else
		m->hidden -= before != ARRAY_EMPTY;
	m->page[slot] = p;
	entry = &m->shown[SHADOW_PAGE_INDEX(p)];
	m->hidden += entry->page != ARRAY_EMPTY;
	entry->page = p;
	entry->slot = slot;
}

/* Returned if nothing was done. */
#define PAGE_UNUSUAL (-1)

/*
 * The same where everything is as it is most of the time: the joint TLB has
 * the page where it was.  An enum page_result, or PAGE_UNUSUAL.
 */
SIM_INLINE int
tlb_miss_usual(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	struct joint_tlb *j = m->joint;
	u64 p = va >> SHADOW_PAGE_BITS, page;
	u32 slot;

	if (SIM_UNLIKELY(!m->usual))
		return PAGE_UNUSUAL;
	if (SIM_UNLIKELY(m->hidden)) {
		int found = tlb_find_of_8(m->page, p);

		if (found >= 0) {
			m->hidden--;
			tlb_show(m, va, (u32)found);
			m->stamp[found] = clock;
			return PAGE_HIT;
		}
	}
	page = va >> j->bits;
	slot = j->hint[JOINT_HINT(page)];
	if (SIM_UNLIKELY(j->page[slot] != page ||
			 !(j->touched[slot] >> (va >> j->page_bits & 7) & 1)))
		return PAGE_UNUSUAL;
	joint_renew_ring(j, slot);
	c->sig[m->miss]++;
	slot = oldest_of_8(m->stamp);
	tlb_replace_usual(m, slot, p);
	m->stamp[slot] = clock;
	return PAGE_MISS;
}

/* Where the table has the page of va, if it shows it. */
SIM_INLINE const struct shadow_page *
tlb_shown(const struct micro_tlb *m, u64 va)
{
	return &m->shown[SHADOW_PAGE_INDEX(va >> SHADOW_PAGE_BITS)];
}

/* An access to a page through a micro-TLB. */
SIM_INLINE enum page_result
tlb_access(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	u64 p = va >> SHADOW_PAGE_BITS;
	const struct shadow_page *known = tlb_shown(m, va);

	if (known->page != p)
		return tlb_miss(c, m, va, clock);
	m->stamp[known->slot] = clock;
	return PAGE_HIT;
}

#endif
