/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event counters of IRIX: what processes ask of theirs. */
#include "hwperf_internal.h"

#include "machine/machine_internal.h"

#include <errno.h>
#include <string.h>

#define NS 1000000000ull

void
hwperf_wind(struct hwperf_process *p)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		p->left[i] = (s64)p->control.threshold[i] * SAMPLE_TENTHS;
}

s64
hwperf_begin(struct machine_map *map, unsigned slot,
	     const struct hwperf_control *control)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

	p->control = *control;
	memset(&p->counters, 0, sizeof p->counters);
	memset(p->children, 0, sizeof p->children);
	memset(p->told, 0, sizeof p->told);
	hwperf_first(&p->control, p->current);
	hwperf_wind(p);
	p->counting = true;
	p->of_tool = false;
	p->released = false;
	p->generation++;
	hwperf_let_count(map, slot);
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

	if (result)
		return result;
	if (hwperf_is_empty(control) || hwperf_wants_system(control))
		return -EINVAL;
	machine_lock(map);
	result = map->m->hwperf.system ? -EBUSY :
					 hwperf_begin(map, slot, control);
	machine_unlock(map);
	return result;
}

/* Values of events that stay are kept, unless the counters were released. */
static s64
modify(struct machine_map *map, unsigned slot,
       const struct hwperf_control *control)
{
	struct hwperf_process *p = &map->m->slot[slot].hwperf;

	if (p->system) {
		if (!hwperf_wants_system(control))
			return -EINVAL;
		hwperf_system_change(map, control);
		return map->m->hwperf.generation;
	}
	if (!(p->counting || p->released) || hwperf_wants_system(control))
		return -EINVAL;
	if (p->released)
		return map->m->hwperf.system ? -EBUSY :
					       hwperf_begin(map, slot, control);
	hwperf_settle(map, slot);
	p->control = *control;
	hwperf_first(&p->control, p->current);
	hwperf_wind(p);
	p->generation++;
	hwperf_let_count(map, slot);
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

	if (p->system) {
		hwperf_system_settle(map);
		memcpy(value, map->m->hwperf.global,
		       sizeof map->m->hwperf.global);
		return map->m->hwperf.generation;
	}
	if (!p->generation)
		return -EINVAL;
	hwperf_settle(map, slot);
	memcpy(value, hwperf_show(&p->counters), sizeof p->counters.shown);
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
		p->of_tool = false;
		p->released = true;
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
	const struct machine_totals *t;
	u64 sig[SIG_N], user, all;
	s64 result;

	memset(usage, 0, sizeof *usage);
	machine_lock(map);
	result = read_values(map, slot, usage->value);
	memcpy(usage->kind, p->calls, sizeof usage->kind);
	memcpy(usage->bytes, p->bytes, sizeof usage->bytes);
	t = machine_slot_totals(map, slot);
	machine_totals_signals(config, t, MODE_USER, -1, -1, sig);
	all = machine_all_cycles(config, t, -1);
	machine_unlock(map);
	user = machine_cycles(sig);
	usage->user_ns = cycles_to_ns(config, user);
	usage->system_ns = cycles_to_ns(config, all - user);
	usage->faults = sig[SIG_OS_PAGE];
	usage->tlb_misses = sig[SIG_JTLB_I_MISS] + sig[SIG_JTLB_D_MISS];
	usage->calls = sig[SIG_OS_SYSCALL];
	usage->signals = sig[SIG_OS_SIGNAL];
	return result;
}
