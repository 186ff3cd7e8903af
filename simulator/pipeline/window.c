/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Micro-ops through the window, one after the other, in program order. */
#include "window_retire.h"

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
	if (SIM_UNLIKELY(w->distant.n))
		w->taken -= distant_reach(&w->distant, cycle, w->ring,
					  &w->last, ~RING_PORTS);
}

/* Places are given back at that cycle. */
SIM_INLINE void
give_back(struct window *w, u64 places, u64 cycle)
{
	if (SIM_UNLIKELY(cycle >= w->now.dispatch + WINDOW_RING)) {
		distant_put(&w->distant, places, cycle);
		return;
	}
	w->ring[RING_AT(cycle)] += places;
	w->last = later(w->last, cycle);
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
		return cycle;
	}
	return window_take_distant_port(w, ports, cycle);
}

/* ---- Arrival --------------------------------------------------------- */

static void
arrive_late(struct window *w, u64 cycle, unsigned cause)
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

/* Fetches the block's lines up to the one with the last byte of the
 * instruction. */
static void
arrive_lines(struct core *c, struct window *w, const struct window_op *op)
{
	u64 ahead = w->pipe->fetch_ahead;

	while (w->line <= op->line) {
		u64 at = w->now.arrive > ahead ? w->now.arrive - ahead : 0;
		u32 wait = window_fetch_line(c, w, at);

		if (wait)
			arrive_late(w, at + wait + ahead, SIG_IFU_ICACHE);
	}
}

/* The instruction that begins with op arrives. */
SIM_INLINE void
arrive(struct core *c, struct window *w, const struct window_op *op)
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
		arrive_lines(c, w, op);
	now->n_arrive = (u8)(n + 1);
	w->arrived = now->arrive;
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
	u64 from = later(w->now.dispatch, w->now.retired);

	tally_add(w, SIG_MAP_STALL, 1);
	while ((w->taken + w->bias) & enter << 7) {
		bool list = (w->taken + w->bias) & 0x8000;
		u64 next = distant_next(&w->distant, w->ring, w->now.dispatch,
					w->last, ~RING_PORTS);

		tally_add(w, list ? SIG_WINDOW_FULL : SIG_QUEUE_FULL,
			  (s32)(next - w->now.dispatch));
		window_pass(w, next);
		w->now.n_dispatch = 0;
	}
	w->kept_out = later(w->now.dispatch, from) - from;
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
	if (SIM_UNLIKELY(w->parts & op->reads))
		at = parts_wait(w, op, later(at, now->dispatch));
	if (at > now->dispatch) {
		window_pass(w, at);
		now->n_dispatch = 0;
	}
	if (SIM_UNLIKELY((w->taken + w->bias) & enter << 7))
		wait_for_room(w, enter);
	now->n_dispatch++;
	w->taken += enter;
}

/* ---- One micro-op ---------------------------------------------------- */

/* A load, which could issue at that cycle, waits for the addresses of stores. */
SIM_INLINE u64
await_addresses(struct window *w, u64 at, struct window_delay *d)
{
	w->wanted = at;
	if (w->ready[REG_ADDRESSES] <= at)
		return at;
	d->wait_cause = SIG_ALU_LOADUSE;
	return w->ready[REG_ADDRESSES];
}

SIM_INLINE u64
issue(struct window *w, const struct window_op *op, struct window_delay *d)
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
	if (op->awaits)
		at = await_addresses(w, at, d);
	if (SIM_UNLIKELY(op->busy)) {
		if (w->until[op->busy] > at) {
			at = w->until[op->busy];
			d->wait_cause = op->cause;
		}
		w->until[op->busy] = at + op->repeat;
		w->units |= 1u << op->busy;
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
	arrive_late(w, at + w->pipe->dtlb_replay, SIG_ALU_DTLB);
	w->now.n_arrive = 0;
}

/* Its operands and a port are there: the cycle. */
SIM_INLINE u64
begin_op(struct core *c, struct window *w, const struct window_op *op,
	 struct window_delay *d)
{
	u64 at;

	if (op->flags & OP_FIRST)
		arrive(c, w, op);
	dispatch(w, op);
	*d = (struct window_delay){.own_cause = op->cause};
	at = issue(w, op, d);
	give_back(w, w->leave[UNTIL_ISSUE][op->kind], at);
	return at;
}

/* Its result, of a load that has been looked for if o is not NULL; the cycle
 * that it retires. */
SIM_INLINE u64
retire_op(struct window *w, const struct window_op *op, u64 at,
	  const struct window_look *o, struct window_delay *d)
{
	u64 done = at + op->latency;

	if (o) {
		if (at + o->wait > done) {
			done = at + o->wait;
			d->own_cause = o->what & LOOK_FORWARD
					       ? SIG_ALU_LOADUSE
					       : SIG_ALU_DMISS;
		}
		if (o->trap)
			trap(w, at);
		d->walk = o->walk;
		done += o->walk;
	}
	for (unsigned i = 0; i < op->n_dst; i++) {
		unsigned r = op->dst[i];

		w->ready[r] = done;
		w->cause[r] = d->own_cause;
	}
	if (op->data != REG_NONE && w->ready[op->data] > done) {
		done = w->ready[op->data];
		d->own_cause = w->cause[op->data];
	}
	if (op->flags & OP_BRANCH) {
		w->resolved = done;
		w->guessed = w->now.dispatch;
	}
	if (done > at + 1)
		d->own = done - at - 1;
	if (op->flags & OP_STORE)
		w->ready[REG_ADDRESSES] = later(w->ready[REG_ADDRESSES], at);
	if (w->forward && window_op_stores(op))
		forward_known(w, op, at, done);
	if (w->leave[UNTIL_DONE][op->kind])
		give_back(w, w->leave[UNTIL_DONE][op->kind], done);
	if (SIM_UNLIKELY(w->parts))
		w->parts &= op->keeps;
	done = retire(w, done, d);
	if (op->ends)
		retire_insn(w);
	if (SIM_UNLIKELY(op->narrow))
		parts_note(w, op, done);
	return done;
}

/* It retired at that cycle, and what it stored is out at the other. */
SIM_INLINE void
end_op(struct core *c, struct window *w, const struct window_op *op, u64 at,
       u64 out)
{
	u64 places = w->leave[UNTIL_RETIRE][op->kind];

	if (out != at) {
		give_back(w, places & 0xff00, at);
		places &= ~0xffffull;
	}
	give_back(w, places, out);
	if (SIM_UNLIKELY(w->single) && op->flags & OP_LAST)
		insns_end(c, w, op->insn, at);
}

/* ---- A block ----------------------------------------------------------- */

void
window_begin(struct window *w)
{
	memset(w->tally, 0, sizeof w->tally);
	if (SIM_UNLIKELY(w->telling))
		memset(w->told, 0, sizeof w->told);
	w->telling = false;
	w->used = RETIRED;
	if (w->shares)
		shares_begin(w);
	if (w->forward)
		memset(w->forward->known, 0, sizeof w->forward->known);
	w->pos = 0;
	w->stage = STAGE_NEW;
	w->replay = 0;
	w->line = 0;
	w->retired = w->now.retired;
	w->resolved = w->guessed = w->now.dispatch;
	if (w->lost)
		arrive_late(w, w->now.arrive + w->lost, SIG_IFU_ITLB);
	for (unsigned i = 0; i < SIM_COUNT(w->written); i++)
		w->written[i] |= window_program(w)->written[i];
	w->exact = true;
	w->current = true;
}

/* The micro-op that is under way gets to the next stage, at the latest to
 * its end. */
static void
go_on(struct core *c, struct window *w, enum window_stage stage)
{
	const struct window_op *op = &window_program(w)->op[w->pos];

	if (w->stage == STAGE_NEW) {
		w->stood = w->issued = begin_op(c, w, op, &w->delay);
		w->got = (struct window_look){0};
		w->stage = STAGE_ISSUED;
	}
	if (stage == STAGE_ISSUED)
		return;
	if (w->stage == STAGE_ISSUED) {
		w->stood = retire_op(w, op, w->stood, &w->got, &w->delay);
		w->got = (struct window_look){0};
		w->stage = STAGE_RETIRED;
	}
	if (stage == STAGE_RETIRED)
		return;
	if (w->got.trap)
		trap(w, w->stood);
	end_op(c, w, op, w->stood, w->stood + w->got.wait);
	w->stage = STAGE_NEW;
	w->pos++;
}

void
window_finish(struct core *c, struct window *w, unsigned n)
{
	const struct window_op *first = window_program(w)->op, *op;

	if (w->stage != STAGE_NEW)
		go_on(c, w, STAGE_NEW);
	if (w->pos >= n)
		return;
	for (op = first + w->pos; op < first + n; op++) {
		struct window_delay d;
		u64 at = begin_op(c, w, op, &d);

		at = retire_op(w, op, at, NULL, &d);
		end_op(c, w, op, at, at);
	}
	w->pos = n;
}

/* Whether the micro-op can look for an access. */
static bool
looks(const struct window *w, const struct window_op *op, bool store)
{
	return op->flags & OP_STORE ||
	       (!store && op->flags & OP_LOAD && w->stage != STAGE_RETIRED);
}

/* An instruction without a micro-op for it looks when all of it retires. */
u64
window_reach(struct core *c, struct window *w, u32 what)
{
	const struct window_program *p = window_program(w);
	unsigned insn = what & 0xffff, end = p->first[insn + 1];
	bool store = what & LOOK_STORE;

	if (w->pos < p->first[insn])
		window_finish(c, w, p->first[insn]);
	while (w->pos < end && !looks(w, &p->op[w->pos], store))
		go_on(c, w, STAGE_NEW);
	if (w->pos >= end)
		return w->now.retired;
	go_on(c, w, !store && p->op[w->pos].flags & OP_LOAD &&
		    w->stage != STAGE_RETIRED ? STAGE_ISSUED : STAGE_RETIRED);
	return w->stood;
}

u64
window_issue(struct core *c, struct window *w, unsigned insn)
{
	window_finish(c, w, window_program(w)->first[insn]);
	go_on(c, w, STAGE_ISSUED);
	return w->issued;
}

void
window_found(struct window *w, struct window_look o)
{
	struct window_look *got = &w->got;

	if (o.wait > got->wait) {
		got->wait = o.wait;
		got->what = o.what;
	}
	got->walk += o.walk;
	got->trap |= o.trap;
}

void
window_end_repeat(struct window *w)
{
	retire_insn(w);
}

static void
count_wrong_path(struct window *w)
{
	const struct window_config *wc = &w->pipe->window;
	u64 n = (w->resolved - w->guessed) * wc->dispatch;

	if (n > wc->queue[0].entries)
		n = wc->queue[0].entries;
	tally_add(w, SIG_WRONG_INSN, (s32)n);
}

void
window_leave(struct window *w, const struct block *t, unsigned outcome)
{
	struct window_clock *now = &w->now;
	bool conditional = t->branch == BRANCH_DIRECT_COND ||
			   t->branch == BRANCH_COND_CALL;

	if (outcome & OUTCOME_MISS) {
		if (!(outcome & OUTCOME_BLIND))
			count_wrong_path(w);
		arrive_late(w, w->resolved + (conditional
						      ? w->pipe->mispredict
						      : w->pipe->indirect),
			    SIG_CYCLE_KILLED);
		now->n_arrive = 0;
	} else if (outcome & OUTCOME_TAKEN) {
		unsigned bubble = w->pipe->taken_bubble;

		if (outcome & OUTCOME_LATE)
			bubble += w->decode_redirect;
		arrive_late(w, now->arrive + 1 + bubble, SIG_IFU_REDIRECT);
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
