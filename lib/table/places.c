/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "places.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEVELS 4	/* of folders between this code and the build folder */

/*
 * The folder of the tables if folder is a build folder: one where libtool
 * has put the plugin into .libs, and configure a link to the tables.
 */
static char *
built_events(const char *folder)
{
	char *path;
	int missing;

	if (asprintf(&path, "%s/.libs/pmcsim-plugin.so", folder) < 0)
		return NULL;
	missing = access(path, F_OK);
	free(path);
	if (missing || asprintf(&path, "%s/events", folder) < 0)
		return NULL;
	return path;
}

/*
 * The folder of the tables if the library is where it would be installed,
 * but below another root: that of "make install DESTDIR=ROOT", say.
 */
static char *
moved_events(const char *folder)
{
	size_t n = strlen(folder), m = strlen(PMCSIM_LIBDIR);
	char *path;

	if (n < m || strcmp(folder + n - m, PMCSIM_LIBDIR) != 0 ||
	    asprintf(&path, "%.*s%s", (int)(n - m), folder,
		     PMCSIM_EVENTS_DIR) < 0)
		return NULL;
	return path;
}

char *
place_events(void)
{
	char *folder = NULL, *found = NULL, *slash;
	Dl_info self;

	if (dladdr((void *)place_events, &self) && self.dli_fname)
		folder = realpath(self.dli_fname, NULL);
	for (int i = 0; folder && !found && i < LEVELS; i++) {
		slash = strrchr(folder, '/');
		if (!slash)
			break;
		*slash = '\0';
		found = i ? NULL : moved_events(folder);
		if (!found)
			found = built_events(folder);
	}
	free(folder);
	return found ? found : strdup(PMCSIM_EVENTS_DIR);
}
