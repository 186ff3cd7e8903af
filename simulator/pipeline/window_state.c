/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state of the window, written and read.
 *
 * It is a string of 64-bit words in which all times are relative to the
 * cycle of dispatch, and what can have no effect any more is left out:
 * whatever is over by the next cycle.  Two states that go on differently are
 * never the same string.  It begins with the block that comes next, without
 * the registers that this one writes first.
 */
#include "window_internal.h"

#include <string.h>

#define PART_OF(reg) (WINDOW_REGS + WINDOW_BUSY + (reg)) /* in such a word */
#define RING_FREE 56	/* bit that the highest byte of an entry begins at */

/* ---- Writing a state ------------------------------------------------- */

/* Whether the next instruction begins a fetch cycle. */
static bool
is_new_group(const struct window *w)
{
	return w->now.n_arrive >= w->pipe->window.fetch;
}

/* Cycles from the last dispatch to where the next one is at the earliest. */
static unsigned
next_dispatch(const struct window *w)
{
	const struct window_clock *now = &w->now;

	return now->n_dispatch >= w->pipe->window.dispatch ||
	       (is_new_group(w) && now->arrive >= now->dispatch);
}

/*
 * Cycles without retirement that what made the last arrival late can be
 * charged for at most: those in front of a micro-op, less those from its
 * dispatch on and those for stores that have retired.  Without these it is
 * dispatched when what is in front of it has retired, at the latest, or the
 * parts of registers that were written are known: those written from now on
 * are so part_wait cycles behind what is in front.
 */
static u64
most_late(const struct window *w, unsigned next)
{
	u64 dispatch = w->now.dispatch + next, retired = w->now.retired;

	for (u32 left = w->parts; left; left &= left - 1)
		dispatch = later(dispatch,
				 w->part_until[__builtin_ctz(left)]);
	return later(dispatch, retired) - retired + 2 +
	       w->pipe->window.part_wait;
}

/* What made the last arrival late does not matter any more when the next one
 * begins a cycle of its own. */
static void
write_clock(struct state_text *s, const struct window *w)
{
	const struct window_clock *now = &w->now;
	u64 late = now->arrive - now->late_from, most;
	bool group = is_new_group(w);
	unsigned next = next_dispatch(w);
	u8 n_arrive = group ? SLOT_NEW : now->n_arrive;
	u8 n_dispatch = now->n_dispatch, n_retired = now->n_retired;
	u8 n_insns = now->n_insns;

	if (next)
		n_dispatch = w->pipe->window.dispatch;
	/* The next one retires later. */
	if (now->retired < now->dispatch + next + 2)
		n_retired = n_insns = 0;
	s->word[s->n++] = (u32)(now->arrive - now->dispatch) |
			  (u64)n_arrive << 32 | (u64)n_dispatch << 40 |
			  (u64)n_retired << 48 | (u64)n_insns << 56;
	s->word[s->n] = (u32)(now->retired - now->dispatch);
	most = most_late(w, next);
	if (!group && late < most)
		s->word[s->n] |= late << 32 | (u64)now->late[!late] << 48 |
				 (u64)now->late[1] << 56;
	else if (!group)
		s->word[s->n] |= most << 32 | (u64)now->late[1] << 48 |
				 (u64)now->late[1] << 56;
	s->n++;
}

/* Parts of registers that the next micro-op could wait for, but of those that
 * the program writes first, and segment registers. */
static void
write_parts(struct state_text *s, struct window *w,
	    const struct window_program *program)
{
	u64 next = w->now.dispatch + next_dispatch(w);

	for (u32 left = w->parts; left; left &= left - 1) {
		unsigned r = (unsigned)__builtin_ctz(left);

		if (w->part_until[r] <= next)
			w->parts &= ~(1u << r);
		else if (!((u32)program->whole >> r & 1))
			s->word[s->n++] = (w->part_until[r] - next) << 16 |
					  (u64)w->part[r] << 8 | PART_OF(r);
	}
}

/* Registers and units that are not ready when the next micro-op could use
 * them, but those that the program writes first. */
static unsigned
write_waits(struct state_text *s, struct window *w,
	    const struct window_program *program)
{
	u64 next = w->now.dispatch + 1 + next_dispatch(w);
	unsigned before = s->n;

	for (unsigned i = 0; i < 2; i++) {
		for (u64 left = w->written[i]; left; left &= left - 1) {
			unsigned r = 64 * i + (unsigned)__builtin_ctzll(left);

			if (program->dead[i] & left & -left)
				continue;
			/* From REG_LOADED on they live for one instruction. */
			if (w->ready[r] > next && r < REG_LOADED)
				s->word[s->n++] = (w->ready[r] - next) << 16 |
						  (u64)w->cause[r] << 8 | r;
			else
				w->written[i] &= ~(left & -left);
		}
	}
	for (u32 left = w->units; left; left &= left - 1) {
		unsigned b = (unsigned)__builtin_ctz(left);

		if (w->until[b] > next)
			s->word[s->n++] = (w->until[b] - next) << 16 |
					  (WINDOW_REGS + b);
		else
			w->units &= ~(left & -left);
	}
	if (SIM_UNLIKELY(w->parts))
		write_parts(s, w, program);
	return s->n - before;
}

#define EACH_QUEUE 0x0001010101010100ull
#define LIST_PLACES(entry) ((entry) >> 8 & 0xff) /* of the reorder list */
#define LIST_FULL 0xff00ull

/* The queues, as bytes of ones, that may be full for one of the next micro-ops
 * if these would enter so many places in all. */
SIM_INLINE u64
may_be_full(const struct window *w, u64 taken, u64 enter)
{
	u64 full = (taken + w->bias + enter - EACH_QUEUE) >> 7 & EACH_QUEUE;

	return (full << 8) - full;
}

/* What may be dispatched until some cycle, at the most. */
struct ahead {
	u64 n, enter;		/* micro-ops, and places that they enter */
	u64 full;		/* queues that may have been, as bytes of ones */
	u64 held;		/* places that may be held apart */
	const struct window_program *program; /* of those that come first */
};

/*
 * So many micro-ops more, where the reorder list has room for room of them,
 * counted from the present.  Those of the block are known, others may all
 * enter any queue.
 */
static void
go_ahead(struct ahead *a, u64 more, u64 room)
{
	u64 end = a->n + more, known = a->program->n_without_slot;

	if (end > room) {
		end = room;
		a->full |= LIST_FULL;
	}
	if (end >= WINDOW_MANY) {
		a->n = WINDOW_MANY;
		a->enter = QUEUE_FULL * EACH_QUEUE;
		return;
	}
	if (known > end)
		known = end;
	a->n = end;
	a->enter = a->held + a->program->enter[known] +
		   (end - known) * EACH_QUEUE;
}

/* The same for the cycles from one to before another, in which nothing is
 * given back to the list, which holds that many. */
static void
go_ahead_until(const struct window *w, struct ahead *a, u64 from, u64 to,
	       u64 held)
{
	u64 width = w->pipe->window.dispatch;
	u64 retired = w->now.retired, list = w->pipe->window.queue[0].entries;

	if (from < retired) {
		u64 end = to < retired ? to : retired;

		go_ahead(a, (end - from) * width, list - held);
		from = end;
	}
	if (from < to)
		go_ahead(a, (to - from) * width, WINDOW_MANY);
}

u64
window_take_distant_port(struct window *w, unsigned ports, u64 cycle)
{
	u64 free;

	while (!(free = ports & ~distant_at(&w->distant, cycle)))
		cycle++;
	distant_put(&w->distant, 1ull << (31 - __builtin_clz((u32)free)), cycle);
	return cycle;
}

/* All that is booked from that cycle on. */
static void
write_rest(struct state_text *s, const struct window *w, u64 from)
{
	for (u64 c = from; c <= w->last; c++) {
		u64 entry = w->ring[RING_AT(c)];

		if (entry)
			s->word[s->n++] =
				entry | (c - w->now.dispatch) << RING_FREE;
	}
}

/*
 * Ports that are taken when the next micro-op could issue, and the places
 * that are given back late: not before their queue could be full.  What is
 * dispatched from now on has no place back before all that is in front has
 * retired, so that the list limits it until then.  Of some places nothing is
 * known here (window_held.c).
 */
static void
write_ring(struct state_text *s, const struct window *w,
	   const struct window_program *program)
{
	const u64 from = w->now.dispatch;
	u64 width = w->pipe->window.dispatch, taken = w->taken;
	u64 list = w->pipe->window.queue[0].entries, seen = from + 1;
	struct ahead a = {.held = w->held_most * w->held_place,
			  .program = program};

	if (!next_dispatch(w))
		go_ahead(&a, width - w->now.n_dispatch,
			 list - LIST_PLACES(taken));
	for (u64 c = from + 1; c <= w->last; c++) {
		u64 entry = w->ring[RING_AT(c)], kept;

		if (!entry)
			continue;
		go_ahead_until(w, &a, seen, c, LIST_PLACES(taken));
		seen = c;
		if (a.n)
			a.full |= may_be_full(w, taken, a.enter);
		if (a.n && !(w->queues & ~a.full)) {
			write_rest(s, w, c);
			return;
		}
		kept = entry & (a.full | (a.n ? RING_PORTS : 0));
		taken -= entry & ~RING_PORTS;
		if (kept)
			s->word[s->n++] = kept | (c - from) << RING_FREE;
	}
}

bool
state_write(struct state_text *s, struct window *w, const struct block *t)
{
	const struct window_clock *now = &w->now;
	unsigned waits;

	s->n = 2;
	if (w->last > now->dispatch + FAR_CYCLES || w->distant.n ||
	    now->arrive > now->dispatch + FAR_CYCLES ||
	    now->arrive - now->late_from > 0xffff)
		return false;
	write_clock(s, w);
	waits = write_waits(s, w, t->detail->window);
	write_ring(s, w, t->detail->window);
	s->word[0] = (uintptr_t)t;
	s->word[1] = waits;
	return true;
}

/* ---- Reading a state ------------------------------------------------- */

static void
read_clock(struct window *w, const u64 *word)
{
	struct window_clock *now = &w->now;

	now->arrive = now->dispatch + (u64)(s64)(s32)word[0];
	now->n_arrive = (u8)(word[0] >> 32);
	now->n_dispatch = (u8)(word[0] >> 40);
	now->n_retired = (u8)(word[0] >> 48);
	now->n_insns = (u8)(word[0] >> 56);
	now->retired = now->dispatch + (u64)(s64)(s32)word[1];
	now->late_from = now->arrive - (word[1] >> 32 & 0xffff);
	now->late[0] = (u8)(word[1] >> 48);
	now->late[1] = (u8)(word[1] >> 56);
}

static void
read_waits(struct window *w, const u64 *word, u64 n)
{
	u64 next = w->now.dispatch + 1 + next_dispatch(w);

	for (unsigned i = 0; i < 2; i++)
		for (u64 left = w->written[i]; left; left &= left - 1)
			w->ready[64 * i + (unsigned)__builtin_ctzll(left)] = 0;
	memset(w->written, 0, sizeof w->written);
	memset(w->until, 0, sizeof w->until);
	w->units = 0;
	w->parts = 0;
	for (; n--; word++) {
		unsigned r = *word & 0xff;

		if (r >= PART_OF(0)) {
			r -= PART_OF(0);
			w->part_until[r] = next - 1 + (*word >> 16);
			w->part[r] = (u8)(*word >> 8);
			w->parts |= 1u << r;
			continue;
		}
		if (r >= WINDOW_REGS) {
			w->until[r - WINDOW_REGS] = next + (*word >> 16);
			w->units |= 1u << (r - WINDOW_REGS);
			continue;
		}
		w->ready[r] = next + (*word >> 16);
		w->cause[r] = (u8)(*word >> 8);
		w->written[r >> 6] |= 1ull << (r & 63);
	}
}

/* What is booked there is of another time. */
static void
clear_ring(struct window *w)
{
	u64 n = w->last > w->stale ? w->last - w->stale : 0;

	if (n > WINDOW_RING)
		n = WINDOW_RING;
	for (u64 c = w->last; n--; c--)
		w->ring[RING_AT(c)] = 0;
	w->distant.n = 0;
}

static void
read_ring(struct window *w, const u64 *word, const u64 *end)
{
	clear_ring(w);
	w->taken = 0;
	w->last = w->now.dispatch;
	for (; word < end; word++) {
		u64 entry = *word & ((1ull << RING_FREE) - 1);

		w->last = w->now.dispatch + (*word >> RING_FREE);
		w->ring[RING_AT(w->last)] = entry;
		w->taken += entry & ~RING_PORTS;
	}
}

void
state_restore(struct window *w)
{
	const u64 *word = &w->arena[w->state + 2]; /* behind the block */
	const u64 *end = word + (u32)w->arena[w->state] - 1;
	u64 waits = *word++;

	read_clock(w, word);
	word += 2;
	read_waits(w, word, waits);
	read_ring(w, word + waits, end);
	w->stale = w->now.dispatch;
	w->current = true;
}
