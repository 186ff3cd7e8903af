/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data side out of line: micro-DTLB, data cache, shadow table. */
#include "core.h"

void
shadow_clear(struct core *c)
{
	for (u32 i = 0; i < SHADOW_ENTRIES; i++)
		c->shadow_base[i] = SHADOW_EMPTY;
	for (u32 i = 0; i < CORE_MAX_TLB; i++)
		for (u32 w = 0; w < CORE_PAGE_WORDS; w++)
			c->dtlb_lines[i][w] = 0;
}

/* Takes what a page has in the shadow table out of it. */
static void
shadow_drop_page(struct core *c, u32 slot)
{
	u64 page = c->dtlb_page[slot] << c->dpage_bits;

	for (unsigned w = 0; w < CORE_PAGE_WORDS; w++) {
		u64 bits = c->dtlb_lines[slot][w];

		for (; bits; bits &= bits - 1) {
			u32 bit = w * 64 + (u32)__builtin_ctzll(bits);
			u32 at = (SHADOW_INDEX(page) + bit) &
				 (SHADOW_ENTRIES - 1);

			if (c->shadow_slot[at] >> 16 == slot)
				c->shadow_base[at] = SHADOW_EMPTY;
		}
		c->dtlb_lines[slot][w] = 0;
	}
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

/* Pages beyond CORE_PAGE_WORDS have no entries past that: always slow. */
static void
shadow_put(struct core *c, u64 va, u32 slot, u32 page_slot)
{
	u32 at = SHADOW_INDEX(va);
	u64 in_page = (va & ((1ull << c->dpage_bits) - 1)) >>
		      SHADOW_GRANULE_BITS;

	if (in_page >= CORE_PAGE_WORDS * 64)
		return;
	c->shadow_base[at] = va & ~(u64)(SHADOW_GRANULE - 1);
	c->shadow_slot[at] = slot | page_slot << 16;
	c->dtlb_lines[page_slot][in_page >> 6] |= 1ull << (in_page & 63);
}

static int
find_page(struct core *c, u64 page)
{
	u8 hint = c->dtlb_hint[page & 0xff];
	int slot;

	if (c->dtlb_page[hint] == page)
		return hint;
	slot = array_find(&c->dtlb, page);
	if (slot >= 0)
		c->dtlb_hint[page & 0xff] = (u8)slot;
	return slot;
}

static u32
data_page(struct core *c, u64 va, u32 clock, struct data_result *r)
{
	u64 page = va >> c->dpage_bits;
	int slot = find_page(c, page);
	u32 s;

	if (SIM_LIKELY(slot >= 0)) {
		if (c->dtlb.policy == POLICY_LRU)
			c->dtlb_stamp[slot] = clock;
		return (u32)slot;
	}
	c->sig[SIG_DTLB_MISS]++;
	r->replay = (u8)c->config->pipe.dtlb_replay;
	if (!jtlb_access(c, va)) {
		c->sig[SIG_JTLB_D_MISS]++;
		r->refill = true;
	}
	s = array_victim(&c->dtlb, page);
	if (c->dtlb_page[s] != ARRAY_EMPTY)
		shadow_drop_page(c, s);
	c->dtlb_page[s] = page;
	c->dtlb_stamp[s] = clock;
	c->dtlb_hint[page & 0xff] = (u8)s;
	return s;
}

/* The slot to replace: LRU looks at loads and stores alike. */
static u32
data_victim(struct core *c, u64 line)
{
	u32 first = ((u32)line & c->l1d.set_mask) * c->l1d.ways;
	u32 oldest = first, least = ~0u;

	if (c->l1d.policy != POLICY_LRU)
		return array_victim(&c->l1d, line);
	for (u32 s = first; s < first + c->l1d.ways; s++) {
		u32 load = c->data_stamp[0][s], store = c->data_stamp[1][s];
		u32 last = load > store ? load : store;

		if (last < least) {
			least = last;
			oldest = s;
		}
	}
	return oldest;
}

/* Sends a line or a written word to memory through the buffer. */
static void
write_out(struct core *c, u64 addr, u64 t, struct data_result *r)
{
	u64 start, wait = queue_take(c, &c->wbb, t, &start);

	if (wait) {
		r->wait += wait;
		r->wait_signal = SIG_ALU_WBB;
	}
	memory_writeback(c, addr, start);
	queue_put(c, &c->wbb, start, c->bus_free > start ? c->bus_free
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
	write_out(c, c->data_line[s] << c->dline_bits, t, r);
}

static u32
data_fill(struct core *c, u64 line, bool store, u32 clock, u64 t,
	  struct data_result *r)
{
	const struct memory_config *mem = &c->config->mem;
	u64 start, ready, wait = queue_take(c, &c->fsb, t, &start);
	u32 s = data_victim(c, line);

	c->sig[SIG_DCACHE_MISS]++;
	c->sig[SIG_DCACHE_FILL]++;
	if (wait) {
		r->wait += wait;
		r->wait_signal = SIG_ALU_FSB;
	}
	ready = memory_fill(c, line << c->dline_bits, start, true);
	evict(c, s, start, r);
	queue_put(c, &c->fsb, start, ready + mem->beat * 3u);
	if (ready > r->ready)
		r->ready = ready;
	c->data_line[s] = line;
	c->data_ready[s] = ready;
	c->data_stamp[0][s] = c->data_stamp[1][s] = 0;
	c->data_stamp[store && !c->config->l1d.write_through][s] = clock;
	return s;
}

static void
data_hit(struct core *c, u32 s, u32 page_slot, u64 va, bool store, u32 clock,
	 u64 t, struct data_result *r)
{
	bool dirty = store && !c->config->l1d.write_through;

	c->data_stamp[dirty][s] = clock;
	if (SIM_LIKELY(c->data_ready[s] <= t)) {
		shadow_put(c, va, s, page_slot);
		return;
	}
	if (c->config->pipe.miss_counts_secondary)
		c->sig[SIG_DCACHE_MISS]++;
	if (c->data_ready[s] > r->ready)
		r->ready = c->data_ready[s];
}

void
data_access(struct core *c, u64 va, bool store, u32 clock, u64 t,
	    struct data_result *r)
{
	const struct cache_config *l1d = &c->config->l1d;
	u32 page_slot = data_page(c, va, clock, r);
	u64 line = va >> c->dline_bits;
	int slot = array_find(&c->l1d, line);

	if (slot >= 0)
		data_hit(c, (u32)slot, page_slot, va, store, clock, t, r);
	else if (store && l1d->no_write_allocate)
		c->sig[SIG_DCACHE_MISS]++;
	else
		data_fill(c, line, store, clock, t, r);
	if (store && (l1d->write_through ||
		      (slot < 0 && l1d->no_write_allocate)))
		write_out(c, va, t, r);
}
