/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of events to those of a CPU's counters. */
#include "lexicon.h"
#include "table_check.h"

#include "machine/pmu.h"

#include <stdlib.h>
#include <string.h>

#define HAPPENINGS 2520u	/* that any divisor up to 10 divides */

/* What an event counts of so many happenings of a signal. */
static u64
weight(const struct sim_event *event, unsigned signal)
{
	struct pmu_select select = {.mask = event->mask_default};
	u64 sig[SIG_N] = {0};

	sig[signal] = HAPPENINGS;
	return pmu_count(event, &select, sig);
}

static bool
is_same(const struct sim_event *a, const struct sim_event *b)
{
	for (unsigned g = 0; g < SIG_N; g++)
		if (weight(a, g) != weight(b, g))
			return false;
	return true;
}

/* The number of the table's event with that code and those counters. */
static const struct sim_event *
counted(const struct sim_config *config, const struct pmcsim_event *e)
{
	for (u32 i = 0; i < config->n_events; i++)
		if (config->event[i].code == e->code &&
		    config->event[i].counters == e->counters)
			return &config->event[i];
	return NULL;
}

static bool
has_name(const struct pmcsim_event *e, const char *name)
{
	return !strcasecmp(e->name, name) ||
	       (e->label && !strcasecmp(e->label, name));
}

static bool
is_candidate(const struct pmcsim_event *e, unsigned counters)
{
	return !e->reserved && !e->variant && !e->of_samples &&
	       e->counters & counters;
}

const struct pmcsim_event *
pmcsim_lexicon_event(const struct pmcsim_lexicon *l, unsigned counters,
		     const char *name)
{
	const struct pmcsim_cpu *cpu = l->cpu;
	int word;

	for (size_t i = 0; i < cpu->n_events; i++)
		if (is_candidate(&cpu->event[i], counters) &&
		    has_name(&cpu->event[i], name))
			return &cpu->event[i];
	word = pmcsim_lexicon_find(l, name);
	if (word < 0 || (size_t)word >= l->n_words || !l->event[word].n ||
	    l->named[word].unit != PMCSIM_UNIT_NONE)
		return NULL;
	for (size_t i = 0; i < cpu->n_events; i++) {
		const struct sim_event *own =
			counted(&cpu->config, &cpu->event[i]);

		if (own && is_candidate(&cpu->event[i], counters) &&
		    cpu->event[i].precision != PMCSIM_NOT_MODELLED &&
		    is_same(own, &l->event[word]))
			return &cpu->event[i];
	}
	return NULL;
}

/* Whether the operating system knows it, as page faults and times. */
static bool
is_of_system(const struct pmcsim_lexicon *l, size_t word)
{
	if (l->named[word].unit != PMCSIM_UNIT_NONE)
		return true;
	for (unsigned g = 0; g < SIG_N; g++)
		if (weight(&l->event[word], g) &&
		    strncmp(signal_name(g), "os.", 3) != 0)
			return false;
	return true;
}

/* Those that can be programmed. */
static unsigned
general_counters(const struct pmcsim_lexicon *l, size_t named)
{
	unsigned all = (1u << l->cpu->config.n_counters) - 1, counters = 0;

	if (named >= l->n_words)
		return l->event[named].counters & all;
	for (u32 i = 0; i < l->cpu->config.n_counters; i++)
		if (pmcsim_lexicon_event(l, 1u << i, l->named[named].name))
			counters |= 1u << i;
	return counters ? counters : all;
}

static bool
is_fixed(const struct pmcsim_lexicon *l, const struct yaml_fixed *fixed,
	 size_t named)
{
	for (unsigned i = 0; i < fixed->events_count; i++)
		if (pmcsim_lexicon_find(l, fixed->events[i]) == (int)named)
			return true;
	return false;
}

int
lexicon_check_fixed(const struct pmcsim_lexicon *l,
		    struct pmcsim_error *error)
{
	struct table_check check = {.file = &l->cpu->file, .error = error};
	const struct yaml_cpu *cpu = l->cpu->file.cpu;

	table_at(&check, "fixed_counters");
	if (cpu->fixed_count > TABLE_MAX_FIXED)
		return table_fail(&check, "more than %u fixed counters",
				  TABLE_MAX_FIXED);
	for (unsigned i = 0; i < cpu->fixed_count; i++)
		for (unsigned k = 0; k < cpu->fixed[i].events_count; k++) {
			const char *name = cpu->fixed[i].events[k];

			table_at(&check, "fixed_counters[%u].events[%u]", i,
				 k);
			if (pmcsim_lexicon_find(l, name) < 0)
				return table_fail(&check,
						  "no event is called '%s'",
						  name);
		}
	return 0;
}

unsigned
pmcsim_lexicon_counters(const struct pmcsim_lexicon *l, size_t named)
{
	const struct yaml_cpu *cpu = l->cpu->file.cpu;
	unsigned counters, first = l->cpu->config.n_counters;

	if (named < l->n_words && is_of_system(l, named))
		return 0;
	counters = general_counters(l, named);
	for (unsigned i = 0; i < cpu->fixed_count; i++) {
		if (!is_fixed(l, &cpu->fixed[i], named))
			continue;
		if (cpu->fixed[i].only)
			counters = 0;
		counters |= 1u << (first + i);
	}
	return counters;
}
