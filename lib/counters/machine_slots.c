/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine's counters count: slots of a plan, programmed and read. */
#include "machine_api.h"

#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>

/* Where a slot counts: the narrowest that it names and its event allows. */
static enum sim_scope
slot_scope(const struct pmcsim_slot *slot, const struct sim_event *event)
{
	enum sim_scope wanted = SCOPE_PROCESSOR;

	if (slot->tc >= 0)
		wanted = SCOPE_TC;
	else if (slot->vpe >= 0)
		wanted = SCOPE_VPE;
	return event && event->scope > wanted ? event->scope : wanted;
}

static void
select_slot(const struct sim_config *config, const struct pmcsim_slot *slot,
	    struct pmu_select *select)
{
	int i = pmu_find_event(config, slot->counter, slot->code);
	enum sim_scope scope =
		slot_scope(slot, i >= 0 ? &config->event[i] : NULL);

	*select = (struct pmu_select){
		.control = slot->control,
		.event = i,
		.modes = (u8)slot->modes,
		.scope = scope,
		.mask = i < 0 ? 0 : config->event[i].mask_default,
	};
	if (scope == SCOPE_TC)
		select->scope_id = (u8)slot->tc;
	else if (scope == SCOPE_VPE)
		select->scope_id = slot->vpe >= 0 ?
					   (u8)slot->vpe :
					   config->topo.vpe_of_tc[slot->tc];
}

int
pmcsim_machine_program(struct pmcsim_machine *m, const struct pmcsim_run *run,
		       struct pmcsim_error *error)
{
	struct machine *machine = m->map.m;
	struct pmu_select select;

	for (size_t i = 0; i < run->n; i++) {
		const struct pmcsim_slot *slot = &run->slot[i];

		if (slot->counter >= SIM_WIDE_COUNTERS)
			return engine_fail(error, -E2BIG,
					   "more than %d counters in one run",
					   SIM_WIDE_COUNTERS);
		if (slot->counter >= machine->n_counters)
			machine->n_counters = slot->counter + 1;
	}
	for (size_t i = 0; i < run->n; i++) {
		select_slot(&machine->config, &run->slot[i], &select);
		pmu_program(&m->map, run->slot[i].counter, &select, 0);
		machine->need |= pmu_need(&machine->config, select.event);
	}
	return 0;
}

const char *
unknown_text(enum pmu_others others, unsigned modes)
{
#define UNACCOUNTED(where) "the ledger has nothing of " where "; with " \
			   "--system, its code is executed"
	static const char *const kernel[] = {
		[OTHERS_NOT_LOOKED_AT] = "in kernel mode it is not looked at",
		[OTHERS_UNACCOUNTED] = UNACCOUNTED("kernel mode"),
	}, *const exl[] = {
		[OTHERS_NOT_LOOKED_AT] = "at exception level it is not looked "
					 "at",
		[OTHERS_UNACCOUNTED] = UNACCOUNTED("exception level"),
	};
#undef UNACCOUNTED

	return modes & 1u << MODE_KERNEL ? kernel[others] : exl[others];
}

const char *
unknown_modes(const struct sim_config *config, bool system, unsigned counter,
	      unsigned code, unsigned modes)
{
	struct pmu_select select = {
		.event = pmu_find_event(config, counter, code),
		.modes = (u8)modes,
	};

	return unknown_text(pmu_others(config, system, &select), modes);
}

const char *
pmcsim_machine_unknown(const struct pmcsim_machine *m, unsigned counter,
		       unsigned code, unsigned modes)
{
	return unknown_modes(&m->map.m->config, m->map.m->system, counter, code,
			     modes);
}

static int
fill_values(const struct pmcsim_machine *m, const struct pmcsim_run *run,
	    const u64 *count, struct pmcsim_value *value)
{
	const struct machine *machine = m->map.m;

	for (size_t i = 0; i < run->n; i++) {
		const struct pmcsim_slot *slot = &run->slot[i];
		struct pmcsim_value *v = &value[i];

		if (slot->counter >= machine->n_counters)
			return -EINVAL;
		v->count = count[slot->counter];
		v->shown = machine->range_extension ?
				   v->count :
				   pmu_register(&machine->config, v->count);
		v->wrapped = v->shown != v->count;
		v->ledger = !machine->system &&
			    (slot->modes & ~(1u << MODE_USER)) != 0;
		v->unknown = pmcsim_machine_unknown(m, slot->counter,
						    slot->code, slot->modes);
	}
	return 0;
}

/* A machine may have more counters than a small stack has room for. */
int
pmcsim_machine_values(struct pmcsim_machine *m, const struct pmcsim_run *run,
		      struct pmcsim_value *value)
{
	unsigned n = m->map.m->n_counters;
	u64 *count = malloc(n * sizeof *count);
	int rc;

	if (!count)
		return -ENOMEM;
	pmu_read_all(&m->map, 0, n, count);
	rc = fill_values(m, run, count, value);
	free(count);
	return rc;
}

static u32
slot_need(const struct sim_config *config, const struct pmcsim_slot *slot)
{
	int event = pmu_find_event(config, slot->counter, slot->code);

	if (event >= 0 && slot->modes == 1u << MODE_USER &&
	    pmu_event_is_untimed(&config->event[event]))
		return NEED_COUNT;
	return NEED_COUNT | NEED_TIMING;
}

void
pmcsim_machine_prepare(struct pmcsim_machine *m,
		       const struct pmcsim_plan *plan)
{
	u32 need = NEED_COUNT | (m->map.m->machine_clock ? NEED_TIMING : 0);

	for (size_t k = 0; k < plan->n; k++)
		for (size_t i = 0; i < plan->run[k].n; i++)
			need |= slot_need(&m->map.m->config,
					  &plan->run[k].slot[i]);
	m->map.m->need = need;
}
