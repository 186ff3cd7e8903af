/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim list": CPUs, and what they can count. */
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPT_JSON = 1, OPT_NAMES, OPT_MACHINES, OPT_LINUX, OPT_EVENTS,
	OPT_METRICS, OPT_GROUPS
};

static const struct tool_option options[] = {
	{OPT_JSON, 0, "json", NULL, "write JSON", WORDS_NONE},
	{OPT_NAMES, 0, "names", NULL, "names only", WORDS_NONE},
	{OPT_LINUX, 0, "linux", NULL,
	 "events and metrics of \"pmcsim stat\" on a CPU", WORDS_NONE},
	{OPT_MACHINES, 0, "machines", NULL,
	 "names of the machines that last", WORDS_NONE},
	{OPT_EVENTS, 0, "events", NULL,
	 "names of events that \"pmcsim stat\" counts on a CPU", WORDS_NONE},
	{OPT_METRICS, 0, "metrics", NULL, "... of metrics that it prints",
	 WORDS_NONE},
	{OPT_GROUPS, 0, "groups", NULL, "... of groups that pc_sweep counts",
	 WORDS_NONE},
	TOOL_OPTIONS,
};

const struct tool list_tool = {
	.name = "pmcsim list",
	.usage = "[OPTION...] [CPU|FILE]",
	.about = "List the CPUs that there are tables for, or the events of "
		 "one: counters, code,\nscope (T thread context, V "
		 "processing element, P processor), how well counts are\n"
		 "known, name and meaning.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_CPUS,
};

/* "even", "odd" or the counters' numbers. */
static const char *
counters_text(const struct pmcsim_cpu *cpu, unsigned mask)
{
	static char text[3 * 8];
	size_t used = 0;

	if (pmcsim_cpu_system(cpu) == PMCSIM_PROCPERF)
		return mask & 1 ? "even" : "odd";
	for (unsigned n = 0; mask >> n; n++)
		if (mask >> n & 1)
			used += (size_t)snprintf(text + used,
						 sizeof(text) - used,
						 used ? ",%u" : "%u", n);
	return text;
}

/* The code as programs of the device write it, or as events of "pmcsim stat"
 * have it. */
static const char *
code_text(const struct pmcsim_cpu *cpu, unsigned code)
{
	static char text[16];

	snprintf(text, sizeof(text),
		 pmcsim_cpu_system(cpu) == PMCSIM_NONE ? "r%x" : "%u", code);
	return text;
}

/* Columns of a table of events. */
struct columns {
	int list, code, name;
};

static int
larger(int a, size_t b)
{
	return b > (size_t)a ? (int)b : a;
}

static struct columns
measure(const struct pmcsim_cpu *cpu, const struct pmcsim_event *e, size_t n)
{
	struct columns c = {.list = 4, .code = 4, .name = 24};

	for (size_t i = 0; i < n; i++) {
		if (e[i].reserved)
			continue;
		c.list = larger(c.list,
				strlen(counters_text(cpu, e[i].counters)));
		c.code = larger(c.code, strlen(code_text(cpu, e[i].code)));
		c.name = larger(c.name, strlen(e[i].name));
	}
	return c;
}

static void
print_event(const struct pmcsim_cpu *cpu, const struct pmcsim_event *e,
	    const struct columns *c)
{
	printf("%-*s %*s   %c    %-13s %-*s %s\n", c->list,
	       counters_text(cpu, e->counters), c->code,
	       code_text(cpu, e->code),
	       e->scope ? e->scope : '-',
	       pmcsim_precision_name(e->precision), c->name, e->name,
	       e->label);
	if (e->reason)
		printf("%*s%s\n", c->list + c->code + 23, "", e->reason);
}

static void
print_events(const struct pmcsim_cpu *cpu)
{
	size_t n;
	const struct pmcsim_event *e = pmcsim_cpu_events(cpu, &n);
	struct columns c = measure(cpu, e, n);

	printf("%-*s %*s %5s  %-13s %-*s %s\n", c.list, "list", c.code,
	       "code", "scope", "precision", c.name, "name", "label");
	for (size_t i = 0; i < n; i++)
		if (!e[i].reserved)
			print_event(cpu, &e[i], &c);
	if (pmcsim_cpu_system(cpu) == PMCSIM_NONE)
		printf("No device: \"pmcsim stat\" counts these, and those of "
		       "\"pmcsim list --linux %s\".\n", pmcsim_cpu_name(cpu));
}

static void
print_names(const struct pmcsim_cpu *cpu)
{
	size_t n;
	const struct pmcsim_event *e = pmcsim_cpu_events(cpu, &n);

	for (size_t i = 0; i < n; i++)
		if (!e[i].reserved)
			puts(e[i].name);
}

static void
print_linux(const struct pmcsim_lexicon *lexicon)
{
	size_t n;
	const struct pmcsim_named *e = pmcsim_lexicon_events(lexicon, &n);
	const struct pmcsim_quotient_of *m;

	for (size_t i = 0; i < n && !e[i].of_table; i++)
		printf("%-25s %-13s %s\n", e[i].name,
		       pmcsim_precision_name(e[i].precision), e[i].text);
	m = pmcsim_lexicon_metrics(lexicon, &n);
	for (size_t i = 0; i < n; i++)
		printf("%-25s %-13s %s\n", m[i].name, "metric", m[i].text);
}

/* What can be counted has a name that is the same on all CPUs, or the
 * table's. */
static void
print_countable(const struct pmcsim_lexicon *lexicon)
{
	size_t n;
	const struct pmcsim_named *e = pmcsim_lexicon_events(lexicon, &n);

	for (size_t i = 0; i < n; i++)
		if (e[i].precision != PMCSIM_NOT_MODELLED)
			puts(e[i].name);
}

/* There is no file of it: what is known of this host, and what is not. */
static void
print_host(void)
{
	struct pmcsim_error error;
	char *text;

	if (pmcsim_host_table(&text, &error) != 0)
		tool_fail(&list_tool, TOOL_FAILED, "%s", error.text);
	fputs(text, stdout);
	free(text);
}

static void
print_metrics(const struct pmcsim_lexicon *lexicon)
{
	size_t n;
	const struct pmcsim_quotient_of *m = pmcsim_lexicon_metrics(lexicon,
								    &n);

	for (size_t i = 0; i < n; i++)
		puts(m[i].name);
}

/* Names that are the same on all CPUs. */
static void
list_lexicon(const struct pmcsim_cpu *cpu, int kind)
{
	struct pmcsim_lexicon *lexicon;
	struct pmcsim_error error;

	if (pmcsim_lexicon_load(cpu, &lexicon, &error) != 0)
		tool_fail(&list_tool, TOOL_FAILED, "%s", error.text);
	if (kind == OPT_LINUX)
		print_linux(lexicon);
	else if (kind == OPT_EVENTS)
		print_countable(lexicon);
	else
		print_metrics(lexicon);
	pmcsim_lexicon_free(lexicon);
}

static void
print_groups(const struct pmcsim_cpu *cpu)
{
	size_t n;
	const struct pmcsim_group *g = pmcsim_cpu_groups(cpu, &n);

	if (pmcsim_cpu_system(cpu) != PMCSIM_PROCPERF)
		n = 0;	/* they are not pc_sweep's */
	for (size_t i = 0; i < n; i++)
		puts(g[i].name);
}

static void
list_cpu(const char *name, int kind)
{
	struct pmcsim_cpu *cpu;

	if (!strcmp(name, "host") && !kind) {
		print_host();
		return;
	}
	cpu = tool_cpu(&list_tool, name);

	if (kind == OPT_JSON)
		pmcsim_events_json(cpu, stdout);
	else if (kind == OPT_NAMES)
		print_names(cpu);
	else if (kind == OPT_GROUPS)
		print_groups(cpu);
	else if (kind)
		list_lexicon(cpu, kind);
	else
		print_events(cpu);
	pmcsim_cpu_free(cpu);
}

/* A line per CPU; a table that cannot be loaded says so in its place. */
static void
print_cpu(const char *name)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	if (pmcsim_cpu_load(name, &cpu, &error) != 0) {
		printf("%-12s %s\n", name, error.text);
		return;
	}
	printf("%-12s %s\n", name, pmcsim_cpu_text(cpu));
	pmcsim_cpu_free(cpu);
}

static void
list_cpus(bool json, bool names)
{
	char **name;
	size_t n;
	int err = pmcsim_cpu_names(&name, &n);

	if (err != 0)
		tool_fail(&list_tool, TOOL_FAILED, "CPU tables: %s",
			  strerror(-err));
	if (json)
		pmcsim_names_json(name, n, stdout);
	for (size_t i = 0; i < n && !json; i++) {
		if (names)
			puts(name[i]);
		else
			print_cpu(name[i]);
	}
	pmcsim_names_free(name, n);
}

static int
no_dot(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void
list_machines(void)
{
	char *folder = machine_folder(&list_tool);
	struct dirent **entry;
	int n = scandir(folder, &entry, no_dot, alphasort);

	if (n < 0 && errno != ENOENT)
		tool_fail(&list_tool, TOOL_FAILED, "%s: %s", folder,
			  strerror(errno));
	for (int i = 0; i < n; i++) {
		puts(entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	free(folder);
}

/* Of a CPU, which has to be named. */
static bool
is_of_cpu(int kind)
{
	return kind == OPT_LINUX || kind == OPT_EVENTS ||
	       kind == OPT_METRICS || kind == OPT_GROUPS;
}

int
cmd_list(int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;
	int kind = 0;

	while ((option = tool_next(&list_tool, argc, argv, &argument))) {
		if (kind && kind != option->id)
			tool_fail(&list_tool, TOOL_USAGE,
				  "--json, --names, --linux, --machines, "
				  "--events, --metrics and --groups exclude "
				  "each other");
		kind = option->id;
	}
	if (kind == OPT_MACHINES && optind < argc)
		tool_fail(&list_tool, TOOL_USAGE,
			  "%s: --machines lists no CPU", argv[optind]);
	if (kind == OPT_MACHINES)
		list_machines();
	else if (is_of_cpu(kind) || optind < argc)
		list_cpu(only_operand(&list_tool, argc, argv, "CPU"), kind);
	else
		list_cpus(kind == OPT_JSON, kind == OPT_NAMES);
	tool_flush(&list_tool);
	return 0;
}
