/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU's machine with other numbers, small ones rather than large. */
#include "fuzz.h"

#include <stddef.h>
#include <string.h>

#define TRIES 1000

/* How many of 100 of its numbers change, and the dice. */
struct change {
	struct dice *d;
	unsigned percent;
};

static bool
hit(const struct change *ch)
{
	return dice_percent(ch->d, ch->percent);
}

/* A power of two, from one exponent to another. */
static u32
power(const struct change *ch, unsigned from, unsigned to)
{
	return 1u << (from + dice_below(ch->d, to - from + 1));
}

/* A number of the configuration, and what it can become. */
struct number {
	size_t offset;
	u8 size;
	u8 min, max;
};

#define NUMBER(field, min, max)                \
	{offsetof(struct sim_config, field),   \
	 sizeof(((struct sim_config *)NULL)->field), min, max}

static const struct number of_all[] = {
	NUMBER(pipe.load_use, 1, 6), NUMBER(pipe.mispredict, 0, 20),
	NUMBER(pipe.indirect, 0, 20), NUMBER(pipe.taken_bubble, 0, 4),
	NUMBER(pipe.fetch_ahead, 0, 8), NUMBER(pipe.discarded_tenths, 0, 30),
	NUMBER(pipe.itlb_bubble, 0, 30), NUMBER(pipe.dtlb_replay, 0, 30),
	NUMBER(pipe.tlb_refill, 0, 80), NUMBER(pipe.long_stall, 0, 20),
	NUMBER(pipe.refill_is_hardware, 0, 1),
	NUMBER(pipe.miss_counts_secondary, 0, 1),
	NUMBER(pipe.watch_alignment, 0, 1), NUMBER(mem.ordered, 0, 1),
	NUMBER(mem.bus_fill, 1, 40), NUMBER(mem.bus_writeback, 1, 40),
	NUMBER(mem.beat, 0, 10), NUMBER(mem.fsb, 1, 16),
	NUMBER(mem.ldq, 1, 16), NUMBER(mem.wbb, 1, 8), NUMBER(mem.ifb, 1, 8),
	NUMBER(jtlb.inclusive, 0, 1), NUMBER(dtlb.maps_tables, 0, 1)};

static const struct number of_order[] = {
	NUMBER(pipe.load_address, 1, 5), NUMBER(pipe.alu_address, 1, 4),
	NUMBER(pipe.unit_address, 0, 3), NUMBER(pipe.store_data_slack, 0, 3),
	NUMBER(pipe.misaligned, 0, 5), NUMBER(pipe.load_blocks, 0, 1),
	NUMBER(pipe.barrier_drains, 0, 1), NUMBER(pipe.wrong_bubble, 0, 4)};

static const struct number of_windows[] = {
	NUMBER(pipe.window.fetch, 1, 8), NUMBER(pipe.window.dispatch, 1, 8),
	NUMBER(pipe.window.retire, 1, 11),
	NUMBER(pipe.window.run_ahead, 0, 8),
	NUMBER(pipe.window.load_use_fp, 1, 8),
	NUMBER(pipe.window.part_wait, 0, 5),
	NUMBER(pipe.window.renames_segments, 0, 1),
	NUMBER(pipe.locks_bus, 0, 1),
	NUMBER(pipe.string_bytes, 0, 32)};

static const struct number of_intervals[] = {
	NUMBER(pipe.window.load_indexed, 0, 2),
	NUMBER(pipe.window.forward, 0, 8),
	NUMBER(pipe.window.forward_part, 0, 20),
	NUMBER(pipe.window.disambiguation, 0, 1),
	NUMBER(pipe.window.across, 0, 12),
	NUMBER(pipe.window.across_repeat, 0, 12),
	NUMBER(pipe.window.lock, 0, 30), NUMBER(pipe.window.joins, 0, 7),
	NUMBER(pipe.window.stack_free, 0, 1),
	NUMBER(pipe.window.store_ahead, 0, 1),
	NUMBER(pipe.window.fuses, 0, 15),
	NUMBER(pipe.window.moves_free, 0, 1),
	NUMBER(pipe.window.zeroes_free, 0, 1)};

static void
change_numbers(const struct change *ch, struct sim_config *c,
	       const struct number *number, size_t n)
{
	for (; n--; number++) {
		u8 *at = (u8 *)c + number->offset;
		u32 x = number->min +
			dice_below(ch->d, number->max - number->min + 1u);

		if (!hit(ch))
			continue;
		if (number->size == sizeof(u16))
			*(u16 *)(void *)at = (u16)x;
		else
			*at = (u8)x;
	}
}

static void
change_cache(const struct change *ch, struct cache_config *k, u32 least,
	     unsigned sets)
{
	u32 line = DICE_PICK(ch->d, 16, 32, 32, 64, 64, 128, 256);

	k->line = line < least ? least : line;
	k->ways = DICE_PICK(ch->d, 1, 1, 2, 2, 3, 4, 4, 5, 8);
	k->size = k->line * k->ways * power(ch, 0, sets);
	k->policy = (u8)DICE_PICK(ch->d, POLICY_LRU, POLICY_LRU, POLICY_RANDOM,
				  POLICY_FIFO, POLICY_ROUND_ROBIN);
	if (dice_percent(ch->d, 50)) {
		k->write_through = dice_percent(ch->d, 40);
		k->no_write_allocate = dice_percent(ch->d, 40);
	}
}

static void
change_outer(const struct change *ch, struct cache_config *k, u32 least)
{
	change_cache(ch, k, least, 10);
	k->latency = DICE_PICK(ch->d, 0, 1, 3, 7, 13, 40);
	k->repeat = DICE_PICK(ch->d, 0, 0, 1, 2, 4, 10);
	k->inclusive = hit(ch);
	k->data_only = hit(ch);
	k->told_of_stores = k->inclusive && hit(ch);
	k->way_entries = k->way_penalty = 0;
	if (hit(ch)) {
		k->way_entries = power(ch, 2, 8);
		k->way_penalty = DICE_PICK(ch->d, 0, 1, 5, 12);
	}
}

static void
change_caches(const struct change *ch, struct sim_config *c)
{
	if (hit(ch))
		change_cache(ch, &c->l1i, 0, 7);
	if (hit(ch))
		change_cache(ch, &c->l1d, 0, 7);
	if (!hit(ch))
		return;
	memset(&c->l2, 0, sizeof c->l2);
	memset(&c->l3, 0, sizeof c->l3);
	if (dice_percent(ch->d, 25))
		return;
	change_outer(ch, &c->l2, c->l1i.line > c->l1d.line ? c->l1i.line
							   : c->l1d.line);
	if (!dice_percent(ch->d, 35))
		return;
	change_outer(ch, &c->l3, c->l2.line);
	c->l3.victim = hit(ch) && dice_percent(ch->d, 50);
}

static void
change_prefetcher(const struct change *ch, const struct sim_config *c,
		  struct prefetch_config *p)
{
	*p = (struct prefetch_config){
		.kind = (u8)dice_below(ch->d, PREFETCH_STREAM + 1),
		.fills = c->l2.size && dice_percent(ch->d, 60)
				 ? PREFETCH_FILLS_L2
				 : PREFETCH_FILLS_L1D,
		.degree = (u8)(1 + dice_below(ch->d, 3)),
		.buffers = (u8)DICE_PICK(ch->d, 1, 4, 16)};
	if (p->kind == PREFETCH_NEXT)
		return;
	p->entries = power(ch, 0, 5);
	p->confidence = (u8)(1 + dice_below(ch->d, 3));
	if (p->kind == PREFETCH_STREAM) {
		p->distance = (u8)(1 + dice_below(ch->d, 10));
		p->reach = (u8)DICE_PICK(ch->d, 0, 1, 4);
	}
}

static void
change_prefetchers(const struct change *ch, struct sim_config *c)
{
	c->n_prefetchers = c->topo.tcs == 1 && hit(ch)
				   ? 1 + dice_below(ch->d, SIM_PREFETCHERS)
				   : 0;
	for (u32 i = 0; i < c->n_prefetchers; i++)
		change_prefetcher(ch, c, &c->prefetcher[i]);
}

static void
change_tlb(const struct change *ch, struct tlb_config *t, bool optional)
{
	if (!hit(ch))
		return;
	t->ways = DICE_PICK(ch->d, 0, 0, 1, 2, 3, 4);
	t->entries = t->ways ? t->ways * power(ch, 0, 4)
			     : 1 + dice_below(ch->d, 40);
	t->page_bits = DICE_PICK(ch->d, 12, 12, 13, 14, 16);
	t->policy = (u8)dice_below(ch->d, POLICY_NOT_LAST_USED + 1);
	if (optional && dice_percent(ch->d, 25))
		t->entries = t->ways = 0;
}

static void
change_tlbs(const struct change *ch, struct sim_config *c)
{
	change_tlb(ch, &c->itlb, false);
	change_tlb(ch, &c->dtlb, false);
	change_tlb(ch, &c->jtlb, true);
	if (c->jtlb_data.entries)
		change_tlb(ch, &c->jtlb_data, false);
	if (hit(ch))
		c->os_page_bits = DICE_PICK(ch->d, 0, 14, 16);
}

static void
change_tage(const struct change *ch, struct tage_config *t)
{
	u32 bits = 0;

	t->tables = 1 + dice_below(ch->d, 4);
	t->entries = power(ch, 1, 6);
	t->tag_bits = (u8)(1 + dice_below(ch->d, 9));
	t->counter_bits = (u8)(1 + dice_below(ch->d, 3));
	t->useful_bits = (u8)(1 + dice_below(ch->d, 3));
	t->age = DICE_PICK(ch->d, 1, 7, 100, 5000);
	for (u32 i = 0; i < t->tables; i++)
		t->history[i] = (u16)(bits += 1 + dice_below(ch->d, 60));
}

/* What only some kinds of predictor have. */
static void
change_kind(const struct change *ch, struct branch_config *b)
{
	switch (b->kind) {
	case PREDICT_GSHARE:
		b->history_bits = (u8)(1 + dice_below(ch->d, 8));
		break;
	case PREDICT_TOURNAMENT:
		b->history_bits = (u8)(1 + dice_below(ch->d, 10));
		b->global_bits = (u8)(1 + dice_below(ch->d, 12));
		b->counter_bits = (u8)(1 + dice_below(ch->d, 4));
		break;
	case PREDICT_ICACHE:
		b->counter_bits = (u8)(1 + dice_below(ch->d, 3));
		break;
	case PREDICT_TAGE:
		change_tage(ch, &b->tage);
		if (b->target_entries && dice_percent(ch->d, 70))
			change_tage(ch, &b->targets);
		break;
	case PREDICT_BTB:
		b->history_bits = (u8)DICE_PICK(ch->d, 0, 0, 2, 4, 8);
		b->ways = power(ch, 0, 3);
		b->policy = (u8)dice_below(ch->d, POLICY_ROUND_ROBIN + 1);
		b->target_entries = 0;
		b->static_backward = hit(ch);
		if (b->static_backward)
			b->decode_redirect = (u16)dice_below(ch->d, 7);
		break;
	default:
		break;
	}
}

static void
change_branch(const struct change *ch, struct sim_config *c)
{
	struct branch_config *b = &c->branch;

	if (!hit(ch))
		return;
	*b = (struct branch_config){
		.kind = (u8)dice_below(ch->d, PREDICT_TAGE + 1),
		.initial = (u8)dice_below(ch->d, 4),
		.return_entries = DICE_PICK(ch->d, 0, 1, 2, 4, 8, 16),
		.return_one_owner = c->topo.tcs > 1 && hit(ch),
		.target_entries = DICE_PICK(ch->d, 0, 0, 1, 16, 64),
		.pc_shift = (u8)DICE_PICK(ch->d, 0, 0, 1, 2, 3)};
	if (b->kind != PREDICT_NOT_TAKEN && b->kind != PREDICT_ICACHE)
		b->entries = power(ch, 0, 9);
	change_kind(ch, b);
}

static void
change_classes(const struct change *ch, struct pipeline_config *pipe)
{
	bool window = pipeline_is_window(pipe);

	for (unsigned i = 0; i < CLASS_N; i++) {
		struct class_config *cls = &pipe->cls[i];

		if (!hit(ch) || dice_percent(ch->d, 70))
			continue;
		cls->latency = (u16)DICE_PICK(ch->d, 0, 1, 1, 2, 3, 5, 9, 30);
		if (cls->busy || !window)
			cls->repeat = (u16)DICE_PICK(ch->d, 1, 1, 2, 3, 20);
	}
}

static void
change_window(const struct change *ch, struct sim_config *c)
{
	struct window_config *w = &c->pipe.window;

	change_numbers(ch, c, of_windows, SIM_COUNT(of_windows));
	if (hit(ch) && dice_percent(ch->d, 50))
		c->pipe.kind = PIPELINE_INTERVAL;
	if (c->pipe.kind == PIPELINE_INTERVAL)
		change_numbers(ch, c, of_intervals, SIM_COUNT(of_intervals));
	for (unsigned i = 0; i < w->queues; i++)
		if (hit(ch))
			w->queue[i].entries = (u8)DICE_PICK(
				ch->d, 1, 2, 3, 4, 8, 16, 40, 80, 127);
	if (!w->decoders || !hit(ch))
		return;
	w->decoders = 1 + dice_below(ch->d, 4);
	w->decode[0] = 4;
	for (unsigned i = 1; i < w->decoders; i++)
		w->decode[i] = (u8)(1 + dice_below(ch->d, 4));
}

/* A buffer of stores that go through the first level. */
static void
change_write_buffer(const struct change *ch, struct memory_config *m)
{
	if (!hit(ch))
		return;
	m->wbb_bytes = m->wbb_drain_at = m->wbb_drain_after = 0;
	m->wbb_cycles = 0;
	if (dice_percent(ch->d, 50))
		return;
	m->wbb_bytes = (u16)power(ch, 3, 6);
	m->wbb_drain_at = (u16)(1 + dice_below(ch->d, m->wbb));
	m->wbb_drain_after = (u16)DICE_PICK(ch->d, 0, 16, 256);
	m->wbb_cycles = (u16)(1 + dice_below(ch->d, 20));
}

static void
change_topology(const struct change *ch, struct topology_config *t)
{
	if (hit(ch)) {
		t->vpes = 1 + dice_below(ch->d, 3);
		t->tcs = t->vpes + dice_below(ch->d, 5);
		for (u32 i = 0; i < t->tcs; i++)
			t->vpe_of_tc[i] = (u8)(i % t->vpes);
	}
	if (hit(ch)) {
		t->quantum = DICE_PICK(ch->d, 1, 50, 700, 2000);
		t->time_slice = DICE_PICK(ch->d, 100, 5000, 2000000);
	}
}

/* What is owned by contexts, and what ticks do where they can evict. */
static void
change_owners(const struct change *ch, struct sim_config *c)
{
	if (c->topo.tcs > 1 && !c->dtlb.maps_tables && hit(ch)) {
		c->itlb.owner = DICE_PICK(ch->d, TLB_OF_ALL, TLB_OF_VPE,
					  TLB_OF_CONTEXT);
		c->dtlb.owner = DICE_PICK(ch->d, TLB_OF_ALL, TLB_OF_VPE,
					  TLB_OF_CONTEXT);
	}
	if (c->ledger.tick_cycles && !pipeline_is_window(&c->pipe) &&
	    !c->l2.size && !c->n_prefetchers && hit(ch)) {
		c->ledger.tick_cycles = DICE_PICK(ch->d, 3000, 20000, 320000);
		c->tick_evicts = true;
	}
}

static void
change_all(const struct change *ch, struct sim_config *c)
{
	change_caches(ch, c);
	change_tlbs(ch, c);
	change_branch(ch, c);
	change_numbers(ch, c, of_all, SIM_COUNT(of_all));
	change_classes(ch, &c->pipe);
	if (hit(ch))
		c->pipe.fetch_bytes = (u16)power(ch, 2, 6);
	/* One fetch is no more than one access. */
	if (c->pipe.fetch_bytes > c->l1i.line)
		c->pipe.fetch_bytes = (u16)c->l1i.line;
	if (hit(ch))
		c->mem.latency =
			(u16)DICE_PICK(ch->d, 1, 5, 20, 60, 138, 300);
	change_write_buffer(ch, &c->mem);
	if (pipeline_is_window(&c->pipe))
		change_window(ch, c);
	else
		change_numbers(ch, c, of_order, SIM_COUNT(of_order));
	if (c->topo.tcs > 1)
		change_topology(ch, &c->topo);
	change_prefetchers(ch, c);
	c->walk = (struct walk_config){0};
	if (c->topo.tcs == 1 && c->pipe.refill_is_hardware && hit(ch))
		c->walk = (struct walk_config){
			.levels = (u8)(1 + dice_below(ch->d, 4)),
			.kept = (u8)DICE_PICK(ch->d, 1, 4, 32),
			.walkers = (u8)DICE_PICK(ch->d, 0, 1, 2, 6)};
	change_owners(ch, c);
}

void
fuzz_change(struct pmcsim_cpu *cpu, struct dice *d)
{
	struct change ch = {d, DICE_PICK(d, 15, 40, 80)};
	struct sim_config *file = &cpu->file.cpu->config;
	const struct sim_config first = cpu->config;
	struct pmcsim_error error;

	for (unsigned i = 0; i < TRIES; i++) {
		*file = first;
		change_all(&ch, file);
		if (table_check_machine(&cpu->file, &error))
			continue;
		cpu->config = *file;
		return;
	}
}

void
fuzz_change_ledger(struct ledger_config *l, struct dice *d)
{
	for (unsigned c = 0; c < LEDGER_N; c++)
		for (unsigned i = dice_below(d, 8); i--;)
			l->cause[c].cost[dice_below(d, SIG_N)] =
				dice_below(d, 60);
	if (dice_percent(d, 50))
		return;
	l->tick_cycles = 0;
	for (unsigned c = LEDGER_FORK; c <= LEDGER_EXEC; c++)
		memset(l->cause[c].cost, 0, sizeof l->cause[c].cost);
}
