/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What few chunks have to do with on their way through the window. */
#include "interval_chunk.h"

void
interval_late(struct interval *v, u64 cycle, unsigned cause)
{
	if (cycle <= v->arrive)
		return;
	v->arrive = cycle;
	v->late_cause = (u8)cause;
}

void
interval_wait_for_room(struct core *c, struct interval *v,
	      const struct interval_chunk *chunk)
{
	u64 which;

	c->sig[SIG_MAP_STALL]++;
	v->phase = 0;
	while ((which = full(v, chunk)) &&
	       (v->passed < v->booked || v->distant.n)) {
		u64 next = distant_next(&v->distant, v->ring, v->passed,
					v->booked, ~0ull);

		c->sig[which >> (INTERVAL_LANE - 1) & 1 ? SIG_WINDOW_FULL
							: SIG_QUEUE_FULL] +=
			next - v->dispatch;
		v->dispatch = next;
		pass(v, next);
	}
}

void
interval_wait_for_parts(struct core *c, struct window *w, struct interval *v,
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
interval_add_far(struct waits *found, const struct interval_source *s, u64 at)
{
	unsigned i = found->n++;

	for (; i && found->far[i - 1].at < at; i--)
		found->far[i] = found->far[i - 1];
	found->far[i] = (struct interval_late){s, at};
}

void
interval_wait_for_ports(const struct interval *v, const struct interval_chunk *chunk,
	       s32 *target, struct waits *found)
{
	for (u32 left = chunk->ports & v->backlog; left; left &= left - 1) {
		unsigned set = (unsigned)__builtin_ctz(left);
		const struct interval_source *s =
			&chunk->source[chunk->port[set].source];

		wait_for(v, chunk, s, v->at[s->at], target, found);
	}
}

void
interval_wait_for_loads(const struct interval *v, const struct interval_chunk *chunk,
	       s32 *target, struct waits *found)
{
	const struct interval_source *s = chunk->source + chunk->first_missing;

	for (unsigned i = 0; i < chunk->n_missing; i++, s++)
		wait_for(v, chunk, s, v->at[s->at], target, found);
}

u64
interval_target(const struct interval *v, unsigned target)
{
	const struct interval_chunk *chunk = v->chunk;
	struct waits found;
	s32 at[TARGETS_EVEN(TARGETS_MAX)];

	base_targets(v, chunk, at);
	wait_for_all(v, chunk, at, &found);
	return v->dispatch + (u64)(s64)at[target];
}

u64
interval_issue(const struct interval *v, const struct interval_access *l)
{
	const struct interval_edge *e = &v->chunk->access_edge[l->first];
	u64 at = v->dispatch + (u64)(s64)l->base[v->phase];

	at = later(at, v->arrived + (u64)(s64)l->arrive);
	for (unsigned i = 0; i < l->n; i++)
		at = later(at, behind(v->at[e[i].at], e[i].cycles));
	return at;
}

/* Places of those micro-ops that are given back before they retire. */
static u64
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

u64
interval_leave_late(const struct window *w, struct interval *v,
	   const struct interval_chunk *chunk, const struct waits *found)
{
	u64 left = chunk->issued, usual = v->dispatch + (u64)chunk->middle;
	unsigned ops = UINT16_MAX;

	for (unsigned i = 0; i < found->n; i++) {
		const struct interval_far *s =
			&chunk->far[found->far[i].source - chunk->source];
		u64 at = found->far[i].at + (u64)(s64)s->middle, places;
		unsigned these = s->ops & ops;

		if (!these || at <= usual)
			continue;
		places = these == s->ops ? s->places
					 : places_of(w, chunk, these);
		ops &= ~these;
		left -= places;
		give_back(v, places, at);
	}
	return left;
}

void
interval_keep_stores(struct window *w, const struct interval_chunk *chunk,
	    u64 from, const s32 *target)
{
	for (unsigned i = chunk->n_target - chunk->n_store;
	     i < chunk->n_target; i++) {
		unsigned place = chunk->target[i].at - TARGET_STORE;
		u64 *known = &w->forward->known[place];

		*known = later(*known, from + (u64)(s64)target[i]);
	}
}

void
interval_forget_misses(struct interval *v, const struct interval_chunk *chunk)
{
	const struct interval_target *t = chunk->target;

	for (unsigned i = TARGET_OTHERS; i < chunk->n_target; i++)
		if (t[i].load && v->at[t[i].load])
			v->cause[t[i].at] = v->cause[t[i].load];
	for (unsigned k = 0; k < chunk->n_load; k++)
		v->at[SOURCE_LOAD + k] = 0;
	v->missed = false;
}

void
interval_take_ports(struct interval *v, const struct interval_chunk *chunk)
{
	u64 from = (v->dispatch + 1) * INTERVAL_TICKS;
	u32 left = chunk->ports & (v->backlog | chunk->heavy);

	for (; left; left &= left - 1) {
		unsigned set = (unsigned)__builtin_ctz(left);
		u32 bit = 1u << set;
		u64 *ticks = &v->ticks[set];

		if (*ticks <= from && !(chunk->heavy & bit)) {
			v->backlog &= ~bit;
			*ticks = v->at[SOURCE_PORT + set] = 0;
			continue;
		}
		v->backlog |= bit;
		*ticks = later(*ticks, from) + chunk->port[set].ticks;
		v->at[SOURCE_PORT + set] = *ticks / INTERVAL_TICKS;
	}
}

void
interval_retire_held(struct interval *v, const struct interval_chunk *chunk, u64 at)
{
	give_back(v, v->held, later(at, v->held_until));
	give_back(v, chunk->retired - v->held, at);
	v->held = v->held_until = 0;
}

void
interval_note_parts(struct window *w, struct interval *v,
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
interval_fetch_again(struct interval *v)
{
	interval_late(v, v->trapped, SIG_ALU_DTLB);
	v->n_arrive = 0;
	v->trapped = 0;
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
