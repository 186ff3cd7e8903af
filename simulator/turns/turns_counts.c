/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each thread counts on the event counters of IRIX, if a tool asks. */
#include "turns_internal.h"

static struct hwperf_threads counts;

bool
counts_are_wanted(void)
{
	return target.config->system == SYSTEM_IRIX &&
	       target.map.m->hwperf.threads;
}

void
turns_counts_split(void)
{
	struct hwperf_thread *running[SIM_MAX_TC] = {NULL};
	unsigned n = target.config->topo.tcs;

	if (!turns.taken || !counts_are_wanted())
		return;
	for (unsigned tc = 0; tc < n; tc++) {
		struct merge_queue *q = merge_running(turns.merge, tc);

		if (q)
			running[tc] = &((struct thread *)q)->counts;
	}
	if (turns.solo)
		running[turns.holder->tc] = &turns.holder->counts;
	hwperf_threads_split(&target.map, target.slot, &counts, running, n);
}

void
counts_begin(struct thread *alone)
{
	struct hwperf_thread *none[SIM_MAX_TC] = {NULL};

	if (!counts_are_wanted())
		return;
	alone->counts.tid = alone->tid;
	hwperf_threads_rest(&target.map, target.slot, &alone->counts);
	hwperf_threads_split(&target.map, target.slot, &counts, none,
			     target.config->topo.tcs);
	merge_watch(turns.merge, turns_counts_split);
}

void
turns_counts_end(void)
{
	bool told = false;

	for (struct thread *th = turns.first; th; th = th->next)
		told |= th->counts.log != 0;
	if (!told || !counts_are_wanted())
		return;
	turns_counts_split();
	hwperf_threads_rest(&target.map, target.slot, &turns.first->counts);
}
