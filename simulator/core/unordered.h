/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resources behind the caches of a machine that issues out of order: accesses come
 * in the order of the program, each with the cycle that it is made, and what comes
 * later may be made earlier.  It gets what is free at its own time, not behind all
 * that came before it.  earliest: none is made before that cycle any more.
 */
#ifndef SIM_UNORDERED_H
#define SIM_UNORDERED_H

#include "machine/types.h"

#define SPANS 32

/* When one thing is in use: spans that do not touch, in ascending order.  Those that
 * nothing can meet any more are forgotten, and the first ones if there are too
 * many. */
struct spans {
	u32 n;
	u64 from[SPANS], to[SPANS];
	u64 forgotten;		/* it is in use up to there, for all that is known */
};

/* The two below where the span is not simply the last one. */
u64 spans_take_between(struct spans *s, u64 t, u32 cycles, u64 earliest, int *edges);
u64 spans_join_others(struct spans *s, u64 from, u64 to, u64 earliest, int *edges);

/* Adds a span behind all others and touching none; false: it is not. */
SIM_INLINE bool
spans_append(struct spans *s, u64 from, u64 to, u64 earliest)
{
	u32 n = s->n;

	if (n && s->to[n - 1] < earliest)
		n = 0;
	if (n == SPANS || from <= s->forgotten || (n && s->to[n - 1] >= from))
		return false;
	s->from[n] = from;
	s->to[n] = to;
	s->n = n + 1;
	return true;
}

/* Whether a cycle is in the last span, or the first behind it. */
SIM_INLINE bool
spans_in_last(const struct spans *s, u64 t)
{
	u32 last = s->n - 1;

	return s->n && t >= s->from[last] && t <= s->to[last];
}

/* Takes it for so many cycles, from cycle t on at the earliest; when they begin.
 * *edges: by how much the number of spans, forgotten ones among them, has
 * changed: 1, 0 or -1. */
SIM_INLINE u64
spans_take(struct spans *s, u64 t, u32 cycles, u64 earliest, int *edges)
{
	u64 last;

	*edges = 1;
	if (spans_append(s, t, t + cycles, earliest))
		return t;
	if (!spans_in_last(s, t))
		return spans_take_between(s, t, cycles, earliest, edges);
	last = s->to[s->n - 1];
	s->to[s->n - 1] += cycles;
	*edges = 0;
	return last;
}

/* It is in use from one cycle to another, whatever else is; how many of these
 * cycles it was not before.  edges: as above, or less. */
SIM_INLINE u64
spans_join(struct spans *s, u64 from, u64 to, u64 earliest, int *edges)
{
	u64 last;

	*edges = to > from;
	if (to <= from)
		return 0;
	if (spans_append(s, from, to, earliest))
		return to - from;
	if (!spans_in_last(s, from))
		return spans_join_others(s, from, to, earliest, edges);
	*edges = 0;
	last = s->to[s->n - 1];
	if (to <= last)
		return 0;
	s->to[s->n - 1] = to;
	return to - last;
}

/* Forgets what is behind cycle t; so many cycles were in use there. */
u64 spans_cut(struct spans *s, u64 t);

#define HOLDS 128

/*
 * Several of a kind, each of which is held for a time: when any of them begins to be,
 * and ends, in ascending order.  At a cycle as many are held as have begun and not
 * ended, whichever these are.
 */
struct holds {
	u32 n, capacity;
	u64 from[HOLDS], to[HOLDS];
	u64 full_from, full_to;	/* none is free between these, if the last one is
				   later */
};

/* Of too many, what ends first is forgotten.  from is not behind to. */
void holds_put(struct holds *h, u64 from, u64 to);

/* holds_take() where there are as many as it has. */
u64 holds_take_one(struct holds *h, u64 t, u64 earliest);

/* The cycle from t on that one of them is free, for holds_put(). */
SIM_INLINE u64
holds_take(struct holds *h, u64 t, u64 earliest)
{
	return SIM_LIKELY(h->n < h->capacity) ? t
					      : holds_take_one(h, t, earliest);
}

/* Lines under way: of the data cache, of the second level, and of those for loads. */
enum pending_kind { PENDING_DATA, PENDING_OUTER, PENDING_OUTER_LOADS, PENDING_N };

struct unordered {
	u64 earliest;
	struct spans bus;
	struct spans pending[PENDING_N];
	struct holds fills;	/* buffers of lines that the data cache waits for */
	struct holds victims;	/* of those that it writes back */
	struct holds walkers;
};

struct sim_config;

/* NULL without memory.  It lives as long as its core. */
struct unordered *unordered_new(const struct sim_config *config);

/* Nothing is under way. */
void unordered_clear(struct unordered *u);

#endif
