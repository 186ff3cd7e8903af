/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instruction side out of line: lines and pages of a block. */
#include "core.h"
#include "fast.h"
#include "memory.h"
#include "oldest.h"
#include "tlb.h"

/*
 * The usual kind of instruction cache, for which what is below is compiled
 * apart, without the questions that the others need: the parameter plain.
 */
static bool
fetch_is_plain(const struct core *c)
{
	return c->l1i.policy == POLICY_LRU && c->l1i.ways == 4 &&
	       !c->n_outer && !c->predict && c->config->topo.cpus <= 1;
}

/* The slot to replace. */
SIM_INLINE u32
fetch_victim(struct core *c, u64 line, bool plain)
{
	u32 ways = plain ? 4 : c->l1i.ways;
	u32 first = ((u32)line & c->l1i.set_mask) * ways;

	return plain ? first + oldest_of_4(c->line_stamp + first)
		     : array_victim(&c->l1i, line);
}

/* The line in that slot of the level behind the first one is asked for at cycle
 * t; the cycle that it is there. */
SIM_INLINE u64
read_near(struct core *c, u32 slot, u64 t)
{
	struct outer_level *level = &c->outer[0];
	u64 begin = outer_begin(level, t, level->repeat[1]);

	outer_take(level, begin, level->repeat[1]);
	c->sig[SIG_L2_ACCESS]++;
	c->sig[level->state[slot] ? SIG_L2_IFETCH_M : SIG_L2_IFETCH_E]++;
	if (level->ages)
		level->lines.stamp[slot] =
			array_tick(&level->lines, &level->clock);
	return begin + level->config->latency;
}

/* The same of any line: most are there. */
SIM_INLINE u64
fetch_read(struct core *c, u64 addr, u64 t, bool plain)
{
	int slot;

	if (plain)
		return memory_read(c, addr, t, OUTER_IFETCH);
	if (!c->fetches_near ||
	    (slot = outer_find(&c->outer[0], addr)) < 0)
		return memory_fill(c, addr, t, OUTER_IFETCH);
	return read_near(c, (u32)slot, t);
}

/* A line that is not in the cache comes from behind it, asked for at cycle
 * start, into the slot that is returned. */
SIM_INLINE u32
fetch_fill(struct core *c, u64 line, u32 clock, u64 start, bool plain)
{
	u32 s = fetch_victim(c, line, plain);
	u64 ready;

	c->sig[SIG_ICACHE_MISS]++;
	c->line_number[s] = line;
	c->line_stamp[s] = clock;
	ready = fetch_read(c, line << c->iline_bits, start, plain);
	c->line_ready[s] = ready;
	c->sig[SIG_IMISS_OCCUPANCY] += ready - start;
	if (!plain && SIM_UNLIKELY(c->predict != NULL))
		predict_refill(c, s);
	return s;
}

u64
fetch_missing(struct core *c, u64 line, u32 clock, u64 t, u16 *where)
{
	u64 start;
	u32 s;

	if (queue_take(c, &c->ifb, t, &start))
		c->sig[SIG_IFB_FULL]++;
	s = fetch_fill(c, line, clock, start, false);
	queue_put(&c->ifb, c->line_ready[s]);
	*where = (u16)s;
	return c->line_ready[s];
}

u64
fetch_line(struct core *c, u64 line, u32 clock, u64 t, u16 *where)
{
	int slot = array_find(&c->l1i, line);

	if (slot < 0)
		return fetch_missing(c, line, clock, t, where);
	c->line_stamp[slot] = clock;
	*where = (u16)slot;
	if (c->line_ready[slot] > t)
		c->sig[SIG_ICACHE_MISS]++;
	return c->line_ready[slot];
}

void
fetch_invalidate(struct core *c, u64 addr, u64 end)
{
	for (; addr < end; addr += 1ull << c->iline_bits) {
		int slot = array_find(&c->l1i, addr >> c->iline_bits);

		if (slot < 0)
			continue;
		c->line_number[slot] = ARRAY_EMPTY;
		c->line_stamp[slot] = 0;
	}
}

/* Time lost without an instruction, in user mode and counted. */
static void
fetch_stall(struct core *c, unsigned signal, u64 cycles)
{
	c->sig[signal] += cycles;
	count_stall(c, cycles);
	if (signal == SIG_IFU_ICACHE)
		c->sig[SIG_ICACHE_WAIT] += cycles;
	c->now += CYCLES(cycles);
}

static void
fetch_pages(struct core *c, struct block *t)
{
	u64 last = t->fall - 1;

	for (u64 va = t->vaddr;; va = last) {
		bool refill;
		unsigned bubble = fetch_page(c, &c->itlb, va, (u32)c->now,
					     &refill);

		if (bubble)
			fetch_stall(c, SIG_IFU_ITLB, bubble);
		if (refill) {
			memory_refill(c, core_cycle(c) - t->cycles);
			c->now += CYCLES(c->refill);
			if (c->config->pipe.refill_is_hardware)
				c->sig[SIG_IFU_ITLB] += c->refill;
			else
				c->uncounted += c->refill;
			c->redirect = core_cycle(c) - t->cycles;
		}
		if (va >> c->itlb.page_bits == last >> c->itlb.page_bits)
			return;
	}
}

void
fetch_keep_slot(struct block *t, unsigned i, u16 slot)
{
	if (i < 2)
		t->line_slot[i] = slot;
	else if (i < BLOCK_LINES)
		block_more_slot(t)[i - 2] = slot;
}

/* Cycle, from the block's start, that the first instruction of a line can
 * issue: the lines are taken to be worked through evenly. */
SIM_INLINE u64
line_start(const struct core *c, const struct block *t, u64 line)
{
	u64 first = line << c->iline_bits;

	if (first <= t->vaddr)
		return 0;
	return (u32)(first - t->vaddr) * (u32)t->cycles /
	       (u32)(t->fall - t->vaddr);
}

/* The cycle that a line is asked for which is wanted at cycle want. */
SIM_INLINE u64
ask_ahead(const struct core *c, u64 want)
{
	u64 ahead = c->config->pipe.fetch_ahead, ask;

	ask = want > c->redirect + ahead ? want - ahead : c->redirect;
	return ask < want ? ask : want;
}

/* The fill buffer is busy between these cycles.  Lines are asked for ahead, and
 * so maybe in time that is not the program's. */
SIM_INLINE void
hold_buffer(struct core *c, u64 start, u64 done)
{
	if (SIM_UNLIKELY(start < c->returned)) {
		start = c->returned;
		if (c->ifb.calm == QUEUE_BUSY)
			queue_skip(c, &c->ifb, c->left, start);
	}
	queue_put_soon(c, &c->ifb, start, later(start, done));
}

/* A line that is not there, or not yet (where is -1 or its slot), of a block
 * that starts at cycle start; its slot. */
SIM_INLINE u32
wait_line(struct core *c, const struct block *t, u64 line, int where, u64 start,
	  bool plain)
{
	u64 want = start + line_start(c, t, line);
	u64 ask = ask_ahead(c, want), begin;
	u32 slot = (u32)where;

	if (SIM_LIKELY(where < 0)) {
		begin = queue_take_soon(c, &c->ifb, ask);
		c->sig[SIG_IFB_FULL] += begin != ask;
		slot = fetch_fill(c, line, (u32)c->now, begin, plain);
		hold_buffer(c, begin, c->line_ready[slot]);
	} else {
		c->line_stamp[slot] = (u32)c->now;
		c->sig[SIG_ICACHE_MISS] += c->line_ready[slot] > ask;
	}
	if (c->line_ready[slot] > want)
		fetch_stall(c, SIG_IFU_ICACHE, c->line_ready[slot] - want);
	return slot;
}

/* The slot of t's line number i, or -1. */
SIM_INLINE int
find_line(const struct core *c, const struct block *t, u64 line, unsigned i,
	  bool plain)
{
	if (plain)
		return array_find_flat(c->line_number,
				       ((u32)line & c->l1i.set_mask) * 4,
				       line, 4);
	if (i < 2 && c->line_number[t->line_slot[i]] == line)
		return t->line_slot[i];
	return array_find(&c->l1i, line);
}

/* Whether fetch begins anew with the block behind p. */
SIM_INLINE bool
is_redirected(const struct core *c, const struct block *p)
{
	return p->kind & (KIND_COND | KIND_DYNAMIC) &&
	       c->last_outcome & OUTCOME_MISS;
}

SIM_INLINE void
fetch_lines(struct core *c, const struct block *p, struct block *t, bool plain)
{
	u64 last = (t->fall - 1) >> c->iline_bits;
	u64 start = core_cycle(c) - t->cycles, begin = start;
	unsigned i = 0;

	if (is_redirected(c, p))
		c->redirect = start - c->config->pipe.wrong_bubble;
	for (u64 line = t->line; line <= last; line++, i++) {
		int slot = find_line(c, t, line, i, plain);

		if (slot >= 0 && c->line_ready[slot] <= start) {
			c->line_stamp[slot] = (u32)c->now;
		} else {
			slot = (int)wait_line(c, t, line, slot, begin, plain);
			begin = core_cycle(c) - t->cycles;
		}
		fetch_keep_slot(t, i, (u16)slot);
	}
}

static void
fetch_shown(struct core *c, const struct block *p, struct block *t)
{
	fetch_lines(c, p, t, true);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

/* ---- Lines from the level behind the first one ----------------------- */

static SIM_NOINLINE u32
wait_far(struct core *c, const struct block *t, u64 line, int where, u64 start)
{
	return wait_line(c, t, line, where, start, false);
}

/*
 * What wait_line() does for a line that is not there, in a set of so many ways
 * that begins in slot first, if a buffer is free, and the level behind has it;
 * otherwise that is called.
 */
SIM_INLINE u32
wait_near(struct core *c, const struct block *t, u64 line, u64 start, u32 first,
	  u32 ways)
{
	struct outer_level *level = &c->outer[0];
	u64 want = start + line_start(c, t, line), ask = ask_ahead(c, want);
	u32 s = first;
	u64 ready;
	int there;

	if (SIM_UNLIKELY(ask < c->ifb.calm) ||
	    (there = outer_find(level, line << c->iline_bits)) < 0)
		return wait_far(c, t, line, -1, start);
	if (ways > 1)
		s += oldest_of(c->line_stamp + first, ways);
	c->sig[SIG_ICACHE_MISS]++;
	ready = read_near(c, (u32)there, ask);
	c->sig[SIG_IMISS_OCCUPANCY] += ready - ask;
	hold_buffer(c, ask, ready);
	c->line_number[s] = line;
	c->line_stamp[s] = (u32)c->now;
	c->line_ready[s] = ready;
	if (c->predict)
		predict_refill(c, s);
	if (ready > want)
		fetch_stall(c, SIG_IFU_ICACHE, ready - want);
	return s;
}

/* All lines of t, in a cache of so many ways; not all are where they were. */
SIM_INLINE void
fetch_near(struct core *c, const struct block *p, struct block *t, u32 ways)
{
	u64 start = core_cycle(c) - t->cycles, begin = start, line = t->line;

	if (is_redirected(c, p))
		c->redirect = start;
	for (unsigned i = 0; i < t->n_line; i++, line++) {
		u32 first = ((u32)line & c->l1i.set_mask) * ways, s;
		int slot = array_find_flat(c->line_number, first, line, ways);

		if (slot >= 0 && SIM_LIKELY(c->line_ready[slot] <= start)) {
			c->line_stamp[slot] = (u32)c->now;
			fetch_keep_slot(t, i, (u16)slot);
			continue;
		}
		s = slot < 0 ? wait_near(c, t, line, begin, first, ways)
			     : wait_far(c, t, line, slot, begin);
		begin = core_cycle(c) - t->cycles;
		fetch_keep_slot(t, i, (u16)s);
	}
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

#define FETCH_NEAR(ways)                                             \
	static void fetch_near_##ways(                               \
		struct core *c, const struct block *p, struct block *t) \
	{                                                            \
		fetch_near(c, p, t, ways);                           \
	}

FETCH_NEAR(1)
FETCH_NEAR(2)
FETCH_NEAR(4)

void
fetch_choose(struct core *c)
{
	static fetch_fn *const near[] = {
		NULL, fetch_near_1, fetch_near_2, NULL, fetch_near_4,
	};
	u32 ways = c->l1i.ways;

	c->fetch = NULL;
	if (fetch_is_plain(c))
		c->fetch = fetch_shown;
	else if (c->fetches_near && ways < SIM_COUNT(near) &&
		 (ways == 1 || c->l1i.policy == POLICY_LRU))
		c->fetch = near[ways];
}

/* The page of t, which the table of pages does not show. */
SIM_INLINE void
fetch_unshown(struct core *c, struct block *t)
{
	int page = t->page_entry == BLOCK_NO_PAGE
			   ? PAGE_UNUSUAL
			   : tlb_miss_usual(c, &c->itlb, t->vaddr,
					    (u32)c->now);

	if (page == PAGE_MISS)
		fetch_stall(c, SIG_IFU_ITLB, c->config->pipe.itlb_bubble);
	else if (page != PAGE_HIT)
		fetch_pages(c, t);
}

void
core_fetch(struct core *c, const struct block *p, struct block *t)
{
	u64 slot = block_shown(&c->itlb, t);
	bool shown = slot <= SHADOW_PAGE_SLOTS;

	if (shown)
		c->itlb.stamp[slot] = (u32)c->now;
	else
		fetch_unshown(c, t);
	/* One or two lines whose page is shown have been looked at. */
	if ((!shown || t->n_line > 2) && !fast_lines_differ(c, t, FAST_ANY))
		fast_lines(c, t, FAST_ANY, (u32)c->now);
	else if (!c->fetch)
		fetch_lines(c, p, t, false);
	else {
		c->fetch(c, p, t);
		return;
	}
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}
