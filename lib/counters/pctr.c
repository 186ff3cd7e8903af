/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pctr(4) of a machine, from outside. */
#include "device/pctr.h"
#include "engine/engine.h"
#include "machine_api.h"
#include "table/table.h"

#include <errno.h>

int
pmcsim_pctr_family(const struct pmcsim_cpu *cpu)
{
	if (cpu->config.system != SYSTEM_OPENBSD || !cpu->config.n_counters)
		return 0;
	return cpu->config.counter_control == CONTROL_EVTSEL ? 6 : 5;
}

/* Whether a Pentium Pro's function compares how many instructions retire in a
 * cycle, which the table that the machine is of has hidden: see hide_single(). */
static bool
compares_hidden(const struct sim_config *config, unsigned counter,
		uint32_t function)
{
	int event = pmu_find_event(config, counter, function & PCTR_P6_EVENT);
	const struct sim_event *e = &config->event[event < 0 ? 0 : event];

	return event >= 0 && config->counter_control == CONTROL_EVTSEL &&
	       function >> PCTR_P6_THRESHOLD_SHIFT && !e->n_per_cycle &&
	       e->per_cycle[0] >= SIG_RETIRE_INSN_1 &&
	       e->per_cycle[0] <= SIG_RETIRE_INSN_4;
}

int
pmcsim_pctr_check(const struct pmcsim_machine *m, unsigned counter,
		  uint32_t function, struct pmcsim_error *error)
{
	const struct sim_config *config = &m->map.m->config;
	int rc = -ENODEV;

	if (config->system == SYSTEM_OPENBSD)
		rc = pctr_check(config, counter, function);
	if (rc == -ENODEV)
		return engine_fail(error, rc,
				   "%s has no counter %u of pctr(4)",
				   m->map.m->cpu_name, counter);
	if (rc == -EINVAL && compares_hidden(config, counter, function))
		return engine_fail(error, rc,
				   "0x%x: how many instructions retire in a "
				   "cycle is known to a pipeline of kind "
				   "window only", function);
	if (rc == -EINVAL)
		return engine_fail(error, rc,
				   "0x%x is not a function, or asks for what "
				   "the model cannot tell", function);
	return rc;
}

int
pmcsim_pctr_select(struct pmcsim_machine *m, unsigned counter,
		   uint32_t function, struct pmcsim_error *error)
{
	int rc = pmcsim_pctr_check(m, counter, function, error);

	return rc ? rc : pctr_select(&m->map, counter, function, true);
}

const char *
pmcsim_pctr_unknown(const struct pmcsim_machine *m, unsigned counter)
{
	const struct machine *machine = m->map.m;

	if (machine->config.system != SYSTEM_OPENBSD ||
	    counter >= PCTR_COUNTERS)
		return NULL;
	return unknown_text(pctr_others(machine, counter),
			    1u << MODE_KERNEL);
}

int
pmcsim_pctr_read(struct pmcsim_machine *m, struct pmcsim_pctr *state)
{
	struct pctr_state now;

	if (m->map.m->config.system != SYSTEM_OPENBSD)
		return -ENODEV;
	pctr_read(&m->map, &now);
	for (unsigned n = 0; n < PCTR_COUNTERS; n++) {
		state->function[n] = now.function[n];
		state->counter[n] = now.counter[n];
	}
	state->tsc = now.tsc;
	state->idle = now.idle;
	return 0;
}
