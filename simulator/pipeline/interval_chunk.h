/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks through the window, one after the other: see interval.h.  Inline: most
 * blocks are one chunk, and it is all that entering a block does. */
#ifndef PIPELINE_INTERVAL_CHUNK_H
#define PIPELINE_INTERVAL_CHUNK_H

#include "interval_internal.h"

#include <string.h>

/* What has been found of a chunk's sources. */
struct waits {
	const struct interval_source *blamed; /* what its end waits for; NULL */
	unsigned n;
	struct interval_late far[LATE_MAX]; /* the latest first */
};

/* ---- interval_run.c: what happens to few ---------------------------------- */

/* Cycles pass until it has room. */
void interval_wait_for_room(struct core *c, struct interval *v,
		const struct interval_chunk *chunk);

/* Parts of registers that it reads are known, segment registers free. */
void interval_wait_for_parts(struct core *c, struct window *w,
		struct interval *v, const struct interval_chunk *chunk);

void interval_add_far(struct waits *found, const struct interval_source *s,
		u64 at);

void interval_wait_for_ports(const struct interval *v,
		const struct interval_chunk *chunk, s32 *target,
		struct waits *found);

void interval_wait_for_loads(const struct interval *v,
		const struct interval_chunk *chunk, s32 *target,
		struct waits *found);

/* Those that wait for something far behind issue then; places of the others. */
u64 interval_leave_late(const struct window *w, struct interval *v,
		const struct interval_chunk *chunk, const struct waits *found);

/* Targets are cycles behind the one that its first micro-op is dispatched in,
 * from. */
void interval_keep_stores(struct window *w, const struct interval_chunk *chunk,
		u64 from, const s32 *target);

/* Of what loads that missed have loaded, waiting is their stall. */
void interval_forget_misses(struct interval *v,
		const struct interval_chunk *chunk);

/* Only ports that a chunk needs for longer than it is dispatched get a backlog,
 * and those that have one keep it until it is over. */
void interval_take_ports(struct interval *v,
		const struct interval_chunk *chunk);

void interval_retire_held(struct interval *v,
		const struct interval_chunk *chunk, u64 at);

void interval_note_parts(struct window *w, struct interval *v,
		const struct interval_chunk *chunk);

void interval_fetch_again(struct interval *v);

/* ---- Places ------------------------------------------------------------- */

/* All that is given back up to that cycle is. */
SIM_INLINE void
pass(struct interval *v, u64 cycle)
{
	u64 from = v->passed + 1, to = cycle < v->booked ? cycle : v->booked;

	for (; from <= to; from++) {
		u64 *entry = &v->ring[RING_AT(from)];

		v->taken -= *entry;
		*entry = 0;
	}
	v->passed = later(v->passed, cycle);
	if (SIM_UNLIKELY(v->distant.n))
		v->taken -= distant_reach(&v->distant, v->passed, v->ring,
					  &v->booked, ~0ull);
}

/* Places are given back at that cycle. */
SIM_INLINE void
give_back(struct interval *v, u64 places, u64 cycle)
{
	cycle = later(cycle, v->passed + 1);
	if (SIM_UNLIKELY(cycle >= v->passed + WINDOW_RING)) {
		distant_put(&v->distant, places, cycle);
		return;
	}
	v->ring[RING_AT(cycle)] += places;
	v->booked = later(v->booked, cycle);
}

/* The full queues that a chunk's first half needs room in. */
SIM_INLINE u64
full(const struct interval *v, const struct interval_chunk *chunk)
{
	return (v->taken + chunk->enter_first + v->bias) & chunk->enters;
}

/* ---- A chunk enters ------------------------------------------------------ */

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

SIM_INLINE void
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
		interval_wait_for_parts(c, w, v, chunk);
	pass(v, v->dispatch);
	if (SIM_UNLIKELY(full(v, chunk)))
		interval_wait_for_room(c, v, chunk);
	v->taken += chunk->enter;
	v->open = true;
}

/* ---- When its targets are ------------------------------------------------ */

/* As if nothing were in its way, but that it arrives: cycles behind its
 * dispatch. */
SIM_INLINE void
base_targets(const struct interval *v, const struct interval_chunk *chunk,
	     s32 *target)
{
	unsigned n = chunk->n_target;
	const s32 *base = chunk->base + v->phase * TARGETS_EVEN(n);
	s32 arrived = (s32)(v->arrived - v->dispatch);

	for (unsigned i = 0; i < n; i += 2)
		memcpy(&target[i], &base[i], 2 * sizeof *target);
	if (arrived + chunk->arrive_slack <= 0)
		return;
	for (unsigned i = 0; i < n; i++) {
		s32 then = arrived + chunk->arrive[i];

		target[i] = then > target[i] ? then : target[i];
	}
}

/* So many cycles behind another one: time begins at 0, and what was never
 * written is known from there on. */
SIM_INLINE u64
behind(u64 at, s64 cycles)
{
	s64 then = (s64)at + cycles;

	return then > 0 ? (u64)then : 0;
}

/* The targets wait for a source, if it is late enough. */
SIM_INLINE void
wait_for(const struct interval *v, const struct interval_chunk *chunk,
	 const struct interval_source *s, u64 at, s32 *target,
	 struct waits *found)
{
	const struct interval_edge *e = &chunk->edge[s->first];
	s64 late = (s64)(at - v->dispatch);

	if (late > v->far)
		interval_add_far(found, s, at);
	if (late + s->slack <= 0)
		return;
	for (unsigned i = 0; i < s->n; i++, e++) {
		s64 then = late + e->cycles;

		if (then <= target[e->at])
			continue;
		target[e->at] = (s32)then;
		if (e->at == TARGET_END)
			found->blamed = s;
	}
}

SIM_INLINE void
wait_for_all(const struct interval *v, const struct interval_chunk *chunk,
	     s32 *target, struct waits *found)
{
	const struct interval_source *s = chunk->source;

	found->blamed = NULL;
	found->n = 0;
	for (unsigned i = 0; i < chunk->n_source; i++, s++)
		wait_for(v, chunk, s, v->at[s->at], target, found);
	if (SIM_UNLIKELY(chunk->ports & v->backlog))
		interval_wait_for_ports(v, chunk, target, found);
	if (SIM_UNLIKELY(v->missed))
		interval_wait_for_loads(v, chunk, target, found);
}

/* ---- A chunk leaves -------------------------------------------------------- */

SIM_INLINE void
leave_queues(const struct window *w, struct interval *v,
	     const struct interval_chunk *chunk, const struct waits *found)
{
	u64 left = chunk->issued;

	if (SIM_UNLIKELY(found->n))
		left = interval_leave_late(w, v, chunk, found);
	give_back(v, left, v->dispatch + (u64)chunk->middle);
}

/* What is written is ready then. */
SIM_INLINE void
keep_targets(struct window *w, struct interval *v,
	     const struct interval_chunk *chunk, u64 from, const s32 *target)
{
	unsigned end = chunk->n_target - chunk->n_store;
	const struct interval_target *t = chunk->target;

	for (unsigned i = TARGET_OTHERS; i < end; i++) {
		v->at[t[i].at] = from + (u64)(s64)target[i];
		v->cause[t[i].at] = t[i].cause;
	}
	if (chunk->n_store)
		interval_keep_stores(w, chunk, from, target);
	/* Its delay slot may be in a chunk of its own. */
	if (chunk->branch)
		v->resolved = from + (u64)(s64)target[TARGET_BRANCH];
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

/* More micro-ops retire in the cycle that the last ones did. */
SIM_INLINE void
retire_beside(struct core *c, struct interval *v, unsigned n)
{
	u64 *histogram = &c->sig[SIG_RETIRE_1 - 1];
	unsigned before = v->n_retired, now = before + n;

	v->n_retired = now;
	if (before >= 4)
		return;
	histogram[before]--;
	histogram[now < 4 ? now : 4]++;
}

/* In that many cycles: as many as there can be of last in the last one. */
SIM_INLINE void
retire_in(struct core *c, struct interval *v, unsigned n, unsigned cycles,
	  unsigned last)
{
	u64 *histogram = &c->sig[SIG_RETIRE_1 - 1];
	unsigned others = cycles - 1, most = n - others, each, more;
	unsigned width = v->wc->retire;

	if (last > width)
		last = width;
	if (last > most)
		last = most;
	if (last + others * width < n)
		last = n - others * width;
	v->n_retired = last;
	histogram[last < 4 ? last : 4]++;
	c->sig[SIG_CYCLE_ISSUE] += cycles;
	if (!others)
		return;
	n -= last;
	each = others == 1 ? n : n / others;
	more = n - each * others;
	histogram[each < 4 ? each : 4] += others - more;
	if (more)
		histogram[each < 4 ? each + 1 : 4] += more;
}

/* Micro-ops retire in cycles that are new; in the one before, too, if these
 * have no room for all, or they could retire no earlier. */
SIM_INLINE void
count_retired(struct core *c, struct interval *v, unsigned n, unsigned cycles,
	      bool packed, unsigned last)
{
	unsigned width = v->wc->retire, beside = 0;

	if (packed)
		beside = width - v->n_retired;
	else if (n > cycles * width)
		beside = n - cycles * width;
	if (beside > n)
		beside = n;
	if (beside)
		retire_beside(c, v, beside);
	if (cycles)
		retire_in(c, v, n - beside, cycles, packed ? 0 : last);
}

/* The chunk retires at that cycle at the earliest; so many micro-ops in the last
 * cycle, and in that many cycles, if nothing is in its way. */
SIM_INLINE void
retire_chunk(struct core *c, struct window *w, struct interval *v, u64 end,
	     const struct interval_source *blamed, u64 delay, unsigned busy,
	     unsigned last)
{
	const struct interval_chunk *chunk = v->chunk;
	unsigned n = chunk->n_slot, least, cycles;
	u64 at, passed;

	least = ((v->n_retired + n - 1) * v->retire_share) >> 16;
	at = later(v->retired + least, end);
	passed = at - v->retired;
	cycles = passed < busy ? (unsigned)passed : busy;
	if (cycles < least)
		cycles = least;
	if (cycles > n)
		cycles = n;
	if (passed > cycles)
		charge_stall(c, w, v, passed - cycles, blamed, delay);
	count_retired(c, v, n, cycles, passed == least, last);
	if (SIM_UNLIKELY(w->single) && cycles)
		interval_share(c, w, SIG_CYCLE_ISSUE, cycles, chunk->insn);
	v->retired = at;
	c->now += CYCLES(passed);
	if (SIM_UNLIKELY(v->held))
		interval_retire_held(v, chunk, at);
	else
		give_back(v, chunk->retired, at);
}

/* The next one is dispatched, and arrives, behind it; cycles in which it has
 * been dispatched. */
SIM_INLINE unsigned
go_on(struct interval *v, const struct interval_chunk *chunk)
{
	unsigned slots = v->phase + chunk->n_slot;
	unsigned cycles = (slots * v->width_share) >> 16;
	u64 last = v->arrived + chunk->late_last;

	v->dispatch += cycles;
	v->phase = slots - cycles * v->wc->dispatch;
	if (SIM_UNLIKELY(last > v->dispatch)) {
		v->dispatch = last;
		v->phase = chunk->late_phase;
	}
	v->arrive += chunk->arrive_cycles[v->n_arrive];
	v->n_arrive = chunk->arrive_n[v->n_arrive];
	return cycles ? cycles : 1;
}

SIM_INLINE void
interval_close(struct core *c, struct window *w, struct interval *v)
{
	const struct interval_chunk *chunk = v->chunk;
	u64 from = v->dispatch;
	s32 target[TARGETS_EVEN(TARGETS_MAX)], end;
	struct waits found;
	unsigned busy;

	base_targets(v, chunk, target);
	end = target[TARGET_END];
	wait_for_all(v, chunk, target, &found);
	leave_queues(w, v, chunk, &found);
	if (SIM_UNLIKELY(chunk->heavy | (chunk->ports & v->backlog)))
		interval_take_ports(v, chunk);
	busy = go_on(v, chunk);
	retire_chunk(c, w, v, from + (u64)(s64)target[TARGET_END],
		     found.blamed, (u64)(target[TARGET_END] - end), busy,
		     v->phase ? v->phase : v->wc->dispatch);
	keep_targets(w, v, chunk, from, target);
	if (SIM_UNLIKELY(v->missed))
		interval_forget_misses(v, chunk);
	if (SIM_UNLIKELY(chunk->parts &&
			 (chunk->narrow | (w->parts & ~chunk->keeps))))
		interval_note_parts(w, v, chunk);
	if (SIM_UNLIKELY(v->trapped))
		interval_fetch_again(v);
	v->chunk = chunk->next;
	v->open = false;
}

#endif
