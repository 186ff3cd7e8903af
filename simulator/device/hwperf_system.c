/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event counters of IRIX in system mode: one set, counted per CPU. */
#include "hwperf_internal.h"

#include "machine/machine_internal.h"

#include <errno.h>
#include <string.h>

static unsigned
cpus(const struct machine *m)
{
	return m->config.topo.tcs < HWPERF_CPUS ? m->config.topo.tcs :
						  HWPERF_CPUS;
}

/* Adds what has been counted, or begins to count. */
static void
collect(struct machine_map *map, bool begin)
{
	struct machine *m = map->m;
	struct hwperf_machine *h = &m->hwperf;
	u32 events = hwperf_current(&h->control, h->current);
	const struct machine_totals *t = machine_totals(map);

	for (unsigned tc = 0; tc < cpus(m); tc++)
		(begin ? hwperf_come_on : hwperf_collect)(
			&m->config, t, &h->control, events, (int)tc,
			&h->cpu[tc]);
}

void
hwperf_system_begin(struct machine_map *map,
		    const struct hwperf_control *control)
{
	struct hwperf_machine *h = &map->m->hwperf;

	for (unsigned i = 1; i < map->m->slots_used; i++)
		if (map->m->slot[i].state == SLOT_RUNNING)
			hwperf_lose(map, i);
	h->system = true;
	h->control = *control;
	h->generation++;
	memset(h->cpu, 0, sizeof h->cpu);
	memset(h->global, 0, sizeof h->global);
	hwperf_first(&h->control, h->current);
	collect(map, true);
}

void
hwperf_system_settle(struct machine_map *map)
{
	struct hwperf_machine *h = &map->m->hwperf;

	collect(map, false);
	memset(h->global, 0, sizeof h->global);
	for (unsigned tc = 0; tc < cpus(map->m); tc++) {
		const u64 *value = hwperf_show(&h->cpu[tc]);

		for (unsigned i = 0; i < HWPERF_EVENTS; i++)
			h->global[i] += value[i];
	}
}

/* With control, counts other events; without, goes on to the next ones. */
void
hwperf_system_change(struct machine_map *map,
		     const struct hwperf_control *control)
{
	struct hwperf_machine *h = &map->m->hwperf;

	hwperf_system_settle(map);
	if (control) {
		h->control = *control;
		h->generation++;
		hwperf_first(&h->control, h->current);
	} else if (!hwperf_next(&h->control, h->current)) {
		return;
	}
	collect(map, true);
}

/* A process that had the counters can still read them. */
static void
give_values(const struct hwperf_machine *h, struct hwperf_process *p)
{
	p->system = false;
	p->control = h->control;
	p->generation = h->generation;
	memcpy(p->counters.sum.value, h->global, sizeof h->global);
	memcpy(p->counters.shown, h->global, sizeof h->global);
}

void
hwperf_system_end(struct machine_map *map)
{
	struct machine *m = map->m;

	hwperf_system_settle(map);
	m->hwperf.system = false;
	for (unsigned i = 1; i < m->slots_used; i++)
		if (m->slot[i].hwperf.system)
			give_values(&m->hwperf, &m->slot[i].hwperf);
}

/* ---- Calls ----------------------------------------------------------- */

static s64
check(const struct hwperf_control *control, u32 uid)
{
	s64 error;

	if (uid)
		return -EPERM;
	error = hwperf_check(control, uid);
	if (!error && !hwperf_wants_system(control))
		error = -EINVAL;
	return error;
}

s64
hwperf_system_enable(struct machine_map *map, u32 uid,
		     const struct hwperf_control *control)
{
	s64 result = check(control, uid);

	if (result)
		return result;
	machine_lock(map);
	if (map->m->hwperf.system) {
		result = -EBUSY;
	} else {
		hwperf_system_begin(map, control);
		result = map->m->hwperf.generation;
	}
	machine_unlock(map);
	return result;
}

/* Counts up to now, and the generation they are of. */
static s64
read_counts(struct machine_map *map, const u64 *count, u64 value[HWPERF_EVENTS])
{
	struct hwperf_machine *h = &map->m->hwperf;
	s64 result = -EINVAL;

	machine_lock(map);
	if (h->system) {
		hwperf_system_settle(map);
		memcpy(value, count, sizeof h->global);
		result = h->generation;
	}
	machine_unlock(map);
	return result;
}

s64
hwperf_system_read(struct machine_map *map, u64 value[HWPERF_EVENTS])
{
	return read_counts(map, map->m->hwperf.global, value);
}

s64
hwperf_cpu_read(struct machine_map *map, u64 cpu, u64 value[HWPERF_EVENTS])
{
	if (cpu >= cpus(map->m))
		return 0;
	return read_counts(map, map->m->hwperf.cpu[cpu].shown, value);
}

s64
hwperf_system_control(struct machine_map *map, struct hwperf_control *control)
{
	struct hwperf_machine *h = &map->m->hwperf;
	s64 result = -EINVAL;

	machine_lock(map);
	if (h->system) {
		*control = h->control;
		result = h->generation;
	}
	machine_unlock(map);
	return result;
}

s64
hwperf_system_modify(struct machine_map *map, u32 uid,
		     const struct hwperf_control *control)
{
	s64 result = check(control, uid);

	if (result)
		return result;
	machine_lock(map);
	if (map->m->hwperf.system) {
		hwperf_system_change(map, control);
		result = map->m->hwperf.generation;
	} else {
		result = -EINVAL;
	}
	machine_unlock(map);
	return result;
}

s64
hwperf_system_release(struct machine_map *map, u32 uid)
{
	s64 result = 0;

	if (uid)
		return -EPERM;
	machine_lock(map);
	if (map->m->hwperf.system)
		hwperf_system_end(map);
	else
		result = -EINVAL;
	machine_unlock(map);
	return result;
}
