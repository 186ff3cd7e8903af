/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim run": a program on a machine that lasts. */
#include "commands.h"

#include "common/outside.h"
#include "common/progress.h"

#include <getopt.h>
#include <string.h>

enum { OPT_SYSTEM = 1, OPT_QUIET };

static const struct tool_option options[] = {
	SYSTEM_OPTION(OPT_SYSTEM),
	ENGINE_OPTION,
	QUIET_OPTION(OPT_QUIET),
	TOOL_OPTIONS,
};

const struct tool run_tool = {
	.name = "pmcsim run",
	.usage = "[OPTION...] MACHINE [--] COMMAND [ARGUMENT...]",
	.about = "Run a command on the machine; its counters go on counting.  "
		 "The exit status is\nthe command's.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_MACHINES_COMMANDS,
};

int
cmd_run(int argc, char **argv)
{
	struct pmcsim_start start = {0};
	struct pmcsim_machine *m;
	struct pmcsim_exit how;
	struct pmcsim_error error;
	const struct tool_option *option;
	const char *argument;
	int err;

	while ((option = tool_next(&run_tool, argc, argv, &argument)))
		if (option->id == OPT_QUIET)
			progress_be_quiet();
		else if (!outside_apply(&run_tool, NULL, option->id, argument))
			start.system = argument;
	if (optind == argc)
		tool_fail(&run_tool, TOOL_USAGE,
			  "no machine is named; see --help");
	m = machine_open(&run_tool, argv[optind++], "");
	if (optind < argc && strcmp(argv[optind], "--") == 0)
		optind++;
	if (optind == argc)
		tool_fail(&run_tool, TOOL_USAGE, "no command to be run");
	start.argv = argv + optind;
	if (start.system) {
		err = system_check_board(&run_tool, start.system, argv + optind,
					 &error);
		if (err != 0)
			system_fail(&run_tool, err, &error);
	}
	tool_run(&run_tool, m, &start, &how);
	pmcsim_machine_free(m);
	return how.interrupted ? 128 + tool_signal : how.status;
}
