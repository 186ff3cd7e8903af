/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --multiplex: what a processor with as many counters as the table has would
 * say.  Groups of events take turns, an event that is in none alone: as the
 * kernel does it, the list is gone through from one group later in each
 * interval, for as long as there are counters for all events of the next one.
 * What an event has counted is taken for as much of the whole as it had a
 * counter.  All events are counted all the time, so that the error is known.
 */
#include "stat.h"

#include "common/counters.h"

#include <stdlib.h>
#include <string.h>

#define COUNTERS 32		/* as many as a mask has bits */

/* The events of each group that needs counters, in a row; those of the
 * operating system, which need none, have turns with the others. */
struct list {
	size_t n_groups;
	size_t *group;		/* where each begins; then the last one's end */
	size_t *want;
	unsigned *counters;	/* that can count an event; 0: it needs none */
	unsigned pinned[COUNTERS]; /* of events that always have one */
	size_t n_pinned;
};

/* Adds the counters of a group to those of n events; more than there are bits:
 * there are not enough. */
static size_t
add_counters(const struct list *list, size_t group, unsigned *counters,
	     size_t n)
{
	for (size_t i = list->group[group]; i < list->group[group + 1]; i++) {
		if (!list->counters[i])
			continue;
		if (n == COUNTERS)
			return n + 1;
		counters[n++] = list->counters[i];
	}
	return n;
}

/* Those that count in interval number k. */
static void
take_turn(const struct list *list, size_t k, bool *counts)
{
	unsigned counters[COUNTERS], counter[COUNTERS];
	size_t n = list->n_pinned;

	memcpy(counters, list->pinned, sizeof(counters));
	for (size_t g = 0; g < list->n_groups; g++) {
		size_t group = (k + g) % list->n_groups;

		n = add_counters(list, group, counters, n);
		if (n > COUNTERS || !counters_assign(counters, n, counter))
			return;
		for (size_t i = list->group[group]; i < list->group[group + 1];
		     i++)
			counts[list->want[i]] = true;
	}
}

static void
count_always(const struct list *list, size_t end, bool *counts)
{
	for (size_t i = list->group[list->n_groups]; i < end; i++)
		counts[list->want[i]] = true;
}

/* Ends a group that is pinned: it counts always, if there are counters beside
 * those that are pinned before it, or never: false. */
static bool
end_pinned(struct list *list, size_t end, bool *counts)
{
	unsigned counter[COUNTERS];
	size_t n = add_counters(list, list->n_groups, list->pinned,
				list->n_pinned);

	if (n > COUNTERS || !counters_assign(list->pinned, n, counter))
		return false;
	list->n_pinned = n;
	count_always(list, end, counts);
	return true;
}

/* Ends the group that has been added last, unless it never counts, or always:
 * if there are not enough counters for it alone, which the kernel does not
 * take, false, or it needs none. */
static bool
end_group(struct list *list, size_t end, bool *counts)
{
	unsigned counters[COUNTERS], counter[COUNTERS];
	size_t n = add_counters(list, list->n_groups, counters, 0);

	if (!n)
		count_always(list, end, counts);
	else if (n <= COUNTERS && counters_assign(counters, n, counter))
		list->n_groups++;
	else
		return false;
	return true;
}

/* Says why the events from one want up to another never count. */
static void
tell(const struct stat *s, const struct stat_cpu *c, size_t from, size_t to)
{
	const struct stat_want *want = s->o->want;
	char *names = NULL;
	size_t size;
	FILE *out = open_memstream(&names, &size);

	if (!out)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	for (size_t w = from; w < to; w++)
		fprintf(out, "%s%s", w > from ? "," : "", want[w].name);
	tool_close_text(&stat_tool, out, &names);
	tool_note(&stat_tool, "%s%s%s never counts: %s has not the counters for "
		  "all of it at once%s", to - from > 1 ? "{" : "", names,
		  to - from > 1 ? "}" : "", pmcsim_cpu_name(c->cpu),
		  want[from].pinned ? ", beside what is pinned before it"
				    : "");
	free(names);
}

/* Lists what takes turns, and notes what always counts. */
static void
list_events(const struct stat *s, const struct stat_cpu *c,
	    struct list *list, bool *counts)
{
	const struct stat_want *want = s->o->want;

	for (size_t w = 0; w < s->o->n_wants;) {
		size_t leader = want[w].leader;
		size_t end = list->group[list->n_groups];
		bool fits;

		for (; w < s->o->n_wants && want[w].leader == leader; w++) {
			if (!c->supported[w])
				continue;
			list->want[end] = w;
			list->counters[end++] = pmcsim_lexicon_counters(
				c->lexicon, c->ask[w].named);
		}
		list->group[list->n_groups + 1] = end;
		fits = (want[leader].pinned ? end_pinned
					    : end_group)(list, end, counts);
		if (!fits)
			tell(s, c, leader, w);
	}
}

struct sums {
	double seconds, count;
};

static void
add_interval(const struct stat *s, const struct stat_cpu *c, size_t k,
	     const bool *counts, struct sums *sum)
{
	size_t wants = s->o->n_wants;
	const uint64_t *now = &c->note[k * (wants + 1)];
	const uint64_t *then = k ? now - (wants + 1) : NULL;
	double seconds = c->note_seconds[k] -
			 (k ? c->note_seconds[k - 1] : 0);

	for (size_t w = 0; w < wants; w++) {
		if (!counts[w])
			continue;
		sum[w].seconds += seconds;
		sum[w].count += (double)(now[w] - (then ? then[w] : 0));
	}
}

/* What each want counts in the intervals in which it has a counter, or needs
 * none. */
static void
add_up(const struct stat *s, const struct stat_cpu *c, struct sums *sum)
{
	size_t wants = s->o->n_wants;
	struct list list = {
		.group = tool_alloc(&stat_tool, wants + 1, sizeof(size_t)),
		.want = tool_alloc(&stat_tool, wants, sizeof(size_t)),
		.counters = tool_alloc(&stat_tool, wants, sizeof(unsigned)),
	};
	bool *always = tool_alloc(&stat_tool, wants, sizeof(*always));
	bool *counts = tool_alloc(&stat_tool, wants, sizeof(*counts));

	list_events(s, c, &list, always);
	for (size_t k = 0; k < c->n_notes; k++) {
		memcpy(counts, always, wants * sizeof(*counts));
		take_turn(&list, k, counts);
		add_interval(s, c, k, counts, sum);
	}
	free(list.group);
	free(list.want);
	free(list.counters);
	free(always);
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
	return c->runs && c->begun &&
	       (!c->share || c->share[want].running > 0) &&
	       (!c->estimate || !c->estimate[want].missed);
}

bool
stat_shared(const struct stat *s, const struct stat_cpu *c, size_t want,
	    double *running, double *error)
{
	double exact;

	*running = c->estimate && c->estimate[want].is ? c->measured.percent
						       : 100;
	*error = 0;
	if (!stat_counted(c, want) || !c->supported[want])
		return false;
	if (!c->share)
		return *running < 100;
	exact = (double)c->share[want].exact;
	*running = c->share[want].running;
	if (exact > 0)
		*error = 100 * (stat_mean(s, c, want, NULL) / exact - 1);
	return *running < 100;
}
