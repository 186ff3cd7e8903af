/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim write" and "pmcsim cat": /proc/perf of a machine that lasts. */
#include "commands.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const struct tool_option options[] = {TOOL_OPTIONS};

const struct tool write_tool = {
	.name = "pmcsim write",
	.usage = "MACHINE [LINE...]",
	.about = "Write lines \"num control value\" to the machine's "
		 "/proc/perf; without LINE, what\nstandard input has.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_MACHINES,
};

const struct tool cat_tool = {
	.name = "pmcsim cat",
	.usage = "MACHINE",
	.about = "Print the machine's /proc/perf.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_MACHINES,
};

static void
copy_input(FILE *out)
{
	char buffer[4096];
	size_t n;

	while ((n = fread(buffer, 1, sizeof(buffer), stdin)) > 0)
		fwrite(buffer, 1, n, out);
	if (ferror(stdin))
		tool_fail(&write_tool, TOOL_FAILED, "standard input: %s",
			  strerror(errno));
}

int
cmd_write(int argc, char **argv)
{
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	const char *argument;
	char *text = NULL;
	size_t length;
	FILE *out;

	while (tool_next(&write_tool, argc, argv, &argument))
		;
	if (optind == argc)
		tool_fail(&write_tool, TOOL_USAGE,
			  "no machine is named; see --help");
	m = machine_open(&write_tool, argv[optind], "");
	out = open_memstream(&text, &length);
	if (!out)
		tool_fail(&write_tool, TOOL_FAILED, "out of memory");
	for (int i = optind + 1; i < argc; i++)
		fprintf(out, "%s\n", argv[i]);
	if (optind + 1 == argc)
		copy_input(out);
	tool_close_text(&write_tool, out, &text);
	if (pmcsim_machine_write(m, text, length, &error) != 0)
		tool_fail(&write_tool, TOOL_FAILED, "%s", error.text);
	free(text);
	pmcsim_machine_free(m);
	return 0;
}

int
cmd_cat(int argc, char **argv)
{
	struct pmcsim_machine *m;
	const char *argument;
	char *text;

	while (tool_next(&cat_tool, argc, argv, &argument))
		;
	m = machine_open(&cat_tool,
			 only_operand(&cat_tool, argc, argv, "machine"), "");
	if (pmcsim_machine_cat(m, &text) != 0)
		tool_fail(&cat_tool, TOOL_FAILED, "out of memory");
	fputs(text, stdout);
	free(text);
	pmcsim_machine_free(m);
	tool_flush(&cat_tool);
	return 0;
}
