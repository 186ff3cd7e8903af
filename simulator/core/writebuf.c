/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "writebuf.h"
#include "writebuf_fast.h"

void
writebuf_init(struct core *c)
{
	const struct memory_config *mem = &c->config->mem;

	c->writebuf = (struct writebuf){
		.block_bits = mem->wbb_bytes
				      ? (u32)__builtin_ctz(mem->wbb_bytes)
				      : 0,
		.entries = mem->wbb,
		.drain_at = mem->wbb_drain_at,
		.cycles = mem->wbb_cycles,
		.drain_after = mem->wbb_drain_after ? mem->wbb_drain_after
						    : WRITEBUF_NEVER,
		.newest = WRITEBUF_NONE,
		.next = UINT64_MAX,
	};
}

/* Begins to write the oldest entry at cycle t. */
SIM_INLINE void
begin(struct core *c, u64 t)
{
	struct writebuf *w = &c->writebuf;
	u64 bus = c->bus_free, done;

	memory_store(c, writebuf_oldest(w), t);
	done = t + w->cycles;
	if (c->bus_free != bus)
		done = later(done, c->bus_free);
	writebuf_begin(w, done);
}

/* What has happened up to cycle t. */
static SIM_NOINLINE void
go_on(struct core *c, u64 t)
{
	struct writebuf *w = &c->writebuf;

	while (w->next <= t) {
		if (!w->done)
			begin(c, w->next);
		else
			writebuf_end(w);
		w->next = writebuf_due(w);
	}
}

SIM_INLINE void
advance(struct core *c, u64 t)
{
	if (t >= c->writebuf.next && !writebuf_pass(c, t))
		go_on(c, t);
}

void
writebuf_reach(struct core *c, u64 t)
{
	advance(c, t);
}

u64
writebuf_store(struct core *c, u64 va, u64 t)
{
	struct writebuf *w = &c->writebuf;
	u64 block = va >> w->block_bits, at = t;

	advance(c, t);
	if (writebuf_holds(w, block)) {
		c->sig[SIG_WBB_MERGED]++;
		return 0;
	}
	while (SIM_UNLIKELY(w->n == w->entries)) {
		at = later(at, w->next);
		advance(c, at);
	}
	writebuf_add(w, block, at);
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
		u64 block = w->block[WRITEBUF_RING(w->head + i)];

		if (block >= first && block <= last)
			out = i + 1;
	}
	return out;
}

bool
writebuf_waits(struct core *c, u64 addr, u64 end_addr, u64 t)
{
	advance(c, t);
	return SIM_UNLIKELY(c->writebuf.n) &&
	       count_before(c, addr, end_addr) != 0;
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
		writebuf_end(w);
	}
	w->next = writebuf_due(w);
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
