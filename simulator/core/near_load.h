/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads whose line is in the level behind, for near.c, which compiles them for
 * each shape of cache. */
#ifndef SIM_NEAR_LOAD_H
#define SIM_NEAR_LOAD_H

#include "near_internal.h"

/* A line that comes from farther than the level behind: what has to make room
 * there may take lines out of the first level. */
static SIM_NOINLINE u64
read_far(struct core *c, u64 line, u64 start)
{
	return outer_read(c, 0, line << c->dline_bits, start, OUTER_LOAD);
}

SIM_INLINE void
load_near(struct core *c, struct near *n, u64 va, u64 t,
	  const struct block_access *a, u32 first, u32 ways, unsigned bits)
{
	u64 ready;

	if (SIM_LIKELY(n->outer >= 0)) {
		ready = read_near(c, n);
	} else {
		ready = read_far(c, n->line, n->start);
		n->victim = oldest_way(c, first, ways);
	}
	data_count_miss(c, false);
	c->sig[SIG_DCACHE_FILL]++;
	c->sig[SIG_MISS_OCCUPANCY] += ready - n->start;
	account_pending(c, PENDING_DATA, &c->pending_end, n->start, ready);
	if (SIM_UNLIKELY(c->data_dirty[n->victim]))
		write_back(c, n->victim, n->start);
	replace_line(c, n, (u32)c->now - a->clock_back, ready, bits);
	queue_put_soon(c, &c->fsb, n->start,
		       ready + c->config->mem.beat * LINE_BEATS_BEHIND);
	queue_put_soon(c, &c->ldq, n->start,
		       ready > n->start ? ready : n->start + 1);
	if (SIM_UNLIKELY(n->start != t))
		data_wait(c, n->start - t, SIG_ALU_FSB);
	load_wait(c, a, va, (int)n->victim, n->start, ready, false);
}

SIM_INLINE void
load(struct core *c, u32 what, u64 va, const struct block_access *a,
     u32 ways, unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back;
	struct near n = {.line = va >> bits};
	u32 first = ((u32)n.line & c->l1d.set_mask) * ways;
	int slot = find_way(c, first, n.line, ways);

	if (SIM_UNLIKELY((va + (what >> 1) - 1) >> bits != n.line)) {
		access_load_other(c, what, va, a);
		return;
	}
	if (slot >= 0 && c->data_ready[slot] <= t) {
		c->data_stamp[slot] = (u32)c->now - a->clock_back;
		data_known(c, va, (u32)slot);
		return;
	}
	alone_forget(c);
	n.victim = oldest_way(c, first, ways);
	if (SIM_UNLIKELY(slot >= 0 || !is_near(c, &n, t, bits)))
		access_load_other(c, what, va, a);
	else
		load_near(c, &n, va, t, a, first, ways, bits);
}

/* ---- Nothing else under way ------------------------------------------- */

/* The cycle that a line can be asked for at, which one buffer alone waits for
 * until the line before has been written. */
SIM_INLINE u64
start_alone(const struct core *c, u64 t)
{
	const struct queue *fsb = &c->fsb;

	return fsb->capacity == 1 && t < fsb->calm && fsb->calm != QUEUE_BUSY
		       ? fsb->calm
		       : t;
}

/* Whether nothing is in the way of the line but what the one before still does,
 * and the level behind has it. */
SIM_INLINE bool
comes_alone(struct core *c, struct near *n, unsigned bits)
{
	struct outer_level *level = &c->outer[0];
	u64 addr = n->line << bits;

	if (!outer_is_free(level, n->start, level->repeat[0]) ||
	    c->data_line[n->victim] == ARRAY_EMPTY ||
	    (!writebuf_lets_by(&c->writebuf, addr, bits, n->start) &&
	     writebuf_waits(c, addr, addr + (1ull << bits), n->start)))
		return false;
	n->outer = outer_find(level, addr);
	return n->outer >= 0;
}

/* The same where nothing of that takes a call; false may be wrong. */
SIM_INLINE bool
comes_quickly(const struct core *c, struct near *n, unsigned bits,
	      const struct near_fns *fns)
{
	const struct outer_level *level = &c->outer[0];
	u64 addr = n->line << bits;

	if (!outer_is_free(level, n->start, level->repeat[0]) ||
	    (!fns->small && c->data_line[n->victim] == ARRAY_EMPTY) ||
	    (fns->behind != 1 && level->clock == UINT32_MAX) ||
	    !writebuf_lets_by(&c->writebuf, addr, bits, n->start))
		return false;
	n->outer = outer_find_quick(level, addr, fns->behind);
	return n->outer >= 0;
}

/* What load_near() and load_alone() do there. */
SIM_INLINE void
take_line(struct core *c, const struct near *n, bool ages)
{
	struct outer_level *level = &c->outer[0];

	outer_take(level, n->start, level->repeat[0]);
	if (ages)
		level->lines.stamp[n->outer] =
			array_tick(&level->lines, &level->clock);
}

SIM_INLINE bool
is_alone(const struct core *c, const struct near *n)
{
	return n->start >= c->fsb.calm && n->start >= c->ldq.last &&
	       n->start >= c->pending_end && !c->alone_watched;
}

/* What load_near() does for such a load, and the entries of both buffers. */
SIM_INLINE u64
read_alone(struct core *c, const struct near *n)
{
	const struct alone_load *l = &c->alone_load;
	u64 ready = n->start + l->latency, done = ready + l->behind;
	u64 last = later(c->fsb.last, n->start);

	take_line(c, n, c->outer[0].ages);
	c->alone[ALONE_NEAR_E + (c->outer[0].state[n->outer] != 0)]++;
	if (c->fsb.capacity > 1)
		c->alone[ALONE_BEHIND] += last - n->start;
	c->sig[SIG_DCACHE_PENDING_EDGE] += n->start > c->pending_end;
	c->pending_end = ready;
	c->fsb.since = n->start;
	c->fsb.calm = c->fsb.capacity == 1 ? done : last;
	c->fsb.last = done;
	c->ldq.since = c->ldq.calm = n->start;
	c->ldq.last = ready;
	return ready;
}

/* From now on that is noted in core.alone_load, too, so that it need not be
 * known of the next one. */
SIM_INLINE void
note_near(struct core *c, u64 ready)
{
	struct alone_load *l = &c->alone_load;

	if (SIM_UNLIKELY(c->waits_watched))
		return;
	l->before = c->fsb.calm - l->behind;
	l->ready = ready;
	l->calm = later(c->fsb.calm, ready + 1);
}

/* A load of which more is to be known than load_alone() notes. */
SIM_INLINE void
load_first(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 ways, unsigned bits)
{
	u64 t = core_cycle(c) - a->cycles_back, ready;
	struct near n = {.line = va >> bits};
	u32 first = ((u32)n.line & c->l1d.set_mask) * ways;
	bool dirty;

	alone_forget(c);
	n.start = start_alone(c, t);
	if (!is_alone(c, &n) || find_way(c, first, n.line, ways) >= 0) {
		c->load_other(c, what, va, a);
		return;
	}
	n.victim = oldest_way(c, first, ways);
	dirty = c->data_dirty[n.victim];
	if (SIM_UNLIKELY((dirty && !can_write(c, n.start)) ||
			 !comes_alone(c, &n, bits))) {
		c->load_other(c, what, va, a);
		return;
	}
	ready = read_alone(c, &n);
	if (SIM_UNLIKELY(dirty))
		write_back(c, n.victim, n.start);
	replace_line(c, &n, (u32)c->now - a->clock_back, ready, bits);
	if (SIM_UNLIKELY(n.start != t))
		data_wait(c, n.start - t, SIG_ALU_FSB);
	if (c->n_pending) {
		load_wait(c, a, va, (int)n.victim, n.start, ready, true);
		return;
	}
	note_near(c, ready);
	load_wait_alone(c, a, va, n.victim, n.start, ready);
}

/* The one buffer is free so many cycles after a load came. */
SIM_INLINE void
wait_buffer(struct core *c, u64 cycles)
{
	c->sig[SIG_REPLAY] += cycles != 0;
	count_stall(c, cycles);
	wait_noted(c, CYCLES(cycles));
}

/*
 * What load_first() does for a load at cycle t behind one that is noted, if
 * an instruction waits for it, and nothing is written back: it is noted in turn.
 */
SIM_INLINE void
load_noted(struct core *c, const struct near *n, u64 va,
	   const struct block_access *a, u32 clock, u64 t, unsigned bits,
	   const struct near_fns *fns)
{
	struct alone_load *l = &c->alone_load;
	u64 calm = l->ready + l->behind, late = later(calm, t) - t;
	u32 kind = a->alone - 1u;

	take_line(c, n, fns->behind != 1 && c->outer[0].ages);
	/* Without a branch: the host could not predict it. */
	kind += (c->outer[0].state[n->outer] != 0) * ALONE_KINDS;
	c->alone[ALONE_WAITS + kind]++;
	c->alone[ALONE_BEHIND] += late;
	l->before = l->ready;
	l->ready = n->start + l->latency;
	l->calm = later(calm, l->ready + 1);
	replace_line(c, n, clock, l->ready, bits);
	shadow_put_slot(c, va, n->victim, true);
	wait_noted(c, l->advance[a->alone]);
	if (is_single(c, fns))
		wait_buffer(c, late);
}

SIM_INLINE void
load_alone(struct core *c, u32 what, u64 va, const struct block_access *a,
	   u32 clock, unsigned bits, const struct near_fns *fns)
{
	const struct alone_load *l = &c->alone_load;
	u64 t = core_cycle(c) - a->cycles_back;
	struct near n = {.line = va >> bits, .start = t};
	u32 set = ((u32)n.line & c->l1d.set_mask) * fns->ways;

	if (t < l->calm || !l->advance[a->alone] ||
	    find_way(c, set, n.line, fns->ways) >= 0) {
		fns->first(c, what, va, a);
		return;
	}
	n.victim = oldest_way(c, set, fns->ways);
	if (is_single(c, fns))
		n.start = later(l->ready + l->behind, t);
	if (SIM_UNLIKELY(c->data_dirty[n.victim] ||
			 !comes_quickly(c, &n, bits, fns)))
		fns->first(c, what, va, a);
	else
		load_noted(c, &n, va, a, clock, t, bits, fns);
}

#endif
