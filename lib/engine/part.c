/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "part.h"

#include "engine.h"
#include "native.h"
#include "shown.h"

#include "program/engine_args.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN_NAME "pmcsim-plugin.so"

/* The full path of dir/name, or NULL when that is no file to be read. */
static char *
file_in(const char *dir, size_t length, const char *name)
{
	char *path, *full;

	if (asprintf(&path, "%.*s/%s", (int)length, dir, name) < 0)
		return NULL;
	full = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
	free(path);
	return full;
}

/* The first of these that is there beside this library. */
static char *
file_beside(const char *const *beside)
{
	const char *slash;
	char *path = NULL;
	Dl_info self;

	if (!dladdr((void *)part_find, &self) || !self.dli_fname ||
	    !(slash = strrchr(self.dli_fname, '/')))
		return NULL;
	for (; !path && *beside; beside++)
		path = file_in(self.dli_fname, (size_t)(slash - self.dli_fname),
			       *beside);
	return path;
}

char *
part_find(const struct part *part, struct pmcsim_error *error)
{
	const char *named = getenv(part->variable);
	char *path;

	if (named && *named) {
		path = realpath(named, NULL);
		if (!path)
			engine_fail(error, -ENXIO, "$%s: %s: %s",
				    part->variable, named, strerror(errno));
		return path;
	}
	path = file_beside(part->beside);
	if (!path && part->installed)
		path = file_in(part->installed, strlen(part->installed),
			       part->name);
	if (!path)
		engine_fail(error, -ENXIO,
			    "%s is not installed beside the library; "
			    "$%s can name it", part->name, part->variable);
	return path;
}

#ifndef PMCSIM_PLUGINDIR
#define PMCSIM_PLUGINDIR NULL
#endif

static const struct part plugin = {
	.name = PLUGIN_NAME,
	.variable = "PMCSIM_PLUGIN",
	.beside = (const char *const[]){PLUGIN_NAME, "pmcsim/" PLUGIN_NAME,
					NULL},
	.installed = PMCSIM_PLUGINDIR,
};

char *
part_plugin_path(struct pmcsim_error *error)
{
	return part_find(&plugin, error);
}

char *
part_plugin(const char *machine_path, struct pmcsim_error *error)
{
	char *path = part_find(&plugin, error), *text = NULL;
	size_t size;
	FILE *f;

	if (!path)
		return NULL;
	f = open_memstream(&text, &size);
	if (f) {
		engine_write_value(f, path);
		fputs(",machine=", f);
		engine_write_value(f, machine_path);
		if (engine_level() != LEVEL_USUAL)
			fprintf(f, ",isa=%s", level_name(engine_level()));
		native_write_path(f);
	}
	free(path);
	if (f && !fclose(f) && text)
		return text;
	free(text);
	engine_fail(error, -ENOMEM, "out of memory");
	return NULL;
}
