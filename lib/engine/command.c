/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line and the environment of the engine. */
#include "command.h"

#include "engine.h"
#include "environment.h"
#include "native.h"
#include "part.h"
#include "shown.h"

#include "program/engine_args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	char *qemu = NULL, *plugin, *cpu;
	int err = native_asked(error);

	if (!err)
		err = engine_level_asked(error);
	*command = (struct command){.argv = NULL};
	if (err)
		return err;
	if (native_is_chosen(target->isa))
		return native_command(command, target, machine_path, error);
	err = engine_qemu_cpu(target->isa, &cpu, error);
	if (err)
		return err;
	plugin = part_plugin(machine_path, error);
	err = plugin ? pmcsim_engine_find(isa_row[target->isa].name, &qemu,
					  error) : -ENXIO;
	if (err) {
		free(plugin);
		free(cpu);
		return err;
	}
	strings_own(&args, qemu);
	strings_add(&args, "-plugin");
	strings_own(&args, plugin);
	if (cpu) {
		strings_add(&args, "-cpu");
		strings_own(&args, cpu);
	}
	add_seed(&args, seed);
	add_sysroot(&args, target->isa);
	engine_split_environment(environment_of_target(), &args, &env);
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
