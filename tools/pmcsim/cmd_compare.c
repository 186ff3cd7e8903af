/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim compare": two reports in JSON, and limits for what changes. */
#include "compare.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_CHANGED = 1, OPT_LIMIT, OPT_FAIL, OPT_MARKDOWN };

#define EXCEEDED 1	/* exit status */

static const struct tool_option options[] = {
	{OPT_CHANGED, 0, "changed", NULL, "only what differs", WORDS_NONE},
	{OPT_LIMIT, 0, "limit", COMPARE_LIMIT,
	 "exit with status 1 if NAME, or any count, has risen by more; "
	 "-PERCENT: fallen",
	 WORDS_NONE},
	MARKDOWN_OPTION(OPT_MARKDOWN),
	{OPT_FAIL, 0, "fail-if", "CONDITION", NULL, WORDS_NONE},
	TOOL_OPTIONS,
};

const struct tool compare_tool = {
	.name = "pmcsim compare",
	.usage = "[OPTION...] OLD NEW",
	.about = "Compare two reports that a tool has written with --json: "
		 "counts and metrics\nside by side, what they differ by, and "
		 "whether that is within limits.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_FILES,
};

/* ---- Options ------------------------------------------------------------ */

static struct pmcsim_figures *
read_figures(const char *path)
{
	struct pmcsim_figures *figures;
	struct pmcsim_error error;

	if (pmcsim_figures_read(path, &figures, &error) != 0)
		tool_fail(&compare_tool, TOOL_FAILED, "%s", error.text);
	if (figures->partial)
		tool_note(&compare_tool, "%s is of a part: the run was stopped",
			  path);
	return figures;
}

/* ---- The command -------------------------------------------------------- */

/* Whether two texts are the same, or both missing. */
static bool
same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Programs read their environment: the same command may count otherwise. */
static void
tell_environment(const struct pmcsim_figures *old,
		 const struct pmcsim_figures *new)
{
	if (old->environment && new->environment &&
	    strcmp(old->environment, new->environment) != 0 && old->command &&
	    same_text(old->command, new->command) &&
	    same_text(old->engine, new->engine))
		tool_note(&compare_tool,
			  "the command is the same, its environment is not, "
			  "which alone may make the difference; --env clean "
			  "gives it one that is always the same");
}

static void
check_same(const char *what, const char *old, const char *new)
{
	if (strcmp(old, new) != 0)
		tool_fail(&compare_tool, TOOL_FAILED,
			  "the reports have not the same %s: %s and %s", what,
			  old, new);
}

int
cmd_compare(int argc, char **argv)
{
	struct limit *limit = tool_alloc(&compare_tool, (size_t)argc,
					 sizeof *limit);
	const struct tool_option *option;
	struct pmcsim_figures *old, *new;
	unsigned n_limits = 0, beyond = 0;
	const char *argument;
	bool changed = false, markdown = false;

	while ((option = tool_next(&compare_tool, argc, argv, &argument))) {
		if (option->id == OPT_FAIL)
			tool_fail(&compare_tool, TOOL_USAGE,
				  "--fail-if: it is --limit " COMPARE_LIMIT " "
				  "here, such as --limit ipc=-1%%");
		if (option->id == OPT_LIMIT)
			limit[n_limits++] = limit_parse(
				&compare_tool, argument, COMPARE_LIMIT);
		else if (option->id == OPT_MARKDOWN)
			markdown = true;
		else
			changed = true;
	}
	if (argc - optind != 2)
		tool_fail(&compare_tool, TOOL_USAGE,
			  "two reports are needed; see --help");
	old = read_figures(argv[optind]);
	new = read_figures(argv[optind + 1]);
	check_same("schema", old->schema, new->schema);
	check_same("CPU", old->cpu, new->cpu);
	if (n_limits && (old->partial || new->partial))
		tool_fail(&compare_tool, TOOL_FAILED,
			  "what is of a part is not held to a limit");
	tell_environment(old, new);
	if (markdown)
		compare_markdown(old, new, changed);
	else
		compare_table(old, new, changed);
	tool_flush(&compare_tool);
	for (unsigned i = 0; i < n_limits; i++) {
		beyond += compare_check(&compare_tool, &limit[i], old, new,
					 argv[optind + 1]);
		free(limit[i].name);
	}
	pmcsim_figures_free(old);
	pmcsim_figures_free(new);
	free(limit);
	return beyond ? EXCEEDED : 0;
}
