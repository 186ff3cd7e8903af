/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pfmon. */
#include "pfmon.h"

#include "common/progress.h"

#include <getopt.h>

enum {
	OPT_EVENTS = 1, OPT_LIST, OPT_MASKS, OPT_EVENT, OPT_INFO, OPT_LEVEL,
	OPT_LEVELS, OPT_THRESHOLDS, OPT_OUTFILE, OPT_APPEND, OPT_HEADER,
	OPT_TIME, OPT_US, OPT_EU, OPT_HEX, OPT_CHECK, OPT_QUIET, OPT_VERBOSE,
	OPT_FOLLOW, OPT_AGGREGATE, OPT_CPU, OPT_JSON, OPT_CSV, OPT_MARKDOWN, OPT_SILENT, OPT_BOARD,
	OPT_KEEP_INPUT,
	/* Refused, by why. */
	OPT_SYSTEM, OPT_SAMPLE, OPT_TRIGGER, OPT_SOME, OPT_SESSION, OPT_DEBUG,
	OPT_RANGE, OPT_OPCODE, OPT_SET, OPT_IDLE, OPT_INTERRUPT
};

#define REFUSED(id, name, argument) \
	{id, 0, name, argument, NULL, WORDS_NONE}

static const struct tool_option options[] = {
	{OPT_EVENTS, 'e', "events", "EVENT,...",
	 "count these; each -e is a set, with a run of its own",
	 WORDS_MONITORED},
	{OPT_LEVEL, 'u', "user-level", NULL, "count in user mode (default)",
	 WORDS_NONE},
	{OPT_LEVEL, '3', "level-3", NULL, NULL, WORDS_NONE},
	{OPT_LEVEL, 'k', "kernel-level", NULL,
	 "count at level 0: the kernel's, or accounts of it",
	 WORDS_NONE},
	{OPT_LEVEL, '0', "level-0", NULL, NULL, WORDS_NONE},
	{OPT_LEVEL, '1', "level-1", NULL, "count at level 1", WORDS_NONE},
	{OPT_LEVEL, '2', "level-2", NULL, "count at level 2", WORDS_NONE},
	{OPT_LEVELS, 0, "priv-levels", "LEVELS,...",
	 "levels of each event: letters of 0123uk", WORDS_NONE},
	{OPT_THRESHOLDS, 0, "event-thresholds", "N,...",
	 "cycles with more than N, of each event", WORDS_NONE},
	{OPT_LIST, 'l', "show-events", "[REGEX]",
	 "list the events, those whose names match", WORDS_NONE},
	{OPT_MASKS, 'L', "show-event-masks", "[REGEX]",
	 "list them with codes and unit masks", WORDS_NONE},
	{OPT_EVENT, 'i', "event-info", "EVENT", "describe an event",
	 WORDS_NONE},
	{OPT_INFO, 'I', "info", NULL, "describe the CPU", WORDS_NONE},
	{OPT_OUTFILE, 0, "outfile", "FILE", "write the counts there",
	 WORDS_FILES},
	{OPT_APPEND, 0, "append", NULL, "... behind what is there",
	 WORDS_NONE},
	{OPT_HEADER, 0, "with-header", NULL, "say first what is counted",
	 WORDS_NONE},
	{OPT_TIME, 0, "show-time", NULL, "show the emulated time",
	 WORDS_NONE},
	{OPT_US, 0, "us-counter-format", NULL, "1,024", WORDS_NONE},
	{OPT_EU, 0, "eu-counter-format", NULL, "1.024", WORDS_NONE},
	{OPT_HEX, 0, "hex-counter-format", NULL, "0x0000000000000400",
	 WORDS_NONE},
	{OPT_CHECK, 0, "check-events-only", NULL,
	 "see whether the events go together, run nothing", WORDS_NONE},
	{OPT_QUIET, 0, "no-cmd-output", NULL,
	 "throw the output of the command away", WORDS_NONE},
	{OPT_VERBOSE, 0, "verbose", NULL, "show the registers", WORDS_NONE},
	{OPT_FOLLOW, 0, "follow-all", NULL,
	 "count all processes of the command (always)", WORDS_NONE},
	{OPT_AGGREGATE, 0, "aggregate-results", NULL,
	 "add up what processes and CPUs count (always)", WORDS_NONE},
	{OPT_KEEP_INPUT, 0, "keep-input", NULL,
	 "read standard input first, so that each run reads all of it",
	 WORDS_NONE},
	{OPT_CPU, 0, "cpu", "NAME|FILE", "CPU table [itanium2]", WORDS_CPUS},
	{OPT_JSON, 0, "json", NULL, "write JSON", WORDS_NONE},
	{OPT_CSV, 0, "csv", NULL, "write CSV", WORDS_NONE},
	MARKDOWN_OPTION(OPT_MARKDOWN),
	PIPELINE_OPTION,
	OUTSIDE_OPTIONS,
	ENGINE_OPTION,
	SYSTEM_OPTION(OPT_BOARD),
	QUIET_OPTION(OPT_SILENT),
	REFUSED(OPT_SYSTEM, "system-wide", NULL),
	REFUSED(OPT_SYSTEM, "cpu-list", "N,..."),
	REFUSED(OPT_SYSTEM, "attach-task", "PID"),
	{OPT_SESSION, 't', "session-timeout", "SECONDS", NULL, WORDS_NONE},
	REFUSED(OPT_SESSION, "print-interval", "MS"),
	REFUSED(OPT_SESSION, "switch-timeout", "MS"),
	REFUSED(OPT_SAMPLE, "long-smpl-periods", "N,..."),
	REFUSED(OPT_SAMPLE, "short-smpl-periods", "N,..."),
	REFUSED(OPT_SAMPLE, "smpl-entries", "N"),
	REFUSED(OPT_SAMPLE, "smpl-outfile", "FILE"),
	REFUSED(OPT_SAMPLE, "smpl-module", "NAME"),
	REFUSED(OPT_SAMPLE, "smpl-print-counts", NULL),
	REFUSED(OPT_SAMPLE, "smpl-periods-random", "MASK:SEED"),
	REFUSED(OPT_SAMPLE, "smpl-module-info", "NAME"),
	REFUSED(OPT_SAMPLE, "smpl-show-top", "N"),
	REFUSED(OPT_SAMPLE, "smpl-show-function", NULL),
	REFUSED(OPT_SAMPLE, "smpl-per-function", NULL),
	REFUSED(OPT_SAMPLE, "smpl-ignore-pids", NULL),
	REFUSED(OPT_SAMPLE, "smpl-raw", NULL),
	REFUSED(OPT_SAMPLE, "smpl-compact", NULL),
	REFUSED(OPT_SAMPLE, "smpl-eager-save", NULL),
	REFUSED(OPT_SAMPLE, "smpl-cum-threshold", "PERCENT"),
	REFUSED(OPT_SAMPLE, "reset-non-smpl-periods", NULL),
	REFUSED(OPT_SAMPLE, "resolve-addresses", NULL),
	REFUSED(OPT_SAMPLE, "symbol-file", "FILE"),
	REFUSED(OPT_SAMPLE, "sysmap-file", "FILE"),
	REFUSED(OPT_SAMPLE, "demangle-cpp", NULL),
	REFUSED(OPT_TRIGGER, "trigger-code-start-address", "ADDRESS"),
	REFUSED(OPT_TRIGGER, "trigger-code-stop-address", "ADDRESS"),
	REFUSED(OPT_TRIGGER, "trigger-data-start-address", "ADDRESS"),
	REFUSED(OPT_TRIGGER, "trigger-data-stop-address", "ADDRESS"),
	REFUSED(OPT_TRIGGER, "trigger-code-repeat", NULL),
	REFUSED(OPT_TRIGGER, "trigger-code-follow", NULL),
	REFUSED(OPT_TRIGGER, "trigger-data-repeat", NULL),
	REFUSED(OPT_TRIGGER, "trigger-data-follow", NULL),
	REFUSED(OPT_TRIGGER, "trigger-data-ro", NULL),
	REFUSED(OPT_TRIGGER, "trigger-data-wo", NULL),
	REFUSED(OPT_TRIGGER, "trigger-start-delay", "SECONDS"),
	REFUSED(OPT_TRIGGER, "checkpoint-func", "ADDRESS"),
	REFUSED(OPT_RANGE, "irange", "RANGE"),
	REFUSED(OPT_RANGE, "drange", "RANGE"),
	REFUSED(OPT_OPCODE, "opc-match8", "VALUE"),
	REFUSED(OPT_OPCODE, "opc-match9", "VALUE"),
	REFUSED(OPT_SET, "insn-set", "SETS"),
	REFUSED(OPT_IDLE, "excl-idle", NULL),
	REFUSED(OPT_INTERRUPT, "excl-intr", NULL),
	REFUSED(OPT_INTERRUPT, "intr-only", NULL),
	REFUSED(OPT_SESSION, "dont-start", NULL),
	REFUSED(OPT_SOME, "follow-fork", NULL),
	REFUSED(OPT_SOME, "follow-vfork", NULL),
	REFUSED(OPT_SOME, "follow-exec", NULL),
	REFUSED(OPT_SOME, "follow-pthread", NULL),
	REFUSED(OPT_SOME, "follow-exec-exclude", "PATTERN"),
	REFUSED(OPT_DEBUG, "debug", NULL),
	TOOL_OPTIONS,
};

const struct tool pfmon_tool = {
	.name = "pfmon",
	.usage = "[OPTION...] [--] COMMAND [ARGUMENT...]",
	.about = "Count events of an emulated Itanium while COMMAND runs, as "
		 "pfmon of Linux does.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_COMMANDS,
};

static _Noreturn void
refuse(const struct tool_option *option)
{
	static const char *const why[] = {
		[OPT_SYSTEM] = "a machine has no processes but those of the "
			       "command, and one CPU",
		[OPT_SAMPLE] = "pfmon of pmcsim counts and takes no samples",
		[OPT_TRIGGER] = "breakpoints start and stop nothing here",
		[OPT_SOME] = "all processes and threads of the command are "
			     "counted",
		[OPT_SESSION] = "the events of a set are counted from the "
				"command's start to its end",
		[OPT_DEBUG] = "there is nothing to show; see --verbose",
		[OPT_RANGE] = "no monitor is bound to addresses here: events "
			      "count wherever they happen",
		[OPT_OPCODE] = "no monitor is bound to opcodes here: events "
			       "count whatever the instruction",
		[OPT_SET] = "the command has one instruction set, and its "
			    "events are counted",
		[OPT_IDLE] = "a machine has no idle task that could be "
			     "excluded",
		[OPT_INTERRUPT] = "events are not told apart by whether an "
				  "interrupt is served",
	};

	tool_fail(&pfmon_tool, TOOL_USAGE, "--%s: %s", option->name,
		  why[option->id]);
}

static unsigned
level_of(int letter)
{
	return letter == 'u' ? PFMON_USER :
	       letter == 'k' ? PFMON_KERNEL : 1u << (letter - '0');
}

static void
set_numbers(struct pfmon_options *o, enum pfmon_numbers numbers)
{
	if (o->numbers != NUMBERS_PLAIN && o->numbers != numbers)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "two formats of numbers are asked for");
	o->numbers = numbers;
}

static void
set_action(struct pfmon_options *o, enum pfmon_action action)
{
	if (o->action != PFMON_RUN)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "-l, -L, -i and -I exclude each other");
	o->action = action;
}

static void
set_format(struct pfmon_options *o, enum pfmon_format format)
{
	if (o->format != PFMON_TEXT && o->format != format)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  FORMATS_EXCLUDE);
	o->format = format;
}

static void
add_set(struct pfmon_options *o, const char *events)
{
	if (o->n_sets == PFMON_SETS)
		tool_fail(&pfmon_tool, TOOL_USAGE, "more than %d sets",
			  PFMON_SETS);
	o->set[o->n_sets++] = events;
}

/* Options that say something; false for one that only says yes. */
static bool
take_value(struct pfmon_options *o, const struct tool_option *option,
	   const char *argument)
{
	switch (option->id) {
	case OPT_EVENTS:
		add_set(o, argument);
		return true;
	case OPT_LEVEL:
		o->plm |= level_of(option->letter);
		return true;
	case OPT_LEVELS:
		o->levels = argument;
		return true;
	case OPT_THRESHOLDS:
		o->thresholds = argument;
		return true;
	case OPT_LIST:
	case OPT_MASKS:
		set_action(o, option->id == OPT_LIST ? PFMON_LIST :
						       PFMON_MASKS);
		o->what = argument;
		return true;
	case OPT_EVENT:
		set_action(o, PFMON_EVENT);
		o->what = argument;
		return true;
	case OPT_INFO:
		set_action(o, PFMON_INFO);
		return true;
	case OPT_OUTFILE:
		o->outfile = argument;
		return true;
	case OPT_CPU:
		o->cpu = argument;
		return true;
	case OPT_BOARD:
		o->system.board = argument;
		return true;
	default:
		return outside_apply(&pfmon_tool, &o->outside, option->id,
				     argument);
	}
}

static void
take_flag(struct pfmon_options *o, const struct tool_option *option)
{
	switch (option->id) {
	case OPT_APPEND:
		o->append = true;
		break;
	case OPT_HEADER:
		o->header = true;
		break;
	case OPT_TIME:
		o->time = true;
		break;
	case OPT_US:
	case OPT_EU:
	case OPT_HEX:
		set_numbers(o, option->id == OPT_US ? NUMBERS_US :
			       option->id == OPT_EU ? NUMBERS_EU :
						      NUMBERS_HEX);
		break;
	case OPT_CHECK:
		o->check_only = true;
		break;
	case OPT_QUIET:
		o->quiet = true;
		break;
	case OPT_VERBOSE:
		o->verbose = true;
		break;
	case OPT_KEEP_INPUT:
		o->keep_input = true;
		break;
	case OPT_JSON:
	case OPT_CSV:
		set_format(o, option->id == OPT_JSON ? PFMON_JSON : PFMON_CSV);
		break;
	case OPT_SILENT:
		progress_be_quiet();
		break;
	case OPT_MARKDOWN:
		set_format(o, PFMON_MARKDOWN);
		break;
	case OPT_FOLLOW:
	case OPT_AGGREGATE:
		break;		/* what happens in any case */
	default:
		refuse(option);
	}
}

static void
check(const struct pfmon_options *o)
{
	bool counts = o->n_sets || o->levels || o->thresholds || o->outfile ||
		      o->check_only || o->system.board ||
		      outside_given(&o->outside) ||
		      o->format != PFMON_TEXT;

	if (o->action != PFMON_RUN && counts)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "-l, -L, -i and -I count nothing");
	if (o->keep_input && o->quiet)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "--keep-input: with --no-cmd-output the command has "
			  "no input");
	if (o->append && !o->outfile)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "--append: behind what? --outfile says it");
	if (o->format != PFMON_TEXT &&
	    (o->header || o->time || o->numbers != NUMBERS_PLAIN))
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "--json, --csv and --markdown have a form of "
			  "their own");
	if (o->action == PFMON_RUN && !o->check_only && !o->command)
		tool_fail(&pfmon_tool, TOOL_USAGE, "no command to run; see "
						   "--help");
	if ((o->action == PFMON_EVENT || o->action == PFMON_INFO ||
	     o->check_only) && o->command)
		tool_fail(&pfmon_tool, TOOL_USAGE, "%s: nothing is run",
			  o->command[0]);
	outside_check(&pfmon_tool, &o->outside, &o->system);
}

void
pfmon_parse(struct pfmon_options *o, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	*o = (struct pfmon_options){.cpu = "itanium2"};
	while ((option = tool_next(&pfmon_tool, argc, argv, &argument)))
		if (!take_value(o, option, argument))
			take_flag(o, option);
	if (optind < argc)
		o->command = argv + optind;
	if (!o->plm)
		o->plm = PFMON_USER;
	check(o);
	if (!o->n_sets)
		add_set(o, "CPU_CYCLES");
}
