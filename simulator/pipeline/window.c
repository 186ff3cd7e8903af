/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Micro-ops through the window, one after the other, in program order. */
#include "window_internal.h"

#include "../profile.h"
#include "../sample.h"

#include <string.h>

/* ---- What is booked per cycle ---------------------------------------- */

void
window_pass(struct window *w, u64 cycle)
{
	u64 c = w->now.dispatch, n = cycle - c;

	w->now.dispatch = cycle;
	if (n > WINDOW_RING)
		n = WINDOW_RING;
	while (n--) {
		u64 *entry = &w->ring[RING_AT(++c)];

		w->taken -= *entry & ~RING_PORTS;
		*entry = 0;
	}
}

/* Places are given back at that cycle, as far as that is booked. */
SIM_INLINE void
give_back(struct window *w, u64 places, u64 cycle)
{
	u64 end = w->now.dispatch + WINDOW_RING - 1;

	if (cycle > end)
		cycle = end;
	if (cycle > w->last)
		w->last = cycle;
	w->ring[RING_AT(cycle)] += places;
}

/* Takes one of the ports, the highest that is free, from that cycle on. */
SIM_INLINE u64
take_port(struct window *w, unsigned ports, u64 cycle)
{
	u64 end = w->now.dispatch + WINDOW_RING;

	for (; cycle < end; cycle++) {
		u64 *entry = &w->ring[RING_AT(cycle)];
		u32 free = ports & ~(u32)(*entry & RING_PORTS);

		if (!free)
			continue;
		*entry |= 1ull << (31 - __builtin_clz(free));
		if (cycle > w->last)
			w->last = cycle;
		break;
	}
	return cycle;
}

/* ---- Arrival --------------------------------------------------------- */

void
window_late(struct window *w, u64 cycle, unsigned cause)
{
	struct window_clock *now = &w->now;

	if (cycle <= now->arrive)
		return;
	now->late[0] = now->late[1];
	now->late[1] = (u8)cause;
	now->late_from = now->arrive;
	now->arrive = cycle;
}

/* The last arrival was not late for a reason of its own. */
SIM_INLINE void
arrive_plain(struct window_clock *now)
{
	now->late_from = now->arrive;
	now->late[1] = SIG_ALU_OTHER;
}

/* Fetch was held up by a full window: it is not farther ahead than it can. */
SIM_INLINE void
catch_up(struct window *w)
{
	struct window_clock *now = &w->now;
	u64 ahead = w->pipe->window.run_ahead;

	if (now->arrive + ahead >= now->dispatch)
		return;
	now->arrive = now->dispatch - ahead;
	arrive_plain(now);
	now->n_arrive = 0;
}

/* Fetches the block's lines up to the one with the last byte of in. */
static void
fetch_lines(struct core *c, struct window *w, struct block *t,
	    const struct insn *in)
{
	u64 last = (in->pc + in->size - 1u) >> c->iline_bits;
	u64 ahead = w->pipe->fetch_ahead;

	for (; w->line <= last; w->line++) {
		u64 at = w->now.arrive > ahead ? w->now.arrive - ahead : 0;
		u16 slot;
		u64 ready = fetch_line(c, w->line, (u32)c->now, at, &slot);

		fetch_keep_slot(t, (unsigned)(w->line - t->line), slot);
		if (ready <= at)
			continue;
		c->sig[SIG_ICACHE_WAIT] += ready - at;
		window_late(w, ready + ahead, SIG_IFU_ICACHE);
	}
}

/* The instruction that begins with op arrives. */
SIM_INLINE void
arrive(struct core *c, struct window *w, struct block *t,
       const struct window_op *op)
{
	struct window_clock *now = &w->now;
	const struct window_config *wc = &w->pipe->window;
	unsigned n;

	catch_up(w);
	n = now->n_arrive;
	if (n >= wc->fetch || (n && op->flags & OP_GROUP) ||
	    (n && wc->decoders &&
	     (n >= wc->decoders || op->decode > wc->decode[n]))) {
		now->arrive++;
		arrive_plain(now);
		n = 0;
	}
	if (SIM_UNLIKELY(w->fetch && op->flags & OP_LINE))
		fetch_lines(c, w, t, &block_insns(t)[op->insn]);
	now->n_arrive = (u8)(n + 1);
	if (SIM_UNLIKELY(op->extra)) {
		now->arrive += op->extra;
		arrive_plain(now);
		now->n_arrive = SLOT_NEW;
	}
}

/* ---- Dispatch -------------------------------------------------------- */

/* Cycles pass until the queues of the kind have room. */
static SIM_NOINLINE void
wait_for_room(struct window *w, u64 enter)
{
	while ((w->taken + w->bias) & enter << 7) {
		bool list = (w->taken + w->bias) & 0x8000;

		w->tally[tally_of(list ? SIG_WINDOW_FULL : SIG_QUEUE_FULL)]++;
		window_pass(w, w->now.dispatch + 1);
		w->now.n_dispatch = 0;
	}
}

SIM_INLINE void
dispatch(struct window *w, const struct window_op *op)
{
	struct window_clock *now = &w->now;
	u64 enter = w->enter[op->kind], at = now->arrive;

	if (SIM_UNLIKELY(op->flags & OP_SERIAL) && at < now->retired)
		at = now->retired;
	if (now->n_dispatch == w->pipe->window.dispatch &&
	    at <= now->dispatch)
		at = now->dispatch + 1;
	if (at > now->dispatch) {
		window_pass(w, at);
		now->n_dispatch = 0;
	}
	if (SIM_UNLIKELY((w->taken + w->bias) & enter << 7))
		wait_for_room(w, enter);
	now->n_dispatch++;
	w->taken += enter;
}

/* ---- Memory ---------------------------------------------------------- */

void
window_look(struct core *c, struct window *w, unsigned i, u64 at)
{
	const struct window_note *note = &w->list[i];
	struct window_look *o = &w->look[i];
	struct data_result r = {0};

	if (i < w->looked)
		return;
	w->looked = i + 1;
	*o = (struct window_look){.at = at};
	data_access_lines(c, note->va, note->bytes, note->store, note->clock,
			  at, &r);
	if (SIM_UNLIKELY(c->sampler != NULL))
		sample_access(c, note->insn);
	if (SIM_UNLIKELY(c->profiler != NULL))
		profiler_access(c, note->insn);
	if (r.ready > at)
		o->ready = r.ready;
	if (!r.replay && !r.refill)
		return;
	o->walk = r.replay;
	if (w->pipe->refill_is_hardware)
		o->walk += r.refill ? w->pipe->tlb_refill : 0;
	else if (r.refill)
		o->trap = true;
}

/* The accesses of that instruction that wait to be looked at: its loads, or
 * all of them. */
static void
look_at_notes(struct core *c, struct window *w, unsigned insn, bool all,
	      u64 at, struct window_look *o)
{
	for (; w->note < c->n_note; w->note++) {
		const struct window_note *note = &w->list[w->note];
		const struct window_look *this = &w->look[w->note];

		if (note->insn > insn || (note->store && !all))
			return;
		window_look(c, w, w->note, at);
		if (this->ready > o->ready)
			o->ready = this->ready;
		o->walk += this->walk;
		o->trap |= this->trap;
	}
}

/* ---- Retirement ------------------------------------------------------ */

/* What the cycles without retirement in front of a micro-op come from. */
struct delay {
	u64 own;	/* cycles of its latency beyond the first */
	u64 walk;	/* of these, for a page */
	u64 wait;	/* cycles that it waited after its dispatch */
	u8 own_cause, wait_cause;
};

/* Up to n cycles of a gap that have that cause; the rest of the gap. */
SIM_INLINE u64
charge(struct window *w, u64 gap, u64 n, unsigned cause)
{
	if (n > gap)
		n = gap;
	w->tally[cause - SIG_CYCLE_ISSUE] += (s32)n;
	return gap - n;
}

static SIM_NOINLINE void
charge_gap(struct window *w, u64 gap, const struct delay *d)
{
	struct window_clock *now = &w->now;
	u64 late = now->arrive > now->late_from ? now->arrive - now->late_from
						: 0;

	gap = charge(w, gap, d->walk, SIG_ALU_DTLB);
	gap = charge(w, gap, d->own - d->walk, d->own_cause);
	gap = charge(w, gap, d->wait, d->wait_cause);
	if (late)
		gap = charge(w, gap, late, now->late[1]);
	charge(w, gap, gap, now->late[!late]);
}

/* Retires what is done at that cycle; the cycle that it retires. */
SIM_INLINE u64
retire(struct window *w, u64 done, const struct delay *d)
{
	struct window_clock *now = &w->now;
	s32 *histogram = &w->tally[tally_of(SIG_RETIRE_1)];
	u64 at = done + 1;

	if (at <= now->retired) {
		at = now->retired;
		if (now->n_retired < w->pipe->window.retire) {
			unsigned n = now->n_retired++;

			if (n < 4) {
				histogram[n - 1]--;
				histogram[n]++;
			}
			return at;
		}
		at++;
	}
	if (at > now->retired + 1)
		charge_gap(w, at - now->retired - 1, d);
	w->tally[0]++;
	histogram[0]++;
	now->retired = at;
	now->n_retired = 1;
	return at;
}

/* ---- One micro-op ---------------------------------------------------- */

SIM_INLINE u64
issue(struct window *w, const struct window_op *op, struct delay *d)
{
	u64 at = w->now.dispatch + 1;

	d->wait_cause = SIG_ALU_OTHER;
	for (unsigned i = 0; i < op->n_src; i++) {
		unsigned r = op->src[i];

		if (w->ready[r] > at) {
			at = w->ready[r];
			d->wait_cause = w->cause[r];
		}
	}
	if (SIM_UNLIKELY(op->busy)) {
		if (w->until[op->busy] > at) {
			at = w->until[op->busy];
			d->wait_cause = op->cause;
		}
		w->until[op->busy] = at + op->repeat;
	}
	if (op->ports)
		at = take_port(w, op->ports, at);
	d->wait = at - w->now.dispatch - 1;
	return at;
}

/* The page is brought by software: what is behind is fetched again. */
static void
trap(struct window *w, u64 at)
{
	window_late(w, at + w->pipe->dtlb_replay, SIG_ALU_DTLB);
	w->now.n_arrive = 0;
}

/* Cycle that a load, issued at that cycle, is done. */
static SIM_NOINLINE u64
load(struct core *c, struct window *w, const struct window_op *op, u64 at,
     struct delay *d)
{
	u64 done = at + op->latency;
	struct window_look o = {0};

	look_at_notes(c, w, op->insn, false, at, &o);
	if (o.ready > done) {
		done = o.ready;
		d->own_cause = SIG_ALU_DMISS;
	}
	if (o.trap)
		trap(w, at);
	d->walk = o.walk;
	return done + o.walk;
}

/* Cycle that a store, retired at that cycle, has left its buffer. */
static SIM_NOINLINE u64
store(struct core *c, struct window *w, const struct window_op *op, u64 at)
{
	struct window_look o = {0};

	look_at_notes(c, w, op->insn, true, at, &o);
	if (o.trap)
		trap(w, at);
	return o.ready > at ? o.ready : at;
}

SIM_INLINE void
run_op(struct core *c, struct window *w, const struct window_op *op)
{
	struct delay d = {.own_cause = op->cause};
	u64 at, done, out;

	dispatch(w, op);
	at = issue(w, op, &d);
	give_back(w, w->leave[UNTIL_ISSUE][op->kind], at);
	done = at + op->latency;
	if (op->flags & OP_LOAD && c->n_note)
		done = load(c, w, op, at, &d);
	for (unsigned i = 0; i < op->n_dst; i++) {
		unsigned r = op->dst[i];

		w->ready[r] = done;
		w->cause[r] = d.own_cause;
		w->written[r >> 6] |= 1ull << (r & 63);
	}
	if (op->data != REG_NONE && w->ready[op->data] > done) {
		done = w->ready[op->data];
		d.own_cause = w->cause[op->data];
	}
	if (op->flags & OP_BRANCH) {
		w->resolved = done;
		w->guessed = w->now.dispatch;
	}
	if (done > at + 1)
		d.own = done - at - 1;
	give_back(w, w->leave[UNTIL_DONE][op->kind], done);
	at = retire(w, done, &d);
	out = at;
	if (op->flags & OP_STORE && c->n_note)
		out = store(c, w, op, at);
	give_back(w, w->leave[UNTIL_RETIRE][op->kind] & 0xff00, at);
	give_back(w, w->leave[UNTIL_RETIRE][op->kind] & ~0xffffull, out);
}

void
window_run(struct core *c, struct window *w, struct block *t, unsigned n)
{
	const struct window_op *op = t->detail->window->op;

	w->resolved = w->guessed = w->now.dispatch;
	for (; n--; op++) {
		if (op->flags & OP_FIRST)
			arrive(c, w, t, op);
		run_op(c, w, op);
	}
	/* Of instructions that have no micro-op for it. */
	for (; w->note < c->n_note; w->note++)
		window_look(c, w, w->note, w->now.retired);
}

static void
count_wrong_path(struct window *w)
{
	const struct window_config *wc = &w->pipe->window;
	u64 n = (w->resolved - w->guessed) * wc->dispatch;

	if (n > wc->queue[0].entries)
		n = wc->queue[0].entries;
	w->tally[tally_of(SIG_WRONG_INSN)] += (s32)n;
}

void
window_leave(struct window *w, const struct block *t, unsigned outcome)
{
	struct window_clock *now = &w->now;
	bool conditional = t->branch == BRANCH_DIRECT_COND ||
			   t->branch == BRANCH_COND_CALL;

	if (outcome & OUTCOME_MISS) {
		count_wrong_path(w);
		window_late(w, w->resolved + (conditional
						      ? w->pipe->mispredict
						      : w->pipe->indirect),
			    SIG_CYCLE_KILLED);
		now->n_arrive = 0;
	} else if (outcome & OUTCOME_TAKEN) {
		unsigned bubble = w->pipe->taken_bubble;

		if (outcome & OUTCOME_LATE)
			bubble += w->decode_redirect;
		window_late(w, now->arrive + 1 + bubble, SIG_IFU_REDIRECT);
		now->n_arrive = 0;
	} else if (!t->shares) {
		now->n_arrive = SLOT_NEW;
	}
	catch_up(w);
	if (now->arrive > now->dispatch) {
		/* Nothing is dispatched before it has arrived. */
		window_pass(w, now->arrive);
		now->n_dispatch = 0;
	}
}
