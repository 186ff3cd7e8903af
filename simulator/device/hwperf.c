/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event counters of IRIX: those of processes, while they count. */
#include "hwperf_internal.h"

#include "machine/machine_internal.h"

#include <string.h>

struct pmu_select
hwperf_select(const struct sim_config *config,
	      const struct hwperf_control *control, unsigned event, int tc)
{
	return (struct pmu_select){
		.event = pmu_find_event(config, event / HWPERF_COUNTER_EVENTS,
					hwperf_counted(control, event)),
		.modes = control->spec[event] & HWPERF_MODES,
		.scope = tc < 0 ? SCOPE_PROCESSOR : SCOPE_TC,
		.scope_id = tc < 0 ? 0 : (u8)tc,
	};
}

static u64
user_cycles(const struct sim_config *config,
	    const struct machine_totals *totals, int tc)
{
	u64 sig[SIG_N];

	machine_totals_signals(config, totals, MODE_USER, tc, -1, sig);
	return machine_cycles(sig);
}

void
hwperf_come_on(const struct sim_config *config,
	       const struct machine_totals *totals,
	       const struct hwperf_control *control, u32 events, int tc,
	       struct hwperf_counters *counters)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		struct pmu_select select;

		if (!(events >> i & 1))
			continue;
		select = hwperf_select(config, control, i, tc);
		pmu_totals_start(config, totals, &select, &counters->start[i]);
		counters->taken[i] = 0;
	}
	counters->start_cycles = user_cycles(config, totals, tc);
}

/* An estimate may have fallen: what was taken of it is given back, so that
 * counts do not depend on how often they were read. */
static void
take(struct hwperf_counters *counters, unsigned event, u64 since)
{
	u64 more = since - counters->taken[event];

	counters->sum.value[event] += more;
	counters->turn[event] += more;
	counters->taken[event] = since;
}

const u64 *
hwperf_show(struct hwperf_counters *counters)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		if (counters->shown[i] < counters->sum.value[i])
			counters->shown[i] = counters->sum.value[i];
	return counters->shown;
}

void
hwperf_collect(const struct sim_config *config,
	       const struct machine_totals *totals,
	       const struct hwperf_control *control, u32 events, int tc,
	       struct hwperf_counters *counters)
{
	u64 cycles = user_cycles(config, totals, tc);
	u64 passed = cycles - counters->start_cycles;

	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		struct pmu_select select;

		if (!(events >> i & 1))
			continue;
		select = hwperf_select(config, control, i, tc);
		take(counters, i,
		     pmu_totals_since(config, totals, &select,
				      &counters->start[i]));
		counters->sum.cycles[i] += passed;
	}
	counters->sum.all_cycles += passed;
	counters->start_cycles = cycles;
}

/* A turn is over: how much its counts differ from others is remembered. */
static void
end_turn(struct hwperf_counters *counters, u32 events)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		u64 n = counters->turn[i];

		if (!(events >> i & 1))
			continue;
		counters->sum.turns[i]++;
		counters->sum.squares[i] += n * n;
		counters->turn[i] = 0;
	}
}

/* The events that count now begin to. */
static void
let_count(struct machine_map *map, struct hwperf_process *p,
	  const struct machine_totals *t)
{
	hwperf_come_on(&map->m->config, t, &p->control,
		       hwperf_current(&p->control, p->current), -1,
		       &p->counters);
	p->changes++;
}

void
hwperf_let_count(struct machine_map *map, unsigned slot)
{
	let_count(map, &map->m->slot[slot].hwperf,
		  machine_slot_totals(map, slot));
}

/* Adds what has been counted until now. */
static void
collect(struct machine_map *map, struct hwperf_process *p,
	const struct machine_totals *t)
{
	hwperf_collect(&map->m->config, t, &p->control,
		       hwperf_current(&p->control, p->current), -1,
		       &p->counters);
}

void
hwperf_settle(struct machine_map *map, unsigned slot)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

	if (p->counting)
		collect(map, p, machine_slot_totals(map, slot));
}

void
hwperf_lose(struct machine_map *map, unsigned slot)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

	p->of_tool = false;
	if (!p->counting)
		return;
	hwperf_settle(map, slot);
	p->counting = false;
	p->generation++;
	p->changes++;
}

/* Goes on to other events; nothing is to be done without. */
static void
turn(struct machine_map *map, unsigned slot)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	u8 next[HWPERF_COUNTERS] = {p->current[0], p->current[1]};
	const struct machine_totals *t;

	if (!hwperf_next(&p->control, next))
		return;
	t = machine_slot_totals(map, slot);
	collect(map, p, t);
	end_turn(&p->counters, hwperf_current(&p->control, p->current));
	memcpy(p->current, next, sizeof next);
	let_count(map, p, t);
}

void
hwperf_tick(struct machine_map *map, unsigned slot)
{
	const struct machine *m = map->m;

	if (!m->slot[slot].hwperf.counting && !m->hwperf.system)
		return;
	machine_lock(map);
	if (m->slot[slot].hwperf.counting)
		turn(map, slot);
	else if (m->hwperf.system)
		hwperf_system_change(map, NULL);
	machine_unlock(map);
}

static void
pause_process(struct machine_map *map, unsigned slot, bool pause)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

	if (pause)
		hwperf_settle(map, slot);
	else if (!p->counting)
		hwperf_let_count(map, slot);
	p->counting = !pause;
	p->changes++;
}

void
hwperf_pause(struct machine_map *map, bool pause)
{
	struct machine *m = map->m;

	machine_lock(map);
	m->hwperf.paused = pause;
	for (unsigned i = 1; i < m->slots_used; i++)
		if (m->slot[i].state == SLOT_RUNNING &&
		    m->slot[i].hwperf.of_tool)
			pause_process(map, i, pause);
	machine_unlock(map);
}

void
hwperf_sample(struct machine_map *map, unsigned slot)
{
	struct hwperf_machine *h = &map->m->hwperf;
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	struct hwperf_sample *s;

	machine_lock(map);
	s = h->n_samples < HWPERF_SAMPLES ? &h->sample[h->n_samples] : NULL;
	h->n_samples++;
	if (s) {
		hwperf_settle(map, slot);
		s->pid = map->m->slot[slot].pid;
		s->cycles = p->counters.sum.all_cycles;
		for (unsigned c = 0; c < HWPERF_COUNTERS; c++)
			s->value[c] = p->counters.sum.value[p->current[c]];
	}
	machine_unlock(map);
}
