/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks through the window, one after the other: see interval.h. */
#include "interval_internal.h"

/* ---- Places ------------------------------------------------------------- */

/* All that is given back up to that cycle is. */
SIM_INLINE void
pass(struct interval *v, u64 cycle)
{
	u64 from = v->passed + 1, to = cycle < v->booked ? cycle : v->booked;

	for (; from <= to; from++) {
		u64 *entry = &v->ring[RING_PLACE(from)];

		v->taken -= *entry;
		*entry = 0;
	}
	v->passed = later(v->passed, cycle);
}

/* Places are given back at that cycle, as far ahead as is booked. */
SIM_INLINE void
give_back(struct interval *v, u64 places, u64 cycle)
{
	u64 end = v->passed + INTERVAL_RING - 1;

	cycle = later(cycle, v->passed + 1);
	if (SIM_UNLIKELY(cycle > end))
		cycle = end;
	v->ring[RING_PLACE(cycle)] += places;
	v->booked = later(v->booked, cycle);
}

/* The full queues that a chunk's first half needs room in. */
SIM_INLINE u64
full(const struct interval *v, const struct interval_chunk *chunk)
{
	return (v->taken + chunk->enter_first + v->bias) & chunk->enters;
}

/* Cycles pass until it has room. */
static SIM_NOINLINE void
wait_for_room(struct core *c, struct interval *v,
	      const struct interval_chunk *chunk)
{
	u64 which;

	c->sig[SIG_MAP_STALL]++;
	v->phase = 0;
	while ((which = full(v, chunk)) && v->passed < v->booked) {
		c->sig[which >> (INTERVAL_LANE - 1) & 1 ? SIG_WINDOW_FULL
							: SIG_QUEUE_FULL]++;
		pass(v, ++v->dispatch);
	}
}

/* ---- A chunk enters ------------------------------------------------------ */

void
interval_late(struct interval *v, u64 cycle, unsigned cause)
{
	if (cycle <= v->arrive)
		return;
	v->arrive = cycle;
	v->late_cause = (u8)cause;
}

/* Fetch was held up by a full window: it is not farther ahead than it can. */
SIM_INLINE void
catch_up(struct interval *v)
{
	u64 ahead = v->wc->run_ahead;

	if (v->arrive + ahead >= v->dispatch)
		return;
	v->arrive = v->dispatch - ahead;
	v->n_arrive = 0;
	v->late_cause = SIG_ALU_OTHER;
}

/* It is dispatched not before that cycle. */
SIM_INLINE void
dispatch_from(struct interval *v, u64 cycle)
{
	if (cycle <= v->dispatch)
		return;
	v->dispatch = cycle;
	v->phase = 0;
}

/* Parts of registers that it reads are known, segment registers free. */
static SIM_NOINLINE void
wait_for_parts(struct core *c, struct window *w, struct interval *v,
	       const struct interval_chunk *chunk)
{
	const struct window_op *op = &window_program(w)->op[chunk->first];
	u64 at = v->dispatch;

	(void)c;
	for (unsigned j = 0; j < chunk->n_op; j++, op++)
		if (w->parts & op->reads)
			at = parts_wait(w, op, at);
	dispatch_from(v, at);
}

void
interval_open(struct core *c, struct window *w, struct interval *v)
{
	const struct interval_chunk *chunk = v->chunk;

	catch_up(v);
	v->arrived = v->arrive + chunk->arrive_first[v->n_arrive];
	v->front = 0;
	if (v->arrived > v->dispatch) {
		v->front = (u32)(v->arrived - v->dispatch);
		v->front_cause = v->late_cause;
		dispatch_from(v, v->arrived);
	}
	v->late_cause = SIG_ALU_OTHER;
	if (SIM_UNLIKELY(chunk->serial))
		dispatch_from(v, v->retired);
	if (SIM_UNLIKELY(chunk->parts && w->parts & chunk->reads))
		wait_for_parts(c, w, v, chunk);
	pass(v, v->dispatch);
	if (SIM_UNLIKELY(full(v, chunk)))
		wait_for_room(c, v, chunk);
	v->taken += chunk->enter;
	v->open = true;
}

/* ---- When its targets are ------------------------------------------------ */

/* When a source is ready. */
SIM_INLINE u64
ready(const struct interval *v, unsigned at)
{
	u64 cycle = v->at[at];

	return at - SOURCE_PORT < INTERVAL_PORTS ? cycle / INTERVAL_TICKS
						 : cycle;
}

/* As if nothing were in its way, but that it arrives. */
SIM_INLINE void
base_targets(const struct interval *v, const struct interval_chunk *chunk,
	     u64 *target)
{
	const int16_t *base = chunk->base + v->phase * chunk->n_target;
	u64 at = v->dispatch;
	unsigned n = chunk->n_target;

	for (unsigned i = 0; i < n; i++)
		target[i] = at + (u64)(s64)base[i];
	if ((s64)(v->arrived - at) + chunk->arrive_slack <= 0)
		return;
	for (unsigned i = 0; i < n; i++)
		target[i] = later(target[i],
				  v->arrived + (u64)(s64)chunk->arrive[i]);
}

SIM_INLINE bool
matters(const struct interval *v, const struct interval_source *s, u64 at)
{
	return (s64)(at - v->dispatch) + s->slack > 0;
}

/* Puts a source that is late behind those that are later. */
SIM_INLINE unsigned
add_late(struct interval_late *late, unsigned n,
	 const struct interval_source *s, u64 at)
{
	unsigned i = n < LATE_MAX ? n : LATE_MAX - 1;

	for (; i && late[i - 1].at < at; i--)
		late[i] = late[i - 1];
	late[i] = (struct interval_late){s, at};
	return n < LATE_MAX ? n + 1 : n;
}

/* The targets wait for the source, NULL or the one that the end waits for. */
SIM_INLINE const struct interval_source *
delay_targets(const struct interval_chunk *chunk,
	      const struct interval_source *s, u64 at, u64 *target,
	      const struct interval_source *blamed)
{
	const struct interval_edge *e = &chunk->edge[s->first];

	for (unsigned i = 0; i < s->n; i++, e++) {
		u64 then = at + (u64)(s64)e->cycles;

		if (then <= target[e->at])
			continue;
		target[e->at] = then;
		if (e->at == TARGET_END)
			blamed = s;
	}
	return blamed;
}

/* All sources that are late, the latest one first; how many. */
SIM_INLINE unsigned
find_late(const struct interval *v, const struct interval_chunk *chunk,
	  struct interval_late *late)
{
	unsigned n = 0, end = chunk->n_source;
	const struct interval_source *s = chunk->source;

	if (SIM_UNLIKELY(v->missed))
		end += chunk->n_load;
	for (unsigned i = 0; i < end; i++, s++) {
		u64 at = ready(v, s->at);

		if (matters(v, s, at))
			n = add_late(late, n, s, at);
	}
	return n;
}

u64
interval_target(const struct interval *v, unsigned target)
{
	const struct interval_chunk *chunk = v->chunk;
	struct interval_late late[LATE_MAX];
	u64 at[TARGETS_MAX];
	unsigned n;

	base_targets(v, chunk, at);
	n = find_late(v, chunk, late);
	for (unsigned i = 0; i < n; i++)
		delay_targets(chunk, late[i].source, late[i].at, at, NULL);
	return at[target];
}

u64
interval_issue(const struct interval *v, const struct interval_load *l)
{
	const struct interval_edge *e = &v->chunk->load_edge[l->first];
	u64 at = v->dispatch + (u64)(s64)l->base[v->phase];

	at = later(at, v->arrived + (u64)(s64)l->arrive);
	for (unsigned i = 0; i < l->n; i++)
		at = later(at, ready(v, e[i].at) + (u64)(s64)e[i].cycles);
	return at;
}

/* ---- A chunk leaves -------------------------------------------------------- */

/* Places of those micro-ops that are given back before they retire. */
static SIM_NOINLINE u64
places_of(const struct window *w, const struct interval_chunk *chunk,
	  unsigned ops)
{
	const struct window_op *op = &window_program(w)->op[chunk->first];
	u64 places = 0;

	for (; ops; ops &= ops - 1) {
		unsigned kind = op[__builtin_ctz(ops)].kind;

		places += w->interval->leaves[kind];
	}
	return places;
}

/* Those that wait for something late issue then, the others soon. */
SIM_INLINE void
leave_queues(const struct window *w, struct interval *v,
	     const struct interval_chunk *chunk,
	     const struct interval_late *late, unsigned n)
{
	u64 left = chunk->issued, usual = v->dispatch + (u64)chunk->middle;
	unsigned ops = UINT16_MAX;

	for (unsigned i = 0; i < n; i++) {
		const struct interval_source *s = late[i].source;
		u64 at = late[i].at + (u64)(s64)s->middle, places;
		unsigned these = s->ops & ops;

		if (!these || at <= usual)
			continue;
		places = these == s->ops ? s->places
					 : places_of(w, chunk, these);
		ops &= ~these;
		left -= places;
		give_back(v, places, at);
	}
	give_back(v, left, usual);
}

/* What is written is ready then. */
SIM_INLINE void
keep_targets(struct window *w, struct interval *v,
	     const struct interval_chunk *chunk, const u64 *target)
{
	unsigned end = chunk->n_target - chunk->n_store;
	const struct interval_target *t = chunk->target;

	for (unsigned i = TARGET_OTHERS; i < end; i++) {
		v->at[t[i].at] = target[i];
		v->cause[t[i].at] = t[i].cause;
	}
	for (unsigned i = end; i < chunk->n_target; i++) {
		u64 *known = &w->forward->known[t[i].at - TARGET_STORE];

		*known = later(*known, target[i]);
	}
	if (chunk->branch) {
		v->resolved = target[TARGET_BRANCH];
		v->guessed = v->dispatch;
	}
}

/* Of what loads that missed have loaded, waiting is their stall. */
static SIM_NOINLINE void
forget_misses(struct interval *v, const struct interval_chunk *chunk)
{
	const struct interval_target *t = chunk->target;

	for (unsigned i = TARGET_OTHERS; i < chunk->n_target; i++)
		if (t[i].load && v->at[t[i].load])
			v->cause[t[i].at] = v->cause[t[i].load];
	for (unsigned k = 0; k < chunk->n_load; k++)
		v->at[SOURCE_LOAD + k] = 0;
	v->missed = false;
}

SIM_INLINE void
take_ports(struct interval *v, const struct interval_chunk *chunk)
{
	u64 from = (v->dispatch + 1) * INTERVAL_TICKS;

	for (unsigned i = 0; i < chunk->n_port; i++) {
		const struct interval_port *p = &chunk->port[i];

		v->at[p->at] = later(v->at[p->at], from) + p->ticks;
	}
}

/* Micro-ops retire in that many cycles, the first ones in the present one as
 * far as it has room. */
SIM_INLINE void
count_retired(struct core *c, struct interval *v, unsigned n, unsigned cycles)
{
	unsigned width = v->wc->retire, same = 0, each, more;
	u64 *histogram = &c->sig[SIG_RETIRE_1 - 1];

	if (n > cycles * width)
		same = n - cycles * width;
	if (same && v->n_retired < 4)
		histogram[v->n_retired]--;
	if (same && v->n_retired < 4)
		histogram[v->n_retired + same < 4 ? v->n_retired + same : 4]++;
	v->n_retired += same;
	if (!cycles)
		return;
	n -= same;
	each = cycles == 1 ? n : n / cycles;
	more = n - each * cycles;
	histogram[each < 4 ? each : 4] += cycles - more;
	if (more)
		histogram[each < 4 ? each + 1 : 4] += more;
	v->n_retired = each;
	c->sig[SIG_CYCLE_ISSUE] += cycles;
}

/* So many cycles, or what is left, have that cause. */
SIM_INLINE u64
charge(struct core *c, struct window *w, u64 left, u64 cycles, unsigned cause,
       unsigned insn)
{
	if (cycles > left)
		cycles = left;
	if (!cycles)
		return left;
	c->sig[cause] += cycles;
	if (SIM_UNLIKELY(w->single))
		interval_share(c, w, cause, cycles, insn);
	return left - cycles;
}

/* Cycles in which nothing retires: for a source, as far as the chunk's end came
 * later for it; for the front end; for its own latency. */
SIM_INLINE void
charge_stall(struct core *c, struct window *w, struct interval *v, u64 stall,
	     const struct interval_source *blamed, u64 delay)
{
	const struct interval_chunk *chunk = v->chunk;

	if (blamed)
		stall = charge(c, w, stall, delay, v->cause[blamed->at],
			       blamed->insn);
	stall = charge(c, w, stall, v->front, v->front_cause, chunk->insn);
	charge(c, w, stall, stall, chunk->cause, chunk->cause_insn);
}

/* The chunk retires at that cycle at the earliest. */
SIM_INLINE void
retire_chunk(struct core *c, struct window *w, struct interval *v, u64 end,
	     const struct interval_source *blamed, u64 delay, unsigned busy)
{
	const struct interval_chunk *chunk = v->chunk;
	unsigned n = chunk->n_op;
	u64 least = ((v->n_retired + n - 1) * v->retire_share) >> 16;
	u64 at = later(v->retired + least, end), passed = at - v->retired;
	u64 cycles = passed < busy ? passed : busy;

	if (cycles < least)
		cycles = least;
	if (cycles > n)
		cycles = n;
	if (passed > cycles)
		charge_stall(c, w, v, passed - cycles, blamed, delay);
	count_retired(c, v, n, (unsigned)cycles);
	if (SIM_UNLIKELY(w->single) && cycles)
		interval_share(c, w, SIG_CYCLE_ISSUE, cycles, chunk->insn);
	v->retired = at;
	c->now += CYCLES(passed);
	if (SIM_UNLIKELY(v->held)) {
		give_back(v, v->held, later(at, v->held_until));
		give_back(v, chunk->retired - v->held, at);
		v->held = v->held_until = 0;
	} else {
		give_back(v, chunk->retired, at);
	}
}

/* The next one is dispatched, and arrives, behind it; cycles in which it has
 * been dispatched. */
SIM_INLINE unsigned
go_on(struct interval *v, const struct interval_chunk *chunk)
{
	unsigned slots = v->phase + chunk->n_op;
	unsigned cycles = (slots * v->width_share) >> 16;
	u64 last = v->arrived + chunk->late_last;

	v->dispatch += cycles;
	v->phase = slots - cycles * v->wc->dispatch;
	if (last > v->dispatch) {
		v->dispatch = last;
		v->phase = chunk->late_phase;
	}
	v->arrive += chunk->arrive_cycles[v->n_arrive];
	v->n_arrive = chunk->arrive_n[v->n_arrive];
	return cycles ? cycles : 1;
}

static SIM_NOINLINE void
note_parts(struct window *w, struct interval *v,
	   const struct interval_chunk *chunk)
{
	const struct window_op *op = &window_program(w)->op[chunk->first];

	for (unsigned j = 0; j < chunk->n_op; j++, op++) {
		w->parts &= op->keeps;
		if (op->narrow)
			parts_note(w, op, v->retired);
	}
}

void
interval_close(struct core *c, struct window *w, struct interval *v)
{
	const struct interval_chunk *chunk = v->chunk;
	const struct interval_source *blamed = NULL;
	struct interval_late late[LATE_MAX];
	u64 target[TARGETS_MAX], end;
	unsigned n, busy;

	base_targets(v, chunk, target);
	end = target[TARGET_END];
	n = find_late(v, chunk, late);
	for (unsigned i = 0; i < n; i++)
		blamed = delay_targets(chunk, late[i].source, late[i].at,
				       target, blamed);
	leave_queues(w, v, chunk, late, n);
	take_ports(v, chunk);
	busy = go_on(v, chunk);
	retire_chunk(c, w, v, target[TARGET_END], blamed,
		     target[TARGET_END] - end, busy);
	keep_targets(w, v, chunk, target);
	if (SIM_UNLIKELY(v->missed))
		forget_misses(v, chunk);
	if (SIM_UNLIKELY(chunk->parts &&
			 (chunk->narrow | (w->parts & ~chunk->keeps))))
		note_parts(w, v, chunk);
	if (SIM_UNLIKELY(v->trapped)) {
		interval_late(v, v->trapped, SIG_ALU_DTLB);
		v->n_arrive = 0;
		v->trapped = 0;
	}
	v->chunk = chunk->next;
	v->open = false;
}

void
interval_reach(struct core *c, struct window *w, unsigned insn)
{
	struct interval *v = w->interval;

	while (v->chunk && (v->chunk->end_insn <= insn || !v->open)) {
		if (!v->open)
			interval_open(c, w, v);
		if (v->chunk->end_insn <= insn)
			interval_close(c, w, v);
	}
}
