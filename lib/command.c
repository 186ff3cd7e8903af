/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line and the environment of the engine. */
#include "command.h"

#include "engine.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN_NAME "pmcsim-plugin.so"

extern char **environ;

/* A list of strings that grows; failed once there was no memory. */
struct strings {
	char **s;
	size_t n, room;
	bool failed;
};

static void
add_owned(struct strings *list, char *text)
{
	char **s;

	if (list->n + 2 > list->room) {
		size_t room = list->room ? 2 * list->room : 32;

		s = realloc(list->s, room * sizeof(*s));
		if (!s) {
			free(text);
			list->failed = true;
			return;
		}
		list->s = s;
		list->room = room;
	}
	if (!text)
		list->failed = true;
	list->s[list->n] = text;
	if (text)
		list->s[++list->n] = NULL;
}

static void
add(struct strings *list, const char *text)
{
	add_owned(list, strdup(text));
}

/* Doubles commas, which separate QEMU's suboptions. */
static char *
escape_commas(const char *text)
{
	char *out = malloc(2 * strlen(text) + 1), *p = out;

	if (!out)
		return NULL;
	for (; *text; text++) {
		if (*text == ',')
			*p++ = ',';
		*p++ = *text;
	}
	*p = '\0';
	return out;
}

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

/*
 * The plugin: $PMCSIM_PLUGIN, or what was built or installed with this
 * library: beside it, or in the folder pmcsim there.
 */
static char *
find_plugin(struct pmcsim_error *error)
{
	const char *named = getenv("PMCSIM_PLUGIN");
	const char *slash;
	char *path = NULL;
	Dl_info self;

	if (named && *named) {
		path = realpath(named, NULL);
		if (!path)
			engine_fail(error, -ENXIO, "$PMCSIM_PLUGIN: %s: %s",
				    named, strerror(errno));
		return path;
	}
	if (dladdr((void *)find_plugin, &self) && self.dli_fname &&
	    (slash = strrchr(self.dli_fname, '/'))) {
		size_t n = (size_t)(slash - self.dli_fname);

		path = file_in(self.dli_fname, n, PLUGIN_NAME);
		if (!path)
			path = file_in(self.dli_fname, n,
				       "pmcsim/" PLUGIN_NAME);
	}
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
	char *plugin = find_plugin(error), *p, *m, *text = NULL;

	if (!plugin)
		return NULL;
	p = escape_commas(plugin);
	m = escape_commas(machine_path);
	if (!p || !m || asprintf(&text, "%s,machine=%s", p, m) < 0) {
		engine_fail(error, -ENOMEM, "out of memory");
		text = NULL;
	}
	free(plugin);
	free(p);
	free(m);
	return text;
}

static void
add_sysroot(struct strings *args, const struct isa *isa)
{
	const char *sysroot = isa_sysroot(isa);

	if (!sysroot)
		return;
	add(args, "-L");
	add(args, sysroot);
}

/*
 * Variables that the dynamic linker or QEMU would take for their own are the
 * target's: they reach it by -E.  A comma cannot be quoted there; such a
 * value stays where it is.
 */
static bool
belongs_to_target(const char *variable)
{
	static const char *const prefix[] = {"LD_", "QEMU_", "MALLOC_",
					     "GLIBC_TUNABLES="};

	for (size_t i = 0; i < sizeof(prefix) / sizeof(*prefix); i++)
		if (strncmp(variable, prefix[i], strlen(prefix[i])) == 0)
			return !strchr(variable, ',');
	return false;
}

/*
 * QEMU hands the environment to the target in reverse, so this one is.  A heap
 * for each of QEMU's own threads would lie where the kernel's choice of
 * addresses for the target finds it or not; the target does not see that.
 */
static void
split_environment(struct strings *args, struct strings *env)
{
	size_t n = 0;

	add(env, "MALLOC_ARENA_MAX=1");
	add(args, "-U");
	add(args, "MALLOC_ARENA_MAX");
	while (environ && environ[n])
		n++;
	while (n-- > 0) {
		if (belongs_to_target(environ[n])) {
			add(args, "-E");
			add(args, environ[n]);
		} else {
			add(env, environ[n]);
		}
	}
}

/* The first numbers of each program, and its processor's. */
static void
add_seed(struct strings *args, const uint64_t *seed)
{
	char *text;

	if (!seed)
		return;
	add(args, "-seed");
	add_owned(args, asprintf(&text, "%" PRIu64, *seed) < 0 ? NULL : text);
}

static void
add_target(struct strings *args, const struct target *target)
{
	add(args, "-0");
	add(args, target->argv[0]);
	add(args, target->program);
	for (char **a = target->argv + 1; *a; a++)
		add(args, *a);
}

int
command_make(struct command *command, const struct target *target,
	     const char *machine_path, const uint64_t *seed,
	     struct pmcsim_error *error)
{
	struct strings args = {0}, env = {0};
	char *qemu = NULL, *plugin;
	int err;

	*command = (struct command){.argv = NULL};
	plugin = command_plugin(machine_path, error);
	if (!plugin)
		return -ENXIO;
	err = pmcsim_engine_find(target->isa->name, &qemu, error);
	if (err != 0) {
		free(plugin);
		return err;
	}
	add_owned(&args, qemu);
	add(&args, "-plugin");
	add_owned(&args, plugin);
	if (target->isa->cpu) {
		add(&args, "-cpu");
		add(&args, target->isa->cpu);
	}
	add_seed(&args, seed);
	add_sysroot(&args, target->isa);
	split_environment(&args, &env);
	add_target(&args, target);
	command->argv = args.s;
	command->env = env.s ? env.s : calloc(1, sizeof(char *));
	if (args.failed || env.failed || !command->env)
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
