/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event counters of IRIX: those of processes. */
#include "hwperf_internal.h"

#include "../machine_internal.h"
#include "../sample.h"

#include <errno.h>
#include <string.h>

#define NS 1000000000ull

/* ---- Counting -------------------------------------------------------- */

u64
hwperf_sum(const struct sim_config *config,
	   const struct machine_totals *totals,
	   const struct hwperf_control *control, unsigned event, int tc)
{
	struct pmu_select select = {
		.event = pmu_find_event(config, event / HWPERF_COUNTER_EVENTS,
					event),
		.modes = control->spec[event] & HWPERF_MODES,
		.scope = tc < 0 ? SCOPE_PROCESSOR : SCOPE_TC,
		.scope_id = tc < 0 ? 0 : (u8)tc,
	};

	return pmu_totals_sum(config, totals, &select);
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
hwperf_collect(const struct sim_config *config,
	       const struct machine_totals *totals,
	       const struct hwperf_control *control, u32 events, int tc,
	       struct hwperf_counters *counters)
{
	u64 cycles = user_cycles(config, totals, tc);
	u64 passed = cycles - counters->start_cycles;

	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		u64 sum;

		if (!(events >> i & 1))
			continue;
		sum = hwperf_sum(config, totals, control, i, tc);
		if (sum > counters->start[i]) {
			counters->sum.value[i] += sum - counters->start[i];
			counters->turn[i] += sum - counters->start[i];
		}
		counters->start[i] = sum;
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
	u32 events = hwperf_current(&p->control, p->current);

	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		if (events >> i & 1)
			p->counters.start[i] = hwperf_sum(
				&map->m->config, t, &p->control, i, -1);
	p->counters.start_cycles = user_cycles(&map->m->config, t, -1);
	p->changes++;
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
	struct machine_totals t;

	if (!p->counting)
		return;
	machine_slot_totals(map, slot, &t);
	collect(map, p, &t);
}

void
hwperf_lose(struct machine_map *map, unsigned slot)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

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
	struct machine_totals t;

	if (!hwperf_next(&p->control, next))
		return;
	machine_slot_totals(map, slot, &t);
	collect(map, p, &t);
	end_turn(&p->counters, hwperf_current(&p->control, p->current));
	memcpy(p->current, next, sizeof next);
	let_count(map, p, &t);
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
	struct machine_totals t;

	if (pause) {
		hwperf_settle(map, slot);
	} else if (!p->counting) {
		machine_slot_totals(map, slot, &t);
		let_count(map, p, &t);
	}
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
		    m->slot[i].hwperf.generation)
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

/* ---- Calls ----------------------------------------------------------- */

void
hwperf_wind(struct hwperf_process *p)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		p->left[i] = (struct distance){
			.left = (s64)p->control.threshold[i] * SAMPLE_TENTHS};
}

s64
hwperf_begin(struct machine_map *map, unsigned slot,
	     const struct hwperf_control *control)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	struct machine_totals t;

	p->control = *control;
	memset(&p->counters, 0, sizeof p->counters);
	memset(p->children, 0, sizeof p->children);
	memset(p->told, 0, sizeof p->told);
	hwperf_first(&p->control, p->current);
	hwperf_wind(p);
	p->counting = !map->m->hwperf.paused;
	p->generation++;
	machine_slot_totals(map, slot, &t);
	let_count(map, p, &t);
	return p->generation;
}

/* A process has the counters, and runs. */
static bool
is_in_use(const struct machine *m, hwperf_running_fn *running)
{
	for (unsigned i = 1; i < m->slots_used; i++)
		if (m->slot[i].state == SLOT_RUNNING &&
		    m->slot[i].hwperf.counting && running(m->slot[i].pid))
			return true;
	return false;
}

static s64
enable(struct machine_map *map, unsigned slot,
       const struct hwperf_control *control, hwperf_running_fn *running)
{
	struct hwperf_machine *h = &map->m->hwperf;
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

	if (h->system)
		return -EBUSY;
	if (!hwperf_wants_system(control))
		return hwperf_begin(map, slot, control);
	if (is_in_use(map->m, running))
		return -EBUSY;
	hwperf_system_begin(map, control);
	p->system = true;
	return h->generation;
}

s64
hwperf_enable(struct machine_map *map, unsigned slot, u32 uid,
	      const struct hwperf_control *control, hwperf_running_fn *running)
{
	s64 result = hwperf_check(control, uid);

	if (result)
		return result;
	machine_lock(map);
	result = enable(map, slot, control, running);
	machine_unlock(map);
	return result;
}

s64
hwperf_profile(struct machine_map *map, unsigned slot, u32 uid,
	       const struct hwperf_control *control)
{
	s64 result = hwperf_check(control, uid);

	if (result || hwperf_wants_system(control))
		return result ? result : -EINVAL;
	machine_lock(map);
	result = map->m->hwperf.system ? -EBUSY :
					 hwperf_begin(map, slot, control);
	machine_unlock(map);
	return result;
}

/* Values of events that stay are kept. */
static s64
modify(struct machine_map *map, unsigned slot,
       const struct hwperf_control *control)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	struct machine_totals t;

	if (p->system) {
		if (!hwperf_wants_system(control))
			return -EINVAL;
		hwperf_system_change(map, control);
		return map->m->hwperf.generation;
	}
	if (!p->counting || hwperf_wants_system(control))
		return -EINVAL;
	machine_slot_totals(map, slot, &t);
	collect(map, p, &t);
	p->control = *control;
	hwperf_first(&p->control, p->current);
	hwperf_wind(p);
	p->generation++;
	let_count(map, p, &t);
	return p->generation;
}

s64
hwperf_modify(struct machine_map *map, unsigned slot, u32 uid,
	      const struct hwperf_control *control)
{
	s64 result = hwperf_check(control, uid);

	if (result)
		return result;
	machine_lock(map);
	result = modify(map, slot, control);
	machine_unlock(map);
	return result;
}

static s64
read_values(struct machine_map *map, unsigned slot, u64 value[HWPERF_EVENTS])
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	const u64 *from = p->counters.sum.value;

	if (p->system) {
		hwperf_system_settle(map);
		memcpy(value, map->m->hwperf.global,
		       sizeof map->m->hwperf.global);
		return map->m->hwperf.generation;
	}
	if (!p->generation)
		return -EINVAL;
	hwperf_settle(map, slot);
	memcpy(value, from, sizeof p->counters.sum.value);
	return p->generation;
}

s64
hwperf_read(struct machine_map *map, unsigned slot, u64 value[HWPERF_EVENTS])
{
	s64 result;

	machine_lock(map);
	result = read_values(map, slot, value);
	machine_unlock(map);
	return result;
}

s64
hwperf_get_control(struct machine_map *map, unsigned slot,
		   struct hwperf_control *control)
{
	const struct hwperf_process *p = &map->m->slot[slot].hwperf;
	s64 result;

	machine_lock(map);
	if (p->system) {
		*control = map->m->hwperf.control;
		result = map->m->hwperf.generation;
	} else {
		*control = p->control;
		result = p->generation ? (s64)p->generation : -EINVAL;
	}
	machine_unlock(map);
	return result;
}

s64
hwperf_release(struct machine_map *map, unsigned slot)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;
	s64 result = 0;

	machine_lock(map);
	if (p->system) {
		hwperf_system_end(map);
	} else if (p->counting) {
		hwperf_settle(map, slot);
		p->counting = false;
		p->changes++;
	} else {
		result = -EINVAL;
	}
	machine_unlock(map);
	return result;
}

s64
hwperf_save(struct machine_map *map, unsigned slot)
{
	machine_lock(map);
	map->m->slot[slot].hwperf.save = true;
	machine_unlock(map);
	return 0;
}

static u64
cycles_to_ns(const struct sim_config *config, u64 cycles)
{
	u64 hz = config->clock_hz;

	return hz ? cycles / hz * NS + cycles % hz * NS / hz : 0;
}

s64
hwperf_usage(struct machine_map *map, unsigned slot,
	     struct hwperf_usage *usage)
{
	const struct sim_config *config = &map->m->config;
	const struct hwperf_process *p = &map->m->slot[slot].hwperf;
	struct machine_totals t;
	u64 sig[SIG_N], user;
	s64 result;

	memset(usage, 0, sizeof *usage);
	machine_lock(map);
	result = read_values(map, slot, usage->value);
	machine_slot_totals(map, slot, &t);
	memcpy(usage->kind, p->calls, sizeof usage->kind);
	memcpy(usage->bytes, p->bytes, sizeof usage->bytes);
	machine_unlock(map);
	machine_totals_signals(config, &t, MODE_USER, -1, -1, sig);
	user = machine_cycles(sig);
	usage->user_ns = cycles_to_ns(config, user);
	usage->system_ns = cycles_to_ns(
		config, machine_all_cycles(config, &t, -1) - user);
	usage->faults = sig[SIG_OS_PAGE];
	usage->tlb_misses = sig[SIG_JTLB_I_MISS] + sig[SIG_JTLB_D_MISS];
	usage->calls = sig[SIG_OS_SYSCALL];
	usage->signals = sig[SIG_OS_SIGNAL];
	return result;
}
