/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of perfex: those of IRIX 6.5 in 2001, and ours. */
#include "perfex.h"
#include "common/event_name.h"

#include "common/progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTER_EVENTS 16
#define MAX_PERIOD 1000000000ul	/* ms */
#define MODE_USER 8u
#define MODE_KERNEL 2u
#define MODE_EXL 1u

enum {
	OPT_EVENT = 1,
	OPT_ALL,
	OPT_EXACT,
	OPT_PROCESSES,
	OPT_SIGNAL,
	OPT_PERIOD,
	OPT_EXL,
	OPT_KERNEL,
	OPT_TIMES,
	OPT_PRINT_COSTS,
	OPT_TRUST,
	OPT_OUTPUT,
	OPT_COSTS,
	OPT_CPU,
	OPT_CPUS,
	OPT_JSON,
	OPT_CSV,
	OPT_MARKDOWN,
	OPT_APPEND,
	OPT_UID,
	OPT_QUIET,
	OPT_SYSTEM
};

#define FLAG(id, letter, name, text) {id, letter, name, NULL, text, WORDS_NONE}

static const struct tool_option options[] = {
	{OPT_EVENT, 'e', "event", "N", "count event N, 0 to 31, or one by name; twice for two",
	 WORDS_NONE},
	FLAG(OPT_ALL, 'a', "all", "count all events in turns, and project"),
	FLAG(OPT_EXACT, 0, "exact",
	     "with -a, beside it what counting without turns gives"),
	FLAG(OPT_PROCESSES, 0, "mp",
	     "-mp: each process for itself as well"),
	FLAG(OPT_SIGNAL, 's', "signals",
	     "count from SIGUSR1 to SIGUSR2, sent to perfex"),
	{OPT_PERIOD, 'p', "period", "MS",
	 "also what was counted every MS milliseconds", WORDS_NONE},
	FLAG(OPT_EXL, 'x', "exl", "count at exception level as well"),
	FLAG(OPT_KERNEL, 'k', "kernel", "count in kernel mode as well"),
	FLAG(OPT_TIMES, 'y', "times", "estimate times; statistics"),
	FLAG(OPT_PRINT_COSTS, 't', "print-costs",
	     "print the costs of events; without a command only that"),
	FLAG(OPT_TRUST, 'T', "trust",
	     "name events only as both R10000 and R12000 have them"),
	{OPT_OUTPUT, 'o', "output", "FILE", "write to FILE, not to stderr",
	 WORDS_FILES},
	FLAG(OPT_APPEND, 0, "append", "add to what is in FILE"),
	{OPT_COSTS, 'c', "costs", "FILE", "take costs of events from FILE",
	 WORDS_FILES},
	{OPT_CPU, 0, "cpu", "NAME|FILE", "CPU table [r10000]", WORDS_CPUS},
	{OPT_CPUS, 0, "cpus", "N", "CPUs that threads are spread over [1]",
	 WORDS_NONE},
	PIPELINE_OPTION,
	REGIONS_OPTIONS,
	OUTSIDE_OPTIONS,
	ENGINE_OPTION,
	FLAG(OPT_JSON, 0, "json", "write JSON"),
	FLAG(OPT_CSV, 0, "csv", "write CSV"),
	MARKDOWN_OPTION(OPT_MARKDOWN),
	{OPT_UID, 0, "uid", "N", "user that the command believes to be [0]",
	 WORDS_NONE},
	SYSTEM_OPTION(OPT_SYSTEM),
	QUIET_OPTION(OPT_QUIET),
	TOOL_OPTIONS,
};

const struct tool perfex_tool = {
	.name = "perfex",
	.usage = "[-a | -e EVENT [-e EVENT]] [OPTION...] [--] COMMAND "
		 "[ARGUMENT...]",
	.about = "Run a command on an emulated R10000 or R12000 and print what "
		 "its two event\ncounters have counted.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_COMMANDS,
};

static unsigned long
number(const char *what, const char *text, unsigned long min,
       unsigned long max)
{
	return tool_option_number(&perfex_tool, "", what, text, min, max);
}

/* With -a none of them is of interest. */
static void
check_events(const struct perfex_options *o)
{
	const unsigned *event = o->event;

	if (o->all)
		return;
	if (o->n_events > 2)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "-e %u: there are two counters, for two events",
			  event[2]);
	if (o->n_events == 2 && event[0] / COUNTER_EVENTS ==
					event[1] / COUNTER_EVENTS)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "conflicting counters: events %u and %u are both "
			  "counted by counter %u", event[0], event[1],
			  event[1] / COUNTER_EVENTS);
}

static void
add_event(struct perfex_options *o, const char *what, const char *text)
{
	unsigned event = 0;

	if (!event_is_name(text))
		event = (unsigned)number(what, text, 0,
					 PMCSIM_IRIX_EVENTS - 1);
	if (o->n_events == sizeof(o->event) / sizeof(*o->event))
		return;
	o->event_name[o->n_events] = event_is_name(text) ? text : NULL;
	o->event_option[o->n_events] = what;
	o->event[o->n_events++] = event;
}

void
perfex_find_events(struct perfex_options *o, const struct pmcsim_cpu *cpu)
{
	for (size_t i = 0; i < o->n_events; i++)
		if (o->event_name[i])
			o->event[i] = event_named(&perfex_tool, cpu,
						  EVERY_COUNTER,
						  o->event_option[i],
						  o->event_name[i])->code;
	check_events(o);
}

/* Options with an argument; false: it is none. */
static bool
apply_argument(struct perfex_options *o, int id, const char *argument)
{
	switch (id) {
	case OPT_EVENT:
		add_event(o, "-e", argument);
		return true;
	case OPT_PERIOD:
		o->period = (double)number("-p", argument, 1, MAX_PERIOD);
		return true;
	case OPT_OUTPUT:
		o->output = argument;
		return true;
	case OPT_COSTS:
		o->costs = argument;
		return true;
	case OPT_CPU:
		o->cpu = argument;
		return true;
	case OPT_CPUS:
		o->cpus = (unsigned)number("--cpus", argument, 1,
					   PMCSIM_MAX_CPUS);
		return true;
	case OPT_UID:
		o->uid = number("--uid", argument, 0, 4294967294ul);
		return true;
	case OPT_SYSTEM:
		o->system.board = argument;
		return true;
	default:
		return outside_apply(&perfex_tool, &o->outside, id,
				     argument) ||
		       regions_apply(&perfex_tool, &o->regions, id, argument);
	}
}

static void
set_format(struct perfex_options *o, enum perfex_format format)
{
	if (o->format != PERFEX_TEXT && o->format != format)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  FORMATS_EXCLUDE);
	o->format = format;
}

static void
apply_flag(struct perfex_options *o, int id)
{
	switch (id) {
	case OPT_ALL:
		o->all = true;
		break;
	case OPT_EXACT:
		o->exact = true;
		break;
	case OPT_PROCESSES:
		o->processes = true;
		break;
	case OPT_SIGNAL:
		o->by_signal = true;
		break;
	case OPT_EXL:
		o->exl = true;
		break;
	case OPT_KERNEL:
		o->kernel = true;
		break;
	case OPT_TIMES:
		o->times = true;
		break;
	case OPT_PRINT_COSTS:
		o->print_costs = true;
		break;
	case OPT_TRUST:
		o->trust = true;
		break;
	case OPT_JSON:
		set_format(o, PERFEX_JSON);
		break;
	case OPT_CSV:
		set_format(o, PERFEX_CSV);
		break;
	case OPT_QUIET:
		progress_be_quiet();
		break;
	case OPT_MARKDOWN:
		set_format(o, PERFEX_MARKDOWN);
		break;
	case OPT_APPEND:
		o->append = true;
		break;
	}
}

/* Whether the word is an option whose argument is the next one. */
static bool
takes_next(const char *word)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct tool_option *o = &options[i];

		if (o->argument &&
		    (word[1] == '-' ? strcmp(word + 2, o->name) == 0 :
				      word[1] == o->letter && !word[2]))
			return true;
	}
	return false;
}

/* -mp is one option, not two. */
static void
accept_single_dash(int argc, char **argv)
{
	static char mp[] = "--mp";

	for (int i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--") == 0)
			return;
		if (strcmp(argv[i], "-mp") == 0)
			argv[i] = mp;
		else if (takes_next(argv[i]))
			i++;
	}
}

/* A board's kernel knows nothing of the counters: they count all that is
 * executed, and as many as there are events. */
static void
check_system(const struct perfex_options *o)
{
	const struct system_option *s = &o->system;

	system_excludes(&perfex_tool, s, o->regions.name, "--", "region");
	system_excludes(&perfex_tool, s, o->exact, "--", "exact");
	system_excludes(&perfex_tool, s, o->processes, "-", "mp");
	system_excludes(&perfex_tool, s, o->by_signal, "-", "s");
	system_excludes(&perfex_tool, s, o->period > 0, "-", "p");
	system_excludes(&perfex_tool, s, o->cpus > 0, "--", "cpus");
	outside_check(&perfex_tool, &o->outside, s);
	system_excludes(&perfex_tool, s, o->uid != 0, "--", "uid");
	if (s->board && !o->command[0])
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "--system is for a command");
}

static void
check(const struct perfex_options *o)
{
	check_system(o);
	if (o->processes + o->by_signal + (o->period > 0) > 1)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "-mp, -s and -p exclude each other");
	if (o->regions.name &&
	    (o->processes || o->by_signal || o->period > 0 || o->exact))
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "%s: a region excludes -mp, -s, -p and --exact",
			  o->regions.name);
	if (o->exact && !o->all)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "--exact is for -a: two events do not take turns");
	if (o->exact && o->by_signal)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "--exact counts from beginning to end, not with -s");
	if (o->all && o->period > 0)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "-p samples two events, not those of -a");
	if (o->kernel && o->uid)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "-k is for the superuser only, not for user %lu",
			  o->uid);
	if (o->append && !o->output)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "--append is for -o FILE");
	if (!o->command[0] && !o->print_costs)
		tool_fail(&perfex_tool, TOOL_USAGE,
			  "no command to be measured");
}

static void
take_environment(struct perfex_options *o)
{
	static const char *const names[] = {"T5_EVENT0", "T5_EVENT1"};

	for (size_t i = 0; i < 2; i++) {
		const char *value = getenv(names[i]);

		if (value)
			add_event(o, names[i], value);
	}
}

void
perfex_parse(struct perfex_options *o, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	*o = (struct perfex_options){.cpu = "r10000"};
	accept_single_dash(argc, argv);
	while ((option = tool_next(&perfex_tool, argc, argv, &argument)))
		if (!apply_argument(o, option->id, argument))
			apply_flag(o, option->id);
	o->command = argv + optind;
	if (!o->all && !o->n_events)
		take_environment(o);
	if (!o->all && !o->n_events)
		o->n_events = 1;	/* cycles */
	check(o);
}

unsigned
perfex_modes(const struct perfex_options *o)
{
	return MODE_USER | (o->kernel ? MODE_KERNEL : 0) |
	       (o->exl ? MODE_EXL : 0);
}

size_t
perfex_events(const struct perfex_options *o,
	      unsigned event[PMCSIM_IRIX_EVENTS])
{
	if (!o->all) {
		memcpy(event, o->event, o->n_events * sizeof(*event));
		return o->n_events;
	}
	for (unsigned i = 0; i < PMCSIM_IRIX_EVENTS; i++)
		event[i] = i;
	return PMCSIM_IRIX_EVENTS;
}
