/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event counters of IRIX: what each thread of a process has counted, for a
 * tool that asks.  Threads have no counters of their own; counts of a context
 * are those of the thread that it runs.
 */
#include "hwperf_internal.h"

#include "../machine_internal.h"

/* The entry of a thread; NULL if there is no room for it. */
static struct hwperf_log *
entry(struct machine *m, unsigned slot, struct hwperf_thread *thread)
{
	struct hwperf_machine *h = &m->hwperf;

	if (!thread->log) {
		thread->log = ++h->n_log;
		if (thread->log <= HWPERF_LOG)
			h->log[thread->log - 1] = (struct hwperf_log){
				.pid = m->slot[slot].pid,
				.tid = thread->tid,
			};
	}
	return thread->log <= HWPERF_LOG ? &h->log[thread->log - 1] : NULL;
}

static void
tell(struct machine *m, unsigned slot, struct hwperf_thread *thread,
     unsigned event, u64 n)
{
	struct hwperf_log *log = entry(m, slot, thread);

	m->slot[slot].hwperf.told[event] += n;
	if (log)
		log->value[event] += n;
}

void
hwperf_threads_split(struct machine_map *map, unsigned slot,
		     struct hwperf_threads *threads,
		     struct hwperf_thread *const *running, unsigned n)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	const struct machine_totals *t;
	bool same;

	machine_lock(map);
	same = p->counting && threads->changes == p->changes;
	t = machine_slot_totals(map, slot);
	for (unsigned tc = 0; tc < n; tc++)
		for (unsigned c = 0; c < HWPERF_COUNTERS; c++) {
			u8 event = p->current[c];
			u64 *last = &threads->last[tc][c], sum;

			sum = hwperf_sum(&map->m->config, t, &p->control,
					 event, (int)tc);
			if (same && running[tc] && sum > *last)
				tell(map->m, slot, running[tc], event,
				     sum - *last);
			*last = sum;
		}
	threads->changes = p->changes;
	machine_unlock(map);
}

void
hwperf_threads_rest(struct machine_map *map, unsigned slot,
		    struct hwperf_thread *thread)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

	machine_lock(map);
	hwperf_settle(map, slot);
	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		u64 own = p->counters.sum.value[i] - p->children[i];

		if (own > p->told[i])
			tell(map->m, slot, thread, i, own - p->told[i]);
	}
	machine_unlock(map);
}
