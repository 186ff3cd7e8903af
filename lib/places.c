/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "places.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN "pmcsim-plugin.so"
#define LEVELS 4	/* of folders between this code and the build folder */

/* The words after the format joined, or NULL. */
__attribute__((format(printf, 1, 2))) static char *
join(const char *format, ...)
{
	char *path = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&path, format, args) < 0)
		path = NULL;
	va_end(args);
	return path;
}

static bool
exists(char *path)
{
	bool found = path && !access(path, F_OK);

	free(path);
	return found;
}

/*
 * The build folder if this code runs from there, known by the plugin that
 * libtool has put into its .libs folder; NULL if the code is installed.
 */
static char *
build_folder(void)
{
	Dl_info self;
	char *folder, *slash;

	if (!dladdr((void *)build_folder, &self) || !self.dli_fname)
		return NULL;
	folder = realpath(self.dli_fname, NULL);
	for (int i = 0; folder && i < LEVELS; i++) {
		slash = strrchr(folder, '/');
		if (!slash)
			break;
		*slash = '\0';
		if (exists(join("%s/.libs/" PLUGIN, folder)))
			return folder;
	}
	free(folder);
	return NULL;
}

/* What the variable names, or the part of the build folder, or installed. */
static char *
place(const char *variable, const char *part, const char *installed)
{
	const char *named = getenv(variable);
	char *build, *path;

	if (named && *named)
		return strdup(named);
	build = build_folder();
	path = build ? join("%s/%s", build, part) : strdup(installed);
	free(build);
	return path;
}

char *
place_events(void)
{
	return place("PMCSIM_EVENTS", "events", PMCSIM_EVENTS_DIR);
}

char *
place_plugin(void)
{
	return place("PMCSIM_PLUGIN", ".libs/" PLUGIN,
		     PMCSIM_LIB_DIR "/" PLUGIN);
}

char *
place_guest(const char *file)
{
	char *folder = place("PMCSIM_GUEST", "simulator/guest",
			     PMCSIM_LIB_DIR);
	char *path = folder ? join("%s/%s", folder, file) : NULL;

	free(folder);
	return path;
}
