/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "outside.h"

#include <limits.h>
#include <string.h>

/* True: the only word there is was given. */
static bool
only(const struct tool *tool, const char *option, const char *word,
     const char *argument)
{
	if (strcmp(argument, word) != 0)
		tool_fail(tool, TOOL_USAGE, "%s%s %s: only \"%s\" is known",
			  tool_dashes(tool), option, argument, word);
	return true;
}

static void
choose_engine(const struct tool *tool, const char *name)
{
	struct pmcsim_error error;

	if (pmcsim_engine_choose(name, &error))
		tool_fail(tool, TOOL_USAGE, "%sengine %s", tool_dashes(tool),
			  error.text);
}

static void
choose_isa(const struct tool *tool, const char *level)
{
	struct pmcsim_error error;

	if (pmcsim_isa_choose(level, &error))
		tool_fail(tool, TOOL_USAGE, "%sisa %s", tool_dashes(tool),
			  error.text);
}

static void
choose_environment(const struct tool *tool, const char *word)
{
	struct pmcsim_error error;

	if (pmcsim_environment_choose(word, &error))
		tool_fail(tool, TOOL_USAGE, "%senv %s", tool_dashes(tool),
			  error.text);
}

const char *
outside_environment(char *const *command)
{
	static char hash[PMCSIM_ENVIRONMENT_HASH];

	if (!command)
		return NULL;
	pmcsim_environment_hash(hash);
	return hash;
}

static void
choose_pipeline(const struct tool *tool, const char *name)
{
	struct pmcsim_error error;

	if (pmcsim_pipeline_choose(name, &error))
		tool_fail(tool, TOOL_USAGE, "%spipeline %s", tool_dashes(tool),
			  error.text);
}

const char *
outside_engine(const struct system_option *s, char *const *command)
{
	if (!command)
		return NULL;
	return !system_where(s) && pmcsim_command_is_native(command)
		       ? "native" : "qemu";
}

const char *
outside_isa(const struct system_option *s, char *const *command)
{
	return command && !system_where(s) ? pmcsim_command_isa(command)
					   : NULL;
}

void
outside_engine_json(const struct system_option *s, char *const *command,
		    FILE *out)
{
	const char *engine = outside_engine(s, command);
	const char *isa = outside_isa(s, command);

	if (engine)
		fprintf(out, ",\"engine\":\"%s\"", engine);
	if (isa)
		fprintf(out, ",\"isa\":\"%s\"", isa);
	if (command)
		fprintf(out, ",\"environment\":\"%s\"",
			outside_environment(command));
}

bool
outside_apply(const struct tool *tool, struct outside *o, int id,
	      const char *argument)
{
	switch (id) {
	case OUTSIDE_THREADS:
		return o->parallel = only(tool, "threads", "parallel",
					  argument);
	case OUTSIDE_CLOCK:
		return o->clock = only(tool, "clock", "machine", argument);
	case OUTSIDE_ENGINE:
		choose_engine(tool, argument);
		return true;
	case OUTSIDE_ISA:
		choose_isa(tool, argument);
		if (o)
			o->isa = true;
		return true;
	case OUTSIDE_ENV:
		choose_environment(tool, argument);
		return true;
	case OUTSIDE_PIPELINE:
		choose_pipeline(tool, argument);
		return o->pipeline = true;
	case OUTSIDE_RANDOM:
		o->seed = tool_option_number(tool, tool_dashes(tool), "random",
					     argument, 0, ULONG_MAX);
		return o->seeded = true;
	default:
		return false;
	}
}

const char *
outside_given(const struct outside *o)
{
	return o->parallel ? "threads" : o->clock ? "clock" :
	       o->seeded ? "random" : NULL;
}

void
outside_check(const struct tool *tool, const struct outside *o,
	      const struct system_option *s)
{
	const char *given = outside_given(o);

	system_excludes(tool, s, given, tool_dashes(tool), given);
	system_excludes(tool, s, o->isa, tool_dashes(tool), "isa");
}

void
outside_set(const struct outside *o, struct pmcsim_machine *m)
{
	pmcsim_machine_set_parallel(m, o->parallel);
	pmcsim_machine_set_clock(m, o->clock);
	if (o->seeded)
		pmcsim_machine_set_seed(m, o->seed);
}
