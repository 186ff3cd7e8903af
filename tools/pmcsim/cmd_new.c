/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim new" and "pmcsim rm": machines that last come and go. */
#include "commands.h"
#include "common/outside.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_CPU = 1, OPT_CPUS, OPT_UID, OPT_NO_RANGE };

static const struct tool_option new_options[] = {
	{OPT_CPU, 0, "cpu", "NAME|FILE", "CPU table [mips34k]", WORDS_CPUS},
	{OPT_CPUS, 0, "cpus", "N", "CPUs that threads are spread over [1]",
	 WORDS_NONE},
	{OPT_UID, 0, "uid", "N", "user id that opens /proc/perf [0]",
	 WORDS_NONE},
	{OPT_NO_RANGE, 0, "no-range-extension", NULL,
	 "let 32-bit counters wrap around", WORDS_NONE},
	PIPELINE_OPTION,
	OUTSIDE_OPTIONS,
	TOOL_OPTIONS,
};

const struct tool new_tool = {
	.name = "pmcsim new",
	.usage = "[OPTION...] MACHINE",
	.about = "Make a machine that lasts: a file, or, if MACHINE has no "
		 "slash, a name in the\nuser's state folder.",
	.option = new_options,
	.n_options = sizeof(new_options) / sizeof(*new_options),
	.operands = WORDS_FILES,
};

static const struct tool_option rm_options[] = {TOOL_OPTIONS};

const struct tool rm_tool = {
	.name = "pmcsim rm",
	.usage = "MACHINE",
	.about = "Remove a machine.",
	.option = rm_options,
	.n_options = sizeof(rm_options) / sizeof(*rm_options),
	.operands = WORDS_MACHINES,
};

struct settings {
	const char *cpu;
	unsigned long uid, cpus;
	bool no_range_extension;
	struct outside outside;
};

static void
apply(struct settings *s, int id, const char *argument)
{
	if (id == OPT_CPU)
		s->cpu = argument;
	else if (id == OPT_NO_RANGE)
		s->no_range_extension = true;
	else if (id == OPT_CPUS && !tool_number(argument, PMCSIM_MAX_CPUS,
						&s->cpus))
		tool_fail(&new_tool, TOOL_USAGE, "--cpus %s: not a number "
			  "from 1 to %d", argument, PMCSIM_MAX_CPUS);
	else if (id == OPT_UID && !tool_number(argument, 4294967294ul,
					       &s->uid))
		tool_fail(&new_tool, TOOL_USAGE, "--uid %s: not a user id",
			  argument);
	else
		outside_apply(&new_tool, &s->outside, id, argument);
}

int
cmd_new(int argc, char **argv)
{
	struct settings s = {.cpu = "mips34k", .cpus = 1};
	const struct tool_option *option;
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	const char *argument;
	char *path;

	while ((option = tool_next(&new_tool, argc, argv, &argument)))
		apply(&s, option->id, argument);
	path = machine_path(&new_tool,
			    only_operand(&new_tool, argc, argv, "machine"),
			    true);
	cpu = tool_cpu(&new_tool, s.cpu);
	if (pmcsim_cpu_set_cpus(cpu, (unsigned)s.cpus, &error) != 0)
		tool_fail(&new_tool, TOOL_USAGE, "%s", error.text);
	if (pmcsim_machine_new(cpu, path, &m, &error) != 0)
		tool_fail(&new_tool, TOOL_FAILED, "%s", error.text);
	pmcsim_machine_set_uid(m, (unsigned)s.uid);
	pmcsim_machine_set_range_extension(m, !s.no_range_extension);
	outside_set(&s.outside, m);
	pmcsim_machine_free(m);
	pmcsim_cpu_free(cpu);
	free(path);
	return 0;
}

int
cmd_rm(int argc, char **argv)
{
	const char *argument, *name;
	char *path;

	while (tool_next(&rm_tool, argc, argv, &argument))
		;
	name = only_operand(&rm_tool, argc, argv, "machine");
	pmcsim_machine_free(machine_open(&rm_tool, name, ""));
	path = machine_path(&rm_tool, name, false);
	if (unlink(path) != 0)
		tool_fail(&rm_tool, TOOL_FAILED, "%s: %s", path,
			  strerror(errno));
	free(path);
	return 0;
}
