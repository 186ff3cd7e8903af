/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim check": is a CPU table right? */
#include "commands.h"

#include <getopt.h>

static const struct tool_option options[] = {TOOL_OPTIONS};

const struct tool check_tool = {
	.name = "pmcsim check",
	.usage = "FILE|CPU",
	.about = "Check a CPU table and say what it has, or which line is "
		 "wrong and why.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_FILES,
};

int
cmd_check(int argc, char **argv)
{
	const char *argument, *file;
	size_t n, modelled = 0, events = 0, groups, metrics;
	const struct pmcsim_event *e;
	struct pmcsim_lexicon *lexicon; /* knows what has no name */
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	while (tool_next(&check_tool, argc, argv, &argument))
		;
	file = only_operand(&check_tool, argc, argv, "CPU table");
	cpu = tool_cpu(&check_tool, file);
	if (pmcsim_lexicon_load(cpu, &lexicon, &error) != 0)
		tool_fail(&check_tool, TOOL_FAILED, "%s", error.text);
	e = pmcsim_cpu_events(cpu, &n);
	for (size_t i = 0; i < n; i++) {
		events += !e[i].reserved;
		modelled += !e[i].reserved &&
			    e[i].precision != PMCSIM_NOT_MODELLED;
	}
	pmcsim_cpu_groups(cpu, &groups);
	pmcsim_cpu_metrics(cpu, &metrics);
	printf("%s: %s; events %zu (modelled %zu), groups %zu, metrics %zu\n",
	       file, pmcsim_cpu_name(cpu), events, modelled, groups, metrics);
	pmcsim_lexicon_free(lexicon);
	pmcsim_cpu_free(cpu);
	tool_flush(&check_tool);
	return 0;
}
