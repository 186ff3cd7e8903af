/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprofile: where events of a program happen. */
#include "record.h"

#include <stdlib.h>

enum { OPT_ALL = 1, OPT_EACH, OPT_ONE, OPT_PIDS, OPT_NOPIDS, OPT_BOARD,
       OPT_CPUS, OPT_CALLS };

static const struct tool_option options[] = {
	RECORD_OPTIONS("ev67"),
	{OPT_CALLS, 0, "calls", NULL, "record which calls led to each event",
	 WORDS_NONE},
	{OPT_PIDS, 0, "pids", NULL, "add the process to the file's name",
	 WORDS_NONE},
	{OPT_NOPIDS, 0, "nopids", NULL, "do not; the default", WORDS_NONE},
	{OPT_ALL, 0, "all", NULL, "all processors together; the default",
	 WORDS_NONE},
	{OPT_EACH, 0, "each", NULL, "a file for each processor", WORDS_NONE},
	{OPT_ONE, 0, "one", NULL, "one processor only", WORDS_NONE},
	{OPT_CPUS, 0, "cpus", "N", "CPUs that threads are spread over [1]",
	 WORDS_NONE},
	REGIONS_OPTIONS,
	PIPELINE_OPTION,
	OUTSIDE_OPTIONS,
	ENGINE_OPTION,
	SYSTEM_OPTION(OPT_BOARD),
	PROF_OPTIONS,
	TOOL_OPTIONS,
};

static const struct tool uprofile_tool = {
	.name = "uprofile",
	.usage = "[OPTION...] [STATISTIC...] [--] PROGRAM [ARGUMENT...]",
	.about = "Run a program on an emulated machine and record where its "
		 "events happen, in\n" PROF_DATA ".",
	.option = options,
	.n_options = sizeof options / sizeof *options,
	.single_dash = true,
	.operands = WORDS_COMMANDS,
};

static void
apply(struct record_options *o, int id, const char *argument)
{
	if (id == OPT_BOARD)
		o->system.board = argument;
	else if (id == OPT_CPUS)
		o->n_cpus = (unsigned)tool_option_number(
			&uprofile_tool, "-", "cpus", argument, 1,
			PMCSIM_MAX_CPUS);
	else if (id == OPT_CALLS)
		o->calls = true;
	else if (id == OPT_PIDS || id == OPT_NOPIDS)
		o->pids = id == OPT_PIDS;
	else
		o->cpus = id == OPT_EACH ? CPUS_EACH :
			  id == OPT_ONE ? CPUS_ONE : CPUS_ALL;
}

/* What ran on a board is named here. */
static void
name_places(const struct recording *p, struct pmcsim_umon *u)
{
	int rc = system_where(&p->o->system) ?
			 pmcsim_system_name(p->command, u->profile) : 1;

	if (rc < 0)
		tool_fail(&uprofile_tool, TOOL_FAILED, "out of memory");
	if (!rc)
		tool_note(&uprofile_tool, "functions have no names: on a "
			  "board, only those of a program linked with "
			  "-static and -no-pie have");
}

static void
parse(struct record_options *o, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	*o = (struct record_options){.tool = &uprofile_tool, .cpu = "ev67",
				     .data = PROF_DATA, .modes = RECORD_USER,
				     .name = name_places,
				     .given = tool_given(&uprofile_tool, argc,
							 argv)};
	while ((option = tool_next(&uprofile_tool, argc, argv, &argument)))
		if (!record_apply(o, option->id, argument) &&
		    !outside_apply(&uprofile_tool, &o->outside,
				   option->id, argument) &&
		    !regions_apply(&uprofile_tool, &o->regions, option->id,
				   argument))
			apply(o, option->id, argument);
	record_check(o, argv);
	system_excludes(&uprofile_tool, &o->system, o->n_cpus > 0, "-", "cpus");
	system_excludes(&uprofile_tool, &o->system, o->calls, "-", "calls");
	system_excludes(&uprofile_tool, &o->system, o->regions.name, "-",
			"region");
	if (o->regions.name && !o->exact)
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "-region%s is for profiles of every event: -exact",
			  o->regions.function ? "-function" : "");
	outside_check(&uprofile_tool, &o->outside, &o->system);
}

static struct pmcsim_cpu *
take_cpu(const struct record_options *o)
{
	struct pmcsim_cpu *cpu = tool_cpu(&uprofile_tool, o->cpu);
	struct pmcsim_error error;

	if (o->n_cpus && pmcsim_cpu_set_cpus(cpu, o->n_cpus, &error) != 0)
		tool_fail(&uprofile_tool, TOOL_USAGE, "%s", error.text);
	return cpu;
}

static void
check_processors(const struct recording *p)
{
	if (p->o->cpus != CPUS_ALL && pmcsim_cpu_contexts(p->cpu) > 1)
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "-each and -one: the contexts of %s are not "
			  "profiled one by one", pmcsim_cpu_name(p->cpu));
}

int
main(int argc, char **argv)
{
	struct record_options options;
	struct recording p = {.o = &options};
	struct pmcsim_umon *u;
	struct pmcsim_exit how;
	char *path;

	parse(&options, argc, argv);
	p.cpu = take_cpu(&options);
	record_words(&p);
	if (!*p.command)
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "no program to be profiled; see --help");
	check_processors(&p);
	record_check_file(&p);
	system_check(&uprofile_tool, &options.system, p.command);
	record_ask(&p);
	record_run(&p, &how);
	system_tell_machine(&uprofile_tool, &options.system, 0, p.cpu,
			    p.machine);
	u = record_read(&p, &how);
	path = record_write(&p, u);
	if (options.display)
		record_display(&p, u, path);
	free(path);
	pmcsim_umon_free(u);
	record_free(&p);
	return p.status;
}
