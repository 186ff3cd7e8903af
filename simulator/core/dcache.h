/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data cache, as far as it is inlined into an access that misses. */
#ifndef SIM_DCACHE_H
#define SIM_DCACHE_H

#include "memory.h"
#include "oldest.h"

/* Sends a line or a written word to memory through the buffer. */
void data_write_out(struct core *c, u64 addr, bool word, u64 t,
		    struct data_result *r);

/* A store has found a line in slot s that the level behind does not know to be
 * stored to. */
void data_tell(struct core *c, u32 s);

/* The line in slot s leaves the table of lines. */
void shadow_drop_slot(struct core *c, u32 s);


SIM_INLINE void
data_count_miss(struct core *c, bool store)
{
	c->sig[SIG_DCACHE_MISS]++;
	c->sig[store ? SIG_DCACHE_MISS_STORE : SIG_DCACHE_MISS_LOAD]++;
}

/* What buffers made an access wait for. */
SIM_INLINE void
data_wait(struct core *c, u64 cycles, unsigned signal)
{
	c->sig[signal] += cycles;
	c->sig[SIG_REPLAY]++;
	count_stall(c, cycles);
	pending_pass(c, cycles);
}

/* Memory whose line leaves slot s of the cache leaves the table. */
SIM_INLINE void
shadow_drop(struct core *c, u64 addr, u32 s)
{
	u64 *entry = &c->shadow[SHADOW_INDEX(addr)], shown = *entry;

	/* Without a branch: it could not be predicted. */
	*entry = shown == SHADOW_ENTRY(addr, s) ? SHADOW_EMPTY : shown;
}

/*
 * The usual kind of data cache, for which what is below is compiled apart,
 * without the questions that the others need: the parameter plain.
 */
SIM_INLINE bool
data_is_plain(const struct core *c)
{
	const struct cache_config *l1d = &c->config->l1d;
	const struct memory_config *mem = &c->config->mem;

	return l1d->policy == POLICY_LRU && l1d->ways == 4 &&
	       c->dline_bits == SHADOW_GRANULE_BITS && !l1d->write_through &&
	       !l1d->no_write_allocate && !c->n_outer && !mem->wbb_bytes &&
	       mem->fsb > 1 && mem->ldq > 1 && mem->bus_fill <= mem->latency &&
	       mem->beat * LINE_BEATS_BEHIND <= mem->latency &&
	       ALONE_USES <= mem->latency &&
	       !c->coherence && !c->config->n_prefetchers &&
	       !pipeline_is_window(&c->config->pipe);
}

/* The line of va, in slot s, has just arrived: its next access is a plain
 * hit. */
SIM_INLINE void
shadow_put_slot(struct core *c, u64 va, u32 s, bool plain)
{
	if (!plain && c->shadow_off)
		return;
	c->shadow[SHADOW_INDEX(va)] =
		SHADOW_ENTRY(va & ~(u64)(SHADOW_GRANULE - 1), s);
}

SIM_INLINE u32
data_line_bits(const struct core *c, bool plain)
{
	return plain ? SHADOW_GRANULE_BITS : c->dline_bits;
}

/* The slot to replace. */
SIM_INLINE u32
data_victim(struct core *c, u64 line, bool plain)
{
	u32 first = ((u32)line & c->l1d.set_mask) * 4;

	return plain ? first + oldest_of_4(c->data_stamp + first)
		     : array_victim(&c->l1d, line);
}

/* A changed line goes to memory at cycle t. */
SIM_INLINE void
data_write_back(struct core *c, u64 addr, u64 t, struct data_result *r,
		bool plain)
{
	u64 start;

	c->sig[SIG_DCACHE_WB]++;
	if (!plain) {
		data_write_out(c, addr, false, t, r);
		return;
	}
	start = queue_take_ahead(c, &c->wbb, t);
	if (SIM_UNLIKELY(start != t)) {
		r->wait += start - t;
		r->wait_signal = SIG_ALU_WBB;
	}
	memory_write(c, start);
	queue_put_ahead(c, &c->wbb, start,
			c->bus_free > start ? c->bus_free : start + 1);
}

/* The line in slot s makes room. */
SIM_INLINE void
data_evict(struct core *c, u32 s, u64 t, struct data_result *r, bool plain)
{
	u64 line = c->data_line[s], addr = line << data_line_bits(c, plain);

	if (line == ARRAY_EMPTY)
		return;
	if (!plain && c->dline_bits != SHADOW_GRANULE_BITS)
		shadow_drop_slot(c, s);
	else
		shadow_drop(c, addr, s);
	if (c->data_dirty[s])
		data_write_back(c, addr, t, r, plain);
}

/* The cycle from t on that a buffer is free for a line. */
SIM_INLINE u64
data_take_buffer(struct core *c, u64 t, bool plain)
{
	if (plain)
		return queue_take_ahead(c, &c->fsb, t);
	if (c->unordered)
		return holds_take(&c->unordered->fills, t,
				  c->unordered->earliest);
	return queue_take_busy(c, &c->fsb, t);
}

SIM_INLINE void
data_put_buffer(struct core *c, u64 start, u64 done, bool plain)
{
	if (plain)
		queue_put_ahead(c, &c->fsb, start, done);
	else if (c->unordered)
		holds_put(&c->unordered->fills, start, done);
	else
		queue_put(&c->fsb, done);
}

/* A fill of line asked for at cycle t; the cycle that the data is there. */
SIM_INLINE u64
data_read(struct core *c, u64 line, u64 t, bool store, bool plain)
{
	u64 ready;

	if (!plain)
		return memory_fill(c, line << c->dline_bits, t,
				   store ? OUTER_STORE : OUTER_LOAD);
	if (SIM_LIKELY(t > c->bus_free && t > c->pending_end &&
		       t >= c->reads[0]))
		return memory_read_alone(c, t);
	ready = memory_read(c, line << SHADOW_GRANULE_BITS, t,
			    store ? OUTER_STORE : OUTER_LOAD);
	account_pending(c, PENDING_DATA, &c->pending_end, t, ready);
	return ready;
}

/*
 * Whether a load that misses at cycle t finds nothing else under way: no line
 * comes from memory, and at most one is still being written to the cache.  A
 * watcher of signals has to see each of them.
 */
SIM_INLINE bool
data_is_alone(const struct core *c, u64 t)
{
	return t > c->bus_free && t > c->pending_end && t >= c->reads[0] &&
	       t >= c->ldq.last && t >= c->fsb.calm && !c->alone_watched;
}

/* What data_fill() does for such a load, of the plain kind, if what leaves
 * slot s has not changed. */
SIM_INLINE void
data_fill_alone(struct core *c, u64 line, u32 s, u32 clock, u64 t)
{
	const struct memory_config *mem = &c->config->mem;
	u64 ready = t + mem->latency, last = c->fsb.last;

	last = last > t ? last : t;
	c->alone[ALONE_FILLS]++;
	c->alone[ALONE_BEHIND] += last - t;
	c->fsb.since = t;
	c->fsb.calm = last;
	c->fsb.last = ready + mem->beat * LINE_BEATS_BEHIND;
	c->bus_free = t + mem->bus_fill;
	c->reads[1] = c->reads[0];
	c->reads[0] = c->pending_end = ready;
	shadow_drop(c, c->data_line[s] << SHADOW_GRANULE_BITS, s);
	c->data_line[s] = line;
	c->data_ready[s] = ready;
	c->data_stamp[s] = clock;
}

/* Its entry of the load queue, from cycle issue on. */
SIM_INLINE void
data_queue_alone(struct core *c, u64 issue, u64 ready)
{
	c->alone[ALONE_LDQ] += ready - issue;
	c->ldq.since = c->ldq.calm = issue;
	c->ldq.last = ready;
}

SIM_INLINE u32
data_fill(struct core *c, u64 line, bool store, u32 clock, u64 t,
	  struct data_result *r, bool plain)
{
	u64 start, ready, done;
	u32 s;

	alone_forget(c);
	start = data_take_buffer(c, t, plain);
	data_count_miss(c, store);
	c->sig[SIG_DCACHE_FILL]++;
	c->sig[SIG_DCACHE_FILL_STORE] += store;
	if (SIM_UNLIKELY(start != t)) {
		r->wait += start - t;
		r->wait_signal = SIG_ALU_FSB;
	}
	ready = data_read(c, line, start, store, plain);
	s = data_victim(c, line, plain);
	data_evict(c, s, start, r, plain);
	done = ready + c->config->mem.beat * LINE_BEATS_BEHIND;
	data_put_buffer(c, start, done, plain);
	c->sig[SIG_MISS_OCCUPANCY] += ready - start;
	if (ready > r->ready)
		r->ready = ready;
	c->data_line[s] = line;
	c->data_ready[s] = ready;
	c->data_stamp[s] = clock;
	c->data_dirty[s] = store && (plain || !c->config->l1d.write_through);
	if (!plain && SIM_UNLIKELY(c->tells))
		c->data_own[s] = outer_owns(c, line << c->dline_bits);
	return s;
}

/* A store has found its line in slot s. */
SIM_INLINE void
data_change(struct core *c, u32 s)
{
	if (SIM_UNLIKELY(c->tells) && !c->data_own[s])
		data_tell(c, s);
	c->data_dirty[s] = 1;
}

/* The line in slot s is known to be there: also to accesses that come later in
 * the program and are earlier in time, for those that the table knows do not
 * ask. */
SIM_INLINE void
data_known(struct core *c, u64 va, u32 s)
{
	c->data_ready[s] = 0;
	shadow_put_slot(c, va, s, false);
}

SIM_INLINE void
data_hit(struct core *c, u32 s, u64 va, bool store, u32 clock, u64 t,
	 struct data_result *r)
{
	c->data_stamp[s] = clock;
	if (store && !c->config->l1d.write_through)
		data_change(c, s);
	if (SIM_LIKELY(c->data_ready[s] <= t)) {
		data_known(c, va, s);
		return;
	}
	c->sig[SIG_DCACHE_MERGED] += !store;
	if (c->config->pipe.miss_counts_secondary)
		data_count_miss(c, store);
	if (c->data_ready[s] > r->ready)
		r->ready = c->data_ready[s];
}

/* The slot that line is in, or -1, in a cache of the usual kind. */
SIM_INLINE int
data_find(const struct core *c, u64 line)
{
	u32 first = ((u32)line & c->l1d.set_mask) * 4;
	const u64 *k = &c->data_line[first];

	if (k[0] == line)
		return (int)first;
	if (k[1] == line)
		return (int)first + 1;
	if (k[2] == line)
		return (int)first + 2;
	return k[3] == line ? (int)first + 3 : -1;
}

/* The slot of a line, or -1.  Between the look of a prefetcher at an access and
 * that access, the line may leave, but does not come. */
SIM_INLINE int
data_find_looked(const struct core *c, u64 line)
{
	int s = c->looked_slot;

	if (line != c->looked_line)
		return array_find(&c->l1d, line);
	return s >= 0 && c->data_line[s] == line ? s : -1;
}

/* An access to one line at cycle t; the slot that it is in then, or -1. */
SIM_INLINE int
data_line(struct core *c, u64 va, bool store, u32 clock, u64 t,
	  struct data_result *r)
{
	const struct cache_config *l1d = &c->config->l1d;
	u64 line = va >> c->dline_bits;
	int slot = data_find_looked(c, line);
	bool out = store && l1d->write_through;

	alone_line(c);
	if (c->coherence && store)
		coherence_store(c, va, t);
	if (slot >= 0) {
		data_hit(c, (u32)slot, va, store, clock, t, r);
	} else if (store && l1d->no_write_allocate) {
		data_count_miss(c, store);
		out = true;
	} else {
		slot = (int)data_fill(c, line, store, clock, t, r, false);
	}
	if (line == c->looked_line)
		c->looked_slot = slot;
	if (out)
		data_write_out(c, va, true, t, r);
	return slot;
}

/* The reader of a load would issue at cycle use, with no other before it,
 * but its data is there at cycle ready only: cycles to wait. */
SIM_INLINE u64
load_stall(struct core *c, const struct block_access *a, u64 use, u64 ready)
{
	c->sig[SIG_REPLAY_USE] += a->use == c->config->pipe.load_use;
	count_stall(c, ready - use);
	c->sig[SIG_ALU_DMISS] += ready - use;
	if (SIM_UNLIKELY(a->flags & ACCESS_IS_MMX))
		c->sig[SIG_MMX_DMISS] += ready - use;
	c->sig[SIG_DCACHE_WAIT] += ready - use;
	return ready - use;
}

/*
 * Whether a load has its reader next: then *ready is when that finds the data.
 * If it comes later, it is noted.
 */
SIM_INLINE bool
load_waits(struct core *c, const struct block_access *a, u64 va, u64 issue,
	   u64 *ready)
{
	if (a->flags & ACCESS_USE_IS_ADDRESS)
		*ready += c->config->pipe.unit_address;
	if (SIM_LIKELY(a->flags & ACCESS_USE_IS_NEXT))
		return true;
	if (a->reg == REG_NONE || a->use == ACCESS_NEVER_USED)
		return false;
	pending_load(c, a, va, issue, *ready);
	return false;
}

/*
 * A load that missed has issued, and its data is there at cycle ready: its
 * reader waits, or will.  Its line is in slot s, or gone (-1).
 */
SIM_INLINE void
load_wait(struct core *c, const struct block_access *a, u64 va, int s,
	  u64 issue, u64 ready, bool plain)
{
	u64 use = issue + a->use;

	if (!load_waits(c, a, va, issue, &ready))
		return;
	if (SIM_UNLIKELY(c->n_pending)) {
		u64 before = core_cycle(c);

		pending_until(c, use);
		use += core_cycle(c) - before;
	}
	if (ready <= use)
		return;
	if (SIM_LIKELY(s >= 0))
		shadow_put_slot(c, va, (u32)s, plain);
	/* What the table would show. */
	if (SIM_UNLIKELY(!plain && s >= 0 && c->shadow_off))
		c->data_ready[s] = 0;
	pending_pass(c, load_stall(c, a, use, ready));
}

/* Time passes, in units of now, that enum alone counts. */
SIM_INLINE void
wait_noted(struct core *c, u64 advance)
{
	c->now += advance;
	c->waited += advance >> 32;
}

/* The same where nothing is pending. */
SIM_INLINE void
load_wait_alone(struct core *c, const struct block_access *a, u64 va, u32 s,
		u64 issue, u64 ready)
{
	u64 use = issue + a->use;

	if (!load_waits(c, a, va, issue, &ready))
		return;
	if (SIM_UNLIKELY(ready <= use))
		return;
	shadow_put_slot(c, va, s, true);
	c->now += CYCLES(load_stall(c, a, use, ready));
}

#endif
