/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A core with a window: blocks are entered and left. */
#include "interval_internal.h"
#include "window_outcome.h"

/* ---- The block that is over ------------------------------------------ */

/* Remembers the move that an exact run has made to block t, if it can; or
 * NULL. */
static struct window_move *
add_move(struct window *w, unsigned outcome, const struct block *t)
{
	u64 dispatch = w->now.dispatch - w->base;
	u64 retired = w->now.retired - w->retired;
	struct window_move *m = NULL;

	if (w->from != NO_STATE && w->state != NO_STATE &&
	    dispatch <= UINT16_MAX && retired <= UINT16_MAX)
		m = move_add(w, move_key(w, outcome), t);
	if (!m) {
		w->at = w->move;
		return NULL;
	}
	m->to = w->state;
	m->dispatch = (u16)dispatch;
	m->retired = (u16)retired;
	m->queued = (u8)(w->taken >> w->held_shift);
	clear_kept(w, outcome, &m->keeps, &m->clears);
	if (!move_count(w, m))
		m->from = 0;
	else if (w->shares)
		shares_keep(w, m);
	return m;
}

/* Nothing has entered the window for some time. */
static void
pass_idle(struct window *w)
{
	u64 cycles = w->idle;

	w->idle = 0;
	window_pass(w, w->now.dispatch + cycles);
	w->now.arrive += cycles;
	w->now.late_from += cycles;
	w->now.retired += cycles;
}

/* The state that the next block begins in. */
static u32
find_state(struct window *w, const struct block *t)
{
	return w->remember && t->detail->window ? state_find(w, t) : NO_STATE;
}

/* Places that are held are not in the state. */
static SIM_NOINLINE void
leave_held(struct window *w)
{
	held_pass(w);
	held_unbook(w);
}

/* But they are if they may matter to the next block. */
static SIM_NOINLINE void
look_at_held(struct window *w, const struct block *t)
{
	held_pass(w);
	if (!held_matter(w, t))
		return;
	if (!w->current)
		state_restore(w);
	held_give_up(w);
	w->state = find_state(w, t);
}

/* Runs what is left of the block. */
static void
run(struct core *c, struct window *w, unsigned n, unsigned outcome,
    const struct block *t)
{
	u32 era = w->era;
	struct window_move *m;
	u16 keeps, clears;

	window_finish(c, w, n);
	if (w->block->branch == BRANCH_REP &&
	    t->vaddr != block_branch_pc(w->block))
		window_end_repeat(w);
	if (w->shares)
		shares_end(w);
	window_leave(w, w->block, outcome);
	count_tally(c, w);
	c->now += CYCLES(w->now.retired - w->retired);
	clear_kept(w, outcome, &keeps, &clears);
	pass_clear(w, keeps, clears);
	w->exact = false;
	if (SIM_UNLIKELY(w->idle)) {
		w->from = NO_STATE;
		pass_idle(w);
	}
	if (w->n_held)
		leave_held(w);
	w->stale = w->now.dispatch;
	w->state = find_state(w, t);
	if (era != w->era)
		w->from = NO_STATE;
	m = add_move(w, outcome, t);
	if (w->forward)
		forward_end_exactly(w, m);
}

/* The move has more to count than it has places for. */
static SIM_NOINLINE void
count_list(struct core *c, const struct window *w, const struct window_move *m)
{
	const struct window_count *count = &w->pool[w->more[m - w->move]];

	for (; count->n; count++)
		c->sig[count->signal] += (u64)(s64)count->n;
}

/* parts: whether registers may be known to be clear. */
SIM_INLINE void
move(struct core *c, struct window *w, struct window_move *m, bool parts)
{
	const struct window_count *count = m->count;

	move_make(w, m);
	if (w->forward)
		forward_end(w, m);
	w->state = m->to;
	w->current = false;
	w->now.dispatch += m->dispatch;
	w->now.retired += m->retired;
	if (parts)
		pass_clear(w, m->keeps, m->clears);
	c->now += CYCLES(m->retired);
	/* Without asking how many: those behind add nothing. */
#pragma GCC unroll 8
	for (unsigned i = 0; i < MOVE_COUNTS; i++)
		c->sig[count[i].signal] += (u64)(s64)count[i].n;
}

/* Whether it counts nothing beyond that. */
SIM_INLINE bool
has_no_list(const struct window_move *m)
{
	return SIM_LIKELY(m->n <= MOVE_COUNTS);
}

SIM_INLINE void
move_any(struct core *c, struct window *w, struct window_move *m)
{
	move(c, w, m, true);
	if (!has_no_list(m))
		count_list(c, w, m);
}

/* Micro-ops that are run with that outcome. */
static unsigned
run_ops(const struct window *w, unsigned outcome)
{
	const struct window_program *p = window_program(w);

	return outcome & OUTCOME_TAKEN ? p->n : p->n_without_slot;
}

/* Likewise the last line: only a branch-likely leaves some of its block out. */
SIM_INLINE u32
run_line(const struct window *w, unsigned outcome)
{
	const struct block *t = w->block;

	if (SIM_LIKELY((outcome & OUTCOME_TAKEN || t->kind != KIND_SLOW) &&
		       t->n_line != BLOCK_FAR))
		return t->n_line - 1u;
	return window_program(w)->op[run_ops(w, outcome) - 1].line;
}

static SIM_NOINLINE void
fetch_rest(struct core *c, struct window *w, unsigned outcome)
{
	window_fetch_lines(c, w, run_line(w, outcome));
}

static SIM_NOINLINE void
finish_exactly(struct core *c, struct window *w, unsigned outcome,
	       const struct block *t)
{
	if (!w->exact)
		window_exactly(c, w);
	run(c, w, run_ops(w, outcome), outcome, t);
}

/* As finish_here(), with a move that has not been seen. */
static SIM_NOINLINE void
finish_anew(struct core *c, struct window *w, unsigned outcome,
	    const struct block *t)
{
	finish_exactly(c, w, outcome, t);
	if (w->n_held)
		look_at_held(w, t);
}

/* As finish_here(), for a block that has something odd. */
static SIM_NOINLINE void
finish_oddly(struct core *c, struct window *w, unsigned outcome,
	     const struct block *t)
{
	struct window_move *m = NULL;

	if (w->fetch)
		fetch_rest(c, w, outcome);
	if (!w->exact)
		m = move_find(w, move_key(w, outcome), t);
	if (!m) {
		finish_anew(c, w, outcome, t);
		return;
	}
	if (w->shares)
		shares_move(w, m);
	move_any(c, w, m);
	if (w->n_held)
		look_at_held(w, t);
}

/* The block under way ends with that outcome, and t comes next. */
SIM_INLINE void
finish_here(struct core *c, struct window *w, unsigned outcome,
	    const struct block *t)
{
	struct window_move *m;

	if (SIM_UNLIKELY(w->odd)) {
		finish_oddly(c, w, outcome, t);
		return;
	}
	m = move_find(w, move_key(w, outcome), t);
	if (SIM_LIKELY(m != NULL))
		move_any(c, w, m);
	else
		finish_anew(c, w, outcome, t);
}

static SIM_NOINLINE void
finish(struct core *c, struct window *w, unsigned outcome,
       const struct block *t)
{
	finish_here(c, w, outcome, t);
}

/* Block t does not come behind the block under way, if there is one: what
 * ran in between has not been entered, so that one just ends. */
static SIM_NOINLINE void
resume(struct core *c, struct window *w, const struct block *t)
{
	if (w->block) {
		finish(c, w, 0, t);
		w->before = w->block;
		w->clear = 0;
		return;
	}
	w->clear = 0;
	if (w->shares)
		shares_none(w);
	w->state = find_state(w, t);
	w->at = w->move;
	if (w->n_held)
		look_at_held(w, t);
}

/* ---- The block that is entered --------------------------------------- */

/* Its lines or its page are elsewhere. */
static SIM_NOINLINE void
begin_elsewhere(struct core *c, struct block *t)
{
	struct window *w = c->window;

	c->asked = w->base;
	window_fetch_pages(c, w);
	w->how |= w->lost;
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

/* It begins where the one before ended. */
SIM_INLINE void
begin(struct core *c, struct window *w, struct block *t, enum fast_lines lines,
      bool parts)
{
	t->execs++;
	c->prev = t;
	c->now += t->advance;
	w->block = t;
	w->from = w->state;
	w->base = w->now.dispatch;
	w->lost = 0;
	w->looked = 0;
	w->held_new = 0;
	w->fetched = 0;
	if (w->forward)
		w->forward->stores.block++;
	w->how = parts ? (u32)(w->clear & t->needs) << 16 : 0;
	w->fetch = !fast_fetch_known(c, t, lines);
	if (SIM_UNLIKELY(w->fetch)) {
		begin_elsewhere(c, t);
		return;
	}
	fast_fetch(c, t, lines, (u32)c->now);
	if (SIM_UNLIKELY(c->now >= c->deadline))
		core_attend(c, t);
}

/* The block before ends with that outcome, and what comes of that is not the
 * move that came of it last. */
static SIM_NOINLINE void
enter_behind(struct core *c, struct block *t, unsigned outcome)
{
	struct window *w = c->window;

	finish_here(c, w, outcome, t);
	w->before = w->block;
	begin(c, w, t, FAST_ANY, true);
}

/* The same, but mostly it is that one, in that place. */
SIM_INLINE void
enter_next(struct core *c, struct window *w, struct block *t, unsigned outcome,
	   unsigned place, enum fast_lines lines, bool parts)
{
	u64 key = move_key(w, outcome);
	struct window_move *m = move_followed(w, w->at, place);

	if (SIM_UNLIKELY(w->odd) || !SIM_LIKELY(move_is(m, w, key, t)) ||
	    !has_no_list(m)) {
		enter_behind(c, t, outcome);
		return;
	}
	move(c, w, m, parts);
	w->before = w->block;
	begin(c, w, t, lines, parts);
}

/* It takes more to say how the block before ends. */
static SIM_NOINLINE void
enter_slowly(struct core *c, struct block *t)
{
	struct window *w = c->window;
	unsigned outcome = outcome_of(c, w, w->block, t);

	enter_next(c, w, t, outcome, move_place(w, move_key(w, outcome), t),
		   FAST_ANY, true);
}

void
window_enter(struct core *c, struct block *t)
{
	struct window *w = c->window;

	if (SIM_UNLIKELY(w->interval != NULL)) {
		interval_enter(c, t);
		return;
	}
	if (SIM_LIKELY(w->block == c->prev)) {
		enter_slowly(c, t);
		return;
	}
	resume(c, w, t);
	begin(c, w, t, FAST_ANY, true);
}

/* As window_enter(); what is out of the ordinary is left to others, the last
 * thing that it does, so that it needs no registers to be kept. */
SIM_INLINE void
enter(struct core *c, struct block *t, enum fast_predictor predictor,
      enum fast_lines lines, bool parts)
{
	struct window *w = c->window;
	unsigned outcome;

	if (SIM_UNLIKELY(w->block != c->prev)) {
		window_enter(c, t);
		return;
	}
	if (!outcome_known(c, w->block, t, predictor, &outcome)) {
		enter_slowly(c, t);
		return;
	}
	enter_next(c, w, t, outcome,
		   move_place_of(move_key(w, outcome), t, false), lines,
		   parts);
}

/* The same for a block of so many lines, where branches are predicted in that
 * way. */
#define ENTER(name, predictor, lines, parts)                 \
	static void name(struct core *c, struct block *t)    \
	{                                                    \
		enter(c, t, predictor, lines, parts);        \
	}
#define ENTERS(name, predictor, parts)                \
	ENTER(name##_1, predictor, FAST_ONE, parts)   \
	ENTER(name##_2, predictor, FAST_TWO, parts)   \
	ENTER(name##_n, predictor, FAST_ANY, parts)
#define ENTERS_OF(name) {name##_1, name##_2, name##_n}

ENTERS(enter_table, FAST_TABLE, false)
ENTERS(enter_history, FAST_HISTORY, false)
ENTERS(enter_buffer, FAST_BUFFER, true)
ENTERS(enter_tournament, FAST_TOURNAMENT, false)

enter_fn *
window_enterer(const struct sim_config *config, unsigned n_line)
{
	/* By the predictors that have a way of their own. */
	static enter_fn *const by[FAST_HELD + 1][3] = {
		[FAST_TABLE] = ENTERS_OF(enter_table),
		[FAST_HISTORY] = ENTERS_OF(enter_history),
		[FAST_BUFFER] = ENTERS_OF(enter_buffer),
		[FAST_TOURNAMENT] = ENTERS_OF(enter_tournament),
	};
	enum fast_predictor predictor = fast_predictor_of(config);
	enter_fn *fn;

	if (config->pipe.kind == PIPELINE_INTERVAL)
		return interval_enterer(config, n_line);
	if (config->pipe.window.part_wait && predictor != FAST_BUFFER)
		return window_enter;
	fn = by[predictor][n_line > 2 ? 2 : n_line - 1];
	return fn ? fn : window_enter;
}

const struct block *
window_entered(const struct window *w)
{
	return w->block ? w->block : w->before;
}

const struct block *
window_before(const struct window *w)
{
	return w->before;
}

/* The next block is not known. */
static void
leave_block(struct window *w)
{
	w->before = w->block;
	w->block = NULL;
}

void
window_pause(struct core *c, struct block *p, struct block *t)
{
	struct window *w = c->window;

	if (SIM_UNLIKELY(w->interval != NULL)) {
		interval_pause(c, p, t);
		return;
	}
	if (p == w->block) {
		finish(c, w, outcome_of(c, w, p, t), t);
		leave_block(w);
	} else if (w->shares) {
		shares_none(w);
	}
}

bool
window_end(struct core *c)
{
	struct window *w = c->window;

	if (SIM_UNLIKELY(w->interval != NULL))
		return interval_end(c);
	if (!w->block)
		return false;
	finish(c, w, 0, &block_none);
	leave_block(w);
	return true;
}

void
window_skip(struct core *c, u64 cycles)
{
	struct window *w = c->window;

	if (SIM_UNLIKELY(w->interval != NULL)) {
		interval_skip(c, cycles);
		return;
	}
	w->idle += cycles;
	if (w->block && !w->exact)
		window_exactly(c, w);
	else if (!w->block)
		pass_idle(w);
}
