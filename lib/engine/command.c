/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line and the environment of the engine. */
#include "command.h"

#include "engine.h"
#include "native.h"

#include "program/engine_args.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN_NAME "pmcsim-plugin.so"

extern char **environ;

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

char *
command_file(const char *const *beside)
{
	const char *slash;
	char *path = NULL;
	Dl_info self;

	if (!dladdr((void *)command_file, &self) || !self.dli_fname ||
	    !(slash = strrchr(self.dli_fname, '/')))
		return NULL;
	for (; !path && *beside; beside++)
		path = file_in(self.dli_fname, (size_t)(slash - self.dli_fname),
			       *beside);
	return path;
}

/*
 * The plugin: $PMCSIM_PLUGIN, or what was built or installed with this
 * library: beside it, or in the folder pmcsim there.
 */
static char *
find_plugin(struct pmcsim_error *error)
{
	static const char *const beside[] = {PLUGIN_NAME,
					     "pmcsim/" PLUGIN_NAME, NULL};
	const char *named = getenv("PMCSIM_PLUGIN");
	char *path;

	if (named && *named) {
		path = realpath(named, NULL);
		if (!path)
			engine_fail(error, -ENXIO, "$PMCSIM_PLUGIN: %s: %s",
				    named, strerror(errno));
		return path;
	}
	path = command_file(beside);
#ifdef PMCSIM_PLUGINDIR
	if (!path)
		path = file_in(PMCSIM_PLUGINDIR, strlen(PMCSIM_PLUGINDIR),
			       PLUGIN_NAME);
#endif
	if (!path)
		engine_fail(error, -ENXIO,
			    "%s is not installed beside the library; "
			    "$PMCSIM_PLUGIN can name it", PLUGIN_NAME);
	return path;
}

char *
command_plugin(const char *machine_path, struct pmcsim_error *error)
{
	char *plugin = find_plugin(error), *text = NULL;
	size_t size;
	FILE *f;

	if (!plugin)
		return NULL;
	f = open_memstream(&text, &size);
	if (f) {
		engine_write_value(f, plugin);
		fputs(",machine=", f);
		engine_write_value(f, machine_path);
	}
	free(plugin);
	if (f && !fclose(f) && text)
		return text;
	free(text);
	engine_fail(error, -ENOMEM, "out of memory");
	return NULL;
}

static void
add_sysroot(struct strings *args, enum isa isa)
{
	const char *sysroot = isa_sysroot(isa);

	if (!sysroot)
		return;
	strings_add(args, "-L");
	strings_add(args, sysroot);
}

/* The first numbers of each program, and its processor's. */
static void
add_seed(struct strings *args, const uint64_t *seed)
{
	char *text;

	if (!seed)
		return;
	strings_add(args, "-seed");
	strings_own(args, asprintf(&text, "%" PRIu64, *seed) < 0 ? NULL : text);
}

int
command_make(struct command *command, const struct program *target,
	     const char *machine_path, const uint64_t *seed,
	     struct pmcsim_error *error)
{
	struct strings args = {0}, env = {0};
	char *qemu = NULL, *plugin;
	int err;

	if (native_is_chosen(target->isa))
		return native_command(command, target, machine_path, error);
	*command = (struct command){.argv = NULL};
	plugin = command_plugin(machine_path, error);
	if (!plugin)
		return -ENXIO;
	err = pmcsim_engine_find(isa_row[target->isa].name, &qemu, error);
	if (err != 0) {
		free(plugin);
		return err;
	}
	strings_own(&args, qemu);
	strings_add(&args, "-plugin");
	strings_own(&args, plugin);
	if (isa_row[target->isa].cpu) {
		strings_add(&args, "-cpu");
		strings_add(&args, isa_row[target->isa].cpu);
	}
	add_seed(&args, seed);
	add_sysroot(&args, target->isa);
	engine_split_environment(environ, &args, &env);
	engine_add_program(&args, target);
	command->argv = args.s;
	command->env = env.s;
	if (args.failed || env.failed)
		return engine_fail(error, -ENOMEM, "out of memory");
	return 0;
}

static void
free_strings(char **s)
{
	for (size_t i = 0; s && s[i]; i++)
		free(s[i]);
	free(s);
}

void
command_free(struct command *command)
{
	free_strings(command->argv);
	free_strings(command->env);
	if (command->release)
		command->release(command->arg);
	*command = (struct command){.argv = NULL};
}
