/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event counters of IRIX: what each thread of a process has counted, for a
 * tool that asks.  Threads have no counters of their own; counts of a context
 * are those of the thread that it runs.
 */
#include "hwperf_internal.h"

#include "machine/machine_internal.h"

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

/* What a context has counted, estimates apart, is told as its thread's; its
 * wrong paths are noted once. */
static void
tell_since(struct machine *m, unsigned slot, struct hwperf_thread *thread,
	   u8 event, const struct pmu_start *last, const struct pmu_start *now)
{
	struct hwperf_log *log;

	if (now->sum > last->sum)
		tell(m, slot, thread, event, now->sum - last->sum);
	log = event < HWPERF_COUNTER_EVENTS ? entry(m, slot, thread) : NULL;
	if (log)
		log->wrong += now->path.wrong - last->path.wrong;
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
			struct pmu_select select =
				hwperf_select(&map->m->config, &p->control,
					      event, (int)tc);
			struct pmu_start now;

			pmu_totals_start(&map->m->config, t, &select, &now);
			if (same && running[tc])
				tell_since(map->m, slot, running[tc], event,
					   &threads->last[tc][c], &now);
			threads->last[tc][c] = now;
		}
	threads->changes = p->changes;
	machine_unlock(map);
}

static bool
is_estimated(const struct sim_config *config,
	     const struct hwperf_control *control, unsigned event)
{
	struct pmu_select select = hwperf_select(config, control, event, -1);

	return pmu_is_estimated(config, select.event);
}

/* How much of what an event has counted since it came on is an estimate. */
static u64
estimate(const struct sim_config *config, const struct machine_totals *t,
	 const struct hwperf_process *p, unsigned event)
{
	const struct pmu_start *start = &p->counters.start[event];
	struct pmu_select select;
	struct pmu_start now;

	if (!hwperf_is_current(p, event) ||
	    !is_estimated(config, &p->control, event))
		return 0;
	select = hwperf_select(config, &p->control, event, -1);
	pmu_totals_start(config, t, &select, &now);
	return p->counters.taken[event] - (now.sum - start->sum);
}

/* What a process had on wrong paths while it was a single thread. */
static void
note_wrong(struct machine *m, unsigned slot, struct hwperf_thread *alone,
	   const struct machine_totals *t)
{
	struct hwperf_process *p = &m->slot[slot].hwperf;
	struct pmu_select select = hwperf_select(&m->config, &p->control,
						 p->current[0], -1);
	struct hwperf_log *log = entry(m, slot, alone);
	struct pmu_start now;

	pmu_totals_start(&m->config, t, &select, &now);
	if (log)
		log->wrong = now.path.wrong -
			     p->counters.start[p->current[0]].path.wrong;
}

void
hwperf_threads_rest(struct machine_map *map, unsigned slot,
		    struct hwperf_thread *thread)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	const struct machine_totals *t;

	machine_lock(map);
	hwperf_settle(map, slot);
	t = machine_slot_totals(map, slot);
	if (!thread->log)
		note_wrong(map->m, slot, thread, t);
	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		u64 own = p->counters.sum.value[i] - p->children[i] -
			  estimate(&map->m->config, t, p, i);

		if (own > p->told[i])
			tell(map->m, slot, thread, i, own - p->told[i]);
	}
	machine_unlock(map);
}

/* ---- Estimates ------------------------------------------------------- */

static bool
is_of(const struct hwperf_log *log, s32 pid)
{
	return log->tid && log->pid == pid;
}

/* Adds n of an event to the counts of a process's threads, by what each of them
 * had on wrong paths: the last one gets what is left by rounding down. */
static void
share_out(struct hwperf_machine *h, s32 pid, unsigned event, u64 n)
{
	unsigned used = h->n_log < HWPERF_LOG ? h->n_log : HWPERF_LOG;
	u64 wrong = 0;

	for (unsigned i = 0; i < used; i++)
		if (is_of(&h->log[i], pid))
			wrong += h->log[i].wrong;
	for (unsigned i = 0; i < used && wrong; i++) {
		struct hwperf_log *log = &h->log[i];
		u64 part;

		if (!is_of(log, pid))
			continue;
		part = (u64)((unsigned __int128)n * log->wrong / wrong);
		log->value[event] += part;
		n -= part;
		wrong -= log->wrong;
	}
}

void
hwperf_threads_estimates(struct machine *m, unsigned slot)
{
	struct hwperf_process *p = &m->slot[slot].hwperf;

	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		u64 own = p->counters.sum.value[i] - p->children[i];

		if (own > p->told[i] && is_estimated(&m->config, &p->control, i))
			share_out(&m->hwperf, m->slot[slot].pid, i,
				  own - p->told[i]);
	}
}
