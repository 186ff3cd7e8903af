/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of pctr: the classic one, "-s 0 -u c0+1", and the later
 * one, "-s 0 -f c0 -t 1 -u".  Both say the same in the same places, but for
 * a function without -f.
 */
#include "pctr.h"

#include "common/progress.h"

#include <getopt.h>
#include <string.h>

enum {
	OPT_FLAG = 1, OPT_FUNCTION, OPT_LIST, OPT_MASK, OPT_SELECT,
	OPT_THRESHOLD, OPT_CPU, OPT_MACHINE, OPT_JSON, OPT_CSV, OPT_OUTPUT,
	OPT_SYSTEM, OPT_MARKDOWN, OPT_APPEND,
	OPT_QUIET
};

static const struct tool_option options[] = {
	{OPT_SELECT, 's', "select", "0|1", "program that counter",
	 WORDS_NONE},
	{OPT_FUNCTION, 'f', "function", "HEX",
	 "what it counts (as HEX[+CM][/MASK] behind -s, too)", WORDS_NONE},
	{OPT_FLAG, 'u', "user", NULL, "count in user mode", WORDS_NONE},
	{OPT_FLAG, 'k', "kernel", NULL,
	 "count in kernel mode (without -u and -k: both)", WORDS_NONE},
	{OPT_FLAG, 'c', "cycles", NULL, "Pentium: cycles of the event",
	 WORDS_NONE},
	{OPT_FLAG, 'e', "edge", NULL, "Pentium Pro: count edges",
	 WORDS_NONE},
	{OPT_FLAG, 'i', "invert", NULL,
	 "Pentium Pro: cycles with fewer than the threshold", WORDS_NONE},
	{OPT_THRESHOLD, 't', "threshold", "N",
	 "Pentium Pro: cycles with N or more", WORDS_NONE},
	{OPT_MASK, 'm', "mask", "HEX", "Pentium Pro: unit mask", WORDS_NONE},
	{OPT_FLAG, 'M', "modified", NULL, "unit mask: modified lines",
	 WORDS_NONE},
	{OPT_FLAG, 'E', "exclusive", NULL, "unit mask: exclusive lines",
	 WORDS_NONE},
	{OPT_FLAG, 'S', "shared", NULL, "unit mask: shared lines",
	 WORDS_NONE},
	{OPT_FLAG, 'I', "invalid", NULL, "unit mask: invalid lines",
	 WORDS_NONE},
	{OPT_FLAG, 'A', "any", NULL, "unit mask: any agent of the bus",
	 WORDS_NONE},
	{OPT_LIST, 'l', "list", NULL,
	 "list the functions [of family 5 or 6]", WORDS_NONE},
	{OPT_CPU, 0, "cpu", "NAME|FILE", "CPU table [p6]", WORDS_CPUS},
	{OPT_MACHINE, 0, "machine", "NAME|FILE",
	 "machine that lasts [$PMCSIM_MACHINE, or pctr]", WORDS_MACHINES},
	{OPT_JSON, 0, "json", NULL, "write JSON", WORDS_NONE},
	{OPT_CSV, 0, "csv", NULL, "write CSV", WORDS_NONE},
	MARKDOWN_OPTION(OPT_MARKDOWN),
	{OPT_OUTPUT, 'o', "output", "FILE", "write the counters there",
	 WORDS_FILES},
	{OPT_APPEND, 0, "append", NULL, "add to what is in FILE", WORDS_NONE},
	PIPELINE_OPTION,
	OUTSIDE_OPTIONS,
	ENGINE_OPTION,
	SYSTEM_OPTION(OPT_SYSTEM),
	QUIET_OPTION(OPT_QUIET),
	TOOL_OPTIONS,
};

const struct tool pctr_tool = {
	.name = "pctr",
	.usage = "[OPTION...] [-s N [FLAGS] FUNCTION]... [--] [COMMAND "
		 "[ARGUMENT...]]",
	.about = "Read and program the counters of an emulated Pentium or "
		 "Pentium Pro, as OpenBSD's\npctr(1) does.  With COMMAND: "
		 "count while it runs.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_COMMANDS,
};

/* What is being put together: the wish behind the last -s. */
struct parser {
	struct pctr_options *o;
	struct pctr_wish pending;
	int counter;		/* -1: not said yet */
};

static void
end_wish(struct parser *p)
{
	if (p->counter < 0 && (p->pending.function || *p->pending.flags ||
			       p->pending.mask || p->pending.threshold))
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "which counter is meant? -s 0 or -s 1");
	if (p->counter < 0)
		return;
	if (!p->pending.function)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-s %d: no function for it; see --help",
			  p->counter);
	p->pending.given = true;
	p->o->wish[p->counter] = p->pending;
	p->pending = (struct pctr_wish){0};
	p->counter = -1;
}

static void
take_counter(struct parser *p, const char *argument)
{
	unsigned long n;

	if (p->counter >= 0)
		end_wish(p);
	if (!tool_number(argument, 1, &n))
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-s %s: the counters are 0 and 1",
			  tool_word(argument));
	if (p->o->wish[n].given)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-s %lu is given twice", n);
	p->counter = (int)n;
}

static void
take_flag(struct parser *p, int letter)
{
	size_t n = strlen(p->pending.flags);

	if (!strchr(p->pending.flags, letter) &&
	    n + 1 < sizeof(p->pending.flags))
		p->pending.flags[n] = (char)letter;
}

static void
set_format(struct pctr_options *o, enum pctr_format format)
{
	if (o->format != PCTR_TEXT && o->format != format)
		tool_fail(&pctr_tool, TOOL_USAGE, FORMATS_EXCLUDE);
	o->format = format;
}

static void
take_option(struct parser *p, const struct tool_option *option,
	    const char *argument)
{
	struct pctr_options *o = p->o;

	switch (option->id) {
	case OPT_FLAG:
		take_flag(p, option->letter);
		break;
	case OPT_FUNCTION:
		p->pending.function = argument;
		break;
	case OPT_MASK:
		p->pending.mask = argument;
		break;
	case OPT_THRESHOLD:
		p->pending.threshold = argument;
		break;
	case OPT_SELECT:
		take_counter(p, argument);
		break;
	case OPT_LIST:
		o->list = true;
		break;
	case OPT_CPU:
		o->cpu = argument;
		break;
	case OPT_MACHINE:
		o->machine = argument;
		break;
	case OPT_OUTPUT:
		o->output = argument;
		break;
	case OPT_QUIET:
		progress_be_quiet();
		break;
	case OPT_APPEND:
		o->append = true;
		break;
	case OPT_SYSTEM:
		o->system.board = argument;
		break;
	default:
		if (outside_apply(&pctr_tool, &o->outside, option->id,
				  argument))
			break;
		set_format(o, option->id == OPT_JSON ? PCTR_JSON :
			      option->id == OPT_CSV ? PCTR_CSV
						    : PCTR_MARKDOWN);
		break;
	}
}

/* Options up to the next operand; false behind "--" and at the end. */
static bool
take_options(struct parser *p, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	while ((option = tool_next(&pctr_tool, argc, argv, &argument)))
		take_option(p, option, argument);
	return optind < argc && strcmp(argv[optind - 1], "--") != 0;
}

/* An operand between options: a function, a family; false if neither. */
static bool
take_operand(struct parser *p, const char *word)
{
	if (p->counter >= 0 && !p->pending.function)
		p->pending.function = word;
	else if (p->o->list && !p->o->family)
		p->o->family = word;
	else
		return false;
	return true;
}

/* What writes nothing is not given an option of how to. */
static void
check_output(const struct pctr_options *o)
{
	if (o->append && !o->output)
		tool_fail(&pctr_tool, TOOL_USAGE, "--append is for -o FILE");
	if (o->format == PCTR_TEXT && !o->output)
		return;
	if (o->list)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-l writes text to standard output; \"pmcsim list "
			  "--json CPU\" writes JSON");
	if (!o->command && (o->wish[0].given || o->wish[1].given))
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-s without a command writes nothing; pctr --%s, "
			  "without -s, does",
			  o->format == PCTR_JSON ? "json" :
			  o->format == PCTR_CSV ? "csv" :
			  o->format == PCTR_MARKDOWN ? "markdown" : "output");
}

void
pctr_parse(struct pctr_options *o, int argc, char **argv)
{
	struct parser p = {.o = o, .counter = -1};

	*o = (struct pctr_options){0};
	while (take_options(&p, argc, argv) && take_operand(&p, argv[optind]))
		optind++;
	end_wish(&p);
	if (optind < argc)
		o->command = argv + optind;
	if (o->list && (o->command || o->wish[0].given || o->wish[1].given))
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-l programs no counter and runs no command");
	if (o->family && (o->cpu || o->machine))
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "-l %s: that is of a family, not of %s", o->family,
			  o->cpu ? o->cpu : o->machine);
	check_output(o);
	if (o->system.board && !o->command)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "--system is for a command");
	outside_check(&pctr_tool, &o->outside, &o->system);
	if (o->cpu && o->machine)
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "--cpu: the machine %s has its CPU already",
			  o->machine);
}
