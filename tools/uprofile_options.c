/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of uprofile. */
#include "uprofile.h"

#include <unistd.h>

#define MAX_PERIOD 1000000000000ul
#define MAX_STRIDE 1073741824ul	/* instructions */

enum {
	OPT_ALL = 1,
	OPT_EACH,
	OPT_ONE,
	OPT_STRIDE,
	OPT_PIDS,
	OPT_NOPIDS,
	OPT_FOLDER,
	OPT_VERBOSE,
	OPT_QUIET,
	OPT_DISPLAY,
	OPT_EXACT,
	OPT_PERIOD,
	OPT_CPU
};

static const struct tool_option options[] = {
	{OPT_EXACT, 0, "exact", NULL,
	 "attribute every event, not one in so many", WORDS_NONE},
	{OPT_PERIOD, 0, "period", "N", "sample one event in N [the device's]",
	 WORDS_NONE},
	{OPT_FOLDER, 0, "dirname", "PATH", "write to this folder",
	 WORDS_FILES},
	{OPT_PIDS, 0, "pids", NULL, "add the process to the file's name",
	 WORDS_NONE},
	{OPT_NOPIDS, 0, "nopids", NULL, "do not; the default", WORDS_NONE},
	{OPT_ALL, 0, "all", NULL, "all processors together; the default",
	 WORDS_NONE},
	{OPT_EACH, 0, "each", NULL, "a file for each processor", WORDS_NONE},
	{OPT_ONE, 0, "one", NULL, "one processor only", WORDS_NONE},
	{OPT_STRIDE, 0, "stride", "N",
	 "count N instructions together, a power of two; 0: all", WORDS_NONE},
	{OPT_VERBOSE, 'v', "verbose", NULL, "say what is done", WORDS_NONE},
	{OPT_QUIET, 0, "quiet", NULL, "do not warn", WORDS_NONE},
	{OPT_DISPLAY, 0, "display", NULL,
	 "show the profile afterwards, as any option of prof does",
	 WORDS_NONE},
	{OPT_CPU, 0, "cpu", "NAME|FILE", "CPU table [ev67]", WORDS_CPUS},
	PROF_OPTIONS,
	TOOL_OPTIONS,
};

const struct tool uprofile_tool = {
	.name = "uprofile",
	.usage = "[OPTION...] [STATISTIC...] [--] PROGRAM [ARGUMENT...]",
	.about = "Run a program on an emulated machine and record where its "
		 "events happen, in\n" PROF_DATA ".",
	.option = options,
	.n_options = sizeof options / sizeof *options,
	.operands = WORDS_COMMANDS,
};

static unsigned long
number(const char *what, const char *text, unsigned long min,
       unsigned long max)
{
	return tool_option_number(&uprofile_tool, "-", what, text, min, max);
}

static void
set_stride(struct uprofile_options *o, const char *text)
{
	o->has_stride = true;
	o->stride = number("stride", text, 0, MAX_STRIDE);
	if (o->stride & (o->stride - 1))
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "-stride %s: not a power of two", text);
}

/* Options with an argument; false: it is none. */
static bool
apply_argument(struct uprofile_options *o, int id, const char *argument)
{
	switch (id) {
	case OPT_PERIOD:
		o->period = number("period", argument, 1, MAX_PERIOD);
		return true;
	case OPT_FOLDER:
		o->folder = argument;
		return true;
	case OPT_STRIDE:
		set_stride(o, argument);
		return true;
	case OPT_CPU:
		o->cpu = argument;
		return true;
	default:
		return false;
	}
}

static void
apply_flag(struct uprofile_options *o, int id)
{
	switch (id) {
	case OPT_EXACT:
		o->exact = true;
		break;
	case OPT_PIDS:
	case OPT_NOPIDS:
		o->pids = id == OPT_PIDS;
		break;
	case OPT_ALL:
		o->cpus = CPUS_ALL;
		break;
	case OPT_EACH:
		o->cpus = CPUS_EACH;
		break;
	case OPT_ONE:
		o->cpus = CPUS_ONE;
		break;
	case OPT_VERBOSE:
		o->verbose = true;
		break;
	case OPT_QUIET:
		o->quiet = true;
		break;
	case OPT_DISPLAY:
		o->display = true;
		break;
	}
}

void
uprofile_parse(struct uprofile_options *o, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	*o = (struct uprofile_options){.cpu = "ev67"};
	tool_single_dash(&uprofile_tool, argc, argv);
	while ((option = tool_next(&uprofile_tool, argc, argv, &argument))) {
		if (prof_apply(&uprofile_tool, &o->prof, option->id, argument))
			o->display = true;
		else if (!apply_argument(o, option->id, argument))
			apply_flag(o, option->id);
	}
	o->operand = argv + optind;
	if (o->exact && o->period)
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "-exact and -period exclude each other");
	if (o->quiet && o->verbose)
		tool_fail(&uprofile_tool, TOOL_USAGE,
			  "-quiet and -v exclude each other");
	prof_check(&uprofile_tool, &o->prof);
}
