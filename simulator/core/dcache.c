/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data side out of line: what is rarer than filling a line. */
#include "dcache.h"
#include "tlb.h"

void
shadow_clear(struct core *c)
{
	for (u32 i = 0; i < SHADOW_ENTRIES; i++)
		c->shadow[i] = SHADOW_EMPTY;
}

void
shadow_drop_slot(struct core *c, u32 s)
{
	u64 addr = c->data_line[s] << c->dline_bits;
	u64 end = addr + (1ull << c->dline_bits);

	for (; addr < end; addr += SHADOW_GRANULE)
		shadow_drop(c, addr, s);
}

/* A line, or less, that nothing waits for. */
static void
write_unordered(struct core *c, u64 addr, bool word, u64 t)
{
	struct unordered *u = c->unordered;
	u64 start = holds_take(&u->victims, t, u->earliest);
	u64 bus = c->bus_free;

	if (word)
		memory_store(c, addr, start);
	else
		memory_writeback(c, addr, start);
	holds_put(&u->victims, start,
		  c->bus_free != bus ? c->bus_free : start + 1);
}

void
data_write_out(struct core *c, u64 addr, bool word, u64 t,
	       struct data_result *r)
{
	bool merges = word && c->config->mem.wbb_bytes;
	u64 start, wait, done;

	if (c->unordered && !merges) {
		write_unordered(c, addr, word, t);
		return;
	}
	wait = merges ? writebuf_store(c, addr, t)
		      : queue_take(c, &c->wbb, t, &start);
	if (wait) {
		r->wait += wait;
		r->wait_signal = SIG_ALU_WBB;
	}
	if (merges)
		return;
	if (word)
		memory_store(c, addr, start);
	else
		memory_writeback(c, addr, start);
	done = c->bus_free > start ? c->bus_free : start + 1;
	queue_put(&c->wbb, done);
	if (word && c->config->mem.ordered)
		c->written = later(c->written, done);
}

void
data_tell(struct core *c, u32 s)
{
	c->sig[SIG_DCACHE_CHANGED]++;
	c->data_own[s] = true;
	outer_upgrade(c, c->data_line[s] << c->dline_bits);
}

bool
data_invalidate(struct core *c, u64 addr, u64 end)
{
	bool dirty = false;

	for (; addr < end; addr += 1ull << c->dline_bits) {
		int s = array_find(&c->l1d, addr >> c->dline_bits);

		if (s < 0)
			continue;
		shadow_drop_slot(c, (u32)s);
		c->sig[SIG_DCACHE_WB] += c->data_dirty[s];
		dirty |= c->data_dirty[s];
		c->data_line[s] = ARRAY_EMPTY;
		c->data_stamp[s] = 0;
		c->data_dirty[s] = 0;
	}
	return dirty;
}

void
data_page(struct core *c, struct micro_tlb *m, u64 va, u32 clock,
	  struct data_result *r)
{
	enum page_result page = tlb_access(c, m, va, clock);

	if (page != PAGE_HIT) {
		r->replay = (u8)c->config->pipe.dtlb_replay;
		r->refill |= page == PAGE_REFILL;
	}
}

void
data_access(struct core *c, u64 va, bool store, u32 clock, u64 t,
	    struct data_result *r)
{
	struct data_result page = {0};

	data_page(c, &c->dtlb, va, clock, &page);
	r->replay |= page.replay;
	r->refill |= page.refill;
	data_line(c, va, store, clock, t + (page.refill ? core_walked(c) : 0), r);
}
