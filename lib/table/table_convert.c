/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events, groups and metrics: from YAML to what the library uses. */
#include "machine/pmu.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>

#define ALL_STATES 0xfu		/* of a line: see PMCSIM_MASK_MESI */

/* Counters that take their events from a list. */
static unsigned
counters_of(const struct yaml_cpu *yaml, unsigned list)
{
	unsigned mask = 0;

	for (unsigned i = 0; i < yaml->config.n_counters; i++)
		if (table_list_of(yaml, i) == list)
			mask |= 1u << i;
	return mask;
}

unsigned
table_event_counters(const struct yaml_event *event, unsigned all)
{
	unsigned mask = 0;

	for (unsigned i = 0; i < event->counters_count; i++)
		mask |= 1u << event->counters[i] % 32;
	return mask ? mask : all;
}

static enum sim_scope
scope_of(char letter)
{
	return letter == 'P'   ? SCOPE_PROCESSOR
	       : letter == 'V' ? SCOPE_VPE
			       : SCOPE_TC;
}

/* What a unit mask can be: the terms of an event tell. */
static unsigned
mask_limit(const struct yaml_event *event)
{
	struct event_term term[SIM_EVENT_TERMS];
	unsigned n = 0, limit = 0;

	for (unsigned i = 0; i < event->signals_count; i++)
		n = (unsigned)table_terms(event->signals[i], term, n,
					  SIM_EVENT_TERMS);
	for (unsigned i = 0; i < n; i++)
		if (event->masked == PMCSIM_MASK_BITS)
			limit |= term[i].mask;
		else if (term[i].mask > limit)
			limit = term[i].mask;
	return limit;
}

static unsigned
mask_default(const struct yaml_event *event)
{
	if (event->masked == PMCSIM_MASK_BITS)
		return mask_limit(event);
	return event->masked == PMCSIM_MASK_MESI ? ALL_STATES : 0;
}

static void
add_sim_event(struct sim_config *config, const struct yaml_event *event,
	      unsigned counters)
{
	struct sim_event *sim = &config->event[config->n_events++];

	*sim = (struct sim_event){
		.code = event->code,
		.counters = counters,
		.scope = scope_of(event->scope),
		.unknown = event->precision == PMCSIM_NOT_MODELLED,
		.of_user = event->of_user,
		.divide = event->divide,
		.mask_is_number = event->masked == PMCSIM_MASK_NUMBER,
		.mask_default = (u8)mask_default(event),
	};
	for (unsigned i = 0; i < event->signals_count; i++)
		sim->n = (u8)table_terms(event->signals[i], sim->term, sim->n,
					 SIM_EVENT_TERMS);
	for (unsigned i = 0; i < event->per_cycle_count; i++)
		sim->per_cycle[sim->n_per_cycle++] =
			(u16)signal_find(event->per_cycle[i]);
	if (event->cycles)
		sim->cycles = (u16)signal_find(event->cycles);
	if (event->edges)
		sim->edges = (u16)signal_find(event->edges);
}

static void
hide(struct sim_event *sim, struct pmcsim_event *event, const char *reason)
{
	if (event->precision == PMCSIM_NOT_MODELLED)
		return;
	sim->unknown = true;
	event->precision = PMCSIM_NOT_MODELLED;
	event->reason = reason;
}

/* Intervals know no single instructions, nor the order of accesses. */
static void
hide_single(struct sim_config *config, struct pmcsim_event *event)
{
	struct sim_event *sim = &config->event[config->n_events - 1];

	if (config->pipe.kind != PIPELINE_INTERVAL)
		return;
	if (sim->n_per_cycle && sim->per_cycle[0] >= SIG_RETIRE_INSN_1 &&
	    sim->per_cycle[0] <= SIG_RETIRE_INSN_4) {
		sim->n_per_cycle = 0;
		event->per_cycle = false;
	}
	if (pmu_event_need(sim))
		hide(sim, event,
		     "what single instructions do in flight, and which "
		     "accesses pass each other, is known to a pipeline of "
		     "kind window only");
}

static bool
counts_entries(const struct sim_event *e)
{
	for (unsigned i = 0; i < e->n; i++)
		if (e->term[i].signal >= SIG_FSB_Q1 &&
		    e->term[i].signal <= SIG_WBB_Q3)
			return true;
	return false;
}

/* A window has no time that the entries of a buffer could be counted at: accesses
 * come in the order of the program. */
static void
hide_entries(struct sim_config *config, struct pmcsim_event *event)
{
	struct sim_event *sim = &config->event[config->n_events - 1];

	if (pipeline_is_window(&config->pipe) && counts_entries(sim))
		hide(sim, event,
		     "how many entries of a buffer are in use is known to a "
		     "pipeline in order only");
}

static void
add_event(struct pmcsim_cpu *cpu, const struct yaml_event *event,
	  unsigned counters)
{
	cpu->event[cpu->n_events++] = (struct pmcsim_event){
		.code = event->code,
		.counters = counters,
		.name = event->name,
		.label = event->label,
		.text = event->text,
		.scope = event->scope,
		.masked = event->masked,
		.mask_limit = mask_limit(event),
		.mask_default = mask_default(event),
		.per_cycle = event->per_cycle_count != 0,
		.variant = event->variant,
		.averaged = event->averaged,
		.of_user = event->of_user,
		.of_samples = event->of_samples,
		.precision = event->precision,
		.reason = event->reason,
		.of_several = event->of_several,
	};
	if (event->variant)
		return;
	add_sim_event(&cpu->config, event, counters);
	hide_single(&cpu->config, &cpu->event[cpu->n_events - 1]);
	hide_entries(&cpu->config, &cpu->event[cpu->n_events - 1]);
}

static void
add_reserved(struct pmcsim_cpu *cpu, const struct yaml_range *range,
	     unsigned counters)
{
	for (u32 code = range->first; code <= range->last; code++)
		cpu->event[cpu->n_events++] = (struct pmcsim_event){
			.code = code,
			.counters = counters,
			.name = "RESERVED",
			.label = "reserved",
			.text = "Not for use: what a counter would count is "
				"not defined.",
			.reserved = true,
			.precision = PMCSIM_NOT_MODELLED,
			.reason = "the event code is reserved",
		};
}

static int
by_code(const void *a, const void *b)
{
	const struct pmcsim_event *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	if (x->variant != y->variant)
		return x->variant ? 1 : -1;
	return x->counters < y->counters ? -1 : x->counters > y->counters;
}

/* Events and reserved codes of a table. */
static size_t
count_codes(const struct yaml_cpu *yaml)
{
	size_t codes = 0;
	unsigned n;

	for (unsigned list = 0; list < 2; list++) {
		const struct yaml_range *range =
			table_yaml_reserved(yaml, list, &n);

		for (unsigned i = 0; i < n; i++)
			codes += range[i].last - range[i].first + 1;
		table_yaml_events(yaml, list, &n);
		codes += n;
	}
	return codes;
}

static int
convert_events(struct pmcsim_cpu *cpu)
{
	const struct yaml_cpu *yaml = cpu->file.cpu;
	const struct yaml_event *event;
	const struct yaml_range *range;
	unsigned n;

	cpu->event = calloc(count_codes(yaml), sizeof *cpu->event);
	if (!cpu->event)
		return -ENOMEM;
	for (unsigned list = 0; list < 2; list++) {
		unsigned counters = counters_of(yaml, list);

		event = table_yaml_events(yaml, list, &n);
		for (unsigned i = 0; i < n; i++)
			add_event(cpu, &event[i],
				  table_event_counters(&event[i], counters));
		range = table_yaml_reserved(yaml, list, &n);
		for (unsigned i = 0; i < n; i++)
			add_reserved(cpu, &range[i], counters);
	}
	qsort(cpu->event, cpu->n_events, sizeof *cpu->event, by_code);
	return 0;
}

/* One public group per name: aliases are groups too, without an option. */
static int
convert_groups(struct pmcsim_cpu *cpu)
{
	const struct yaml_cpu *yaml = cpu->file.cpu;
	size_t room = 0;

	for (unsigned i = 0; i < yaml->groups_count; i++)
		room += 1 + yaml->groups[i].aliases_count;
	cpu->group = calloc(room + 1, sizeof *cpu->group);
	if (!cpu->group)
		return -ENOMEM;
	for (unsigned i = 0; i < yaml->groups_count; i++) {
		const struct yaml_group *g = &yaml->groups[i];
		struct pmcsim_group group = {
			.name = g->name,
			.option = g->option,
			.text = g->text,
		};
		unsigned n;

		group.even = table_yaml_codes(yaml, g, 0, &n);
		group.n_even = n;
		group.odd = table_yaml_codes(yaml, g, 1, &n);
		group.n_odd = n;
		cpu->group[cpu->n_groups++] = group;
		group.option = NULL;
		for (unsigned j = 0; j < g->aliases_count; j++) {
			group.name = g->aliases[j];
			cpu->group[cpu->n_groups++] = group;
		}
	}
	return 0;
}

static int
convert_metrics(struct pmcsim_cpu *cpu)
{
	const struct yaml_cpu *yaml = cpu->file.cpu;

	cpu->metric = calloc(yaml->metrics_count + 1, sizeof *cpu->metric);
	if (!cpu->metric)
		return -ENOMEM;
	for (unsigned i = 0; i < yaml->metrics_count; i++) {
		const struct yaml_metric *m = &yaml->metrics[i];

		cpu->metric[cpu->n_metrics++] = (struct pmcsim_metric){
			.name = m->name,
			.label = m->label,
			.text = m->text,
			.unit = m->unit == YAML_PERCENT ? "percent" : "ratio",
			.digits = m->digits,
		};
	}
	return 0;
}

int
table_convert(struct pmcsim_cpu *cpu)
{
	int rc = convert_events(cpu);

	if (!rc)
		rc = convert_groups(cpu);
	return rc ? rc : convert_metrics(cpu);
}
