/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pctr.h"

#include <errno.h>

#define KERNEL_MODES                                                       \
	(1u << MODE_KERNEL | 1u << MODE_SUPERVISOR | 1u << MODE_EXL)

/* A function taken apart. */
struct function {
	unsigned event;
	bool user, kernel, enabled, invert, edge;
	u8 mask, threshold;
};

static bool
is_p6(const struct sim_config *config)
{
	return config->counter_control == CONTROL_EVTSEL;
}

static struct function
take_apart(const struct sim_config *config, u32 f)
{
	if (!is_p6(config))
		return (struct function){
			.event = f & PCTR_P5_EVENT,
			.user = f & PCTR_P5_USER,
			.kernel = f & PCTR_P5_KERNEL,
			.enabled = true,
			.threshold = f & PCTR_P5_CYCLES ? 1 : 0,
		};
	return (struct function){
		.event = f & PCTR_P6_EVENT,
		.user = f & PCTR_P6_USER,
		.kernel = f & PCTR_P6_KERNEL,
		.enabled = f & PCTR_P6_ENABLE,
		.edge = f & PCTR_P6_EDGE,
		.invert = f & PCTR_P6_INVERT,
		.mask = (u8)(f >> PCTR_P6_MASK_SHIFT),
		.threshold = (u8)(f >> PCTR_P6_THRESHOLD_SHIFT),
	};
}

/* Whether the model can tell what a function of that event asks for. */
static bool
can_tell(const struct sim_config *config, int event, const struct function *f)
{
	const struct sim_event *e = &config->event[event < 0 ? 0 : event];

	if (event < 0 || !is_p6(config))
		return true;
	if (f->edge)
		return e->edges && f->threshold <= 1;
	return !f->threshold || e->n_per_cycle ||
	       (e->cycles && f->threshold == 1);
}

/* The inverted test of a threshold of 0 never holds; without a threshold
 * the counter adds up happenings. */
static struct pmu_select
selection(const struct sim_config *config, unsigned n, u32 function,
	  bool enabled)
{
	struct function f = take_apart(config, function);
	struct pmu_select select = {
		.control = function,
		.event = pmu_find_event(config, n, f.event),
		.scope = SCOPE_PROCESSOR,
		.mask = f.mask,
		.threshold = f.threshold,
		.invert = f.threshold && f.invert,
		.edge = f.edge,
	};

	if (f.user)
		select.modes |= 1u << MODE_USER;
	if (f.kernel)
		select.modes |= KERNEL_MODES;
	if (!enabled)
		select.event = -1;
	/* What happens at most once per cycle: its cycles are its number. */
	if (select.event >= 0 && !is_p6(config) &&
	    !config->event[select.event].n_per_cycle)
		select.threshold = 0;
	return select;
}

/* The enable bit of counter 0 rules both. */
static bool
enabled(const struct machine *m, unsigned n, u32 function)
{
	u32 first = n ? m->counter[0].control : function;

	return !is_p6(&m->config) || first & PCTR_P6_ENABLE;
}

int
pctr_check(const struct sim_config *config, unsigned n, u32 function)
{
	struct function f = take_apart(config, function);

	if (config->n_counters < PCTR_COUNTERS || n >= PCTR_COUNTERS)
		return -ENODEV;
	if (is_p6(config) ? (function & PCTR_P6_RESERVED) != 0
			  : function >= PCTR_P5_LIMIT)
		return -EINVAL;
	return can_tell(config, pmu_find_event(config, n, f.event), &f)
		       ? 0 : -EINVAL;
}

int
pctr_select(struct machine_map *map, unsigned n, u32 function, bool writable)
{
	const struct machine *m = map->m;
	const struct sim_config *config = &m->config;
	struct pmu_select select;
	int rc;

	if (!writable)
		return -EPERM;
	rc = pctr_check(config, n, function);
	if (rc)
		return rc;
	select = selection(config, n, function, enabled(m, n, function));
	pmu_program(map, n, &select, 0);
	map->m->need |= pmu_need(config, select.event);
	if (n)
		return 0;
	select = selection(config, 1, m->counter[1].control,
			   enabled(m, 1, 0));
	if (m->counter[1].event != select.event)
		pmu_program(map, 1, &select, pmu_read(map, 1));
	return 0;
}

enum pmu_others
pctr_others(const struct machine *m, unsigned n)
{
	struct pmu_select select =
		selection(&m->config, n, m->counter[n].control, true);

	return pmu_others(&m->config, m->system, &select);
}

u32
pctr_cpuid(const struct sim_config *config)
{
	if (config->n_counters < PCTR_COUNTERS)
		return 0;
	if (config->cpuid)
		return config->cpuid;
	return is_p6(config) ? 0x619 : 0x52c;
}

void
pctr_read(struct machine_map *map, struct pctr_state *state)
{
	const struct machine *m = map->m;
	u64 value[PCTR_COUNTERS] = {0};

	*state = (struct pctr_state){0};
	state->tsc = machine_cycles_read(map);
	if (m->config.n_counters < PCTR_COUNTERS)
		return;
	pmu_read_all(map, 0, PCTR_COUNTERS, value);
	for (unsigned n = 0; n < PCTR_COUNTERS; n++) {
		state->function[n] = m->counter[n].control;
		state->counter[n] = pmu_register(&m->config, value[n]);
	}
}
