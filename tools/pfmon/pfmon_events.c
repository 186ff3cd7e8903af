/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pfmon: from names of events to PMC registers; lists of events. */
#include "pfmon.h"
#include "common/counters.h"
#include "common/event_name.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------ */

/* Whether name is the event's, in any case, masks behind colons. */
static bool
is_named(const struct pmcsim_event *event, const char *name)
{
	const char *own = event->name;

	for (; *own && *name; own++, name++) {
		int c = *name == ':' ? '_' : toupper((unsigned char)*name);

		if (toupper((unsigned char)*own) != c)
			return false;
	}
	return !*own && !*name;
}

/* The event of that name, or code, in any case of letters; NULL: none. */
static const struct pmcsim_event *
find(const struct pmcsim_cpu *cpu, const char *name)
{
	size_t n;
	const struct pmcsim_event *event = pmcsim_cpu_events(cpu, &n);
	unsigned long code;
	char *end;

	for (size_t i = 0; i < n; i++)
		if (is_named(&event[i], name))
			return &event[i];
	if (!isdigit((unsigned char)*name))
		return NULL;
	code = strtoul(name, &end, 0);
	for (size_t i = 0; i < n && !*end; i++)
		if (event[i].code == code)
			return &event[i];
	return NULL;
}

static const struct pmcsim_event *
must_find(const struct pmcsim_cpu *cpu, const char *name)
{
	const struct pmcsim_event *event = find(cpu, name);

	if (!event && event_is_name(name))
		event = event_named(&pfmon_tool, cpu, EVERY_COUNTER, NULL,
				    name);
	if (!event)
		tool_fail(&pfmon_tool, 1, "event %s not found", name);
	return event;
}

unsigned
pfmon_modes(unsigned plm)
{
	return (plm & PFMON_USER ? 8u : 0) | (plm & PFMON_KERNEL ? 7u : 0);
}

/* ---- Sets ------------------------------------------------------------- */

/* Finds a monitor for each event; no such luck: false. */
static bool
assign(struct pfmon_set *set)
{
	unsigned counters[PFMON_MONITORS], counter[PFMON_MONITORS];

	for (size_t i = 0; i < set->n; i++)
		counters[i] = set->event[i].event->counters;
	if (!counters_assign(counters, set->n, counter))
		return false;
	for (size_t i = 0; i < set->n; i++)
		set->event[i].monitor = PFMON_FIRST + counter[i];
	return true;
}

/* The next word of a list with commas; NULL behind the last one. */
static char *
next_word(char **list)
{
	char *word = strsep(list, ",");

	if (word && !*word)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "a list has nothing between two commas");
	return word;
}

static void
read_set(const struct pmcsim_cpu *cpu, const char *events, size_t number,
	 struct pfmon_set *set)
{
	char *copy = strdup(events), *list = copy, *word;
	bool fits = copy;

	*set = (struct pfmon_set){0};
	while ((word = next_word(&list))) {
		const struct pmcsim_event *event = must_find(cpu, word);

		if (set->n < PFMON_MONITORS)
			set->event[set->n++].event = event;
		else
			fits = false;
	}
	free(copy);
	if (!fits || !assign(set))
		tool_fail(&pfmon_tool, 1,
			  "cannot configure events: set%zu events "
			  "incompatible or too many events", number);
}

static unsigned
levels_of(const char *word)
{
	unsigned plm = 0;

	for (const char *c = word; *c; c++) {
		if (!strchr("0123uk", *c))
			tool_fail(&pfmon_tool, TOOL_USAGE,
				  "--priv-levels: %s is not letters of "
				  "0123uk", word);
		plm |= *c == 'u' ? PFMON_USER :
		       *c == 'k' ? PFMON_KERNEL : 1u << (*c - '0');
	}
	return plm;
}

static unsigned
threshold_of(const struct pmcsim_event *event, const char *word)
{
	unsigned long n;

	if (!tool_number(word, 7, &n))
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "--event-thresholds: %s is not 0 to 7", word);
	if (n && !event->per_cycle)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "--event-thresholds: the model does not tell in "
			  "which cycles %s happens", event->name);
	return (unsigned)n;
}

/* What two lists say of each event, of one set after the other. */
static void
read_lists(const struct pfmon_options *o, struct pfmon_set *set)
{
	char *levels = o->levels ? strdup(o->levels) : NULL;
	char *thresholds = o->thresholds ? strdup(o->thresholds) : NULL;
	char *level = levels, *threshold = thresholds, *word;

	for (size_t s = 0; s < o->n_sets; s++)
		for (size_t i = 0; i < set[s].n; i++) {
			struct pfmon_event *e = &set[s].event[i];

			word = next_word(&level);
			e->plm = word ? levels_of(word) : o->plm;
			word = next_word(&threshold);
			e->threshold = word ? threshold_of(e->event, word) : 0;
		}
	if (level || threshold)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "--%s says more than there are events",
			  level ? "priv-levels" : "event-thresholds");
	free(levels);
	free(thresholds);
}

size_t
pfmon_sets(const struct pmcsim_cpu *cpu, const struct pfmon_options *o,
	   struct pfmon_set *set)
{
	for (size_t s = 0; s < o->n_sets; s++)
		read_set(cpu, o->set[s], s, &set[s]);
	read_lists(o, set);
	for (size_t s = 0; s < o->n_sets; s++)
		for (size_t i = 0; i < set[s].n; i++) {
			struct pfmon_event *e = &set[s].event[i];
			uint64_t code = e->event->code;

			e->pmc = pmcsim_ia64_pmc_reset(cpu, e->monitor) |
				 e->plm | (code & 0xff) << 8 |
				 (code >> 8 & 0xf) << 16 |
				 (uint64_t)e->threshold << 20;
		}
	return o->n_sets;
}

/* ---- Lists ------------------------------------------------------------ */

static void
print_counters(const struct pmcsim_event *e, FILE *out)
{
	fputs("Counters  : [ ", out);
	for (unsigned n = 0; n < PFMON_MONITORS; n++)
		if (e->counters >> n & 1)
			fprintf(out, "%u ", PFMON_FIRST + n);
	fputs("]\n", out);
}

static void
print_event(const struct pmcsim_event *e, FILE *out)
{
	fprintf(out, "Name      : %s\nCode      : 0x%02x\nUmask     : 0x%x\n",
		e->name, e->code & 0xff, e->code >> 8);
	print_counters(e, out);
	fprintf(out, "Desc      : %s\nPrecision : %s\n", e->text,
		pmcsim_precision_name(e->precision));
	if (e->reason)
		fprintf(out, "Reason    : %s\n", e->reason);
}

/* A regular expression that the tool does not survive if it is none. */
static void
compile(regex_t *regex, const char *text)
{
	if (regcomp(regex, text, REG_EXTENDED | REG_ICASE | REG_NOSUB))
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "%s: not a regular expression", text);
}

void
pfmon_list(const struct pmcsim_cpu *cpu, const struct pfmon_options *o,
	   FILE *out)
{
	size_t n;
	const struct pmcsim_event *e = pmcsim_cpu_events(cpu, &n);
	const char *const *more = (const char *const *)o->command;
	const char *text = o->what;
	regex_t regex;

	if (!text && more)
		text = *more++;
	if (more && *more)
		tool_fail(&pfmon_tool, TOOL_USAGE, "%s: one expression only",
			  *more);
	compile(&regex, text ? text : ".");
	for (size_t i = 0; i < n; i++) {
		if (regexec(&regex, e[i].name, 0, NULL, 0))
			continue;
		if (o->action == PFMON_LIST)
			fprintf(out, "%s\n", e[i].name);
		else
			fprintf(out, "%-46s code=0x%02x umask=0x%02x\n",
				e[i].name, e[i].code & 0xff, e[i].code >> 8);
	}
	regfree(&regex);
}

void
pfmon_describe(const struct pmcsim_cpu *cpu, const char *name, FILE *out)
{
	size_t n, found = 0;
	const struct pmcsim_event *e = pmcsim_cpu_events(cpu, &n);
	const struct pmcsim_event *one = find(cpu, name);
	regex_t regex;

	if (one) {
		print_event(one, out);
		return;
	}
	compile(&regex, name);
	for (size_t i = 0; i < n; i++)
		if (!regexec(&regex, e[i].name, 0, NULL, 0)) {
			fputs(found++ ? "\n" : "", out);
			print_event(&e[i], out);
		}
	regfree(&regex);
	if (!found)
		tool_fail(&pfmon_tool, 1, "event %s not found", name);
}

void
pfmon_info(const struct pmcsim_cpu *cpu, FILE *out)
{
	size_t n, modelled = 0;
	const struct pmcsim_event *e = pmcsim_cpu_events(cpu, &n);

	for (size_t i = 0; i < n; i++)
		modelled += e[i].precision != PMCSIM_NOT_MODELLED;
	fprintf(out, "CPU       : %s\nAbout     : %s\n", pmcsim_cpu_name(cpu),
		pmcsim_cpu_text(cpu));
	fprintf(out, "Monitors  : PMC4 to PMC7, PMD4 to PMD7 of %u bits\n",
		pmcsim_ia64_width(cpu));
	fprintf(out, "Events    : %zu, %zu of them modelled\n", n, modelled);
}
