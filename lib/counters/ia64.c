/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PMC and PMD registers of a machine, from outside; its time. */
#include "device/ia64.h"
#include "machine_api.h"
#include "table/table.h"

#include <errno.h>

static bool
has_registers(const struct pmcsim_machine *m)
{
	return m->map.m->config.system == SYSTEM_IA64;
}

int
pmcsim_ia64_set_pmc(struct pmcsim_machine *m, unsigned i, uint64_t value)
{
	return has_registers(m) ? ia64_set_pmc(&m->map, 0, i, value) : -ENODEV;
}

int
pmcsim_ia64_get_pmc(struct pmcsim_machine *m, unsigned i, uint64_t *value)
{
	return has_registers(m) ? ia64_get_pmc(&m->map, 0, i, value) : -ENODEV;
}

int
pmcsim_ia64_set_pmd(struct pmcsim_machine *m, unsigned i, uint64_t value)
{
	return has_registers(m) ? ia64_set_pmd(&m->map, 0, i, value) : -ENODEV;
}

int
pmcsim_ia64_get_pmd(struct pmcsim_machine *m, unsigned i, uint64_t *value)
{
	return has_registers(m) ? ia64_get_pmd(&m->map, 0, i, value) : -ENODEV;
}

int
pmcsim_ia64_ssm(struct pmcsim_machine *m, uint32_t mask)
{
	return has_registers(m) ? ia64_system_mask(&m->map, 0, mask, true) :
				  -ENODEV;
}

int
pmcsim_ia64_rsm(struct pmcsim_machine *m, uint32_t mask)
{
	return has_registers(m) ? ia64_system_mask(&m->map, 0, mask, false) :
				  -ENODEV;
}

/* Programs that start from now on look out for monitors that interrupt. */
int
pmcsim_ia64_serialize(struct pmcsim_machine *m)
{
	if (!has_registers(m))
		return -ENODEV;
	ia64_serialize(&m->map);
	for (unsigned n = 0; n < IA64_MONITORS; n++)
		if (ia64_distance(&m->map, n))
			m->map.m->need |= NEED_WATCH;
	return 0;
}

int
pmcsim_ia64_count(struct pmcsim_machine *m, unsigned i, uint64_t *count)
{
	if (!has_registers(m) || i < IA64_FIRST || i >= IA64_REGISTERS ||
	    m->map.m->n_counters < IA64_MONITORS)
		return -ENODEV;
	*count = ia64_count(&m->map, i - IA64_FIRST);
	return 0;
}

const char *
pmcsim_ia64_unknown(const struct pmcsim_machine *m, unsigned i)
{
	const struct machine *machine = m->map.m;
	struct pmu_select select;

	if (!has_registers(m) || i < IA64_FIRST || i >= IA64_REGISTERS ||
	    machine->n_counters < IA64_MONITORS)
		return NULL;
	select = pmu_selection(&machine->counter[i - IA64_FIRST]);
	return unknown_text(pmu_others(&machine->config, machine->system,
				       &select), select.modes);
}

uint64_t
pmcsim_ia64_pmc_reset(const struct pmcsim_cpu *cpu, unsigned i)
{
	return cpu->config.system == SYSTEM_IA64 ?
		       ia64_pmc_reset(&cpu->config, i) : 0;
}

unsigned
pmcsim_ia64_width(const struct pmcsim_cpu *cpu)
{
	return cpu->config.system == SYSTEM_IA64 ? cpu->config.counter_bits :
						   0;
}

void
pmcsim_machine_time(struct pmcsim_machine *m, double *user, double *system)
{
	double hz = (double)m->map.m->config.clock_hz;
	u64 cycles[MODE_N];

	*user = *system = 0;
	machine_mode_cycles(&m->map, cycles);
	for (unsigned mode = 0; mode < MODE_N; mode++)
		*(mode == MODE_USER ? user : system) +=
			(double)cycles[mode] / hz;
}
