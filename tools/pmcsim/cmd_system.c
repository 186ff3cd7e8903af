/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim system": sets up, shows and removes boards with a kernel. */
#include "commands.h"

#include "system/system.h"

#include <getopt.h>
#include <string.h>

enum { OPT_OFFLINE = 1, OPT_FORCE };

static const struct tool_option options[] = {
	{OPT_OFFLINE, 0, "offline", "DIR",
	 "take the packages from DIR, not from a mirror", WORDS_FILES},
	{OPT_FORCE, 0, "force", NULL, "set it up though it is ready",
	 WORDS_NONE},
	TOOL_OPTIONS,
};

const struct tool system_tool = {
	.name = "pmcsim system",
	.usage = "list | setup [BOARD] | remove [BOARD]",
	.about = "Boards on which --system runs a command with a real Linux "
		 "kernel, so that kernel\ncode is executed and counted.  "
		 "setup fetches the kernel as a package of Debian 12\ninto "
		 "the user's cache, boots it and keeps a snapshot.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_NONE,
};

static void
say(const char *sentence)
{
	tool_say(&system_tool, "%s", sentence);
}

static int
list(void)
{
	const struct system_board *board;
	struct system_place place;
	struct pmcsim_error error;

	for (unsigned i = 0; (board = pmcsim_system_board(i)); i++) {
		int rc = pmcsim_system_find(board->name, &place, &error);

		printf("%-8s%s\n", board->name, board->text);
		printf("%-8s%s\n", "", rc ? error.text : place.folder);
		if (!rc)
			pmcsim_system_place_free(&place);
	}
	tool_flush(&system_tool);
	return 0;
}

static int
setup(const char *board, const char *offline, bool force)
{
	struct engine_fetch how = {
		.offline = offline, .force = force, .say = say,
		.stop = &tool_stop};
	struct pmcsim_error error;
	struct system_place place;
	int rc;

	tool_catch_signals();
	rc = pmcsim_system_setup(board, &how, &error);

	if (!rc)
		rc = pmcsim_system_find(board, &place, &error);
	if (rc)
		tool_fail(&system_tool, tool_stop ? 128 + tool_signal :
			  TOOL_FAILED, "%s", error.text);
	tool_say(&system_tool, "%s is ready: %s", board, place.folder);
	pmcsim_system_place_free(&place);
	return 0;
}

static int
remove_board(const char *board)
{
	struct pmcsim_error error;
	int n = pmcsim_system_remove(board, &error);

	if (n < 0)
		tool_fail(&system_tool, TOOL_FAILED, "%s", error.text);
	if (!n)
		tool_say(&system_tool, "%s was not set up", board);
	return 0;
}

int
cmd_system(int argc, char **argv)
{
	const char *word[2] = {"list", "malta"}, *offline = NULL, *argument;
	const struct tool_option *option;
	const char *what, *board;
	bool force = false;

	for (unsigned n = 0;; n++) {
		while ((option = tool_next(&system_tool, argc, argv,
					   &argument)))
			if (option->id == OPT_FORCE)
				force = true;
			else
				offline = argument;
		if (optind == argc)
			break;
		if (n == 2)
			tool_fail(&system_tool, TOOL_USAGE,
				  "%s: one board is enough", argv[optind]);
		word[n] = argv[optind++];
	}
	what = word[0];
	board = word[1];
	if ((offline || force) && strcmp(what, "setup") != 0)
		tool_fail(&system_tool, TOOL_USAGE, "%s goes with setup",
			  offline ? "--offline" : "--force");
	if (!pmcsim_system_find_board(board))
		tool_fail(&system_tool, TOOL_USAGE, "there is no board %s; "
			  "see \"pmcsim system list\"", board);
	if (strcmp(what, "list") == 0)
		return list();
	if (strcmp(what, "setup") == 0)
		return setup(board, offline, force);
	if (strcmp(what, "remove") == 0)
		return remove_board(board);
	tool_fail(&system_tool, TOOL_USAGE,
		  "%s: only list, setup and remove are known", what);
}
