/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a block looks for, by intervals: lines of instructions when it is
 * entered, accesses when their chunk issues or retires. */
#include "interval_internal.h"
#include "window_access.h"

/* ---- Instructions ------------------------------------------------------ */

/* Fetches the block's next line; what it waits for arrives that much later. */
SIM_INLINE void
fetch_next(struct core *c, struct window *w, struct interval *v)
{
	struct block *t = w->block;
	u64 ahead = v->pipe->fetch_ahead, line = t->line + w->fetched, ready;
	u64 at = v->arrive > ahead ? v->arrive - ahead : 0;
	int slot = array_find(&c->l1i, line);
	u16 where;

	ready = slot < 0 ? fetch_missing(c, line, (u32)c->now, at, &where)
			 : fetch_line(c, line, (u32)c->now, at, &where);
	fetch_keep_slot(t, w->fetched++, where);
	if (ready <= at)
		return;
	c->sig[SIG_ICACHE_WAIT] += ready - at;
	interval_late(v, ready + ahead, SIG_IFU_ICACHE);
	v->n_arrive = 0;
}

static SIM_NOINLINE void
fetch_pages(struct core *c, struct window *w)
{
	c->asked = w->interval->arrive;
	window_fetch_pages(c, w);
}

void
interval_fetch(struct core *c, struct window *w)
{
	struct interval *v = w->interval;
	const struct block *t = w->block;
	u64 lines = ((t->fall - 1) >> c->iline_bits) - t->line + 1;

	w->lost = 0;
	w->fetched = 0;
	if (block_shown(&c->itlb, t) <= SHADOW_PAGE_SLOTS)
		c->itlb.stamp[block_shown(&c->itlb, t)] = (u32)c->now;
	else
		fetch_pages(c, w);
	if (w->lost) {
		interval_late(v, v->arrive + w->lost, SIG_IFU_ITLB);
		v->n_arrive = 0;
	}
	while (w->fetched < lines)
		fetch_next(c, w, v);
}

/* ---- Data -------------------------------------------------------------- */

/* The chunk's access of that instruction, if its issue has been worked out. */
static const struct interval_access *
access_of(const struct interval_chunk *chunk, unsigned insn, bool store)
{
	unsigned k = store ? chunk->n_load : 0;
	unsigned end = store ? chunk->n_access : chunk->n_load;

	for (; k < end; k++)
		if (chunk->access[k].insn == insn)
			return &chunk->access[k];
	return NULL;
}

/* A load has its result so late; what is behind it is fetched again if its page
 * is brought by software. */
SIM_INLINE void
keep_load(struct interval *v, const struct interval_access *l, u64 at,
	  struct window_look o, unsigned cause)
{
	unsigned source = SOURCE_LOAD + (unsigned)(l - v->chunk->access);
	u64 done = later(at + l->latency, at + o.wait) + o.walk;

	if (done > at + l->latency && done > v->at[source]) {
		v->at[source] = done;
		v->cause[source] = (u8)(o.walk ? SIG_ALU_DTLB : cause);
		v->missed = true;
	}
	if (o.trap)
		v->trapped = at + v->pipe->dtlb_replay;
}

/* A store keeps its place until then. */
SIM_INLINE void
keep_store(struct window *w, struct interval *v, u64 at, struct window_look o)
{
	u64 places = w->interval->held_place;

	if (o.wait && (v->held & v->held_lane) !=
			      (v->chunk->retired & v->held_lane)) {
		v->held += places;
		v->held_until = later(v->held_until, at + o.wait);
	}
	if (o.trap)
		v->trapped = at + v->pipe->dtlb_replay;
}

/* What became of an access, as window_look.c has it. */
SIM_INLINE struct window_look
outcome(struct core *c, const struct interval *v, u64 at,
	const struct data_result *r)
{
	struct window_look o = {0};

	if (r->ready > at)
		o.wait = (u32)(r->ready - at);
	if (SIM_LIKELY(!r->replay && !r->refill))
		return o;
	o.walk = r->replay;
	if (!v->pipe->refill_is_hardware) {
		o.trap = r->refill;
	} else if (r->refill) {
		o.walk += c->refill;
		c->sig[SIG_DTLB_WALK] += c->refill - c->refill_wait;
	}
	return o;
}

/* When the data of the store that a load waits for is known. */
static u64
known_of(const struct window *w, const struct interval *v,
	 const struct window_source *from)
{
	unsigned place = forward_place(from->number);
	const struct interval_chunk *chunk = v->chunk;
	u64 known;

	if (!from->here)
		return from->known;
	known = w->forward->known[place];
	for (unsigned i = chunk->n_target - chunk->n_store;
	     i < chunk->n_target; i++)
		if (chunk->target[i].at == TARGET_STORE + place)
			known = later(known, interval_target(v, i));
	return known;
}

/* A load that may have to wait for that store. */
static SIM_NOINLINE u64
forwarded(const struct window *w, const struct interval *v, u64 at, u64 there,
	  const struct window_source *from)
{
	const struct window_config *wc = v->wc;
	u64 ready = known_of(w, v, from) +
		    (from->whole ? wc->forward : wc->forward_part);

	if (from->whole && ready > at + forward_use(w))
		return ready;
	return later(there, ready);
}

/* The cycle that an access is looked for: of what has not been worked out, when its
 * chunk has retired. */
SIM_INLINE u64
reach(const struct interval *v, const struct interval_access *l)
{
	if (l)
		return interval_issue(v, l);
	return v->chunk ? later(v->retired, interval_target(v, TARGET_END))
			: v->retired;
}

void
interval_look(struct core *c, u32 access, u64 va, const struct block_access *a)
{
	struct window *w = c->window;
	struct interval *v = w->interval;
	struct window_source from;
	unsigned bytes = access >> 1, cause = SIG_ALU_DMISS;
	bool store = access & 1;
	bool waits = SIM_UNLIKELY(w->forward && !store &&
				  stores_has(&w->forward->stores, va,
					     bytes)) &&
		     forward_find(w, va, bytes, &from);
	const struct interval_access *l = NULL;
	struct data_result r = {0};
	struct window_look o;
	u64 at;

	interval_reach(c, w, a->insn);
	if (v->chunk)
		l = access_of(v->chunk, a->insn, store);
	at = reach(v, l);
	look_for(c, va, bytes, store, (u32)c->now - a->clock_back, at,
		 v->dispatch, &r);
	if (SIM_UNLIKELY(a->flags & ACCESS_IS_LOCKED) && !store)
		lock_bus(c, va, bytes, at, &r);
	if (SIM_UNLIKELY(waits && l)) {
		r.ready = forwarded(w, v, at, r.ready, &from);
		cause = SIG_ALU_LOADUSE;
	}
	tell(c, a);
	o = outcome(c, v, at, &r);
	if (store && v->chunk)
		keep_store(w, v, at, o);
	else if (l)
		keep_load(v, l, at, o, cause);
}
