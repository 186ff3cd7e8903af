/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "native.h"

#include "engine.h"
#include "environment.h"
#include "part.h"
#include "shown.h"

#include "program/engine_args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NATIVE_NAME "pmcsim-native"

enum { QEMU, NATIVE, BY_ITSELF, NOT_TOLD };

static const char *const name[] = {[QEMU] = "qemu", [NATIVE] = "native"};

static unsigned chosen = NOT_TOLD;
static bool side_by_side;	/* native_allow() */

static unsigned
index_of(const char *engine)
{
	unsigned i = 0;

	while (i < SIM_COUNT(name) && strcmp(name[i], engine))
		i++;
	return i;
}

int
pmcsim_engine_choose(const char *engine, struct pmcsim_error *error)
{
	const char *asked = engine ? engine : getenv("PMCSIM_ENGINE");

	chosen = BY_ITSELF;
	if (!asked || !*asked)
		return 0;
	chosen = index_of(asked);
	if (chosen < SIM_COUNT(name))
		return 0;
	chosen = NOT_TOLD;
	return engine_fail(error, -EINVAL,
			   "%s%s: there are the engines qemu and native",
			   engine ? "" : "$PMCSIM_ENGINE: ", asked);
}

int
native_asked(struct pmcsim_error *error)
{
	return chosen == NOT_TOLD ? pmcsim_engine_choose(NULL, error) : 0;
}

void
native_allow(bool in_turns)
{
	side_by_side = !in_turns;
}

const char *
pmcsim_engine_lacks(void)
{
	return level_lacks(engine_level());
}

const char *
pmcsim_engine_chosen(void)
{
	native_asked(NULL);
	if (chosen < SIM_COUNT(name))
		return name[chosen];
	return name[side_by_side || pmcsim_engine_lacks() ? QEMU : NATIVE];
}

bool
native_is_chosen(enum isa isa)
{
	return isa == ISA_X86_64 &&
	       !strcmp(pmcsim_engine_chosen(), name[NATIVE]);
}

#ifndef PMCSIM_NATIVEDIR
#define PMCSIM_NATIVEDIR NULL
#endif

static const struct part native_part = {
	.name = NATIVE_NAME,
	.variable = "PMCSIM_NATIVE",
	.beside = (const char *const[]){"../" NATIVE_NAME, NATIVE_NAME,
					"pmcsim/" NATIVE_NAME, NULL},
	.installed = PMCSIM_NATIVEDIR,
};

/* Where QEMU is for programs of other instruction sets, if it is somewhere. */
static void
add_qemu(struct strings *args, const char *machine_path)
{
	char *plugin = part_plugin(machine_path, NULL), *qemu = NULL;
	char *slash;

	if (plugin && !pmcsim_engine_find(isa_row[ISA_I386].name, &qemu,
					  NULL) &&
	    (slash = strrchr(qemu, '/'))) {
		*slash = '\0';
		strings_add(args, "-qemu");
		strings_add(args, qemu);
		strings_add(args, "-plugin");
		strings_add(args, plugin);
	}
	free(plugin);
	free(qemu);
}

/* A variable reaches the first program only, which may clear it. */
static void
add_sysroots(struct strings *args)
{
	for (enum isa isa = 0; isa < ISA_N; isa++) {
		const char *named = getenv(isa_row[isa].variable);
		char *option;

		if (!named || !*named)
			continue;
		strings_own(args, asprintf(&option, "-sysroot-%s",
					   isa_row[isa].name) < 0
					  ? NULL : option);
		strings_add(args, named);
	}
}

int
pmcsim_engine_native(char **path, struct pmcsim_error *error)
{
	*path = part_find(&native_part, error);
	return *path ? 0 : -ENXIO;
}

void
native_write_path(FILE *f)
{
	char *path = native_is_chosen(ISA_X86_64)
			     ? part_find(&native_part, NULL) : NULL;

	if (path) {
		fputs(",native=", f);
		engine_write_value(f, path);
	}
	free(path);
}

static struct {
	uint64_t address;
	const char *path;	/* NULL: nothing is shown */
} explained;

void
pmcsim_engine_explain(uint64_t address, const char *path)
{
	explained.address = address;
	explained.path = path;
}

static void
add_explain(struct strings *args)
{
	char *text;

	if (!explained.path)
		return;
	strings_add(args, "-explain");
	strings_own(args, asprintf(&text, "0x%" PRIx64 "=%s",
				   explained.address, explained.path) < 0
				  ? NULL : text);
}

int
native_command(struct command *command, const struct program *target,
	       const char *machine_path, struct pmcsim_error *error)
{
	struct strings args = {0}, env = {0};
	char *native = part_find(&native_part, error);

	*command = (struct command){.argv = NULL};
	if (!native)
		return -ENXIO;
	strings_own(&args, native);
	strings_add(&args, "-machine");
	strings_add(&args, machine_path);
	add_qemu(&args, machine_path);
	strings_add(&args, "-isa");
	strings_add(&args, level_name(engine_level()));
	add_explain(&args);
	add_sysroots(&args);
	engine_split_environment(environment_of_target(), &args, &env);
	engine_add_program(&args, target);
	command->argv = args.s;
	command->env = env.s;
	if (args.failed || env.failed)
		return engine_fail(error, -ENOMEM, "out of memory");
	return 0;
}
