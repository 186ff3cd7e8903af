/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A window is made, and told what watchers ask for. */
#include "core/fast.h"
#include "interval_internal.h"
#include "machine/ahead.h"

#include <stdlib.h>

static void
init_queues(struct window *w, const struct window_config *wc)
{
	for (u32 i = 0; i < wc->queues; i++) {
		const struct window_queue *q = &wc->queue[i];
		u64 one = 1ull << 8 * (i + 1);

		w->bias += one * (QUEUE_FULL - q->entries);
		w->queues |= one * 0xff;
		for (unsigned k = 0; k < KINDS; k++)
			if (q->holds >> k & 1)
				w->leave[q->until][k] += one;
	}
	for (unsigned k = 0; k < KINDS; k++)
		w->enter[k] = window_places(wc, k);
}

struct window *
window_new(const struct sim_config *config)
{
	struct window *w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	w->pipe = &config->pipe;
	w->predictor = fast_predictor_of(config);
	w->decode_redirect = config->branch.decode_redirect;
	w->remember = true;
	w->current = true;
	w->now.late[0] = w->now.late[1] = SIG_IFU_REDIRECT;
	w->now.n_arrive = SLOT_NEW;
	if (config->pipe.kind == PIPELINE_INTERVAL) {
		if (interval_init(w) || forward_init(w)) {
			window_free(w);
			return NULL;
		}
		return w;
	}
	init_queues(w, &config->pipe.window);
	held_init(w, &config->pipe.window);
	if (states_init(w) || moves_init(w) || forward_init(w)) {
		window_free(w);
		return NULL;
	}
	return w;
}

void
window_free(struct window *w)
{
	if (w) {
		states_free(w);
		moves_free(w);
		shares_free(w);
		order_free(w);
		forward_free(w);
		interval_free(w);
	}
	free(w);
}

/* Whether a watcher asks for each instruction. */
static void
look_at_each(struct window *w)
{
	w->single = w->watched || w->flights || w->shares;
}

void
window_forget(struct core *c)
{
	struct window *w = c->window;

	w->remember = false;
	if (w->block && !w->exact)
		window_exactly(c, w);
	w->from = w->state = NO_STATE;
}

void
window_flights(struct core *c)
{
	struct window *w = c->window;

	if (w->flights || w->interval)
		return;
	w->flights = true;
	look_at_each(w);
	window_forget(c);
}

/* What such a block does is known, or would be: neither matters. */
static void
run_exactly(struct core *c, struct window *w)
{
	if (!w->exact)
		window_exactly(c, w);
	w->from = NO_STATE;
}

void
window_watch(struct core *c, bool on)
{
	struct window *w = c->window;

	w->watched = on;
	look_at_each(w);
	if (w->interval)
		return;
	if (on && !w->exact && w->block == c->prev)
		run_exactly(c, w);
}

u64
window_issues(struct core *c, unsigned insn)
{
	struct window *w = c->window;

	if (w->interval)
		return interval_issues(c, insn);
	if (!w->block || w->block != c->prev)
		return core_cycle(c);
	run_exactly(c, w);
	return window_issue(c, w, insn);
}

int
pipeline_init_counts(struct core *c, const struct sim_config *config)
{
	static const struct window_fns fns = {
		.create = window_new,
		.stores = window_stores,
		.forwards = window_forwards,
		.accessor = window_accessor,
		.pause = window_pause,
		.end = window_end,
		.skip = window_skip,
	};

	return core_init(c, config, &fns);
}

int
pipeline_init(struct core *c, const struct sim_config *config)
{
	int error;

	ahead_of_writes(c, sizeof *c);
	error = pipeline_init_counts(c, config);
	if (!error)
		core_model(c);
	return error;
}
