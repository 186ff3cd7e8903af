/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a CPU's events. */
#include "table_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is known of the codes of a list. */
enum code_state { CODE_UNKNOWN, CODE_EVENT, CODE_RESERVED };

struct codes {
	u8 state[2][TABLE_MAX_CODE + 1];
	u8 counters[2][TABLE_MAX_CODE + 1]; /* that have an event for it */
};

static bool
has_signals(u8 precision)
{
	return precision != PMCSIM_ZERO && precision != PMCSIM_NOT_MODELLED;
}

static bool
has_fetches(const struct event_term *list, int n)
{
	while (n-- > 0)
		if (list[n].signal == SIG_IFETCH)
			return true;
	return false;
}

static int
check_signals(struct table_check *check, const struct yaml_event *event)
{
	size_t base = strlen(check->path);
	struct event_term list[SIM_EVENT_TERMS];
	int n = 0;

	for (unsigned i = 0; i < event->signals_count; i++) {
		const char *name = event->signals[i];

		snprintf(check->path + base, sizeof check->path - base,
			 ".signals[%u]", i);
		n = table_terms(name, list, n, SIM_COUNT(list));
		if (n == -ENOENT)
			return table_fail(check, "unknown signal '%s'", name);
		if (*name == '-' && event->divide > 1)
			return table_fail(check,
					  "'%s' is taken off what is divided",
					  name);
		/* Of what is thrown away there are tenths. */
		if (event->divide > 1 && has_fetches(list, n))
			return table_fail(check, "'%s' cannot be divided",
					  name);
		if (n == -EINVAL ||
		    (n > 0 && !list[n - 1].mask && strchr(name, '@') &&
		     event->masked != PMCSIM_MASK_NUMBER))
			return table_fail(check,
					  "'%s': a mask (@) or factor (*) is "
					  "1 to 255",
					  name);
		if (n > 0 && list[n - 1].mask && !event->masked)
			return table_fail(check,
					  "'%s' has a mask, but the event is "
					  "not masked",
					  name);
		if (n == -EEXIST)
			return table_fail(check,
					  "signal '%s' is added up twice",
					  name);
		if (n < 0)
			return table_fail(check,
					  "more than %zu signals in an event",
					  SIM_COUNT(list));
	}
	return 0;
}

static int
check_per_cycle(struct table_check *check, const struct yaml_event *event)
{
	size_t base = strlen(check->path);

	if (event->per_cycle_count > SIM_EVENT_PER_CYCLE)
		return table_fail(check, "more than %u signals per cycle",
				  SIM_EVENT_PER_CYCLE);
	for (unsigned i = 0; i < event->per_cycle_count; i++) {
		snprintf(check->path + base, sizeof check->path - base,
			 ".per_cycle[%u]", i);
		if (signal_find(event->per_cycle[i]) < 0)
			return table_fail(check, "unknown signal '%s'",
					  event->per_cycle[i]);
	}
	return 0;
}

/* A signal of its own, and none of "insn", which stands for none. */
static int
check_named(struct table_check *check, const char *name)
{
	if (!name || signal_find(name) > 0)
		return 0;
	return table_fail(check, "unknown signal '%s'", name);
}

static int
check_counters(struct table_check *check, const struct yaml_event *event)
{
	const struct yaml_cpu *cpu = check->file->cpu;

	if (event->counters_count && !cpu->events.all_count)
		return table_fail(check,
				  "event %s is on a list of counters already",
				  event->name);
	for (unsigned i = 0; i < event->counters_count; i++)
		if (event->counters[i] >= cpu->config.n_counters)
			return table_fail(check,
					  "there is no counter %u for event "
					  "%s",
					  event->counters[i], event->name);
	return 0;
}

/* That its code is free on its list, where it takes its place. */
static int
take_code(struct table_check *check, const struct yaml_event *event,
	  unsigned list, struct codes *codes)
{
	u8 counters = (u8)table_event_counters(event, 0xff);

	if (event->code > TABLE_MAX_CODE)
		return table_fail(check, "code is %u, but can be 0 to %u",
				  event->code, TABLE_MAX_CODE);
	if (event->variant)
		return 0;
	if (codes->counters[list][event->code] & counters)
		return table_fail(check,
				  "event %u is on the %s list twice",
				  event->code,
				  table_list_name(check->file->cpu, list));
	codes->state[list][event->code] = CODE_EVENT;
	codes->counters[list][event->code] |= counters;
	return 0;
}

static bool
same_names(char **a, unsigned n, char **b, unsigned m)
{
	if (n != m)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (strcmp(a[i], b[i]))
			return false;
	return true;
}

/* Whether a variant is the event of its code by another name. */
static bool
is_other_name(const struct table_check *check, const struct yaml_event *event,
	      unsigned list)
{
	unsigned n;
	const struct yaml_event *e =
		table_yaml_events(check->file->cpu, list, &n);

	for (unsigned i = 0; i < n; i++)
		if (e[i].code == event->code && !e[i].variant)
			return e[i].precision == event->precision &&
			       same_names(e[i].signals, e[i].signals_count,
					  event->signals,
					  event->signals_count) &&
			       same_names(e[i].per_cycle,
					  e[i].per_cycle_count,
					  event->per_cycle,
					  event->per_cycle_count);
	return false;
}

/* What its precision asks for, and what it rules out. */
static int
check_precision(struct table_check *check, const struct yaml_event *event,
		unsigned list)
{
	bool signals = has_signals(event->precision);

	if (event->variant && signals && !is_other_name(check, event, list))
		return table_fail(check, "event %s is a variant, which no "
					 "counter can tell, but adds up "
					 "other signals",
				  event->name);
	if (!signals && !event->reason)
		return table_fail(check,
				  "event %s is zero or not modelled, but no "
				  "reason is given",
				  event->name);
	if (!signals && event->signals_count)
		return table_fail(check,
				  "event %s is zero or not modelled, but adds "
				  "up signals",
				  event->name);
	if (event->of_user && event->precision != PMCSIM_ZERO &&
	    event->precision != PMCSIM_EXACT)
		return table_fail(check,
				  "event %s is of_user, which is for events "
				  "that are zero or exact", event->name);
	if (event->of_several && event->precision != PMCSIM_ZERO)
		return table_fail(check,
				  "event %s is of_several, which is for events "
				  "that are zero", event->name);
	if (signals && !event->signals_count)
		return table_fail(check, "event %s adds up no signals",
				  event->name);
	return 0;
}

static int
check_event(struct table_check *check, const struct yaml_event *event,
	    unsigned list, unsigned index, struct codes *codes)
{
	const char *name = table_list_name(check->file->cpu, list);

	table_at(check, "events.%s[%u].code", name, index);
	if (take_code(check, event, list, codes))
		return -EINVAL;
	table_at(check, "events.%s[%u]", name, index);
	if (check_precision(check, event, list))
		return -EINVAL;
	if (event->divide && (event->divide > 10 || 10 % event->divide))
		return table_fail(check,
				  "event %s is divided by %u, but can be by "
				  "1, 2, 5 or 10",
				  event->name, event->divide);
	if (check_counters(check, event))
		return -EINVAL;
	if (event->per_cycle_count && check_per_cycle(check, event))
		return -EINVAL;
	if (check_named(check, event->cycles) ||
	    check_named(check, event->edges))
		return -EINVAL;
	table_at(check, "events.%s[%u]", name, index);
	return check_signals(check, event);
}

static int
check_reserved(struct table_check *check, const struct yaml_range *range,
	       unsigned list, unsigned index, struct codes *codes)
{
	const char *name = table_list_name(check->file->cpu, list);

	table_at(check, "reserved.%s[%u]", name, index);
	if (range->first > range->last || range->last > TABLE_MAX_CODE)
		return table_fail(check,
				  "codes %u to %u are not a range within 0 to "
				  "%u",
				  range->first, range->last, TABLE_MAX_CODE);
	for (u32 code = range->first; code <= range->last; code++) {
		if (codes->state[list][code])
			return table_fail(check,
					  "code %u is on the %s list already",
					  code, name);
		codes->state[list][code] = CODE_RESERVED;
	}
	return 0;
}

/* Names are unique on a list; quadratic, but tables are small. */
static int
check_names(struct table_check *check, unsigned list)
{
	unsigned n;
	const struct yaml_cpu *cpu = check->file->cpu;
	const struct yaml_event *event = table_yaml_events(cpu, list, &n);

	for (unsigned i = 1; i < n; i++)
		for (unsigned j = 0; j < i; j++) {
			if (strcmp(event[i].name, event[j].name))
				continue;
			table_at(check, "events.%s[%u].name",
				 table_list_name(cpu, list), i);
			return table_fail(check,
					  "name %s is on the %s list twice",
					  event[i].name,
					  table_list_name(cpu, list));
		}
	return 0;
}

static int
check_list(struct table_check *check, unsigned list, struct codes *codes)
{
	const struct yaml_cpu *cpu = check->file->cpu;
	const struct yaml_range *range;
	const struct yaml_event *event;
	unsigned n;
	int rc = 0;

	event = table_yaml_events(cpu, list, &n);
	for (unsigned i = 0; i < n && !rc; i++)
		rc = check_event(check, &event[i], list, i, codes);
	range = table_yaml_reserved(cpu, list, &n);
	for (unsigned i = 0; i < n && !rc; i++)
		rc = check_reserved(check, &range[i], list, i, codes);
	return rc ? rc : check_names(check, list);
}

int
table_check_events(const struct table_file *file, struct pmcsim_error *error)
{
	struct table_check check = {.file = file, .error = error};
	const struct yaml_events *e = &file->cpu->events;
	struct codes *codes;
	int rc;

	table_at(&check, "events");
	if (!file->cpu->config.n_counters)
		return e->all_count + e->even_count + e->odd_count ?
			       table_fail(&check, "there are no counters to "
						  "count events") : 0;
	if (e->all_count ? e->even_count || e->odd_count
			 : !e->even_count || !e->odd_count)
		return table_fail(&check, "events are on the lists even and "
					  "odd, or on the list all");
	if (!e->all_count && file->cpu->config.n_counters & 1)
		return table_fail(&check, "an odd number of counters needs "
					  "the list all");
	if (e->all_count + e->even_count + e->odd_count > SIM_MAX_EVENTS)
		return table_fail(&check, "more than %u events",
				  SIM_MAX_EVENTS);
	codes = calloc(1, sizeof *codes);
	if (!codes)
		return -ENOMEM;
	rc = check_list(&check, 0, codes);
	if (!rc)
		rc = check_list(&check, 1, codes);
	free(codes);
	return rc;
}
