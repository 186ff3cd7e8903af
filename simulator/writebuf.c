/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "writebuf.h"
#include "memory.h"

#define RING(i) ((i) & (WRITEBUF_ENTRIES - 1))

/* Begins to write the oldest entry at cycle t. */
SIM_INLINE void
begin(struct core *c, u64 t)
{
	const struct memory_config *mem = &c->config->mem;
	struct writebuf *w = &c->writebuf;
	u64 bus = c->bus_free;

	memory_store(c, w->block[w->head] << w->block_bits, t);
	w->done = t + mem->wbb_cycles;
	if (c->bus_free != bus)
		w->done = later(w->done, c->bus_free);
	w->free = w->done;
}

SIM_INLINE void
end(struct writebuf *w)
{
	w->head = RING(w->head + 1);
	w->n--;
	w->done = 0;
}

/* The cycle that the oldest entry begins to be written, as things are. */
SIM_INLINE u64
due(const struct core *c)
{
	const struct memory_config *mem = &c->config->mem;
	const struct writebuf *w = &c->writebuf;
	u64 at = w->since[w->head] + mem->wbb_drain_after;

	if (w->n >= mem->wbb_drain_at) {
		u64 full = w->since[RING(w->head + mem->wbb_drain_at - 1)];

		if (!mem->wbb_drain_after || full < at)
			at = full;
	} else if (!mem->wbb_drain_after) {
		return UINT64_MAX;
	}
	return later(at, w->free);
}

/* What has happened up to cycle t, and something has. */
static SIM_NOINLINE void
go_on(struct core *c, u64 t)
{
	struct writebuf *w = &c->writebuf;
	u64 next = w->next;

	do {
		if (!w->done) {
			begin(c, next);
			next = w->done;
		} else {
			end(w);
			next = w->n ? due(c) : UINT64_MAX;
		}
	} while (next <= t);
	w->next = next;
}

SIM_INLINE void
advance(struct core *c, u64 t)
{
	if (c->writebuf.n && t >= c->writebuf.next)
		go_on(c, t);
}

/* True if an entry of the block waits: the oldest may be on its way. */
SIM_INLINE bool
waits(const struct writebuf *w, u64 block)
{
	u32 first = w->done != 0;

	for (u32 i = w->n; i-- > first;)
		if (w->block[RING(w->head + i)] == block)
			return true;
	return false;
}

u64
writebuf_store(struct core *c, u64 va, u64 t)
{
	const struct memory_config *mem = &c->config->mem;
	struct writebuf *w = &c->writebuf;
	u64 block = va >> w->block_bits, at = t;

	advance(c, t);
	if (waits(w, block)) {
		c->sig[SIG_WBB_MERGED]++;
		return 0;
	}
	while (SIM_UNLIKELY(w->n == mem->wbb)) {
		at = later(at, w->next);
		advance(c, at);
	}
	w->block[RING(w->head + w->n)] = block;
	w->since[RING(w->head + w->n)] = at;
	w->n++;
	/* Otherwise it is due when it was. */
	if (!w->done && (w->n == 1 || w->n == mem->wbb_drain_at))
		w->next = due(c);
	return at - t;
}

/* How many entries have to be written until none is of that memory. */
SIM_INLINE u32
count_before(const struct core *c, u64 addr, u64 end_addr)
{
	const struct writebuf *w = &c->writebuf;
	u64 first = addr >> w->block_bits;
	u64 last = (end_addr - 1) >> w->block_bits;
	u32 out = 0;

	for (u32 i = 0; i < w->n; i++) {
		u64 block = w->block[RING(w->head + i)];

		if (block >= first && block <= last)
			out = i + 1;
	}
	return out;
}

bool
writebuf_waits(struct core *c, u64 addr, u64 end_addr, u64 t)
{
	advance(c, t);
	return count_before(c, addr, end_addr) != 0;
}

/* Writes the first entries, so many, from cycle t on; when that is done. */
static u64
write_out(struct core *c, u32 out, u64 t)
{
	struct writebuf *w = &c->writebuf;

	if (!out)
		return t;
	while (out--) {
		if (!w->done)
			begin(c, later(t, w->free));
		t = later(t, w->done);
		end(w);
	}
	w->next = w->done ? w->done : w->n ? due(c) : UINT64_MAX;
	return t;
}

u64
writebuf_flush(struct core *c, u64 addr, u64 end_addr, u64 t)
{
	advance(c, t);
	return write_out(c, count_before(c, addr, end_addr), t);
}

u64
writebuf_drain(struct core *c, u64 t)
{
	advance(c, t);
	return write_out(c, c->writebuf.n, t);
}
