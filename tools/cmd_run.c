/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim run": a program on a machine that lasts. */
#include "commands.h"

#include <getopt.h>
#include <string.h>

static const struct tool_option options[] = {TOOL_OPTIONS};

const struct tool run_tool = {
	.name = "pmcsim run",
	.usage = "MACHINE [--] COMMAND [ARGUMENT...]",
	.about = "Run a command on the machine; its counters go on counting.  "
		 "The exit status is\nthe command's.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_COMMANDS,
};

int
cmd_run(int argc, char **argv)
{
	struct pmcsim_start start = {0};
	struct pmcsim_machine *m;
	struct pmcsim_exit how;
	const char *argument;

	while (tool_next(&run_tool, argc, argv, &argument))
		;
	if (optind == argc)
		tool_fail(&run_tool, TOOL_USAGE,
			  "no machine is named; see --help");
	m = machine_open(&run_tool, argv[optind++]);
	if (optind < argc && strcmp(argv[optind], "--") == 0)
		optind++;
	if (optind == argc)
		tool_fail(&run_tool, TOOL_USAGE, "no command to be run");
	start.argv = argv + optind;
	tool_run(&run_tool, m, &start, &how);
	if (pmcsim_machine_unrepeatable(m))
		tool_say(&run_tool,
			 "note: threads did not take turns while the counters "
			 "counted; they may count differently another time");
	pmcsim_machine_free(m);
	return how.interrupted ? 128 + tool_signal : how.status;
}
