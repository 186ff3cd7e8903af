/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data side out of line: micro-DTLB, data cache, shadow table. */
#include "core.h"

void
shadow_clear(struct core *c)
{
	for (u32 i = 0; i < SHADOW_ENTRIES; i++)
		c->shadow_base[i] = SHADOW_EMPTY;
}

static void
shadow_put_slot(struct core *c, u64 va, u32 slot)
{
	u32 at = SHADOW_INDEX(va);

	if (c->recording || c->dline_bits < SHADOW_GRANULE_BITS)
		return;
	c->shadow_base[at] = va & ~(u64)(SHADOW_GRANULE - 1);
	c->shadow_slot[at] = (u16)slot;
}

/* The line of va has just arrived: its next access is a plain hit. */
void
shadow_put_line(struct core *c, u64 va)
{
	int slot = array_find(&c->l1d, va >> c->dline_bits);

	if (slot >= 0)
		shadow_put_slot(c, va, (u32)slot);
}

static void
shadow_drop_line(struct core *c, u64 line)
{
	u64 addr = line << c->dline_bits;
	u64 end = addr + (1ull << c->dline_bits);

	for (; addr < end; addr += SHADOW_GRANULE)
		if (c->shadow_base[SHADOW_INDEX(addr)] == addr)
			c->shadow_base[SHADOW_INDEX(addr)] = SHADOW_EMPTY;
}

static void
count_miss(struct core *c, bool store)
{
	c->sig[SIG_DCACHE_MISS]++;
	c->sig[store ? SIG_DCACHE_MISS_STORE : SIG_DCACHE_MISS_LOAD]++;
}

/* Clock of a slot's last use. */
SIM_INLINE u32
last_use(const struct core *c, u32 s)
{
	u32 load = c->data_stamp[0][s], store = c->data_stamp[1][s];

	return load > store ? load : store;
}

/* The slot to replace: LRU looks at loads and stores alike. */
static u32
data_victim(struct core *c, u64 line)
{
	u32 first = ((u32)line & c->l1d.set_mask) * c->l1d.ways;
	u32 oldest = first, least = last_use(c, first);

	if (c->l1d.policy != POLICY_LRU)
		return array_victim(&c->l1d, line);
	for (u32 s = first + 1; s < first + c->l1d.ways; s++) {
		u32 last = last_use(c, s);

		oldest = last < least ? s : oldest;
		least = last < least ? last : least;
	}
	return oldest;
}

/* Sends a line or a written word to memory through the buffer. */
static void
write_out(struct core *c, u64 addr, bool word, u64 t, struct data_result *r)
{
	bool merges = word && c->config->mem.wbb_bytes;
	u64 start, wait;

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
	queue_put(&c->wbb, c->bus_free > start ? c->bus_free
							 : start + 1);
}

static void
evict(struct core *c, u32 s, u64 t, struct data_result *r)
{
	if (c->data_line[s] == ARRAY_EMPTY)
		return;
	shadow_drop_line(c, c->data_line[s]);
	if (!c->data_stamp[1][s])
		return;
	c->sig[SIG_DCACHE_WB]++;
	write_out(c, c->data_line[s] << c->dline_bits, false, t, r);
}

bool
data_invalidate(struct core *c, u64 addr, u64 end)
{
	bool dirty = false;

	for (; addr < end; addr += 1ull << c->dline_bits) {
		int s = array_find(&c->l1d, addr >> c->dline_bits);

		if (s < 0)
			continue;
		shadow_drop_line(c, c->data_line[s]);
		c->sig[SIG_DCACHE_WB] += c->data_stamp[1][s] != 0;
		dirty |= c->data_stamp[1][s] != 0;
		c->data_line[s] = ARRAY_EMPTY;
		c->data_stamp[0][s] = c->data_stamp[1][s] = 0;
	}
	return dirty;
}

static u32
data_fill(struct core *c, u64 line, bool store, u32 clock, u64 t,
	  struct data_result *r)
{
	const struct memory_config *mem = &c->config->mem;
	u64 start, ready, wait = queue_take(c, &c->fsb, t, &start);
	u32 s;

	count_miss(c, store);
	c->sig[SIG_DCACHE_FILL]++;
	c->sig[SIG_DCACHE_FILL_STORE] += store;
	if (wait) {
		r->wait += wait;
		r->wait_signal = SIG_ALU_FSB;
	}
	ready = memory_fill(c, line << c->dline_bits, start,
			    store ? OUTER_STORE : OUTER_LOAD);
	s = data_victim(c, line);
	evict(c, s, start, r);
	queue_put(&c->fsb, ready + mem->beat * 3u);
	if (ready > r->ready)
		r->ready = ready;
	c->data_line[s] = line;
	c->data_ready[s] = ready;
	c->data_stamp[0][s] = c->data_stamp[1][s] = 0;
	c->data_stamp[store && !c->config->l1d.write_through][s] = clock;
	return s;
}

static void
data_hit(struct core *c, u32 s, u64 va, bool store, u32 clock, u64 t,
	 struct data_result *r)
{
	bool dirty = store && !c->config->l1d.write_through;

	c->data_stamp[dirty][s] = clock;
	if (SIM_LIKELY(c->data_ready[s] <= t)) {
		shadow_put_slot(c, va, s);
		return;
	}
	if (c->config->pipe.miss_counts_secondary)
		count_miss(c, store);
	if (c->data_ready[s] > r->ready)
		r->ready = c->data_ready[s];
}

void
data_access(struct core *c, u64 va, bool store, u32 clock, u64 t,
	    struct data_result *r)
{
	const struct cache_config *l1d = &c->config->l1d;
	u64 line = va >> c->dline_bits;
	u32 at = SHADOW_INDEX(va);
	enum page_result page = data_page(c, va, clock);
	int slot;

	if (page != PAGE_HIT) {
		r->replay = (u8)c->config->pipe.dtlb_replay;
		r->refill |= page == PAGE_REFILL;
	}
	if (c->shadow_base[at] == (va & ~(u64)(SHADOW_GRANULE - 1)))
		slot = c->shadow_slot[at];
	else
		slot = array_find(&c->l1d, line);
	if (slot >= 0)
		data_hit(c, (u32)slot, va, store, clock, t, r);
	else if (store && l1d->no_write_allocate)
		count_miss(c, store);
	else
		data_fill(c, line, store, clock, t, r);
	if (store && (l1d->write_through ||
		      (slot < 0 && l1d->no_write_allocate)))
		write_out(c, va, true, t, r);
}
