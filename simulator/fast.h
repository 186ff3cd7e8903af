/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast path: what happens when nothing happens.  Inlined into the
 * engine's callbacks; everything else is out of line.
 */
#ifndef SIM_FAST_H
#define SIM_FAST_H

#include "core.h"

SIM_INLINE void
fast_branch(struct core *c, const struct block *p, const struct block *t)
{
	unsigned taken = t->vaddr != p->fall;
	u32 at = (p->bht_index ^ ((u32)c->history & c->history_mask)) &
		 c->bht_mask;
	unsigned k = c->update[c->bht[at] + taken];
	unsigned outcome = (k & 1u) << 1 | taken;

	c->bht[at] = k & 6;
	c->history = c->history << 1 | taken;
	c->last_outcome = (u8)outcome;
	c->outcome[p->shares][outcome]++;
	c->now += c->cost[outcome];
}

SIM_INLINE void
fast_page(struct core *c, struct block *t)
{
	u32 y = SHADOW_PAGE_INDEX(t->page);

	if (SIM_LIKELY(c->fetch_page[y].page == t->page))
		c->itlb_stamp[c->fetch_page[y].slot] = (u32)c->now;
	else
		core_fetch_pages(c, t);
}

SIM_INLINE bool
fast_lines(struct core *c, const struct block *t, unsigned lines)
{
	u32 s0 = t->line_slot[0], s1 = t->line_slot[1];
	u32 clock = (u32)c->now;
	u64 differ = c->line_number[s0] ^ t->line;

	if (lines > 1)
		differ |= c->line_number[s1] ^ (t->line + 1);
	if (SIM_UNLIKELY(differ))
		return false;
	for (unsigned i = 2; lines > 2 && i < t->n_line; i++) {
		u32 s = t->more_slot[i - 2];

		if (SIM_UNLIKELY(i >= BLOCK_LINES ||
				 c->line_number[s] != t->line + i))
			return false;
		c->line_stamp[s] = clock;
	}
	c->line_stamp[s0] = clock;
	if (lines > 1)
		c->line_stamp[s1] = clock;
	return true;
}

/* Enters block t, which spans that many lines (3 stands for more). */
SIM_INLINE void
fast_enter(struct core *c, struct block *t, unsigned lines)
{
	struct block *p = c->prev;

	t->execs++;
	c->now += t->advance;
	c->prev = t;
	if (SIM_LIKELY(p->kind == KIND_COND))
		fast_branch(c, p, t);
	else if (p->kind == KIND_SLOW)
		core_leave(c, p, t);
	fast_page(c, t);
	if (SIM_UNLIKELY(!fast_lines(c, t, lines)))
		core_fetch_lines(c, p, t);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

/* The same where nothing is modelled: what executed is counted. */
SIM_INLINE void
fast_count(struct core *c, struct block *t)
{
	struct block *p = c->prev;

	t->execs++;
	c->prev = t;
	if (p->kind == KIND_COND)
		c->outcome[p->shares][t->vaddr != p->fall]++;
	else if (p->kind == KIND_SLOW)
		core_leave(c, p, t);
}

/* An access of 1 << size_log2 bytes; true if it hit and all is done. */
SIM_INLINE bool
fast_data(struct core *c, const struct block_access *a, u64 va,
	  unsigned size_log2, unsigned store)
{
	u32 at = SHADOW_INDEX(va), clock;
	u64 page = va >> SHADOW_PAGE_BITS;
	u32 y = SHADOW_PAGE_INDEX(page);

	if (SIM_UNLIKELY((va - c->shadow_base[at] >
			  SHADOW_GRANULE - (1u << size_log2)) |
			 (c->shadow_page[y].page != page)))
		return false;
	clock = (u32)c->now - a->clock_back;
	c->data_stamp[store][c->shadow_slot[at]] = clock;
	c->dtlb_stamp[c->shadow_page[y].slot] = clock;
	return true;
}

#endif
