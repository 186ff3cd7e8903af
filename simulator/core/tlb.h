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
void joint_touch(struct core *c, struct joint_tlb *j, u64 va, u32 place);
void tlb_walk(struct core *c, struct micro_tlb *m, u64 va, u32 clock);
int tlb_find_hidden(struct micro_tlb *m, u64 va);
u32 tlb_victim(struct micro_tlb *m, u64 page);
void tlb_forget_page(struct micro_tlb *m, u64 page);

/* The operating system's pages first to end - 1 leave micro-TLBs.  Joint ones keep their
 * entries, but the next access to each page touches it. */
void tlb_unmap(struct core *c, u64 first, u64 end);

/* Slot s has another page, or none, from now on. */
SIM_INLINE void
hints_replace(struct page_hints *h, const struct array *a, u32 s, u64 page)
{
	u64 before = a->key[s];

	if (before != ARRAY_EMPTY)
		h->here[PAGE_HINT(before)]--;
	a->key[s] = page;
	if (page == ARRAY_EMPTY)
		return;
	h->here[PAGE_HINT(page)]++;
	h->slot[PAGE_HINT(page)] = (u16)s;
}

/* The same of a micro-TLB. */
SIM_INLINE void
tlb_put(struct micro_tlb *m, u32 slot, u64 page)
{
	if (m->hinted)
		hints_replace(&m->hints, &m->array, slot, page);
	else
		m->page[slot] = page;
}

/* Room for more uses in the log, without those that are not an entry's last. */
void joint_shorten(struct joint_tlb *j);

/* The entry in slot is used: it is the newest. */
SIM_INLINE void
joint_log(struct joint_tlb *j, u8 slot)
{
	u32 at = ++j->clock;

	j->log[at] = slot;
	j->stamp[slot] = at;
}

SIM_INLINE void
joint_renew(struct joint_tlb *j, u32 slot)
{
	if (SIM_UNLIKELY(!j->logs)) {
		j->stamp[slot] = array_tick(&j->array, &j->clock);
		return;
	}
	if (SIM_UNLIKELY(j->clock == JTLB_LOG - 1))
		joint_shorten(j);
	joint_log(j, (u8)slot);
}

/* The place in holds of the page of va, part of what entry slot maps. */
SIM_INLINE u32
joint_place(const struct joint_tlb *j, u64 va, u32 slot)
{
	u32 part = (u32)(va >> j->page_bits) & (j->parts - 1);

	return part * CORE_MAX_JTLB | slot;
}

/* A page that missed a micro-TLB: true if the joint TLB behind it had it. */
SIM_INLINE bool
joint_access(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	struct joint_tlb *j = m->joint;
	bool there = true;
	u32 slot, place;
	u64 page;

	if (SIM_UNLIKELY(!j)) {
		tlb_walk(c, m, va, clock);
		return false;
	}
	page = va >> j->bits;
	slot = j->hints.slot[PAGE_HINT(page)];
	if (SIM_UNLIKELY(j->page[slot] != page))
		slot = joint_find(c, j, page, &there);
	joint_renew(j, slot);
	place = joint_place(j, va, slot);
	if (SIM_UNLIKELY(j->holds[place] != va >> j->page_bits))
		joint_touch(c, j, va, place);
	m->behind[BEHIND_INDEX(va >> SHADOW_PAGE_BITS)] = (u16)place;
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
 * The table of pages shows each page of the micro-TLB, unless several of them
 * share an entry, or pages are larger than an entry: one more is set aside.
 * The others are hidden, and only then a page that is in neither place has to
 * be looked for.
 */
SIM_INLINE void
tlb_show(struct micro_tlb *m, u64 va, u32 slot)
{
	u64 p = va >> SHADOW_PAGE_BITS, at = SHADOW_PAGE_INDEX(p);
	u64 before = m->shown[at];

	if (m->page_bits == SHADOW_PAGE_BITS && before != SHADOW_PAGE_EMPTY &&
	    SHADOW_PAGE_SLOT(before) != TLB_UNMAPPED) {
		if (m->aside[at] != SHADOW_PAGE_EMPTY)
			m->hidden++;
		else
			m->set_aside++;
		m->aside[at] = before;
	}
	m->shown[at] = SHADOW_PAGE_ENTRY(p, slot);
}

/* Shows the page of va if it is set aside: true if so. */
SIM_INLINE bool
tlb_show_aside(struct micro_tlb *m, u64 va, u32 clock)
{
	u64 p = va >> SHADOW_PAGE_BITS, at = SHADOW_PAGE_INDEX(p);
	u64 slot = aside_slot(m, p), before = m->shown[at];

	if (SIM_LIKELY(slot > SHADOW_PAGE_SLOTS))
		return false;
	m->shown[at] = m->aside[at];
	if (before == SHADOW_PAGE_EMPTY ||
	    SHADOW_PAGE_SLOT(before) == TLB_UNMAPPED) {
		before = SHADOW_PAGE_EMPTY;
		m->set_aside--;
	}
	m->aside[at] = before;
	m->stamp[slot] = clock;
	return true;
}

SIM_INLINE void
tlb_forget_aside(struct micro_tlb *m, u64 at)
{
	m->aside[at] = SHADOW_PAGE_EMPTY;
	m->set_aside--;
}

SIM_INLINE void
tlb_forget(struct micro_tlb *m, u64 page)
{
	u64 at = SHADOW_PAGE_INDEX(page);

	if (SIM_UNLIKELY(m->page_bits != SHADOW_PAGE_BITS ||
			 !SHADOW_PAGE_CAN_BE(page)))
		tlb_forget_page(m, page);
	else if (SIM_LIKELY(shown_slot(m, page) <= SHADOW_PAGE_SLOTS))
		m->shown[at] = SHADOW_PAGE_EMPTY;
	else if (aside_slot(m, page) <= SHADOW_PAGE_SLOTS)
		tlb_forget_aside(m, at);
	else
		m->hidden--;
}

/* Page p takes the place of the oldest one in a micro-TLB that is usual, and
 * hides no page. */
SIM_INLINE void
tlb_replace_usual(struct micro_tlb *m, u64 p, u32 clock)
{
	u32 slot = oldest_of_8(m->stamp);
	u64 before = m->page[slot], was = SHADOW_PAGE_INDEX(before);
	u64 at = SHADOW_PAGE_INDEX(p), entry = SHADOW_PAGE_ENTRY(before, slot);

	if (SIM_LIKELY(m->shown[was] == entry))
		m->shown[was] = SHADOW_PAGE_EMPTY;
	else if (m->aside[was] == entry)
		tlb_forget_aside(m, was);
	if (SIM_UNLIKELY(m->shown[at] != SHADOW_PAGE_EMPTY)) {
		m->aside[at] = m->shown[at];
		m->set_aside++;
	}
	m->page[slot] = p;
	m->stamp[slot] = clock;
	m->shown[at] = SHADOW_PAGE_ENTRY(p, slot);
}

/* The page of va, which the table does not show, but may hide. */
SIM_INLINE enum page_result
tlb_miss(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	bool there;
	u32 slot;

	if (tlb_show_aside(m, va, clock))
		return PAGE_HIT;
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
	if (SIM_LIKELY(m->usual && !m->hidden &&
		       m->aside[SHADOW_PAGE_INDEX(va >> SHADOW_PAGE_BITS)] ==
			       SHADOW_PAGE_EMPTY)) {
		tlb_replace_usual(m, va >> SHADOW_PAGE_BITS, clock);
		return there ? PAGE_MISS : PAGE_REFILL;
	}
	slot = SIM_LIKELY(m->lru_of_8) ? oldest_of_8(m->stamp)
				       : tlb_victim(m, va >> m->page_bits);
	tlb_forget(m, m->page[slot]);
	tlb_put(m, slot, va >> m->page_bits);
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
	       m->joint->logs && m->joint->page_bits == SHADOW_PAGE_BITS &&
	       !c->config->unmapped_last;
}

/* Returned if nothing was done. */
#define PAGE_UNUSUAL (-1)

/*
 * The same of a usual one, where everything is as it is most of the time: no
 * page is hidden, or has to be, and the joint TLB has the page where it was.
 * An enum page_result, or PAGE_UNUSUAL.
 */
SIM_INLINE int
tlb_miss_known(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	u64 p = va >> SHADOW_PAGE_BITS, at = SHADOW_PAGE_INDEX(p);
	u32 place = m->behind[BEHIND_INDEX(p)];
	struct joint_tlb *j = m->joint;

	/* Most of the time there is none, and then that table, which is large,
	 * is not asked. */
	if (SIM_UNLIKELY(m->set_aside && m->aside[at] != SHADOW_PAGE_EMPTY))
		return tlb_show_aside(m, va, clock) ? PAGE_HIT : PAGE_UNUSUAL;
	if (SIM_UNLIKELY(m->hidden || j->holds[place] != p ||
			 j->clock == JTLB_LOG - 1))
		return PAGE_UNUSUAL;
	joint_log(j, (u8)place);
	c->sig[m->miss]++;
	tlb_replace_usual(m, p, clock);
	return PAGE_MISS;
}

/* The same of any. */
SIM_INLINE int
tlb_miss_usual(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	return SIM_LIKELY(m->usual) ? tlb_miss_known(c, m, va, clock)
				    : PAGE_UNUSUAL;
}

/* A page that has been asked for before is used, as far as it is still there
 * and not hidden. */
SIM_INLINE void
tlb_use(struct micro_tlb *m, u64 va, u32 clock)
{
	u64 page = va >> SHADOW_PAGE_BITS, slot = shown_slot(m, page);

	if (slot > SHADOW_PAGE_SLOTS)
		slot = aside_slot(m, page);
	if (slot <= SHADOW_PAGE_SLOTS)
		m->stamp[slot] = clock;
}

/* An access to a page through a micro-TLB. */
SIM_INLINE enum page_result
tlb_access(struct core *c, struct micro_tlb *m, u64 va, u32 clock)
{
	u64 slot = shown_slot(m, va >> SHADOW_PAGE_BITS);

	if (slot > SHADOW_PAGE_SLOTS)
		return tlb_miss(c, m, va, clock);
	m->stamp[slot] = clock;
	return PAGE_HIT;
}

#endif
