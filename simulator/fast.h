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

SIM_INLINE bool
fast_fetch(struct core *c, const struct block *t, unsigned lines)
{
	u32 s0 = t->line_slot[0], s1 = t->line_slot[1], page = t->itlb_slot;
	u32 clock = (u32)c->now;
	u64 differ = (c->line_number[s0] ^ t->line) |
		     (c->itlb_page[page] ^ t->page);

	if (lines > 1)
		differ |= c->line_number[s1] ^ (t->line + 1);
	if (SIM_UNLIKELY(differ))
		return false;
	for (unsigned i = 2; lines > 2 && i < t->n_line; i++) {
		u32 s = t->more_slot[i - 2];

		if (SIM_UNLIKELY(c->line_number[s] != t->line + i))
			return false;
		c->line_stamp[s] = clock;
	}
	c->line_stamp[s0] = clock;
	if (lines > 1)
		c->line_stamp[s1] = clock;
	c->itlb_stamp[page] = clock;
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
	if (SIM_UNLIKELY(!fast_fetch(c, t, lines)))
		core_fetch_block(c, p, t);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

/* An access of 1 << size_log2 bytes; true if it hit and all is done. */
SIM_INLINE bool
fast_data(struct core *c, const struct block_access *a, u64 va,
	  unsigned size_log2, unsigned store)
{
	u32 at = SHADOW_INDEX(va), slots, clock;

	if (SIM_UNLIKELY(va - c->shadow_base[at] >
			 SHADOW_GRANULE - (1u << size_log2)))
		return false;
	slots = c->shadow_slot[at];
	clock = (u32)c->now - a->clock_back;
	c->data_stamp[store][slots & 0xffff] = clock;
	c->dtlb_stamp[slots >> 16] = clock;
	return true;
}

#endif
