/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks are entered and left by intervals: what window_enter.c does for the
 * exact run. */
#include "interval_chunk.h"
#include "window_outcome.h"

#define HOST_LINE 64
#define CHUNK_LINES 6		/* of the host; most chunks have no more */

/* ---- The block that is over ------------------------------------------ */

static SIM_NOINLINE void
count_wrong_path(struct core *c, const struct interval *v)
{
	u64 cycles = later(v->resolved, v->dispatch) - v->dispatch;
	u64 n = cycles * v->wc->dispatch, most = v->wc->queue[0].entries;

	c->sig[SIG_WRONG_INSN] += n < most ? n : most;
}

static SIM_NOINLINE void
redirect(struct core *c, struct interval *v, const struct block *p,
	 unsigned outcome)
{
	bool conditional = p->branch == BRANCH_DIRECT_COND ||
			   p->branch == BRANCH_COND_CALL;

	if (!(outcome & OUTCOME_BLIND))
		count_wrong_path(c, v);
	interval_late(v, v->resolved + (conditional ? v->pipe->mispredict
						    : v->pipe->indirect),
		      SIG_CYCLE_KILLED);
	v->n_arrive = 0;
}

/* What comes behind the block arrives when its outcome allows. */
SIM_INLINE void
leave(struct core *c, struct window *w, struct interval *v,
      const struct block *p, unsigned outcome)
{
	if (SIM_UNLIKELY(outcome & OUTCOME_MISS)) {
		redirect(c, v, p, outcome);
	} else if (outcome & OUTCOME_TAKEN) {
		unsigned bubble = v->pipe->taken_bubble;

		if (outcome & OUTCOME_LATE)
			bubble += w->decode_redirect;
		v->arrive += 1 + bubble;
		v->late_cause = SIG_IFU_REDIRECT;
		v->n_arrive = 0;
	} else if (!p->shares) {
		v->n_arrive = v->wc->fetch;
	}
}

/* Nothing has entered the window for some time. */
static SIM_NOINLINE void
pass_idle(struct window *w)
{
	struct interval *v = w->interval;

	v->dispatch += w->idle;
	v->arrive += w->idle;
	v->retired += w->idle;
	w->idle = 0;
}

/* A branch-likely that is not taken leaves the last chunk out. */
SIM_INLINE bool
runs(const struct interval_chunk *chunk, unsigned outcome)
{
	return outcome & OUTCOME_TAKEN || !chunk->slot;
}

static SIM_NOINLINE void
end_oddly(struct window *w, unsigned outcome)
{
	u16 keeps, clears;

	if (w->shares)
		shares_end(w);
	if (w->pipe->window.part_wait) {
		clear_kept(w, outcome, &keeps, &clears);
		pass_clear(w, keeps, clears);
	}
	if (w->idle)
		pass_idle(w);
}

/* The block under way ends with that outcome.  Not inline: copies of it in each way
 * to enter a block would not fit the host's cache of instructions together. */
static SIM_NOINLINE void
finish(struct core *c, struct window *w, unsigned outcome)
{
	struct interval *v = w->interval;

	while (v->chunk) {
		if (SIM_UNLIKELY(!runs(v->chunk, outcome)))
			break;
		if (SIM_LIKELY(!v->open))
			interval_open(c, w, v);
		interval_close(c, w, v);
	}
	leave(c, w, v, w->block, outcome);
	if (w->forward && v->stores)
		forward_end_exactly(w, NULL);
	if (SIM_UNLIKELY(w->idle || w->single || v->parts))
		end_oddly(w, outcome);
}

/* ---- The block that is entered --------------------------------------- */

SIM_INLINE void
begin(struct core *c, struct window *w, struct block *t, enum fast_lines lines)
{
	struct interval *v = w->interval;

	t->execs++;
	c->prev = t;
	c->now += t->advance;
	w->block = t;
	v->chunk = t->chunk;
	v->stores = v->chunk && v->chunk->stores;
	v->open = false;
	if (w->forward) {
		w->forward->stores.block++;
		w->base = v->dispatch;
		if (v->stores)
			memset(w->forward->known, 0,
			       sizeof w->forward->known);
	}
	if (SIM_UNLIKELY(w->shares != NULL))
		shares_begin(w);
	if (SIM_UNLIKELY(!fast_fetch_known(c, t, lines)))
		interval_fetch(c, w);
	else
		fast_fetch(c, t, lines, (u32)c->now);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

SIM_INLINE void
enter_next(struct core *c, struct window *w, struct block *t,
	   unsigned outcome, enum fast_lines lines)
{
	finish(c, w, outcome);
	w->before = w->block;
	begin(c, w, t, lines);
}

static SIM_NOINLINE void
enter_slowly(struct core *c, struct block *t)
{
	struct window *w = c->window;

	enter_next(c, w, t, outcome_of(c, w, w->block, t), FAST_ANY);
}

/* Block t does not come behind the block under way, if there is one. */
static SIM_NOINLINE void
resume(struct core *c, struct window *w)
{
	if (w->block) {
		finish(c, w, 0);
		w->before = w->block;
	} else if (w->shares) {
		shares_none(w);
	}
	w->clear = 0;
}

void
interval_enter(struct core *c, struct block *t)
{
	struct window *w = c->window;

	if (SIM_LIKELY(w->block == c->prev)) {
		enter_slowly(c, t);
		return;
	}
	resume(c, w);
	begin(c, w, t, FAST_ANY);
}

/* The first chunk of a block that is about to be entered is asked for while the
 * block before is worked out: it may miss the host's caches. */
SIM_INLINE void
ask_for_chunk(const struct block *t)
{
	const char *chunk = t->chunk;

	for (unsigned i = 0; i < CHUNK_LINES; i++)
		__builtin_prefetch(chunk + HOST_LINE * i);
}

SIM_INLINE void
enter(struct core *c, struct block *t, enum fast_predictor predictor,
      enum fast_lines lines)
{
	struct window *w = c->window;
	unsigned outcome;

	if (SIM_UNLIKELY(w->block != c->prev)) {
		interval_enter(c, t);
		return;
	}
	ask_for_chunk(t);
	if (!outcome_known(c, w->block, t, predictor, &outcome)) {
		enter_slowly(c, t);
		return;
	}
	enter_next(c, w, t, outcome, lines);
}

#define ENTER(name, predictor, lines)                     \
	static void name(struct core *c, struct block *t) \
	{                                                 \
		enter(c, t, predictor, lines);            \
	}
#define ENTERS(name, predictor)              \
	ENTER(name##_1, predictor, FAST_ONE) \
	ENTER(name##_n, predictor, FAST_ANY)
#define ENTERS_OF(name) {name##_1, name##_n}

ENTERS(enter_table, FAST_TABLE)
ENTERS(enter_history, FAST_HISTORY)
ENTERS(enter_buffer, FAST_BUFFER)
ENTERS(enter_tournament, FAST_TOURNAMENT)
ENTERS(enter_tage, FAST_TAGE)

enter_fn *
interval_enterer(const struct sim_config *config, unsigned n_line)
{
	/* By the predictors that have a way of their own. */
	static enter_fn *const by[FAST_HELD + 1][2] = {
		[FAST_TABLE] = ENTERS_OF(enter_table),
		[FAST_HISTORY] = ENTERS_OF(enter_history),
		[FAST_BUFFER] = ENTERS_OF(enter_buffer),
		[FAST_TOURNAMENT] = ENTERS_OF(enter_tournament),
		[FAST_TAGE] = ENTERS_OF(enter_tage),
	};
	enter_fn *fn = by[fast_predictor_of(config)][n_line > 1];

	return fn ? fn : interval_enter;
}

static void
leave_block(struct window *w)
{
	w->before = w->block;
	w->block = NULL;
}

void
interval_pause(struct core *c, struct block *p, struct block *t)
{
	struct window *w = c->window;

	if (p != w->block) {
		if (w->shares)
			shares_none(w);
		return;
	}
	finish(c, w, outcome_of(c, w, p, t));
	leave_block(w);
}

bool
interval_end(struct core *c)
{
	struct window *w = c->window;

	if (!w->block)
		return false;
	finish(c, w, 0);
	leave_block(w);
	return true;
}

void
interval_skip(struct core *c, u64 cycles)
{
	struct window *w = c->window;

	w->idle += cycles;
	if (!w->block)
		pass_idle(w);
}

u64
interval_issues(struct core *c, unsigned insn)
{
	struct window *w = c->window;
	struct interval *v = w->interval;

	if (!w->block || w->block != c->prev)
		return core_cycle(c);
	interval_reach(c, w, insn);
	return v->chunk ? v->dispatch + 1 : v->retired;
}
