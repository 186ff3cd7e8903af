/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window told one micro-op at a time, from the definition: all cycles are
 * kept in plain arrays, and what is taken is counted by looking at all of
 * them.  Naive, for comparisons.
 */
#ifndef TEST_WINDOW_ORACLE_H
#define TEST_WINDOW_ORACLE_H

#include "forward_naive.h"
#include "oracle.h"
#include "window_fixture.h"

#define NAIVE_CYCLES (1u << 22)
#define NAIVE_HELD 4096
#define NAIVE_INSNS (1u << 17)

/* Places of a queue: the cycles that they are given back at. */
struct naive_queue {
	unsigned n;
	u64 until[NAIVE_HELD];
};

struct naive_window {
	const struct pipeline_config *pipe;
	u64 arrive, dispatch, retired;
	unsigned n_arrive, n_dispatch, n_retired, n_insns;
	u64 ready[256];
	u64 part_until[WINDOW_PARTS];
	u8 part[WINDOW_PARTS];	/* written last; 0: all */
	bool clear[WINDOW_PARTS]; /* but for what was written at its low end */
	u64 part_stall;
	u64 loaded[WINDOW_SEGMENTS]; /* when segment registers' loads retire */
	u64 segment_stall[WINDOW_SEGMENTS];
	u64 until[WINDOW_BUSY];
	u8 *ports;		/* taken, per cycle */
	struct naive_queue queue[WINDOW_QUEUES];
	u64 resolved, guessed;
	u64 addresses;		/* cycle that the last one of a store issued */
	u64 histogram[17];	/* cycles in which so many retired, */
	u64 insns[17];		/* and so many instructions as a whole */
	u64 list_full, queue_full, kept_out, wrong;
	u64 arrived;		/* of the instruction */
	u64 *gone;		/* cycles that instructions have retired in */
	unsigned n_gone;
	u64 flight, flight_retires;
	struct naive_forward *forward; /* NULL: loads wait for no store */
};

/* Cycles of one micro-op. */
struct naive_op {
	u64 issue, done, retire;
};

static inline void
naive_open(struct naive_window *w, const struct pipeline_config *pipe)
{
	memset(w, 0, sizeof *w);
	w->pipe = pipe;
	w->n_arrive = 1000;
	w->ports = calloc(NAIVE_CYCLES, 1);
	w->gone = calloc(NAIVE_INSNS, sizeof *w->gone);
	assert_non_null(w->ports);
	assert_non_null(w->gone);
}

static inline void
naive_close(struct naive_window *w)
{
	free(w->ports);
	free(w->gone);
}

/* An instruction arrives: in which cycle. */
static inline void
naive_arrive(struct naive_window *w, const struct window_op *op)
{
	const struct window_config *c = &w->pipe->window;
	bool next = false;

	if (w->arrive + c->run_ahead < w->dispatch) {
		w->arrive = w->dispatch - c->run_ahead;
		w->n_arrive = 0;
	}
	if (w->n_arrive) {
		next = w->n_arrive >= c->fetch || op->flags & OP_GROUP;
		if (c->decoders && (w->n_arrive >= c->decoders ||
				    op->decode > c->decode[w->n_arrive]))
			next = true;
	}
	if (next) {
		w->arrive++;
		w->n_arrive = 0;
	}
	w->n_arrive++;
	w->arrived = w->arrive;
	if (op->extra) {
		w->arrive += op->extra;
		w->n_arrive = 1000;
	}
}

/* Whether a queue that has to hold the micro-op is full in that cycle. */
static inline bool
naive_full(struct naive_window *w, unsigned q, unsigned kind, u64 cycle)
{
	struct naive_queue *held = &w->queue[q];
	unsigned kept = 0;

	if (!(w->pipe->window.queue[q].holds >> kind & 1))
		return false;
	for (unsigned i = 0; i < held->n; i++)
		if (held->until[i] > cycle)
			held->until[kept++] = held->until[i];
	held->n = kept;
	return kept >= w->pipe->window.queue[q].entries;
}

/* Which segment register an instruction loads that is renamed; or -1. */
static inline int
naive_segment(const struct naive_window *w, const struct insn *in)
{
	static const int kinds[] = {INSN_SEGMENT_ES, INSN_SEGMENT_DS,
				    INSN_SEGMENT_FS, INSN_SEGMENT_GS};

	for (int i = 0; i < WINDOW_SEGMENTS; i++)
		if (in->kind == kinds[i] && w->pipe->window.renames_segments)
			return i;
	return -1;
}

static inline void
naive_dispatch(struct naive_window *w, const struct window_op *op,
	       const struct insn *in)
{
	int segment = op->flags & OP_FIRST ? naive_segment(w, in) : -1;
	const struct window_config *c = &w->pipe->window;
	u64 at = w->arrive > w->dispatch ? w->arrive : w->dispatch, kept = 0;
	u64 parts = 0;

	if (op->flags & OP_SERIAL && at < w->retired)
		at = w->retired;
	if (at == w->dispatch && w->n_dispatch == w->pipe->window.dispatch)
		at++;
	for (unsigned i = 0; i < op->n_src; i++) {
		unsigned r = op->src[i];

		if (r < WINDOW_PARTS && w->part[r] &&
		    op->src_part[i] & ~w->part[r] && w->part_until[r] > parts)
			parts = w->part_until[r];
	}
	if (c->part_wait && parts > at) {
		w->part_stall += parts - at;
		at = parts;
	}
	if (segment >= 0 && w->loaded[segment] > at) {
		w->segment_stall[segment] += w->loaded[segment] - at;
		at = w->loaded[segment];
	}
	for (;; at++) {
		bool list = naive_full(w, 0, op->kind, at), other = false;

		for (unsigned q = 1; q < w->pipe->window.queues; q++)
			other |= naive_full(w, q, op->kind, at);
		if (!list && !other)
			break;
		w->kept_out += !kept++;
		w->list_full += list;
		w->queue_full += !list;
	}
	if (at > w->dispatch)
		w->n_dispatch = 0;
	w->dispatch = at;
	w->n_dispatch++;
}

static inline u64
naive_issue(struct naive_window *w, const struct window_op *op)
{
	u64 at = w->dispatch + 1;

	for (unsigned i = 0; i < op->n_src; i++)
		if (w->ready[op->src[i]] > at)
			at = w->ready[op->src[i]];
	if (op->flags & OP_LOAD && w->addresses > at &&
	    w->pipe->window.disambiguation == DISAMBIGUATION_WAIT)
		at = w->addresses;
	if (op->repeat > 1 && op->busy) {
		if (w->until[op->busy] > at)
			at = w->until[op->busy];
		w->until[op->busy] = at + op->repeat;
	}
	while (op->ports && !(op->ports & ~w->ports[at]))
		at++;
	for (unsigned p = 8; op->ports && p--;)
		if (op->ports & ~w->ports[at] & 1u << p) {
			w->ports[at] |= (u8)(1u << p);
			break;
		}
	return at;
}

static inline u64
naive_retire(struct naive_window *w, u64 done)
{
	u64 at = done + 1 > w->retired ? done + 1 : w->retired;

	if (at == w->retired && w->n_retired == w->pipe->window.retire)
		at++;
	if (at > w->retired) {
		w->retired = at;
		w->n_retired = w->n_insns = 0;
	}
	if (w->n_retired)
		w->histogram[w->n_retired]--;
	w->histogram[++w->n_retired]++;
	return at;
}

/* An instruction has retired: how long it was in flight, and how many have
 * retired since it arrived. */
static inline void
naive_flown(struct naive_window *w, u64 retire)
{
	assert_true(w->n_gone < NAIVE_INSNS);
	w->gone[w->n_gone++] = retire;
	w->flight += retire - w->arrived;
	for (unsigned i = w->n_gone; i-- && w->gone[i] > w->arrived;)
		w->flight_retires++;
}

/* What is held is given back. */
static inline void
naive_release(struct naive_window *w, const struct window_op *op,
	      const struct naive_op *t, u64 stored)
{
	for (unsigned q = 0; q < w->pipe->window.queues; q++) {
		const struct window_queue *c = &w->pipe->window.queue[q];
		struct naive_queue *held = &w->queue[q];
		u64 at = q ? stored : t->retire;

		if (!(c->holds >> op->kind & 1))
			continue;
		if (c->until == UNTIL_ISSUE)
			at = t->issue;
		else if (c->until == UNTIL_DONE)
			at = t->done;
		assert_true(held->n < NAIVE_HELD);
		held->until[held->n++] = at;
	}
}

/*
 * One micro-op.  data() looks at the access of its instruction, if it has
 * one: the cycle that it is there (0: a hit), and cycles for its page.
 */
struct naive_data {
	struct oracle *oracle;	/* NULL: everything hits */
	u64 va;
	const struct insn *in;
	unsigned bytes;		/* 0: 4 */
};

/* Which part of the register the micro-op's instruction writes, as far as it
 * is not known beyond that. */
static inline u8
naive_part(const struct naive_window *w, const struct insn *in, unsigned reg)
{
	for (unsigned i = 0; i < INSN_DST; i++)
		if (in->dst[i] == reg && (!w->clear[reg] ||
					  in->dst_part[i] == PART_HIGH))
			return in->dst_part[i];
	return 0;
}

/* The instruction is over: what it has cleared. */
static inline void
naive_clear(struct naive_window *w, const struct insn *in)
{
	if (w->pipe->cls[in->cls].serial || in->cls == CLASS_SYSCALL)
		memset(w->clear, 0, sizeof w->clear);
	else
		for (unsigned i = 0; i < INSN_DST; i++)
			if (in->dst[i] < WINDOW_PARTS &&
			    (in->flags & INSN_CLEARS || !in->dst_part[i] ||
			     in->dst_part[i] == PART_HIGH))
				w->clear[in->dst[i]] =
					in->flags & INSN_CLEARS;
}

static inline struct oracle_result
naive_access(const struct naive_data *data, bool store, u64 at)
{
	struct oracle_result none = {0};

	return data->oracle ? oracle_data(data->oracle, data->va,
					  data->bytes ? data->bytes : 4,
					  store, at)
			    : none;
}

/* Cycles for the page; or what is behind is fetched again. */
static inline u64
naive_page(struct naive_window *w, const struct naive_data *data,
	   const struct oracle_result *m, u64 at)
{
	bool one_level = data->oracle && !data->oracle->config->jtlb.entries;

	if (!m->replay && !m->refill)
		return 0;
	if (w->pipe->refill_is_hardware)
		return m->replay + (m->refill ? w->pipe->tlb_refill : 0);
	if ((m->refill || one_level) &&
	    at + w->pipe->dtlb_replay > w->arrive)
		w->arrive = at + w->pipe->dtlb_replay;
	if (m->refill || one_level)
		w->n_arrive = 0;
	return m->replay;
}

/* When a load that issues at that cycle has its data, which a hit has at
 * done and its line at ready. */
static inline u64
naive_data_ready(struct naive_window *w, const struct naive_data *data, u64 at,
		 u64 done, u64 ready)
{
	if (ready < done)
		ready = done;
	return w->forward ? naive_load(w->forward, w->pipe, data->va,
				       data->bytes ? data->bytes : 4, at, done,
				       ready)
			  : ready;
}

/* A micro-op of a store has issued; t->done includes its data. */
static inline void
naive_store_known(struct naive_window *w, const struct window_op *op,
		  const struct naive_data *data, u64 at)
{
	if (!w->forward || !op->store)
		return;
	if (op->flags & OP_STORE)
		naive_put(w->forward, data->va, data->bytes ? data->bytes : 4,
			  op->store);
	if (op->data != REG_NONE && w->ready[op->data] > at)
		at = w->ready[op->data];
	if (op->flags & OP_STORE || 1u << op->kind == HOLD_DATA)
		naive_known(w->forward, op->store, at);
}

/* The cycle that it issues. */
static inline u64
naive_run(struct naive_window *w, const struct window_op *op,
	  const struct naive_data *data)
{
	struct naive_op t;
	struct oracle_result m;
	u64 stored;

	if (op->flags & OP_FIRST)
		naive_arrive(w, op);
	naive_dispatch(w, op, data->in);
	t.issue = naive_issue(w, op);
	t.done = t.issue + op->latency;
	if (op->flags & OP_LOAD) {
		m = naive_access(data, false, t.issue);
		t.done = naive_data_ready(w, data, t.issue, t.done, m.ready);
		t.done += naive_page(w, data, &m, t.issue);
	}
	for (unsigned i = 0; i < op->n_dst; i++)
		w->ready[op->dst[i]] = t.done;
	if (op->data != REG_NONE && w->ready[op->data] > t.done)
		t.done = w->ready[op->data];
	naive_store_known(w, op, data, t.issue);
	if (op->flags & OP_STORE && t.issue > w->addresses)
		w->addresses = t.issue;
	if (op->flags & OP_BRANCH) {
		w->resolved = t.done;
		w->guessed = w->dispatch;
	}
	t.retire = stored = naive_retire(w, t.done);
	for (unsigned i = 0; i < op->n_dst; i++)
		if (op->dst[i] < WINDOW_PARTS) {
			w->part[op->dst[i]] =
				naive_part(w, data->in, op->dst[i]);
			w->part_until[op->dst[i]] =
				t.retire + w->pipe->window.part_wait;
		}
	if (op->flags & OP_LAST) {
		if (w->n_insns)
			w->insns[w->n_insns]--;
		w->insns[++w->n_insns]++;
		naive_flown(w, t.retire);
		naive_clear(w, data->in);
	}
	if (op->flags & OP_LAST && naive_segment(w, data->in) >= 0)
		w->loaded[naive_segment(w, data->in)] = t.retire;
	if (op->flags & OP_STORE) {
		m = naive_access(data, true, t.retire);
		naive_page(w, data, &m, t.retire);
		if (m.ready > stored)
			stored = m.ready;
	}
	naive_release(w, op, &t, stored);
	return t.issue;
}

/* What comes behind a block. */
static inline void
naive_leave(struct naive_window *w, const struct block *b, bool taken,
	    bool wrong)
{
	u64 lost;

	if (wrong) {
		memset(w->clear, 0, sizeof w->clear);
		lost = (w->resolved - w->guessed) * w->pipe->window.dispatch;
		if (b->branch != BRANCH_DIRECT_COND)
			lost = 0; /* no target to go on to is known */
		w->wrong += lost < w->pipe->window.queue[0].entries
				    ? lost : w->pipe->window.queue[0].entries;
		w->arrive = w->resolved + (b->branch == BRANCH_DIRECT_COND
						   ? w->pipe->mispredict
						   : w->pipe->indirect);
		w->n_arrive = 0;
	} else if (taken) {
		w->arrive += 1 + w->pipe->taken_bubble;
		w->n_arrive = 0;
	} else if (b->fall % w->pipe->fetch_bytes == 0) {
		w->n_arrive = 1000;
	}
}

#endif
