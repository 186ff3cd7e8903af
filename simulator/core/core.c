/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core.h"
#include "dcache.h"
#include "fast.h"
#include "machine/machine_internal.h"
#include "near.h"
#include "own_tlb.h"
#include "pages.h"
#include "prefetch.h"
#include "tick.h"
#include "tlb.h"
#include "walk.h"
#include "watched.h"

#include <errno.h>
#include <string.h>

static u32
log2_of(u32 n)
{
	return n ? 31u - (u32)__builtin_clz(n) : 0;
}

static void
init_tlb(struct micro_tlb *m, const struct tlb_config *config, u8 miss,
	 u8 refill)
{
	u32 ways = config->ways ? config->ways : config->entries;

	array_init(&m->array, config->entries, ways, config->policy, m->page,
		   m->stamp, m->next);
	m->page_bits = config->page_bits;
	m->hidden = config->page_bits > SHADOW_PAGE_BITS;
	m->lru_of_8 = config->entries == 8 && ways == 8 &&
		      config->policy == POLICY_LRU;
	m->lru_of_many = config->entries == ways && ways > 8 && ways % 8 == 0 &&
			 config->policy == POLICY_LRU;
	m->hinted = ways == config->entries && ways > 8;
	m->miss = miss;
	m->refill = refill;
	for (u32 i = 0; i < SHADOW_PAGES; i++)
		m->shown[i] = m->aside[i] = SHADOW_PAGE_EMPTY;
}

static void
init_joint(struct core *c, struct joint_tlb *j,
	   const struct tlb_config *config)
{
	array_init(&j->array, config->entries,
		   config->ways ? config->ways : config->entries,
		   config->policy, j->page, j->stamp, j->next);
	j->bits = config->page_bits;
	j->inclusive = config->inclusive;
	j->page_bits = tlb_page_bits(c);
	j->parts = 1;
	for (u32 bits = j->page_bits; bits < j->bits; bits++)
		if (j->parts < JTLB_PARTS)
			j->parts *= 2;
	joint_init(j);
}

static void
init_tlbs(struct core *c, const struct sim_config *config)
{
	init_tlb(&c->dtlb, &config->dtlb, SIG_DTLB_MISS, SIG_JTLB_D_MISS);
	init_tlb(&c->itlb, &config->itlb, SIG_ITLB_MISS, SIG_JTLB_I_MISS);
	if (config->jtlb.entries) {
		init_joint(c, &c->joint[0], &config->jtlb);
		c->itlb.joint = c->dtlb.joint = &c->joint[0];
	}
	if (config->jtlb_data.entries) {
		init_joint(c, &c->joint[1], &config->jtlb_data);
		c->dtlb.joint = &c->joint[1];
	}
	c->itlb.usual = tlb_is_usual(c, &c->itlb);
	c->dtlb.usual = tlb_is_usual(c, &c->dtlb);
}

static void
init_caches(struct core *c, const struct sim_config *config)
{
	const struct cache_config *l1d = &config->l1d, *l1i = &config->l1i;

	array_init(&c->l1d, l1d->size / l1d->line, l1d->ways, l1d->policy,
		   c->data_line, c->data_stamp, c->data_next);
	array_init(&c->l1i, l1i->size / l1i->line, l1i->ways, l1i->policy,
		   c->line_number, c->line_stamp, c->line_next);
	c->dline_bits = log2_of(l1d->line);
	c->iline_bits = log2_of(l1i->line);
	c->shadow_off = c->dline_bits < SHADOW_GRANULE_BITS;
	c->looked_line = ARRAY_EMPTY;
	shadow_clear(c);
}

static void
init_branch(struct core *c, const struct sim_config *config)
{
	const struct branch_config *b = &config->branch;
	bool fixed = b->kind == PREDICT_NOT_TAKEN;

	for (unsigned i = 0; i < SIM_COUNT(c->next_counter); i++)
		c->next_counter[i] = fixed ? 0 : counter_behind(i);
	memset(c->bht, fixed ? 0 : counter_of(b->initial), sizeof c->bht);
	c->bht_mask = b->entries - 1;
	if (b->kind == PREDICT_GSHARE)
		c->history_mask = (1u << b->history_bits) - 1;
	c->cost[0] = 0;
	c->cost[1] = CYCLES(config->pipe.taken_bubble);
	c->cost[2] = c->cost[3] = CYCLES(config->pipe.mispredict +
					 config->pipe.wrong_bubble);
	c->return_owner = -1;
	c->targets_alone = b->target_entries != 0;
}

static void
init_alone(struct alone_load *l, const struct sim_config *config)
{
	l->ready = l->calm = QUEUE_BUSY;
	l->latency = machine_alone_latency(config);
	l->behind = config->mem.beat * LINE_BEATS_BEHIND;
	for (unsigned kind = 0; kind < ALONE_KINDS; kind++)
		l->advance[1 + kind] =
			CYCLES(machine_alone_wait(config, kind));
}

void
alone_note(struct core *c)
{
	const struct alone_load *l = &c->alone_load;
	u64 t = l->ready - l->latency;

	c->fsb.since = t;
	c->fsb.last = l->ready + l->behind;
	c->fsb.calm = c->fsb.capacity == 1 ? c->fsb.last
					   : later(l->before + l->behind, t);
	c->pending_end = l->ready;
	if (!c->n_outer) {
		c->bus_free = t + c->config->mem.bus_fill;
		c->reads[1] = l->before;
		c->reads[0] = l->ready;
	}
	c->ldq.since = c->ldq.calm = t;
	c->ldq.last = l->ready;
	alone_line(c);
	c->alone_load.ready = c->alone_load.calm = QUEUE_BUSY;
}

int
core_init(struct core *c, const struct sim_config *config,
	  const struct window_fns *fns)
{
	c->config = config;
	c->prev = &block_none;
	init_caches(c, config);
	init_tlbs(c, config);
	c->tells = config->l2.size && config->l2.told_of_stores;
	init_branch(c, config);
	init_alone(&c->alone_load, config);
	tick_init(c);
	writebuf_init(c);
	queue_init(&c->fsb, config->mem.fsb, SIG_FSB_Q1, true);
	queue_init(&c->ldq, config->mem.ldq, SIG_LDQ_Q1, true);
	queue_init(&c->wbb, config->mem.wbb, SIG_WBB_Q1, true);
	queue_init(&c->ifb, config->mem.ifb, SIG_IFB_BUSY, false);
	c->pages = pages_new(c->config->ledger.fault_around >>
			     tlb_page_bits(c));
	if (!c->pages || own_tlbs_init(c) || outer_init(c))
		return -ENOMEM;
	c->plain = data_is_plain(c);
	c->window_fns = fns;
	if (pipeline_is_window(&config->pipe))
		c->window = fns->create(config);
	if (pipeline_is_window(&config->pipe) && !c->window)
		return -ENOMEM;
	if (c->window) {
		c->stores = fns->stores(c->window);
		c->unordered = unordered_new(config);
	}
	if (c->window && !c->unordered)
		return -ENOMEM;
	if (prefetch_init(c) || walk_init(c) || predict_init(c))
		return -ENOMEM;
	near_choose(c);
	fetch_choose(c);
	return 0;
}

void
core_model(struct core *c)
{
	outer_clear(c);
}

void
core_bind(struct core *c, struct machine_slot *slot, unsigned tc)
{
	c->sig = slot->sig[tc];
	c->outcome = slot->outcome;
	c->alone = slot->alone;
	slot->tc = tc;
	own_tlbs_use(c, tc);
	if (c->sampler)
		c->samples->resync(c, slot->sig, tc);
	if (c->profiler)
		c->profiles->resync(c, slot->sig, tc);
}

void
core_record(struct core *c, bool on)
{
	core_take_back(c);
	c->recording = c->told = on;
	c->alarm = 0;
	c->shadow_off = on || c->compares ||
			c->dline_bits < SHADOW_GRANULE_BITS;
	c->plain = !on && data_is_plain(c);
	near_choose(c);
	if (on)
		shadow_clear(c);
}

void
core_route(struct core *c)
{
	/* A window tells them itself. */
	c->indirect = c->recording ||
		      (!c->window && (c->sampler || c->profiler));
	c->direct = c->plain && c->dtlb.usual && !c->indirect;
	for (unsigned store = 0; store < 2; store++) {
		unshown_fn *fn = c->plain && c->dtlb.usual
					 ? access_unshown
					 : near_unshown(c, store);

		if (c->prefetch)
			fn = prefetch_wrap_unshown(c, store, fn);
		c->unshown[store] = c->indirect ? NULL : fn;
		c->sampled[store] = c->recording || c->profiler ? NULL : fn;
	}
}

/* Moves the epoch up to the present; stamps become their ranks. */
static void
renorm(struct core *c)
{
	array_renorm(&c->l1d);
	array_renorm(&c->dtlb.array);
	array_renorm(&c->l1i);
	array_renorm(&c->itlb.array);
	own_tlbs_renorm(c->own_itlbs);
	own_tlbs_renorm(c->own_dtlbs);
	c->epoch += c->now >> 32;
	c->now = 2 * CORE_MAX_LINES;
}

void
core_alarm(struct core *c, u64 cycle)
{
	c->alarm = cycle;
	c->deadline = 0;
}

/* The deadline, if it is not later than the alarm. */
static u64
look_at_alarm(struct core *c, u64 deadline)
{
	u64 left = c->alarm - c->epoch;

	if (core_cycle(c) >= c->alarm)
		c->told = true;
	else if (left < RENORM_CYCLES && CYCLES(left) < deadline)
		deadline = CYCLES(left);
	return deadline;
}

void
core_attend(struct core *c, struct block *t)
{
	if (c->n_pending)
		pending_enter(c, t);
	if (c->now >= CYCLES(RENORM_CYCLES))
		renorm(c);
	c->deadline = c->n_pending ? 0 : CYCLES(RENORM_CYCLES);
	if (SIM_UNLIKELY(c->passed || c->trailed)) {
		c->pass(c, t);
		if (c->trailed)
			c->deadline = 0;
	}
	if (SIM_UNLIKELY(c->sampler != NULL))
		c->deadline = c->samples->attend(c, t, c->deadline);
	if (SIM_UNLIKELY(c->tick))
		c->deadline = tick_attend(c, c->deadline);
	if (SIM_UNLIKELY(c->alarm))
		c->deadline = look_at_alarm(c, c->deadline);
	if (SIM_UNLIKELY(c->told && !c->recording && c->alarmed))
		c->alarmed();
}

/* Where p is in core to, if it was in core from. */
static void *
moved(struct core *to, const struct core *from, void *p)
{
	uintptr_t at = (uintptr_t)p - (uintptr_t)from;

	return p && at < sizeof *from ? (char *)to + at : p;
}

void
core_move(struct core *to, struct core *from)
{
	struct array *const array[] = {
		&to->l1i, &to->l1d, &to->itlb.array, &to->dtlb.array,
		&to->joint[0].array, &to->joint[1].array,
	};
	struct queue *const queue[] = {
		&from->fsb, &from->ldq, &from->wbb, &from->ifb,
	};

	core_take_back(from);
	memcpy(to, from, sizeof *to);
	for (unsigned i = 0; i < SIM_COUNT(array); i++) {
		array[i]->key = moved(to, from, array[i]->key);
		array[i]->stamp = moved(to, from, array[i]->stamp);
		array[i]->next = moved(to, from, array[i]->next);
	}
	to->itlb.joint = moved(to, from, to->itlb.joint);
	to->dtlb.joint = moved(to, from, to->dtlb.joint);
	to->sampler = NULL;
	to->profiler = NULL;
	to->passed = NULL;
	to->trailed = false;
	to->regions = NULL;
	core_route(to);
	for (unsigned i = 0; i < SIM_COUNT(queue); i++)
		queue[i]->n = 0;
	/* What wraps its accesses goes with them. */
	from->window = NULL;
	from->stores = NULL;
	from->unordered = NULL;
	from->prefetch = NULL;
	from->n_pending = 0;
}

void
core_skip(struct core *c, u64 cycles)
{
	if (c->window)
		c->window_fns->skip(c, cycles);
	c->epoch += cycles;
	c->deadline = 0;
}

void
core_take_back(struct core *c)
{
	alone_forget(c);
	queue_take_back(c, &c->fsb);
	queue_take_back(c, &c->ldq);
	queue_take_back(c, &c->wbb);
	queue_take_back(c, &c->ifb);
}

void
core_watch(struct core *c, bool buffers, bool alone, bool waits)
{
	if (buffers || alone || waits)
		core_take_back(c);
	c->buffers_watched |= buffers;
	c->alone_watched |= alone;
	c->waits_watched |= waits;
}

/* What is in the buffer is of another process. */
static void
queue_abandon(struct queue *q)
{
	q->n = 0;
	q->calm = q->last = QUEUE_BUSY;
}

void
core_child(struct core *c)
{
	static u64 of_parent[SIG_N];

	c->sig = of_parent;
	if (c->window)
		c->window_fns->end(c);
	writebuf_drain(c, core_cycle(c));
	alone_forget(c);
	queue_abandon(&c->fsb);
	queue_abandon(&c->ldq);
	queue_abandon(&c->wbb);
	queue_abandon(&c->ifb);
	c->pending_end = c->bus_free = 0;
	if (c->unordered)
		unordered_clear(c->unordered);
	if (c->prefetch)
		prefetch_child(c);
}

/* Blocks that end with a branch are another thread's, or a signal has ended
 * the program: what the branch does is not known. */
static void
settle_window(struct core *c)
{
	if (c->prev->branch == BRANCH_NONE && c->window_fns->end(c) &&
	    c->profiler)
		c->profiles->ended(c);
}

/* Takes back what signal g has from cycle t on, of what was counted here: by
 * itself, or as sum. */
static void
settle_union(struct core *c, unsigned g, u64 *end, u64 t, const u64 sum[SIG_N])
{
	u64 all = c->sig[g] + sum[g], over = *end > t ? *end - t : 0;

	c->sig[g] -= over < all ? over : all;
	*end -= over;
}

/* The same where accesses come out of order. */
static void
settle_spans(struct core *c, u64 t)
{
	struct unordered *u = c->unordered;

	c->sig[SIG_BUS_BUSY] -= spans_cut(&u->bus, t);
	c->sig[SIG_DCACHE_PENDING] -= spans_cut(&u->pending[PENDING_DATA], t);
	c->sig[SIG_L2_PENDING] -= spans_cut(&u->pending[PENDING_OUTER], t);
	c->sig[SIG_L2_LOAD_PENDING] -=
		spans_cut(&u->pending[PENDING_OUTER_LOADS], t);
}

/* Cycles with something under way are over with the program, as all others.
 * What was asked for by then has the bus one behind the other. */
static void
settle_unions(struct core *c, u64 t)
{
	u64 sum[SIG_N] = {0};

	if (c->unordered) {
		settle_spans(c, t);
		return;
	}
	if (c->alone)
		machine_alone_add(c->config, c->alone, sum);
	settle_union(c, SIG_DCACHE_PENDING, &c->pending_end, t, sum);
	settle_union(c, SIG_BUS_BUSY, &c->bus_free, t, sum);
	if (!c->n_outer)
		return;
	settle_union(c, SIG_L2_PENDING, &c->outer[0].pending_end, t, sum);
	settle_union(c, SIG_L2_LOAD_PENDING, &c->outer[0].loads_end, t, sum);
}

/* Stores that still wait are written, when the bus is not the program's any
 * more. */
static void
settle_stores(struct core *c, u64 t)
{
	u64 busy = c->sig[SIG_BUS_BUSY], edges = c->sig[SIG_BUS_BUSY_EDGE];

	writebuf_drain(c, t);
	c->sig[SIG_BUS_BUSY] = busy;
	c->sig[SIG_BUS_BUSY_EDGE] = edges;
}

void
core_settle(struct core *c)
{
	u64 t;

	if (c->window)
		settle_window(c);
	t = core_cycle(c);
	alone_forget(c);
	writebuf_reach(c, t);
	if (!c->recording)
		settle_unions(c, t);
	settle_stores(c, t);
	queue_account(c, &c->fsb, t);
	queue_account(c, &c->ldq, t);
	queue_account(c, &c->wbb, t);
	queue_account(c, &c->ifb, t);
	if (c->sampler)
		c->samples->end(c);
	if (c->profiler)
		c->profiles->look(c);
}
