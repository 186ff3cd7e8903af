/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmcsim: CPUs, and machines that last over several commands. */
#include "commands.h"

#include <getopt.h>
#include <string.h>

static const struct tool_command commands[] = {
	{&list_tool, cmd_list},	    {&check_tool, cmd_check},
	{&new_tool, cmd_new},	    {&write_tool, cmd_write},
	{&cat_tool, cmd_cat},	    {&run_tool, cmd_run},
	{&rm_tool, cmd_rm},	    {&engine_tool, cmd_engine},
	{&system_tool, cmd_system}, {&compare_tool, cmd_compare},
	{&stat_tool, cmd_stat},	    {&study_tool, cmd_study},
};

#define N_COMMANDS (sizeof(commands) / sizeof(*commands))

static const struct tool_option options[] = {TOOL_OPTIONS};

static const struct tool pmcsim = {
	.name = "pmcsim",
	.usage = "COMMAND [OPTION...] [ARGUMENT...]",
	.about = "Classic performance counters, emulated.  Commands, each "
		 "with its own --help:\n\n"
		 "  stat COMMAND [ARG...]         run a program and print counts\n"
		 "  list [CPU]                    list CPUs, or events\n"
		 "  check FILE                    check a CPU table\n"
		 "  new MACHINE                   make a machine that lasts\n"
		 "  write MACHINE [LINE...]       program its counters\n"
		 "  run MACHINE COMMAND [ARG...]  run a program on it\n"
		 "  cat MACHINE                   print its counters\n"
		 "  rm MACHINE                    remove it\n"
		 "  compare OLD NEW               compare two reports in JSON\n"
		 "  study COMMAND FILE            many runs, tables and plots\n"
		 "  engine                        show or fetch the QEMU used\n"
		 "  system                        boards with a real kernel",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_NONE,
	.command = commands,
	.n_commands = N_COMMANDS,
};

int
main(int argc, char **argv)
{
	const char *argument;
	int first;

	while (tool_next(&pmcsim, argc, argv, &argument))
		;
	if (optind == argc)
		tool_fail(&pmcsim, TOOL_USAGE, "no command; see --help");
	first = optind;
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (strcmp(tool_command_name(&commands[i]), argv[first]) != 0)
			continue;
		optind = 0;
		return commands[i].run(argc - first, argv + first);
	}
	tool_fail(&pmcsim, TOOL_USAGE, "there is no command %s; see --help",
		  tool_word(argv[first]));
}
