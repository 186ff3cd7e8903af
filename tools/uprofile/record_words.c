/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words before the program: statistics. */
#include "record.h"

#include "common/event_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct pmcsim_event *
find_event(const struct pmcsim_cpu *cpu, const char *name)
{
	size_t n;
	const struct pmcsim_event *event = pmcsim_cpu_events(cpu, &n);

	for (size_t i = 0; i < n; i++)
		if (!event[i].reserved && event[i].name &&
		    !strcasecmp(event[i].name, name))
			return &event[i];
	return NULL;
}

static const struct pmcsim_metric *
find_metric(const struct pmcsim_cpu *cpu, const char *name)
{
	size_t n;
	const struct pmcsim_metric *metric = pmcsim_cpu_metrics(cpu, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcasecmp(metric[i].name, name))
			return &metric[i];
	return NULL;
}

static unsigned
count_counters(const struct pmcsim_cpu *cpu)
{
	unsigned most = 0;
	size_t n;
	const struct pmcsim_event *event = pmcsim_cpu_events(cpu, &n);

	for (size_t i = 0; i < n; i++)
		most |= event[i].counters;
	return most ? 32 - (unsigned)__builtin_clz(most) : 1;
}

static bool
is_taken(const struct recording *p, unsigned counter)
{
	for (size_t i = 0; i < p->run.n; i++)
		if (p->slot[i].counter == counter)
			return true;
	return false;
}

/* A counter for the event, of a device that has as many as it takes. */
static unsigned
counter_for(const struct recording *p, const struct pmcsim_event *event)
{
	for (unsigned first = 0;; first += p->n_counters)
		for (unsigned i = 0; i < p->n_counters; i++)
			if (event->counters >> i & 1 &&
			    !is_taken(p, first + i))
				return first + i;
}

static bool
has_event(const struct recording *p, const struct pmcsim_event *event)
{
	for (size_t i = 0; i < p->run.n; i++)
		if (p->event[i] == event)
			return true;
	return false;
}

static void
add_event(struct recording *p, const struct pmcsim_event *event)
{
	if (event->precision == PMCSIM_NOT_MODELLED)
		tool_fail(p->o->tool, TOOL_FAILED,
			  "%s cannot be counted: %s", event->name,
			  event->reason ? event->reason : "not modelled");
	if (event->of_user && p->o->modes & ~RECORD_USER)
		tool_fail(p->o->tool, TOOL_FAILED,
			  "%s cannot be counted: in kernel mode it is not "
			  "looked at", event->name);
	if (event->precision == PMCSIM_LEDGER && event->of_samples &&
	    !p->o->exact)
		tool_fail(p->o->tool, TOOL_FAILED,
			  "%s is accounted for all instructions together, not "
			  "for those that are sampled; use -exact",
			  event->name);
	if (p->run.n == PMCSIM_PROFILE_EVENTS)
		tool_fail(p->o->tool, TOOL_USAGE,
			  "%s: a profile has at most %d statistics",
			  event->name, PMCSIM_PROFILE_EVENTS);
	p->event[p->run.n] = event;
	p->slot[p->run.n] = (struct pmcsim_slot){
		.counter = counter_for(p, event),
		.code = event->code,
		.modes = p->o->modes,
		.tc = -1,
		.vpe = -1,
	};
	p->run.n++;
}

/* A ratio is worked out of both its events, which are recorded. */
static void
add_metric(struct recording *p, const struct pmcsim_metric *metric)
{
	struct pmcsim_quotient *q = &p->quotient[p->n_metrics];

	if (p->n_metrics == PMCSIM_PROFILE_EVENTS ||
	    pmcsim_metric_quotient(p->cpu, metric, q))
		tool_fail(p->o->tool, TOOL_FAILED,
			  "%s is no ratio of two events", metric->name);
	p->metric[p->n_metrics++] = metric;
	if (!has_event(p, q->over))
		add_event(p, q->over);
	if (!has_event(p, q->under))
		add_event(p, q->under);
}

/* Cycles of sampled instructions are not those of the processor, for which all
 * other tools have that word: several instructions are in flight in each. */
static void
note_flight(const struct recording *p, const struct pmcsim_event *event)
{
	const struct pmcsim_event *other;

	if (!event->of_samples || strcasecmp(event->name, "cycles") != 0)
		return;
	other = event_named(p->o->tool, p->cpu, EVERY_COUNTER, NULL,
			    "cpu-cycles");
	if (other)
		tool_note(p->o->tool, "%s are those that instructions are in "
			  "flight, added up; the processor's are %s",
			  event->name, other->name);
}

/* False if the word is no statistic. */
static bool
add_statistic(struct recording *p, const char *word)
{
	const struct pmcsim_event *event = find_event(p->cpu, word);
	const struct pmcsim_metric *metric = find_metric(p->cpu, word);

	if (!event && !metric)
		return false;
	for (size_t i = 0; i < p->n_metrics; i++)
		if (p->metric[i] == metric)
			tool_fail(p->o->tool, TOOL_USAGE, "%s twice", word);
	if (!event) {
		add_metric(p, metric);
	} else if (!has_event(p, event)) {
		add_event(p, event);
		note_flight(p, event);
	} else if (!p->n_metrics) {
		tool_fail(p->o->tool, TOOL_USAGE, "%s twice", word);
	}
	return true;
}

/* Cycles, or the first event that there is if they are none. */
static void
add_default(struct recording *p)
{
	static const char *const names[] = {"cycles0", "cycles", "cpu_cycles",
					    "cpu_clk_unhalted"};
	const struct pmcsim_event *event = NULL, *all;
	size_t n, i = 0;

	for (size_t k = 0; k < sizeof names / sizeof *names && !event; k++)
		event = find_event(p->cpu, names[k]);
	all = pmcsim_cpu_events(p->cpu, &n);
	if (!n)
		tool_fail(p->o->tool, TOOL_USAGE, "%s has no counters",
			  pmcsim_cpu_name(p->cpu));
	while (i + 1 < n && (all[i].reserved ||
			     all[i].precision == PMCSIM_NOT_MODELLED))
		i++;
	add_event(p, event ? event : &all[i]);
}

/* ---- Words that are nothing ------------------------------------------ */

static bool
counts(const char *cpu_name, const char *word)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	bool found;

	if (pmcsim_cpu_load(cpu_name, &cpu, &error) != 0)
		return false;
	found = find_event(cpu, word) || find_metric(cpu, word);
	pmcsim_cpu_free(cpu);
	return found;
}

/* Names of the CPUs that have such a statistic, the caller's; "": none. */
static char *
find_others(const struct recording *p, const char *word)
{
	char **name, *list = NULL;
	size_t n, bytes;
	FILE *out = open_memstream(&list, &bytes);
	const char *separator = "";

	if (!out || pmcsim_cpu_names(&name, &n) != 0)
		tool_fail(p->o->tool, TOOL_FAILED, "out of memory");
	for (size_t i = 0; i < n; i++)
		if (counts(name[i], word)) {
			fprintf(out, "%s%s", separator, name[i]);
			separator = ", ";
		}
	pmcsim_names_free(name, n);
	tool_close_text(p->o->tool, out, &list);
	return list;
}

/* A word that is no program may have been meant for a statistic.  What programs
 * a board has is not known yet. */
static void
check_program(const struct recording *p)
{
	const char *word = *p->command, *cpu = pmcsim_cpu_name(p->cpu);
	struct pmcsim_error error;
	char *others;

	if (!word || strchr(word, '/') || p->o->system.board ||
	    pmcsim_command_check(p->command, &error) != -ENOENT)
		return;
	others = find_others(p, word);
	if (*others)
		tool_fail(p->o->tool, TOOL_NOT_FOUND,
			  "%s; it is a statistic not of %s, but of %s: see "
			  "-cpu", error.text, cpu, others);
	tool_fail(p->o->tool, TOOL_NOT_FOUND,
		  "%s; nor is it a statistic of %s", error.text, cpu);
}

void
record_words(struct recording *p)
{
	char **word = p->o->operand;
	bool marked = p->o->command_only;

	p->n_counters = count_counters(p->cpu);
	p->run.slot = p->slot;
	while (!marked && *word && add_statistic(p, *word))
		word++;
	if (!marked && *word && !strcmp(*word, "--"))
		marked = *word++;
	if (!marked && *word && **word == '-')
		tool_fail(p->o->tool, TOOL_USAGE,
			  "%s: options come before statistics", *word);
	if (!p->run.n)
		add_default(p);
	p->command = word;
	if (!marked)
		check_program(p);
}
