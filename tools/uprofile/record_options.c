/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that uprofile and kprofile share. */
#include "record.h"

#include <string.h>
#include <unistd.h>

#define MAX_PERIOD 1000000000000ul
#define MAX_STRIDE 1073741824ul	/* instructions */

static unsigned long
number(const struct record_options *o, const char *what, const char *text,
       unsigned long min, unsigned long max)
{
	return tool_option_number(o->tool, "-", what, text, min, max);
}

static void
set_stride(struct record_options *o, const char *text)
{
	o->has_stride = true;
	o->stride = number(o, "stride", text, 0, MAX_STRIDE);
	if (o->stride & (o->stride - 1))
		tool_fail(o->tool, TOOL_USAGE,
			  "-stride %s: not a power of two", text);
}

/* Options with an argument; false: it is none. */
static bool
apply_argument(struct record_options *o, int id, const char *argument)
{
	switch (id) {
	case RECORD_PERIOD:
		o->period = number(o, "period", argument, 1, MAX_PERIOD);
		return true;
	case RECORD_FOLDER:
		o->folder = argument;
		return true;
	case RECORD_STRIDE:
		set_stride(o, argument);
		return true;
	case RECORD_CPU:
		o->cpu = argument;
		return true;
	default:
		return false;
	}
}

static bool
apply_flag(struct record_options *o, int id)
{
	switch (id) {
	case RECORD_EXACT:
		return o->exact = true;
	case RECORD_AVERAGE:
		return o->average = true;
	case RECORD_VERBOSE:
		return o->verbose = true;
	case RECORD_QUIET:
		return o->quiet = tool_quiet = true;
	case RECORD_DISPLAY:
		return o->display = true;
	default:
		return false;
	}
}

bool
record_apply(struct record_options *o, int id, const char *argument)
{
	if (prof_apply(o->tool, &o->prof, id, argument))
		return o->display = true;
	return apply_argument(o, id, argument) || apply_flag(o, id);
}

void
record_check(struct record_options *o, char **argv)
{
	o->operand = argv + optind;
	o->command_only = !strcmp(argv[optind - 1], "--");
	if (o->exact && o->period)
		tool_fail(o->tool, TOOL_USAGE,
			  "-exact and -period exclude each other");
	if (o->exact && o->average)
		tool_fail(o->tool, TOOL_USAGE,
			  "-exact and -average exclude each other");
	if (o->quiet && o->verbose)
		tool_fail(o->tool, TOOL_USAGE,
			  "-quiet and -v exclude each other");
	if (o->prof.inclusive && !o->calls)
		tool_fail(o->tool, TOOL_USAGE,
			  "-inclusive takes a profile of -calls of uprofile");
	prof_check(o->tool, &o->prof);
}
