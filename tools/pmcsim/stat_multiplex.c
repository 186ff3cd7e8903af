/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --multiplex: what a processor with as many counters as the table has would say.
 * Events take turns: as the kernel does it, the list is gone through from one
 * event later in each interval, for as long as there is a counter for the next
 * one.  What an event has counted is taken for as much of the whole as it had a
 * counter.  All events are counted all the time, so that the error is known.
 */
#include "stat.h"

#include "common/counters.h"

#include <stdlib.h>

#define COUNTERS 32		/* as many as a mask has bits */

/* The events that need a counter, and those that can count them. */
struct list {
	size_t n;
	size_t *want;
	unsigned *counters;
};

/* Those that count in interval number k. */
static void
take_turn(const struct list *list, size_t k, bool *counts)
{
	unsigned counters[COUNTERS], counter[COUNTERS];

	for (size_t i = 0; i < list->n && i < COUNTERS; i++) {
		size_t event = (k + i) % list->n;

		counters[i] = list->counters[event];
		if (!counters_assign(counters, i + 1, counter))
			return;
		counts[list->want[event]] = true;
	}
}

static void
list_events(const struct stat *s, const struct stat_cpu *c,
	    struct list *list)
{
	for (size_t w = 0; w < s->o->n_wants; w++) {
		unsigned counters = c->supported[w]
			? pmcsim_lexicon_counters(c->lexicon,
						  c->ask[w].named)
			: 0;

		if (!counters)
			continue;
		list->want[list->n] = w;
		list->counters[list->n++] = counters;
	}
}

struct sums {
	double seconds, count;
};

/* What each want counts in the intervals in which it has a counter, or needs
 * none. */
static void
add_up(const struct stat *s, const struct stat_cpu *c, struct sums *sum)
{
	size_t wants = s->o->n_wants;
	struct list list = {
		.want = tool_alloc(&stat_tool, wants, sizeof(size_t)),
		.counters = tool_alloc(&stat_tool, wants, sizeof(unsigned)),
	};
	bool *counts = tool_alloc(&stat_tool, wants, sizeof(*counts));

	list_events(s, c, &list);
	for (size_t k = 0; k < c->n_notes; k++) {
		const uint64_t *now = &c->note[k * (wants + 1)];
		const uint64_t *then = k ? now - (wants + 1) : NULL;
		double seconds = c->note_seconds[k] -
				 (k ? c->note_seconds[k - 1] : 0);

		for (size_t w = 0; w < wants; w++)
			counts[w] = true;
		for (size_t i = 0; i < list.n; i++)
			counts[list.want[i]] = false;
		take_turn(&list, k, counts);
		for (size_t w = 0; w < wants; w++) {
			if (!counts[w])
				continue;
			sum[w].seconds += seconds;
			sum[w].count += (double)(now[w] - (then ? then[w] : 0));
		}
	}
	free(list.want);
	free(list.counters);
	free(counts);
}

void
stat_multiplex(const struct stat *s, struct stat_cpu *c)
{
	size_t wants = s->o->n_wants;
	struct sums *sum;
	double all = c->n_notes ? c->note_seconds[c->n_notes - 1] : 0;

	if (!s->o->multiplex || all <= 0)
		return;
	sum = tool_alloc(&stat_tool, wants, sizeof(*sum));
	c->share = tool_alloc(&stat_tool, wants, sizeof(*c->share));
	add_up(s, c, sum);
	for (size_t w = 0; w < wants; w++) {
		c->share[w].exact = c->count[w];
		c->share[w].running = 100 * sum[w].seconds / all;
		c->count[w] = sum[w].seconds > 0
				      ? (uint64_t)(sum[w].count * all /
							   sum[w].seconds +
						   0.5)
				      : 0;
	}
	free(sum);
}

bool
stat_counted(const struct stat_cpu *c, size_t want)
{
	return c->runs && (!c->share || c->share[want].running > 0);
}

bool
stat_shared(const struct stat *s, const struct stat_cpu *c, size_t want,
	    double *running, double *error)
{
	double exact;

	*running = 100;
	*error = 0;
	if (!c->share || !stat_counted(c, want) || !c->supported[want])
		return false;
	exact = (double)c->share[want].exact;
	*running = c->share[want].running;
	if (exact > 0)
		*error = 100 * (stat_mean(s, c, want, NULL) / exact - 1);
	return *running < 100;
}
