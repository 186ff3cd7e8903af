/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A core with a window: blocks are entered, accesses are noted. */
#include "../fast.h"
#include "window_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- Set-up ---------------------------------------------------------- */

static void
init_queues(struct window *w, const struct window_config *wc)
{
	for (u32 i = 0; i < wc->queues; i++) {
		const struct window_queue *q = &wc->queue[i];
		u64 one = 1ull << 8 * (i + 1);

		w->bias += one * (128u - q->entries);
		for (unsigned k = 0; k < KINDS; k++) {
			if (!(q->holds >> k & 1))
				continue;
			w->enter[k] += one;
			w->leave[q->until][k] += one;
		}
	}
}

struct window *
window_new(const struct sim_config *config)
{
	struct window *w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	w->pipe = &config->pipe;
	w->decode_redirect = config->branch.decode_redirect;
	w->remember = true;
	w->current = true;
	w->now.late[0] = w->now.late[1] = SIG_IFU_REDIRECT;
	w->now.n_arrive = SLOT_NEW;
	init_queues(w, &config->pipe.window);
	if (states_init(w)) {
		window_free(w);
		return NULL;
	}
	w->state = state_find(w, NULL);
	return w;
}

void
window_free(struct window *w)
{
	if (w)
		states_free(w);
	free(w);
}

void
window_remember(struct window *w, bool on)
{
	w->remember = on;
	if (!on && !w->current)
		state_restore(w);
	if (!on)
		w->state = NO_STATE;
}

/* ---- The block that is over ------------------------------------------ */

/* Predicts p's branch, if it ends with one; what follows is t. */
static unsigned
outcome_of(struct core *c, struct block *p, struct block *t)
{
	unsigned taken = t->vaddr != p->fall;

	c->last_outcome = 0;
	if (p->kind == KIND_COND)
		fast_branch(c, p, t, c->history_mask);
	else if (p->kind == KIND_OWN)
		predict_cond(c, p, t);
	else if (p->kind == KIND_SLOW)
		core_branch(c, p, t);
	return (c->last_outcome & (OUTCOME_MISS | OUTCOME_LATE)) | taken;
}

/* The page of the block, and where its lines begin. */
static void
fetch_page_of(struct core *c, struct window *w, struct block *t)
{
	u64 last = t->fall - 1;
	u64 lost = 0;

	w->line = t->line;
	for (u64 va = t->vaddr;; va = last) {
		bool refill;

		lost += fetch_page(c, va, (u32)c->now, &refill);
		if (refill && w->pipe->refill_is_hardware)
			lost += w->pipe->tlb_refill;
		if (va >> c->itlb.page_bits == last >> c->itlb.page_bits)
			break;
	}
	if (lost)
		window_late(w, w->now.arrive + lost, SIG_IFU_ITLB);
}

/* Counts what the run has counted, and lists it; n is MOVE_COUNTS + 1 if
 * the list has no room. */
static void
count_tally(struct core *c, struct window *w, struct window_counts *list)
{
	for (unsigned i = 0; i < TALLY_N; i++) {
		s32 n = w->tally[i];

		if (!n)
			continue;
		c->sig[signal_of(i)] += (u64)(s64)n;
		if (list->n >= MOVE_COUNTS || n != (int16_t)n)
			list->n = MOVE_COUNTS + 1;
		else
			list->count[list->n++] =
				n * 256 + (s32)signal_of(i);
	}
}

/* Cycles that an access takes, if a move can have it. */
static bool
wait_of(const struct window_look *o, u64 *wait)
{
	*wait = o->ready ? o->ready - o->at : 0;
	return !o->walk && !o->trap && *wait <= UINT16_MAX;
}

/* Remembers the steps to a move over n accesses, the first dispatch being
 * from; false if that is not possible. */
static bool
add_steps(struct window *w, struct window_move *m, unsigned n, u64 from)
{
	struct window_move step = *m;

	if (n > MOVE_LOOKS)
		return false;
	for (unsigned i = 0; i < n; i++) {
		const struct window_look *o = &w->look[i];
		u64 wait;

		if (!wait_of(o, &wait) || o->at - from > UINT16_MAX)
			return false;
		step.dispatch = (u16)(o->at - from);
		move_add(w, &step);
		step.waits |= wait << 16 * i;
		step.step++;
	}
	m->waits = step.waits;
	m->step = step.step;
	return true;
}

/* Whether what a run did can be remembered at all. */
static bool
is_move(const struct window_move *m, const struct window_clock *from,
	const struct window_clock *to)
{
	return m->from != NO_STATE && m->to != NO_STATE &&
	       to->dispatch - from->dispatch <= UINT16_MAX &&
	       to->retired - from->retired <= UINT16_MAX;
}

static void
run(struct core *c, struct window *w, struct block *p, struct block *t,
    unsigned outcome)
{
	const struct window_program *program = p->detail->window;
	bool slot = outcome & OUTCOME_TAKEN;
	bool same = w->remember && !w->fetch;
	u32 era = w->era;
	unsigned n;
	struct window_clock from;
	struct window_counts counts = {.n = 0};
	struct window_move m = {.program = program,
				.next = t->detail->window,
				.from = w->state,
				.notes = notes_of(w, c->n_note),
				.outcome = (u8)outcome};

	if (!w->current)
		state_restore(w);
	from = w->now;
	memset(w->tally, 0, sizeof w->tally);
	w->note = 0;
	if (w->fetch)
		fetch_page_of(c, w, p);
	window_run(c, w, p, slot ? program->n : program->n_without_slot);
	window_leave(w, p, outcome);
	count_tally(c, w, &counts);
	c->now += CYCLES(w->now.retired - from.retired);
	n = c->n_note;
	c->n_note = 0;
	w->looked = 0;
	w->state = m.to = w->remember ? state_find(w, m.next) : NO_STATE;
	if (!same || era != w->era || counts.n > MOVE_COUNTS ||
	    !is_move(&m, &from, &w->now) ||
	    !add_steps(w, &m, n, from.dispatch))
		return;
	m.dispatch = (u16)(w->now.dispatch - from.dispatch);
	m.retired = (u16)(w->now.retired - from.retired);
	m.counts = counts_find(w, &counts);
	move_add(w, &m);
}

static void
move(struct core *c, struct window *w, const struct window_move *m)
{
	const struct window_counts *counts = &w->counts[m->counts];

	if (w->current)
		w->stale = w->now.dispatch;
	w->state = m->to;
	w->current = false;
	c->n_note = 0;
	w->looked = 0;
	w->now.dispatch += m->dispatch;
	w->now.retired += m->retired;
	c->now += CYCLES(m->retired);
	for (unsigned i = 0; i < counts->n; i++)
		c->sig[counts->count[i] & 0xff] +=
			(u64)(s64)(counts->count[i] >> 8);
}

/* The same, having looked for the accesses that were noted; NULL if it went
 * in a way that is not known. */
static SIM_NOINLINE const struct window_move *
find_by_steps(struct core *c, struct window *w, struct window_move *key)
{
	u64 from = w->now.dispatch, wait;
	unsigned n = c->n_note;

	if (n > MOVE_LOOKS)
		return NULL;
	for (unsigned i = 0; i < n; i++) {
		const struct window_move *step = move_find(w, key);

		if (!step)
			return NULL;
		window_look(c, w, i, from + step->dispatch);
		if (!wait_of(&w->look[i], &wait))
			return NULL;
		key->waits |= wait << 16 * i;
		key->step++;
	}
	return move_find(w, key);
}

/* The move that the block makes, if that is known. */
SIM_INLINE const struct window_move *
find_move(struct core *c, struct window *w, const struct block *p,
	  const struct block *t, unsigned outcome)
{
	struct window_move key;

	if (SIM_UNLIKELY(w->state == NO_STATE || w->fetch))
		return NULL;
	key.program = p->detail->window;
	key.next = t->detail->window;
	key.from = w->state;
	key.outcome = (u8)outcome;
	key.step = 0;
	key.notes = key.waits = 0;
	if (SIM_LIKELY(!c->n_note))
		return move_find(w, &key);
	key.notes = notes_of(w, c->n_note);
	return find_by_steps(c, w, &key);
}

static void
leave(struct core *c, struct window *w, struct block *p, struct block *t)
{
	unsigned outcome = outcome_of(c, p, t);
	const struct window_move *m = find_move(c, w, p, t, outcome);

	if (SIM_LIKELY(m != NULL))
		move(c, w, m);
	else
		run(c, w, p, t, outcome);
}

/* ---- The block that is entered --------------------------------------- */

void
window_enter(struct core *c, struct block *t)
{
	struct window *w = c->window;
	struct block *p = c->prev;

	if (SIM_LIKELY(p->detail->window != NULL))
		leave(c, w, p, t);
	t->execs++;
	c->prev = t;
	c->now += t->advance;
	w->fetch = !fast_fetch_known(c, t, 3);
	if (SIM_LIKELY(!w->fetch))
		fast_fetch(c, t, 3, (u32)c->now);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

void
window_pause(struct core *c, struct block *p, struct block *t)
{
	if (p->detail->window)
		leave(c, c->window, p, t);
	c->n_note = 0;
	c->window->fetch = false;
}

void
window_skip(struct window *w, u64 cycles)
{
	if (!w->current)
		state_restore(w);
	window_pass(w, w->now.dispatch + cycles);
	w->now.arrive += cycles;
	w->now.late_from += cycles;
	w->now.retired += cycles;
	w->current = true;
	w->state = w->remember ? state_find(w, NULL) : NO_STATE;
}

void
window_data(struct core *c, const struct block_access *a, u64 va,
	    unsigned bytes, bool store)
{
	struct window *w = c->window;
	u32 clock = (u32)c->now - a->clock_back;
	struct data_result r = {0};

	if (SIM_UNLIKELY(c->n_note == WINDOW_NOTES)) {
		/* More than the longest instructions access. */
		data_access_lines(c, va, bytes, store, clock, core_cycle(c),
				  &r);
		return;
	}
	w->list[c->n_note++] = (struct window_note){
		.va = va,
		.clock = clock,
		.insn = a->insn,
		.bytes = (u8)bytes,
		.store = store,
	};
}
