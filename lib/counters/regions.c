/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions of a target, and what was counted in them. */
#include "lexicon_count.h"

#include "machine/machine_region.h"
#include "machine/pmu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
pmcsim_machine_count_regions(struct pmcsim_machine *m, const char *procedure)
{
	struct machine *machine = m->map.m;

	if (procedure && strlen(procedure) >= sizeof machine->function)
		return -E2BIG;
	machine_regions_clear(&m->map);
	memset(machine->function, 0, sizeof machine->function);
	if (procedure)
		strcpy(machine->function, procedure);
	machine->need |= NEED_REGIONS;
	return 0;
}

void
pmcsim_machine_count_threads(struct pmcsim_machine *m)
{
	pmcsim_machine_count_regions(m, NULL);
	m->map.m->need |= NEED_THREADS;
}

void
pmcsim_machine_count_first(struct pmcsim_machine *m)
{
	pmcsim_machine_count_regions(m, NULL);
	m->map.m->need |= NEED_FIRST;
}

int
pmcsim_machine_profile_region(struct pmcsim_machine *m, const char *name,
			      bool procedure)
{
	int number, rc = pmcsim_machine_count_regions(m, procedure ? name
								   : NULL);

	if (rc != 0)
		return rc;
	number = machine_region_find(&m->map, name, procedure
							    ? REGION_FUNCTION
							    : REGION_MARKED);
	m->map.m->profile_region = (u32)number + 1;
	return 0;
}

bool
pmcsim_machine_has_procedure(const struct pmcsim_machine *m)
{
	return m->map.m->function_found;
}

static int
by_name(const void *a, const void *b)
{
	const struct pmcsim_region *p = a, *q = b;
	int order = strcmp(p->name, q->name);

	/* Threads as they began: the second one before the tenth. */
	if (p->kind == PMCSIM_REGION_THREAD && q->kind == p->kind)
		return (int)p->number - (int)q->number;
	return order ? order : (int)p->kind - (int)q->kind;
}

int
pmcsim_machine_regions(struct pmcsim_machine *m, struct pmcsim_region **list,
		       size_t *n)
{
	const struct machine *machine = m->map.m;
	u32 all = machine->n_regions;

	*n = 0;
	*list = calloc(all + 1u, sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (u32 i = 0; i < all; i++) {
		const struct machine_region *r = &machine->region[i];

		if (!r->begun && !r->unbegun && !r->left_out &&
		    r->kind != REGION_FUNCTION)
			continue; /* its markers were not executed */
		(*list)[(*n)++] = (struct pmcsim_region){
			.name = r->name,
			.kind = (enum pmcsim_region_kind)r->kind,
			.number = i,
			.entries = r->begun,
			.unended = r->kind == REGION_THREAD
					   ? 0 : r->begun - r->ended,
			.unbegun = r->unbegun,
			.left_out = r->left_out,
		};
	}
	qsort(*list, *n, sizeof(**list), by_name);
	return 0;
}

unsigned
pmcsim_machine_regions_lost(const struct pmcsim_machine *m)
{
	return m->map.m->regions_lost;
}

struct machine_totals *
region_totals(struct pmcsim_machine *m, unsigned number)
{
	struct machine_totals *t = malloc(sizeof *t);

	if (t)
		machine_region_totals(&m->map, number, t);
	return t;
}

int
pmcsim_region_read(struct pmcsim_machine *m,
		   const struct pmcsim_region *region,
		   const struct pmcsim_lexicon *l,
		   const struct pmcsim_ask *ask, size_t n,
		   struct pmcsim_value *value)
{
	struct machine_totals *t = region_totals(m, region->number);

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		lexicon_value(l, m->map.m, t, &ask[i], &value[i]);
	free(t);
	return 0;
}

/* What a slot counts, whether it has been programmed or not. */
static struct pmu_select
select_of(const struct sim_config *config, const struct pmcsim_slot *slot)
{
	int event = pmu_find_event(config, slot->counter, slot->code);
	bool tc = slot->tc >= 0, vpe = slot->vpe >= 0;

	return (struct pmu_select){
		.event = event,
		.modes = (u8)slot->modes,
		.scope = tc ? SCOPE_TC : vpe ? SCOPE_VPE : SCOPE_PROCESSOR,
		.scope_id = (u8)(tc ? slot->tc : vpe ? slot->vpe : 0),
		.mask = event < 0 ? 0 : config->event[event].mask_default,
	};
}

int
pmcsim_region_values(struct pmcsim_machine *m,
		     const struct pmcsim_region *region,
		     const struct pmcsim_run *run, uint64_t *count)
{
	const struct sim_config *config = &m->map.m->config;
	struct machine_totals *t;

	memset(count, 0, run->n * sizeof(*count));
	if (!region)
		return 0;
	t = region_totals(m, region->number);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < run->n; i++) {
		struct pmu_select select = select_of(config, &run->slot[i]);

		count[i] = pmu_totals_sum(config, t, &select);
	}
	free(t);
	return 0;
}

int
pmcsim_region_time(struct pmcsim_machine *m,
		   const struct pmcsim_region *region, double *user,
		   double *system)
{
	const struct sim_config *config = &m->map.m->config;
	struct machine_totals *t = region_totals(m, region->number);
	u64 sig[SIG_N];

	*user = *system = 0;
	if (!t)
		return -ENOMEM;
	for (unsigned mode = 0; mode < MODE_N; mode++) {
		machine_totals_signals(config, t, (enum sim_mode)mode, -1, -1,
				       sig);
		*(mode == MODE_USER ? user : system) +=
			(double)machine_cycles(sig) / (double)config->clock_hz;
	}
	free(t);
	return 0;
}
