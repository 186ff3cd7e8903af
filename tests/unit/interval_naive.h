/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals from their definition: each chunk's micro-ops are looked at again
 * each time, and what is taken is counted by looking at all of it.  Naive, for
 * comparisons.  Without parts of registers.
 */
#ifndef TEST_INTERVAL_NAIVE_H
#define TEST_INTERVAL_NAIVE_H

#include "pipeline/interval_internal.h"
#include "window_oracle.h"

#define NEVER (-1000000000ll)

struct naive_interval {
	const struct pipeline_config *pipe;
	struct interval_table table;	/* its sets of ports */
	s64 arrive, dispatch, retired, resolved, trap;
	unsigned n_arrive, phase, n_retired;
	s64 ready[256], until[WINDOW_BUSY];
	s64 ticks[INTERVAL_PORTS];
	bool backlog[INTERVAL_PORTS];
	struct naive_queue queue[WINDOW_QUEUES];
};

/* Micro-ops, what keeps them, and when they go. */
struct naive_run {
	const struct window_op *op;
	unsigned n;
	s64 lower[INTERVAL_OPS], loaded[INTERVAL_OPS], data[INTERVAL_OPS];
	s64 issue[INTERVAL_OPS], result[INTERVAL_OPS], done[INTERVAL_OPS];
	s64 addresses;		/* of stores in front are known; then all */
};

static inline s64
naive_max(s64 a, s64 b)
{
	return a > b ? a : b;
}

/* The one before j that writes a register; -1: none. */
static inline int
naive_writer(const struct naive_run *r, unsigned j, unsigned reg)
{
	for (int i = (int)j - 1; i >= 0; i--)
		for (unsigned k = 0; k < r->op[i].n_dst; k++)
			if (r->op[i].dst[k] == reg)
				return i;
	return -1;
}

static inline void
naive_clear_run(struct naive_run *r, const struct window_op *op, unsigned n)
{
	r->op = op;
	r->n = n;
	for (unsigned j = 0; j < INTERVAL_OPS; j++)
		r->lower[j] = r->loaded[j] = r->data[j] = NEVER;
	r->addresses = NEVER;
}

static inline void
naive_go(struct naive_run *r, bool ports)
{
	u8 taken[4096] = {0};
	s64 first = r->lower[0];

	for (unsigned j = 0; j < r->n; j++) {
		const struct window_op *op = &r->op[j];
		s64 at = r->lower[j];
		int i;

		for (unsigned k = 0; k < op->n_src; k++)
			if ((i = naive_writer(r, j, op->src[k])) >= 0)
				at = naive_max(at, r->result[i]);
		for (i = (int)j - 1; op->busy && i >= 0; i--)
			if (r->op[i].busy == op->busy) {
				at = naive_max(at, r->issue[i] +
						   r->op[i].repeat);
				break;
			}
		if (op->awaits)
			at = naive_max(at, r->addresses);
		while (ports && op->ports && !(op->ports & ~taken[at - first]))
			at++;
		for (int p = 7; ports && op->ports && p >= 0; p--)
			if (op->ports & ~taken[at - first] & 1 << p) {
				taken[at - first] |= (u8)(1 << p);
				break;
			}
		r->issue[j] = at;
		if (op->flags & OP_STORE)
			r->addresses = naive_max(r->addresses, at);
		r->result[j] = naive_max(at + op->latency, r->loaded[j]);
		at = naive_max(r->result[j], r->data[j]);
		if (op->data != REG_NONE &&
		    (i = naive_writer(r, j, op->data)) >= 0)
			at = naive_max(at, r->result[i]);
		r->done[j] = at;
	}
}

/* Of a source that is ready at 0: the micro-ops that wait for it. */
static inline void
naive_source(struct naive_run *r, const struct naive_interval *v,
	     unsigned source)
{
	const struct interval_table *t = &v->table;
	unsigned set = source - SOURCE_PORT;
	int i = 0;

	for (unsigned j = 0; j < r->n; j++) {
		const struct window_op *op = &r->op[j];
		bool mine = false;

		for (unsigned k = 0; k < op->n_src; k++)
			mine |= op->src[k] == source &&
				naive_writer(r, j, source) < 0;
		if (source < WINDOW_REGS && op->data == source &&
		    naive_writer(r, j, source) < 0)
			r->data[j] = 0;
		if (source >= SOURCE_UNIT && source < SOURCE_PORT &&
		    op->busy == source - SOURCE_UNIT && op->busy && !i++)
			mine = true;
		if (set < t->n_set && op->ports && !(op->ports & ~t->set[set]))
			r->lower[j] = i++ / t->size[set];
		if (mine)
			r->lower[j] = 0;
		if (source == SOURCE_LOAD + j)
			r->loaded[j] = 0;
	}
	if (source == REG_ADDRESSES &&
	    v->pipe->window.disambiguation == DISAMBIGUATION_WAIT)
		r->addresses = 0;
	naive_go(r, false);
}

/* When a source, a load of the chunk by its micro-op, is ready. */
static inline s64
naive_ready(const struct naive_interval *v, unsigned source,
	    const s64 *missed)
{
	unsigned set = source - SOURCE_PORT;

	if (source < SOURCE_UNIT)
		return v->ready[source];
	if (source < SOURCE_PORT)
		return v->until[source - SOURCE_UNIT];
	if (source >= SOURCE_LOAD)
		return missed[source - SOURCE_LOAD];
	return set < v->table.n_set && v->backlog[set]
		       ? v->ticks[set] / INTERVAL_TICKS : NEVER;
}

/* When the micro-ops of a chunk issue and are done, whatever keeps them: that
 * it is dispatched, arrives, and the sources. */
static inline void
naive_times(const struct naive_interval *v, struct naive_run *all,
	    const s64 arrives[INTERVAL_OPS], const s64 *missed)
{
	unsigned width = v->pipe->window.dispatch;
	struct naive_run one[3];

	for (unsigned k = 0; k < 3; k++)
		naive_clear_run(&one[k], all->op, all->n);
	for (unsigned j = 0; j < all->n; j++) {
		one[0].lower[j] = v->dispatch + (v->phase + j) / width + 1;
		one[1].lower[j] = arrives[j] + 1;
	}
	naive_go(&one[0], true);
	naive_go(&one[1], true);
	for (unsigned s = 1; s < SOURCE_N; s++) {
		s64 at = naive_ready(v, s, missed);

		naive_clear_run(&one[2], all->op, all->n);
		naive_source(&one[2], v, s);
		if (at > NEVER)
			one[1].addresses = naive_max(one[1].addresses,
						     one[2].addresses + at);
		for (unsigned j = 0; j < all->n && at > NEVER; j++) {
			one[1].issue[j] = naive_max(one[1].issue[j],
						    one[2].issue[j] + at);
			one[1].result[j] = naive_max(one[1].result[j],
						     one[2].result[j] + at);
			one[1].done[j] = naive_max(one[1].done[j],
						   one[2].done[j] + at);
		}
	}
	all->addresses = naive_max(one[0].addresses, one[1].addresses);
	for (unsigned j = 0; j < all->n; j++) {
		all->issue[j] = naive_max(one[0].issue[j], one[1].issue[j]);
		all->result[j] = naive_max(one[0].result[j], one[1].result[j]);
		all->done[j] = naive_max(one[0].done[j], one[1].done[j]);
	}
}

/* ---- Places ------------------------------------------------------------- */

static inline void
naive_hold(struct naive_interval *v, unsigned kind, bool retired, s64 at,
	   s64 stored)
{
	for (unsigned q = 0; q < v->pipe->window.queues; q++) {
		const struct window_queue *c = &v->pipe->window.queue[q];
		struct naive_queue *held = &v->queue[q];
		s64 until;

		if (!(c->holds >> kind & 1) ||
		    retired != (c->until == UNTIL_RETIRE))
			continue;
		assert_true(held->n < NAIVE_HELD);
		until = naive_max(v->dispatch + 1,
				  q ? naive_max(at, stored) : at);
		held->until[held->n++] = (u64)until;
	}
}

/* Whether the first half has no room. */
static inline bool
naive_no_room(struct naive_interval *v, const struct naive_run *r)
{
	for (unsigned q = 0; q < v->pipe->window.queues; q++) {
		const struct window_queue *c = &v->pipe->window.queue[q];
		struct naive_queue *held = &v->queue[q];
		unsigned kept = 0, more = 0;

		for (unsigned i = 0; i < held->n; i++)
			if ((s64)held->until[i] > v->dispatch)
				held->until[kept++] = held->until[i];
		held->n = kept;
		for (unsigned j = 0; j < (r->n + 1) / 2; j++)
			more += c->holds >> r->op[j].kind & 1;
		if (more > c->entries)
			more = c->entries;
		if (more && kept + more > c->entries)
			return true;
	}
	return false;
}

static inline s64
naive_mean(const struct naive_run *r, unsigned ops)
{
	s64 sum = 0, n = 0;

	for (unsigned j = 0; j < r->n; j++)
		if (ops >> j & 1) {
			sum += r->issue[j];
			n++;
		}
	return n ? (sum + n / 2) / n : 0;
}

/* The latest source first: those that wait for it keep their places until they
 * issue, on the average. */
static inline void
naive_leave_queues(struct naive_interval *v, const struct naive_run *r,
		   const s64 *missed, s64 far)
{
	unsigned left = (1u << r->n) - 1;
	struct naive_run one;
	s64 usual;
	bool done[SOURCE_N] = {false};

	naive_clear_run(&one, r->op, r->n);
	for (unsigned j = 0; j < r->n; j++)
		one.lower[j] = (s64)(j / v->pipe->window.dispatch) + 1;
	naive_go(&one, true);
	usual = v->dispatch + naive_mean(&one, left);
	for (;;) {
		unsigned best = SOURCE_N, ops = 0;
		s64 at, when = v->dispatch + far;

		for (unsigned s = 1; s < SOURCE_N; s++) {
			at = naive_ready(v, s, missed);
			if (!done[s] && at > when) {
				when = at;
				best = s;
			}
		}
		if (best == SOURCE_N)
			break;
		done[best] = true;
		naive_clear_run(&one, r->op, r->n);
		naive_source(&one, v, best);
		for (unsigned j = 0; j < r->n; j++)
			if (one.issue[j] >= 0)
				ops |= 1u << j;
		when += naive_mean(&one, ops);
		if (when <= usual)
			continue;
		for (unsigned j = 0; j < r->n; j++)
			if (ops & left & 1u << j)
				naive_hold(v, r->op[j].kind, false, when, 0);
		left &= ~ops;
	}
	for (unsigned j = 0; j < r->n; j++)
		if (left & 1u << j)
			naive_hold(v, r->op[j].kind, false, usual, 0);
}

/* ---- A chunk --------------------------------------------------------------- */

/* When its instructions arrive, if n did in the cycle before. */
static inline unsigned
naive_arrivals(const struct naive_interval *v, const struct naive_run *r,
	       unsigned n, s64 cycle, s64 at[INTERVAL_OPS], s64 *end)
{
	const struct window_config *c = &v->pipe->window;

	for (unsigned j = 0; j < r->n; j++) {
		const struct window_op *op = &r->op[j];

		if (op->flags & OP_FIRST) {
			bool next = n >= c->fetch ||
				    (n && op->flags & OP_GROUP) ||
				    (n && c->decoders &&
				     (n >= c->decoders ||
				      op->decode > c->decode[n]));

			cycle += next;
			n = next ? 1 : n + 1;
			at[j] = cycle;
			if (op->extra) {
				cycle += op->extra;
				n = c->fetch;
			}
		} else {
			at[j] = j ? at[j - 1] : cycle;
		}
	}
	*end = cycle;
	return n;
}

static inline void
naive_ports(struct naive_interval *v, const struct naive_run *r)
{
	for (unsigned s = 0; s < v->table.n_set; s++) {
		unsigned n = 0, size = v->table.size[s];
		s64 from = (v->dispatch + 1) * INTERVAL_TICKS;
		bool heavy;

		for (unsigned j = 0; j < r->n; j++)
			n += r->op[j].ports &&
			     !(r->op[j].ports & ~v->table.set[s]);
		heavy = n * v->pipe->window.dispatch > r->n * size;
		if (!n || (!heavy && !v->backlog[s]))
			continue;
		v->backlog[s] = heavy || v->ticks[s] > from;
		v->ticks[s] = naive_max(v->ticks[s], from) +
			      (s64)(n * INTERVAL_TICKS / size);
		if (!v->backlog[s])
			v->ticks[s] = 0;
	}
}

/* Its micro-ops retire; the last cycle that any does. */
static inline void
naive_retires(struct naive_interval *v, const struct naive_run *r,
	      s64 end, unsigned busy, unsigned last)
{
	unsigned width = v->pipe->window.retire, n = r->n, room;
	s64 least = v->retired + (v->n_retired + n - 1) / width, cycles;

	end = naive_max(end, least);
	cycles = naive_max(naive_max(1, end - v->retired < busy
						? end - v->retired : busy),
			   least - v->retired);
	if (cycles > n)
		cycles = n;
	if (end == least) {
		v->n_retired = (v->n_retired + n - 1) % width + 1;
	} else {
		room = (unsigned)(cycles - 1) * width;
		if (n > cycles * width)
			n = (unsigned)cycles * width;
		if (last > width)
			last = width;
		if (last > n - (cycles - 1))
			last = n - (unsigned)(cycles - 1);
		v->n_retired = last + room < n ? n - room : last;
	}
	v->retired = end;
}

/* A chunk enters; when its load issues, with loads in front of it that have
 * missed known, missed() says when it has its data. */
static inline void
naive_enter_chunk(struct naive_interval *v, const struct naive_run *r,
		  bool serial, s64 arrives[INTERVAL_OPS])
{
	s64 at[INTERVAL_OPS], first, end;

	if (v->arrive + v->pipe->window.run_ahead < v->dispatch) {
		v->arrive = v->dispatch - v->pipe->window.run_ahead;
		v->n_arrive = 0;
	}
	v->n_arrive = naive_arrivals(v, r, v->n_arrive, v->arrive, at, &end);
	first = at[0];
	v->arrive = end;
	naive_arrivals(v, r, 0, first, arrives, &end);
	if (first > v->dispatch) {
		v->dispatch = first;
		v->phase = 0;
	}
	if (serial && v->retired > v->dispatch) {
		v->dispatch = v->retired;
		v->phase = 0;
	}
	while (naive_no_room(v, r)) {
		v->dispatch++;
		v->phase = 0;
	}
}

static inline void
naive_leave_chunk(struct naive_interval *v, struct naive_run *r,
		  const s64 arrives[INTERVAL_OPS], const s64 *missed,
		  const s64 *stored, s64 far)
{
	unsigned width = v->pipe->window.dispatch, slots = v->phase + r->n;
	unsigned retire = v->pipe->window.retire, late = 0;
	s64 end = 0, from = v->dispatch, out = 0;

	naive_times(v, r, arrives, missed);
	naive_leave_queues(v, r, missed, far);
	naive_ports(v, r);
	for (unsigned j = 0; j < r->n; j++)
		end = naive_max(end, r->done[j] + 1 +
					     (r->n - 1 - j) / retire);
	v->dispatch += slots / width;
	v->phase = slots % width;
	while (late < r->n && arrives[r->n - 1 - late] == arrives[r->n - 1])
		late++;
	if (arrives[r->n - 1] > v->dispatch) {
		v->dispatch = arrives[r->n - 1];
		v->phase = late % width;
	}
	naive_retires(v, r, end, slots / width ? slots / width : 1,
		      v->phase ? v->phase : width);
	/* Stores that miss keep their places until the last one's line comes. */
	for (unsigned j = 0; j < r->n; j++)
		out = naive_max(out, stored[j]);
	for (unsigned j = 0; j < r->n; j++) {
		s64 now = v->dispatch;

		v->dispatch = from;
		naive_hold(v, r->op[j].kind, true, v->retired,
			   stored[j] ? out : 0);
		v->dispatch = now;
		if (r->op[j].flags & OP_STORE)
			v->ready[REG_ADDRESSES] = r->addresses;
		for (unsigned k = 0; k < r->op[j].n_dst; k++)
			v->ready[r->op[j].dst[k]] = r->result[j];
		if (r->op[j].busy)
			v->until[r->op[j].busy] =
				r->issue[j] + r->op[j].repeat;
		if (r->op[j].flags & OP_BRANCH)
			v->resolved = r->done[j];
	}
}

#endif
