/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines by name: files in the user's state folder. */
#include "machine_name.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *
machine_folder(const struct tool *tool)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char *path;
	int n;

	if (state && *state == '/')
		n = asprintf(&path, "%s/pmcsim/machines", state);
	else if (home && *home)
		n = asprintf(&path, "%s/.local/state/pmcsim/machines", home);
	else
		tool_fail(tool, TOOL_FAILED,
			  "no $HOME to keep machines in: name a file, with a "
			  "slash");
	if (n < 0)
		tool_fail(tool, TOOL_FAILED, "out of memory");
	return path;
}

char *
machine_path(const struct tool *tool, const char *name, bool create)
{
	char *folder, *path;

	if (!*name || *name == '.' || strchr(name, '/')) {
		if (!strchr(name, '/'))
			tool_fail(tool, TOOL_USAGE,
				  "\"%s\" cannot be the name of a machine",
				  name);
		path = strdup(name);
	} else {
		folder = machine_folder(tool);
		if (create)
			tool_make_folders(tool, folder);
		if (asprintf(&path, "%s/%s", folder, name) < 0)
			path = NULL;
		free(folder);
	}
	if (!path)
		tool_fail(tool, TOOL_FAILED, "out of memory");
	return path;
}

struct pmcsim_machine *
machine_open(const struct tool *tool, const char *name, const char *options)
{
	char *path = machine_path(tool, name, false);
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	int err = pmcsim_machine_open(path, &m, &error);

	free(path);
	if (err == -ENOENT)
		tool_fail(tool, TOOL_FAILED,
			  "there is no machine %s; \"pmcsim new %s%s\" makes "
			  "it",
			  name, options, name);
	if (err != 0)
		tool_fail(tool, TOOL_FAILED, "%s", error.text);
	return m;
}

const char *
only_operand(const struct tool *tool, int argc, char **argv, const char *what)
{
	if (optind == argc)
		tool_fail(tool, TOOL_USAGE, "no %s is named; see --help",
			  what);
	if (optind + 1 < argc && argv[optind + 1][0] == '-')
		tool_fail(tool, TOOL_USAGE, "%s: options come before the %s",
			  argv[optind + 1], what);
	if (optind + 1 < argc)
		tool_fail(tool, TOOL_USAGE, "%s: one %s is enough; see --help",
			  argv[optind + 1], what);
	return argv[optind];
}
