/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast path: what happens when nothing happens.  Inlined into the
 * engine's callbacks; everything else is out of line.
 */
#ifndef SIM_FAST_H
#define SIM_FAST_H

#include "dcache.h"
#include "fast_predict.h"

/* Everything that fast_enter() leaves to a call of its own: the last thing
 * that it does, so that it needs no registers to be kept. */
void core_enter(struct core *c, struct block *t);

/* The same if the end of the block before it is nothing out of the ordinary,
 * but t's page or lines are elsewhere. */
void core_enter_fetch(struct core *c, struct block *t);

/* The same if all that is out of the ordinary is that t waits for what the
 * block before it owes. */
void core_enter_late(struct core *c, struct block *t);

/* The same if the branch of the block before it, a KIND_SLOW that owes nothing
 * for long, has been resolved, and cost that many cycles. */
void core_enter_behind(struct core *c, struct block *t, u64 cycles);

/* Lines that a block spans, if that is known: one, two, three, any number, one
 * or two. */
enum fast_lines {
	FAST_ONE = 1, FAST_TWO = 2, FAST_THREE = 3, FAST_ANY, FAST_FEW
};

/* How many, as far as they are known. */
SIM_INLINE unsigned
fast_n_line(const struct block *t, enum fast_lines lines)
{
	return lines <= FAST_THREE ? lines : t->n_line;
}

/* Zero if a block's lines are where they were last time. */
SIM_INLINE u64
fast_lines_differ(const struct core *c, const struct block *t,
		  enum fast_lines lines)
{
	u64 differ = c->line_number[t->line_slot[0]] ^ t->line;

	if (fast_n_line(t, lines) > 1)
		differ |= c->line_number[t->line_slot[1]] ^ (t->line + 1);
	for (unsigned i = 2; lines != FAST_FEW && i < fast_n_line(t, lines);
	     i++)
		differ |= i >= BLOCK_LINES ||
			  c->line_number[block_more_slot(t)[i - 2]] !=
				  t->line + i;
	return differ;
}

/* Whether its page is, too, which the table shows in that slot. */
SIM_INLINE bool
fast_fetch_known_at(const struct core *c, const struct block *t,
		    enum fast_lines lines, u64 page)
{
	return !(fast_lines_differ(c, t, lines) | page >> 8);
}

SIM_INLINE bool
fast_fetch_known(const struct core *c, const struct block *t,
		 enum fast_lines lines)
{
	return fast_fetch_known_at(c, t, lines,
				   block_shown(&c->itlb, t));
}

SIM_INLINE void
fast_lines(struct core *c, const struct block *t, enum fast_lines lines,
	   u32 clock)
{
	c->line_stamp[t->line_slot[0]] = clock;
	if (fast_n_line(t, lines) > 1)
		c->line_stamp[t->line_slot[1]] = clock;
	for (unsigned i = 2; lines != FAST_FEW && i < fast_n_line(t, lines);
	     i++)
		c->line_stamp[block_more_slot(t)[i - 2]] = clock;
}

SIM_INLINE void
fast_fetch_at(struct core *c, const struct block *t, enum fast_lines lines,
	      u64 page, u32 clock)
{
	fast_lines(c, t, lines, clock);
	c->itlb.stamp[page] = clock;
}

SIM_INLINE void
fast_fetch(struct core *c, const struct block *t, enum fast_lines lines,
	   u32 clock)
{
	fast_fetch_at(c, t, lines, block_shown(&c->itlb, t), clock);
}

/*
 * Enters block t, which spans that many lines.
 */
SIM_INLINE void
fast_enter(struct core *c, struct block *t, enum fast_lines lines,
	   enum fast_predictor predictor)
{
	struct block *p = c->prev;
	u64 now, cost = 0, page = block_shown(&c->itlb, t);
	unsigned slow = predictor >= FAST_OWN ? KIND_SLOW
					      : KIND_SLOW | KIND_OWN;

	if (predictor != FAST_HELD)
		slow |= KIND_HELD;
	if (SIM_UNLIKELY(p->kind & slow)) {
		core_enter(c, t);
		return;
	}
	if (SIM_UNLIKELY(page > SHADOW_PAGE_SLOTS ||
			 fast_lines_differ(c, t, lines))) {
		core_enter_fetch(c, t);
		return;
	}
	if (p->owes & t->needs) {
		core_enter_late(c, t);
		return;
	}
	if (predictor >= FAST_OWN && p->kind & (KIND_HELD | KIND_OWN) &&
	    !fast_predicted(c, p, t, predictor, &cost)) {
		core_enter(c, t);
		return;
	}
	t->execs++;
	c->prev = t;
	if (predictor < FAST_OWN && p->kind & KIND_COND)
		cost = fast_branch(c, p, t, predictor == FAST_HISTORY);
	now = c->now + t->advance + cost;
	c->now = now;
	fast_fetch_at(c, t, lines, page, (u32)now);
	if (SIM_UNLIKELY(now >= c->deadline))
		core_attend(c, t);
}

/* The same where nothing is modelled: what executed is counted. */
SIM_INLINE void
fast_count(struct core *c, struct block *t)
{
	struct block *p = c->prev;

	t->execs++;
	c->prev = t;
	if (p->kind & (KIND_COND | KIND_OWN))
		c->outcome[p->shares][(u32)t->vaddr != p->fall_low]++;
	else if (p->kind & (KIND_SLOW | KIND_HELD))
		core_count_branch(c, p, t);
}

/* An access of a pair that may want one bank; false if core_bank() is asked
 * for, because it does. */
SIM_INLINE bool
fast_bank(struct core *c, const struct block_access *a, u64 va)
{
	u32 bank = bank_of(c, va);

	if (a->flags & ACCESS_BANK_SECOND && c->bank == bank)
		return false;
	c->bank = a->flags & ACCESS_BANK_FIRST ? bank : 0;
	return true;
}

/* Where the tables show what an access needs: way and slot; false if they do
 * not show it. */
struct fast_place {
	u64 way, slot;
};

SIM_INLINE bool
fast_data_shown(const struct core *c, u64 va, unsigned size_log2,
		struct fast_place *at)
{
	at->way = SHADOW_WAY(va, c->shadow[SHADOW_INDEX(va)]);
	at->slot = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);
	return !((at->way > SHADOW_LAST(1u << size_log2)) |
		 (at->slot > SHADOW_PAGE_SLOTS));
}

/* What a hit there does at that time of the access clock.  tells: the level
 * behind is told of what is stored to. */
SIM_INLINE void
fast_data_hit(struct core *c, const struct fast_place *at, u32 clock,
	      unsigned store, bool tells)
{
	c->data_stamp[(u16)at->way] = clock;
	if (store && tells)
		data_change(c, (u16)at->way);
	else if (store)
		c->data_dirty[(u16)at->way] = 1;
	c->dtlb.stamp[at->slot] = clock;
}

/* An access of 1 << size_log2 bytes; true if it hit and all is done. */
SIM_INLINE bool
fast_data(struct core *c, const struct block_access *a, u64 va,
	  unsigned size_log2, unsigned store)
{
	struct fast_place at;

	if (SIM_UNLIKELY(!fast_data_shown(c, va, size_log2, &at)))
		return false;
	fast_data_hit(c, &at, (u32)c->now - a->clock_back, store, false);
	return true;
}

/* A store there at cycle t to a cache that is written through; true if
 * near_put() is all that is left. */
SIM_INLINE bool
fast_through(struct core *c, const struct fast_place *at, u32 clock, u64 t)
{
	if (!c->stores_shown || c->n_pending ||
	    c->data_ready[(u16)at->way] > t)
		return false;
	c->data_stamp[(u16)at->way] = clock;
	c->dtlb.stamp[at->slot] = clock;
	return true;
}

#endif
