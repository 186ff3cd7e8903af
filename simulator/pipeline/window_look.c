/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a block has to look for at the right time: lines of instructions and
 * accesses.  When that is, a step says that is remembered, or the exact run
 * finds out.
 */
#include "interval_internal.h"
#include "window_access.h"

/* ---- Steps ------------------------------------------------------------ */

#define HOW_WAIT 0xffffu
#define HOW_HELD (1u << 28)	/* HOW_WAIT does not matter */

/* What a look came to, as part of a key; NO_STATE if it is too much. */
SIM_INLINE u32
how_of(struct window_look o)
{
	if (o.wait > HOW_WAIT || o.walk > 0x7ff)
		return NO_STATE;
	return o.wait | o.walk << 16 | (u32)o.trap << 27;
}

/* held: how long it waits matters to it alone, see window_held.c. */
SIM_INLINE void
keep_look(struct window *w, struct window_look o, bool held)
{
	w->how = how_of(o);
	if (w->how == NO_STATE)
		w->from = NO_STATE;
	else if (held)
		w->how = (w->how & ~HOW_WAIT) | HOW_HELD;
	if (!w->exact)
		w->look[w->looked++] = o;
}

/* The step to that look, if it is known and can be kept. */
SIM_INLINE struct window_move *
find_step(struct window *w, u32 what)
{
	struct window_move *m;

	if (SIM_UNLIKELY(w->looked == LOOKS)) {
		w->from = NO_STATE;
		return NULL;
	}
	m = move_find(w, move_key(w, what), NULL);
	if (m) {
		move_make(w, m);
		w->from = m->to;
		w->holds = m->holds;
	}
	return m;
}

static void
add_step(struct window *w, u32 what, u64 at, bool holds)
{
	struct window_move *m = NULL;
	s64 since = (s64)(at - w->base);

	if (w->from != NO_STATE && since == (int16_t)since)
		m = move_add(w, move_key(w, what), NULL);
	w->from = NO_STATE;
	if (!m)
		return;
	m->dispatch = (u16)since;
	m->holds = holds;
	w->from = m->to;
}

SIM_INLINE u64
step_cycle(const struct window *w, const struct window_move *m)
{
	return w->base + (u64)(s64)(int16_t)m->dispatch;
}

void
window_exactly(struct core *c, struct window *w)
{
	if (!w->current)
		state_restore(w);
	w->queued = (u8)(w->taken >> w->held_shift);
	held_book(w, w->n_held - w->held_new);
	window_begin(w);
	for (u32 i = 0; i < w->looked; i++) {
		if (w->look[i].what & LOOK_LINE)
			continue;
		window_reach(c, w, w->look[i].what);
		w->replay = i + 1;
		window_found(w, w->look[i]);
	}
}

/* ---- Instructions ------------------------------------------------------ */

void
window_fetch_pages(struct core *c, struct window *w)
{
	const struct block *t = w->block;
	u64 last = t->fall - 1;

	if (c->sampler)
		c->samples->rare(c);
	for (u64 va = t->vaddr;; va = last) {
		bool refill;

		w->lost += fetch_page(c, &c->itlb, va, (u32)c->now, &refill);
		if (refill && w->pipe->refill_is_hardware)
			w->lost += c->refill;
		if (va >> c->itlb.page_bits == last >> c->itlb.page_bits)
			break;
	}
}

/* The slot of the block's next line, or -1. */
SIM_INLINE int
find_next_line(const struct core *c, const struct window *w)
{
	return array_find(&c->l1i, w->block->line + w->fetched);
}

/* Whether the next line, in that slot, has been there for long enough: then
 * there is nothing to look for. */
SIM_INLINE bool
line_is_there(struct core *c, struct window *w, int slot)
{
	u64 ahead = w->pipe->window.run_ahead + w->pipe->fetch_ahead;

	if (slot < 0 || c->line_ready[slot] + ahead > w->base)
		return false;
	c->line_stamp[slot] = (u32)c->now;
	fetch_keep_slot(w->block, w->fetched, (u16)slot);
	w->fetched++;
	return true;
}

/* Fetches it at that cycle. */
SIM_INLINE u32
fetch_next_line(struct core *c, struct window *w, u64 at, int slot)
{
	struct window_look o = {.what = LOOK_LINE | w->fetched};
	u64 line = w->block->line + w->fetched, ready;
	u16 where;

	ready = slot < 0 ? fetch_missing(c, line, (u32)c->now, at, &where)
			 : fetch_line(c, line, (u32)c->now, at, &where);
	fetch_keep_slot(w->block, w->fetched, where);
	if (ready > at)
		o.wait = (u32)(ready - at);
	c->sig[SIG_ICACHE_WAIT] += o.wait;
	w->fetched++;
	keep_look(w, o, false);
	return o.wait;
}

u32
window_fetch_line(struct core *c, struct window *w, u64 at)
{
	const struct window_look *o = &w->look[w->replay];
	u32 what = LOOK_LINE | w->line++;
	int slot;

	if (w->line <= w->fetched) {
		/* By steps, before. */
		if (w->replay == w->looked || o->what != what)
			return 0;
		w->replay++;
		return o->wait;
	}
	slot = find_next_line(c, w);
	if (line_is_there(c, w, slot))
		return 0;
	add_step(w, what, at, false);
	return fetch_next_line(c, w, at, slot);
}

void
window_fetch_lines(struct core *c, struct window *w, u32 last)
{
	const struct window_move *m;

	while (!w->exact && w->fetched <= last) {
		int slot = find_next_line(c, w);

		if (line_is_there(c, w, slot))
			continue;
		m = find_step(w, LOOK_LINE | w->fetched);
		if (m)
			fetch_next_line(c, w, step_cycle(w, m), slot);
		else
			window_exactly(c, w);
	}
}

/* ---- Data -------------------------------------------------------------- */

/* The cycle that an access is to be looked for. */
static SIM_NOINLINE u64
reach_exactly(struct core *c, struct window *w, u32 what)
{
	u64 at;

	if (!w->exact)
		window_exactly(c, w);
	at = window_reach(c, w, what);
	w->holds = held_can(w);
	add_step(w, what, at, w->holds);
	return at;
}

/* The same where nothing has been begun exactly. */
SIM_INLINE u64
reach_access(struct core *c, struct window *w, u32 what)
{
	const struct window_move *m = find_step(w, what);

	return SIM_LIKELY(m != NULL) ? step_cycle(w, m)
				     : reach_exactly(c, w, what);
}

/* What became of an access at that cycle. */
SIM_INLINE void
keep_access(struct core *c, struct window *w, u32 what, u64 at,
	    const struct data_result *r)
{
	struct window_look o = {.what = what};

	if (r->ready > at)
		o.wait = (u32)(r->ready - at);
	if (SIM_UNLIKELY(r->replay || r->refill)) {
		o.walk = r->replay;
		if (!w->pipe->refill_is_hardware) {
			o.trap = r->refill;
		} else if (r->refill) {
			o.walk += c->refill;
			c->sig[SIG_DTLB_WALK] += c->refill - c->refill_wait;
		}
	}
	if (w->exact)
		window_found(w, o);
	keep_look(w, o, o.wait && w->holds &&
				 held_keep(w, (u16)what, r->ready));
}

/* The line that its instruction ends in: the block's micro-ops are seldom in
 * the host's caches. */
SIM_INLINE u32
access_line(const struct window *w, const struct block_access *a)
{
	const struct window_program *p;

	if (SIM_LIKELY(a->line != BLOCK_FAR))
		return a->line;
	p = window_program(w);
	return p->op[p->first[a->insn]].line;
}

/* As reach_access(), where something is odd. */
static SIM_NOINLINE u64
reach_oddly(struct core *c, struct window *w, u32 what, u64 va, unsigned bytes,
	    const struct block_access *a)
{
	u64 at;

	if (w->fetch)
		window_fetch_lines(c, w, access_line(w, a));
	at = w->exact ? reach_exactly(c, w, what) : reach_access(c, w, what);
	if (w->order)
		order_access(c, w, what, va, bytes, at);
	return at;
}

/* Reaches a load that waits for a store of its own block; when the data of
 * that is known. */
static u64
reach_forwarded(struct core *c, struct window *w, u32 what, unsigned number,
		u64 *at)
{
	const struct window_move *m = w->exact ? NULL : find_step(w, what);

	if (m) {
		*at = step_cycle(w, m);
	} else {
		*at = reach_exactly(c, w, what);
		forward_keep_step(w, number);
	}
	return forward_known_here(w, m, number);
}

/* Looks at a load that may have to wait for that store. */
static SIM_NOINLINE void
look_forwarded(struct core *c, u32 access, u64 va,
	       const struct block_access *a, const struct window_source *from)
{
	struct window *w = c->window;
	const struct window_config *wc = &w->pipe->window;
	unsigned bytes = access >> 1;
	u32 what = LOOK_DATA | LOOK_FORWARD | a->insn;
	u64 at, known = from->known, ready;
	struct data_result r = {0};

	if (w->fetch)
		window_fetch_lines(c, w, access_line(w, a));
	if (from->here)
		known = reach_forwarded(c, w, what | (u32)from->number << 16,
					from->number, &at);
	else
		at = w->exact ? reach_exactly(c, w, what)
			      : reach_access(c, w, what);
	if (w->order)
		order_access(c, w, what, va, bytes, at);
	look_for(c, va, bytes, false, (u32)c->now - a->clock_back, at,
		 w->base, &r);
	if (SIM_UNLIKELY(a->flags & ACCESS_IS_LOCKED))
		lock_bus(c, va, bytes, at, &r);
	ready = known + (from->whole ? wc->forward : wc->forward_part);
	if (from->whole && ready > at + forward_use(w))
		r.ready = ready;
	else
		r.ready = later(r.ready, ready);
	tell(c, a);
	keep_access(c, w, what, at, &r);
}

static void
look(struct core *c, u32 access, u64 va, const struct block_access *a)
{
	struct window_source from;
	struct window *w = c->window;
	unsigned bytes = access >> 1;
	bool store = access & 1;
	u32 what = LOOK_DATA | (store ? LOOK_STORE : 0) | a->insn;
	struct data_result r = {0};
	u64 at;

	if (SIM_UNLIKELY(w->forward && !store &&
			 stores_has(&w->forward->stores, va, bytes)) &&
	    forward_find(w, va, bytes, &from)) {
		look_forwarded(c, access, va, a, &from);
		return;
	}
	at = SIM_LIKELY(!w->odd) ? reach_access(c, w, what)
				 : reach_oddly(c, w, what, va, bytes, a);
	look_for(c, va, bytes, store, (u32)c->now - a->clock_back, at,
		 w->base, &r);
	if (SIM_UNLIKELY(a->flags & ACCESS_IS_LOCKED) && !store)
		lock_bus(c, va, bytes, at, &r);
	tell(c, a);
	keep_access(c, w, what, at, &r);
}

access_fn *
window_accessor(const struct core *c)
{
	return c->config->pipe.kind == PIPELINE_INTERVAL ? interval_look
							 : look;
}
