/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a block has to look for at the right time: lines of instructions and
 * accesses.  When that is, a step says that is remembered, or the exact run
 * finds out.
 */
#include "core/dcache.h"
#include "core/tlb.h"
#include "core/watched.h"
#include "window_internal.h"

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

/* held: how long it waits matters to nobody else, see window_held.c. */
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

		w->lost += fetch_page(c, va, (u32)c->now, &refill);
		if (refill && w->pipe->refill_is_hardware)
			w->lost += w->pipe->tlb_refill;
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
			o.walk += w->pipe->tlb_refill;
			c->sig[SIG_DTLB_WALK] += w->pipe->tlb_refill;
		}
	}
	if (w->exact)
		window_found(w, o);
	keep_look(w, o, o.wait && w->holds &&
				 held_keep(w, (u16)what, r->ready));
}

/*
 * Most lines that are not in the first-level cache are in the level behind,
 * with a buffer free: for these, what data_line() does is done here, without
 * the questions that others need.
 */
bool
look_is_near(const struct sim_config *config)
{
	const struct cache_config *l1d = &config->l1d;

	return config->l2.size && !config->mem.wbb_bytes &&
	       config->mem.fsb > 1 && !l1d->write_through &&
	       !l1d->no_write_allocate && (l1d->ways == 2 || l1d->ways == 4) &&
	       (l1d->policy == POLICY_LRU || l1d->policy == POLICY_FIFO ||
		l1d->policy == POLICY_ROUND_ROBIN);
}

/*
 * That is compiled for the caches that machines have: for the ways of the
 * first level and of the one behind, whether the latter are predicted, and
 * whether the first level is usual: LRU, its lines as large as the shadow
 * table's granules.  0 ways: whatever the core has.
 */
struct near_shape {
	u8 ways, behind;
	bool predicted, usual;
};

#define NEAR_ANY ((struct near_shape){0})

SIM_INLINE bool
near_is_lru(const struct core *c, struct near_shape is)
{
	return is.ways ? is.usual : c->l1d.policy == POLICY_LRU;
}

SIM_INLINE u32
near_ways(const struct core *c, struct near_shape is)
{
	return is.ways ? is.ways : c->l1d.ways;
}

/* Whether the first level's lines are as large as the shadow table's. */
SIM_INLINE u32
near_bits(const struct core *c, struct near_shape is)
{
	return is.usual ? SHADOW_GRANULE_BITS : c->dline_bits;
}

/* The slot of a line in the first level, or -1. */
SIM_INLINE int
near_here(const struct core *c, u64 line, struct near_shape is)
{
	if (!is.ways)
		return array_find(&c->l1d, line);
	return array_find_flat(c->data_line,
			       ((u32)line & c->l1d.set_mask) * is.ways, line,
			       is.ways);
}

/* The slot of the line of a set that makes room for another one; nothing is
 * done yet. */
SIM_INLINE u32
near_room(const struct core *c, u32 set, struct near_shape is)
{
	u32 ways = near_ways(c, is), first = set * ways;
	const u32 *stamp = c->data_stamp + first;

	if (!near_is_lru(c, is))
		return first + c->l1d.next[set];
	return first + (ways == 2 ? stamp[1] < stamp[0] : oldest_of_4(stamp));
}

/* The slot of an address in the level behind, where it is predicted to be if
 * that is predicted; or -1. */
SIM_INLINE int
near_find(struct outer_level *level, u64 addr, struct near_shape is)
{
	u32 ways = is.behind ? is.behind : level->lines.ways, at;
	u64 line = addr >> level->line_bits;
	int slot;

	if (!is.behind)
		slot = outer_find(level, addr);
	else
		slot = array_find_flat(level->lines.key,
				       ((u32)line & level->lines.set_mask) *
					       ways, line, ways);
	if (slot < 0 || (is.behind ? !is.predicted : !level->predicted))
		return slot;
	at = (u32)slot / ways & (level->config->way_entries - 1);
	return level->predicted[at] == (u32)slot % ways ? slot : -1;
}

/* It will probably be looked for there soon. */
SIM_INLINE void
near_prefetch(const struct outer_level *level, u64 addr, struct near_shape is)
{
	u32 set = (u32)(addr >> level->line_bits) & level->lines.set_mask;

	__builtin_prefetch(level->lines.key +
			   set * (is.behind ? is.behind : level->lines.ways));
}

/* The level behind is asked for what it has in that slot. */
SIM_INLINE void
near_ask(struct core *c, u32 slot, bool store, struct near_shape is)
{
	struct outer_level *level = &c->outer[0];
	bool changed = level->state[slot];

	c->sig[SIG_L2_ACCESS]++;
	if (store) {
		c->sig[changed ? SIG_L2_STORE_M : SIG_L2_STORE_E]++;
		level->state[slot] |= OUTER_OWNED;
	} else {
		c->sig[changed ? SIG_L2_LOAD_M : SIG_L2_LOAD_E]++;
	}
	if (is.behind != 1 && level->lines.policy == POLICY_LRU)
		level->lines.stamp[slot] =
			array_tick(&level->lines, &level->clock);
}

/* Slot s is the line's from now on. */
SIM_INLINE void
near_replace(struct core *c, u32 s, u64 line, bool store, u32 clock, u64 ready,
	     struct near_shape is)
{
	u32 set = (u32)line & c->l1d.set_mask, ways = near_ways(c, is);

	if (!near_is_lru(c, is))
		c->l1d.next[set] = (u16)((c->l1d.next[set] + 1u) & (ways - 1));
	if (near_bits(c, is) == SHADOW_GRANULE_BITS)
		shadow_drop(c, c->data_line[s] << SHADOW_GRANULE_BITS, s);
	else
		shadow_drop_slot(c, s);
	c->data_line[s] = line;
	c->data_ready[s] = ready;
	c->data_stamp[s] = clock;
	c->data_dirty[s] = store;
}

/* The changed line in slot s makes room. */
static SIM_NOINLINE void
near_write_back(struct core *c, u32 s, u64 t)
{
	struct data_result r = {0}; /* nobody waits for it here */

	data_write_back(c, c->data_line[s] << c->dline_bits, t, &r, false);
}

/* A line that the first level has not is wanted at cycle t: the cycle that it
 * is there; 0: nothing is done. */
SIM_INLINE u64
near_fill(struct core *c, u64 line, bool store, u32 clock, u64 t,
	  struct near_shape is)
{
	struct outer_level *level = &c->outer[0];
	u32 s = near_room(c, (u32)line & c->l1d.set_mask, is);
	u64 begin = outer_begin(level, t, level->repeat[0]);
	u64 ready = begin + level->config->latency;
	u64 all = ready + c->config->mem.beat * LINE_BEATS_BEHIND;
	int behind;

	if (c->data_line[s] == ARRAY_EMPTY)
		return 0;
	behind = near_find(level, line << near_bits(c, is), is);
	if (behind < 0 || !queue_take_at(c, &c->fsb, t, all))
		return 0;
	outer_take(level, begin, level->repeat[0]);
	near_ask(c, (u32)behind, store, is);
	data_count_miss(c, store);
	c->sig[SIG_DCACHE_FILL]++;
	c->sig[SIG_DCACHE_FILL_STORE] += store;
	c->sig[SIG_MISS_OCCUPANCY] += ready - t;
	account_pending(&c->sig[SIG_DCACHE_PENDING], &c->pending_end, t,
			ready);
	if (c->data_dirty[s])
		near_write_back(c, s, t);
	near_replace(c, s, line, store, clock, ready, is);
	if (SIM_UNLIKELY(c->tells))
		c->data_own[s] = level->state[behind];
	return ready;
}

/* Out of line: whatever line it is. */
static SIM_NOINLINE void
look_for_any(struct core *c, u64 va, bool store, u32 clock, u64 at,
	     struct data_result *r)
{
	data_line(c, va, store, clock, at, r);
}

SIM_INLINE void
look_for_line(struct core *c, u64 va, bool store, u32 clock, u64 at,
	      struct data_result *r, struct near_shape is)
{
	u64 line = va >> near_bits(c, is);
	int slot;

	if (SIM_UNLIKELY((!is.ways && !c->window->near) || c->coherence)) {
		look_for_any(c, va, store, clock, at, r);
		return;
	}
	slot = near_here(c, line, is);
	if (slot >= 0)
		data_hit(c, (u32)slot, va, store, clock, at, r);
	else if (!(r->ready = near_fill(c, line, store, clock, at, is)))
		look_for_any(c, va, store, clock, at, r);
}

/* An access of two lines takes so many cycles more, one after the other. */
SIM_INLINE void
cross(struct core *c, bool store, u64 at, struct data_result *r)
{
	struct window *w = c->window;
	u32 across = w->pipe->window.across;
	u64 hit = store ? 0 : forward_use(w);

	if (!across)
		return;
	w->crossed = later(w->crossed, at) + across;
	r->ready = later(r->ready, w->crossed + hit);
}

/* Looks for an access at that cycle: mostly one line of a known page. */
SIM_INLINE void
look_for(struct core *c, u64 va, unsigned bytes, bool store, u32 clock, u64 at,
	 struct data_result *r, struct near_shape is)
{
	u64 slot = shown_slot(&c->dtlb, va >> SHADOW_PAGE_BITS);
	u64 last = va + bytes - 1;

	if (SIM_UNLIKELY((va ^ last) >> near_bits(c, is))) {
		data_access_lines(c, va, bytes, store, clock, at, r);
		cross(c, store, at, r);
		return;
	}
	if (SIM_LIKELY(slot <= SHADOW_PAGE_SLOTS))
		c->dtlb.stamp[slot] = clock;
	else
		data_page(c, va, clock, r);
	look_for_line(c, va, store, clock, at, r, is);
}

/* A locked access of two lines is none of the cache: both are read and
 * written over the bus, which nobody else has until that is done. */
static SIM_NOINLINE void
lock_bus(struct core *c, u64 va, unsigned bytes, u64 at, struct data_result *r)
{
	const struct memory_config *mem = &c->config->mem;
	u64 cycles = 2 * (mem->latency + mem->beat);
	u64 *unlocked = &c->window->unlocked;

	if (!((va ^ (va + bytes - 1)) >> c->dline_bits))
		return;
	c->sig[SIG_BUS_LOCKED] += cycles;
	c->sig[SIG_BUS_LOCKS]++;
	*unlocked = later(at, *unlocked) + cycles;
	r->ready = later(r->ready, *unlocked);
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

/* What became of an access is told to those that watch. */
SIM_INLINE void
tell(struct core *c, const struct block_access *a)
{
	if (SIM_UNLIKELY(c->sampler != NULL))
		c->samples->access(c, a->insn);
	if (SIM_UNLIKELY(c->profiler != NULL))
		c->profiles->access(c, a->insn);
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
	look_for(c, va, bytes, false, (u32)c->now - a->clock_back, at, &r,
		 NEAR_ANY);
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

SIM_INLINE void
look(struct core *c, u32 access, u64 va, const struct block_access *a,
     struct near_shape is)
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
	if (is.ways || SIM_LIKELY(w->near))
		near_prefetch(&c->outer[0], va, is);
	at = SIM_LIKELY(!w->odd) ? reach_access(c, w, what)
				 : reach_oddly(c, w, what, va, bytes, a);
	look_for(c, va, bytes, store, (u32)c->now - a->clock_back, at, &r, is);
	if (SIM_UNLIKELY(a->flags & ACCESS_IS_LOCKED) && !store)
		lock_bus(c, va, bytes, at, &r);
	tell(c, a);
	keep_access(c, w, what, at, &r);
}

#define NEAR_SHAPES(X)                           \
	X(2, 4, false, true)   /* like a P6's */ \
	X(4, 4, false, true)   /* Pentium II */  \
	X(2, 2, true, true)    /* R10000 */      \
	X(2, 1, false, false)  /* 21264 */

#define NEAR_SHAPE(ways, behind, predicted, usual) \
	((struct near_shape){ways, behind, predicted, usual})

#define LOOK(ways, behind, predicted, usual)                               \
	static void look_##ways##_##behind(struct core *c, u32 access,     \
					   u64 va,                         \
					   const struct block_access *a)   \
	{                                                                  \
		look(c, access, va, a,                                     \
		     NEAR_SHAPE(ways, behind, predicted, usual));          \
	}

NEAR_SHAPES(LOOK)

static void
look_any(struct core *c, u32 access, u64 va, const struct block_access *a)
{
	look(c, access, va, a, NEAR_ANY);
}

static bool
has_shape(const struct core *c, struct near_shape is)
{
	const struct cache_config *l1d = &c->config->l1d;

	return l1d->ways == is.ways && c->outer[0].lines.ways == is.behind &&
	       (c->outer[0].predicted != NULL) == is.predicted &&
	       (l1d->policy == POLICY_LRU) == is.usual &&
	       (c->dline_bits == SHADOW_GRANULE_BITS) == is.usual;
}

access_fn *
window_accessor(const struct core *c)
{
#define FIND(ways, behind, predicted, usual)                       \
	if (has_shape(c, NEAR_SHAPE(ways, behind, predicted, usual))) \
		return look_##ways##_##behind;

	if (look_is_near(c->config)) {
		NEAR_SHAPES(FIND)
	}
	return look_any;
#undef FIND
}
