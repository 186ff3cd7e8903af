/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of pc_sweep: MD00548, Tables 4 and 5, and ours. */
#include "pc_sweep.h"

#include "common/progress.h"

#include <string.h>
#include <unistd.h>

enum {
	OPT_MODE_USER = 1,
	OPT_MODE_SUPERVISOR,
	OPT_MODE_KERNEL,
	OPT_MODE_EXL,
	OPT_PARSE,
	OPT_OUTPUT,
	OPT_APPEND,
	OPT_GROUP,	/* the group is called as the option */
	OPT_GROUP_NAMED,
	OPT_EVENS,
	OPT_ODDS,
	OPT_BALANCE,
	OPT_MODES,
	OPT_TC,
	OPT_VPE,
	OPT_ONCE,
	OPT_REPEAT,
	OPT_JOBS,
	OPT_KEEP_INPUT,
	OPT_CPU,
	OPT_CPUS,
	OPT_JSON,
	OPT_CSV,
	OPT_MARKDOWN,
	OPT_PRECISION,
	OPT_LIST,
	OPT_NO_RANGE,
	OPT_UID,
	OPT_QUIET,
	OPT_SYSTEM,
	OPT_EVENT	/* another tool's */
};

#define GROUP(letter, name, text) \
	{OPT_GROUP, letter, name, NULL, text, WORDS_NONE}
#define FLAG(id, letter, name, text) {id, letter, name, NULL, text, WORDS_NONE}

static const struct tool_option options[] = {
	FLAG(OPT_MODE_USER, 'u', "user", "count in user mode"),
	FLAG(OPT_MODE_SUPERVISOR, 0, "supervisor", "count in supervisor mode"),
	FLAG(OPT_MODE_KERNEL, 0, "kernel", "count in kernel mode"),
	FLAG(OPT_MODE_EXL, 0, "exl", "count at exception level"),
	FLAG(OPT_MODES, 0, "modes", "measure each of these modes for itself"),
	FLAG(OPT_PARSE, 'p', "parse", "print a table as pc_parse does"),
	{OPT_OUTPUT, 0, "output", "FILE", "write the counts to FILE",
	 WORDS_FILES},
	{OPT_APPEND, 0, "append", "FILE", "append the counts to FILE",
	 WORDS_FILES},
	GROUP('i', "ipc", "events: instructions per cycle"),
	GROUP('s', "stalls", "events: the most telling stalls"),
	GROUP('q', "queues", "events: buffers of the load/store unit"),
	GROUP('c', "cache", "events: first-level caches"),
	GROUP('b', "branches", "events: branches and jumps"),
	GROUP(0, "branch", NULL),
	GROUP(0, "stalls_all", "events: all kinds of stalls"),
	GROUP(0, "all_stalls", NULL),
	GROUP(0, "instructions", "events: instructions by kind"),
	GROUP(0, "misses", "events: misses of caches and TLBs"),
	GROUP(0, "tlb", "events: micro-TLBs and joint TLB"),
	GROUP(0, "l2", "events: second-level cache"),
	GROUP(0, "itc", "events: inter-thread communication"),
	GROUP('a', "all", "events: all"),
	{OPT_GROUP_NAMED, 0, "group", "NAME",
	 "events: another group of the CPU's table", WORDS_GROUPS},
	{OPT_EVENS, 0, "evens", "LIST",
	 "events of the even counters: \"18 37\"", WORDS_NONE},
	{OPT_ODDS, 0, "odds", "LIST", "events of the odd counters", WORDS_NONE},
	{OPT_TC, 't', "tc", "N", "count in thread context N only",
	 WORDS_NONE},
	{OPT_VPE, 'v', "vpe", "N", "count in processing element N only",
	 WORDS_NONE},
	FLAG(OPT_BALANCE, 0, "balance", "measure each TC and VPE for itself"),
	FLAG(OPT_ONCE, 0, "once",
	     "all events in one run, on a device with more counters"),
	{OPT_REPEAT, 0, "repeat", "N", "measure N times: mean and deviation",
	 WORDS_NONE},
	{OPT_JOBS, 0, "jobs", "N", "up to N runs side by side", WORDS_NONE},
	FLAG(OPT_KEEP_INPUT, 0, "keep-input",
	     "read standard input first, so that each run reads all of it"),
	{OPT_CPU, 0, "cpu", "NAME|FILE", "CPU table [mips34k]", WORDS_CPUS},
	{OPT_CPUS, 0, "cpus", "NAME|FILE,...",
	 "run once on each, and print counts and metrics side by side",
	 WORDS_CPUS},
	FLAG(OPT_JSON, 0, "json", "write JSON"),
	FLAG(OPT_CSV, 0, "csv", "write CSV"),
	MARKDOWN_OPTION(OPT_MARKDOWN),
	FLAG(OPT_PRECISION, 0, "precision",
	     "add how well each count is known to the table"),
	{OPT_EVENT, 'e', "event", "LIST",
	 "events by name, of the table or Linux: cycles,branch-misses",
	 WORDS_NONE},
	FLAG(OPT_LIST, 0, "list", "list the groups and their events"),
	FLAG(OPT_NO_RANGE, 0, "no-range-extension",
	     "let 32-bit counters wrap around"),
	PIPELINE_OPTION,
	REGIONS_OPTIONS,
	OUTSIDE_OPTIONS,
	ENGINE_OPTION,
	{OPT_UID, 0, "uid", "N", "user id that opens /proc/perf in the target",
	 WORDS_NONE},
	SYSTEM_OPTION(OPT_SYSTEM),
	QUIET_OPTION(OPT_QUIET),
	TOOL_OPTIONS,
};

const struct tool pc_sweep = {
	.name = "pc_sweep",
	.usage = "[MODE] [OPTION...] [--] COMMAND [ARGUMENT...]",
	.about = "Run a command on an emulated MIPS 34K, as often as its four "
		 "performance\ncounters need for the events asked for.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_COMMANDS,
};

static unsigned long
number(const struct tool_option *option, const char *text, unsigned long min,
       unsigned long max)
{
	return tool_option_number(&pc_sweep, "--", option->name, text, min,
				  max);
}

static void
add_word(struct sweep_words *list, const char *word)
{
	if (list->n == sizeof(list->word) / sizeof(*list->word))
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "%s: too many groups and lists of events", word);
	list->word[list->n++] = word;
}

static void
set_output(struct sweep_options *o, const char *file, bool append)
{
	if (o->output)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "two output files, %s and %s: there can be one",
			  o->output, file);
	o->output = file;
	o->append = append;
}

static void
set_format(struct sweep_options *o, enum sweep_format format)
{
	if (o->format != format && o->format != FORMAT_DUMP &&
	    o->format != FORMAT_TEXT)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  FORMATS_EXCLUDE);
	o->format = format;
}

/* Options with an argument; false: it is none. */
static bool
apply_argument(struct sweep_options *o, const struct tool_option *option,
	       const char *argument)
{
	switch (option->id) {
	case OPT_OUTPUT:
	case OPT_APPEND:
		set_output(o, argument, option->id == OPT_APPEND);
		return true;
	case OPT_GROUP_NAMED:
		add_word(&o->groups, argument);
		return true;
	case OPT_EVENS:
		add_word(&o->evens, argument);
		return true;
	case OPT_ODDS:
		add_word(&o->odds, argument);
		return true;
	case OPT_TC:
		o->tc = (int)number(option, argument, 0, 255);
		return true;
	case OPT_VPE:
		o->vpe = (int)number(option, argument, 0, 15);
		return true;
	case OPT_REPEAT:
		o->repeat = number(option, argument, 1, 100000);
		return true;
	case OPT_JOBS:
		o->jobs = number(option, argument, 1, 1024);
		return true;
	case OPT_EVENT:
		add_word(&o->names, argument);
		return true;
	case OPT_CPU:
		o->cpu = argument;
		return true;
	case OPT_CPUS:
		o->cpus = argument;
		return true;
	case OPT_SYSTEM:
		o->system.board = argument;
		return true;
	case OPT_UID:
		o->uid = number(option, argument, 0, 4294967294ul);
		return true;
	default:
		return outside_apply(&pc_sweep, &o->outside, option->id,
				     argument) ||
		       regions_apply(&pc_sweep, &o->regions, option->id,
				     argument);
	}
}

/* What an option turns on; NULL: it is no such option. */
static bool *
switch_of(struct sweep_options *o, int id)
{
	switch (id) {
	case OPT_MODES:
		return &o->sweep_modes;
	case OPT_BALANCE:
		return &o->balance;
	case OPT_ONCE:
		return &o->once;
	case OPT_KEEP_INPUT:
		return &o->keep_input;
	case OPT_PRECISION:
		return &o->precision;
	case OPT_LIST:
		return &o->list;
	case OPT_NO_RANGE:
		return &o->no_range_extension;
	default:
		return NULL;
	}
}

static void
apply_flag(struct sweep_options *o, const struct tool_option *option)
{
	bool *on = switch_of(o, option->id);

	if (on) {
		*on = true;
		return;
	}
	switch (option->id) {
	case OPT_MODE_USER:
		o->modes |= 8;
		break;
	case OPT_MODE_SUPERVISOR:
		o->modes |= 4;
		break;
	case OPT_MODE_KERNEL:
		o->modes |= 2;
		break;
	case OPT_MODE_EXL:
		o->modes |= 1;
		break;
	case OPT_PARSE:
		if (o->format == FORMAT_DUMP)
			o->format = FORMAT_TEXT;
		break;
	case OPT_GROUP:
		add_word(&o->groups, option->name);
		break;
	case OPT_JSON:
		set_format(o, FORMAT_JSON);
		break;
	case OPT_CSV:
		set_format(o, FORMAT_CSV);
		break;
	case OPT_QUIET:
		progress_be_quiet();
		break;
	case OPT_MARKDOWN:
		set_format(o, FORMAT_MARKDOWN);
		break;
	}
}

/* The figures have "-parse" too; as short options it makes no sense. */
static void
accept_single_dash(int argc, char **argv)
{
	static char parse[] = "--parse";

	if (optind < argc && strcmp(argv[optind], "-parse") == 0)
		argv[optind] = parse;
}

/* The next option, as tool_next has it. */
static const struct tool_option *
next(int argc, char **argv, const char **argument)
{
	accept_single_dash(argc, argv);
	return tool_next(&pc_sweep, argc, argv, argument);
}

static void
check_wishes(const struct sweep_options *o)
{
	bool modes = o->modes || o->sweep_modes;
	bool events = o->groups.n + o->evens.n + o->odds.n + o->names.n != 0;

	if (!modes && !events)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "no mode and no events: -uic, for one, counts the "
			  "user's cycles, instructions and caches; see --help");
	if (!events)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "no events: a group such as --ipc (-i), -e, --evens "
			  "or --odds is needed; see --list");
}

/* Several processors have nothing in common but names of events and modes. */
static void
check_cpus(const struct sweep_options *o)
{
	const char *other = o->evens.n ? "evens" : o->odds.n ? "odds" :
			    o->sweep_modes ? "modes" : o->balance ? "balance" :
			    o->tc >= 0 ? "tc" : o->vpe >= 0 ? "vpe" :
			    o->repeat > 1 ? "repeat" : o->jobs > 1 ? "jobs" :
			    o->system.board ? "system" : o->list ? "list" :
			    o->precision ? "precision" : o->once ? "once" :
			    o->no_range_extension ? "no-range-extension" :
			    o->uid ? "uid" : NULL;

	if (o->cpus && other)
		tool_fail(&pc_sweep, TOOL_USAGE, "--cpus: --%s is of one "
			  "processor; \"pmcsim stat --cpu %s\" has more of "
			  "several", other, o->cpus);
}

static void
check(const struct sweep_options *o)
{
	check_cpus(o);
	if (o->list && *o->command)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "--list: %s is not run", o->command[0]);
	if (o->list && (o->format > FORMAT_TEXT || o->output))
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "--list writes text to standard output; \"pmcsim list "
			  "--json CPU\" writes JSON");
	if (o->list)
		return;
	if (o->precision && o->format == FORMAT_DUMP)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "--precision: only the table of --parse (-p) has "
			  "room for it");
	check_wishes(o);
	if ((o->tc >= 0) + (o->vpe >= 0) + o->balance > 1)
		tool_fail(&pc_sweep, TOOL_USAGE,
			  "-t, -v and --balance exclude each other");
	outside_check(&pc_sweep, &o->outside, &o->system);
	system_excludes(&pc_sweep, &o->system, o->regions.name, "--",
			"region");
	system_excludes(&pc_sweep, &o->system, o->uid != 0, "--", "uid");
	if (!o->command[0])
		tool_fail(&pc_sweep, TOOL_USAGE, "no command to be measured");
}

void
sweep_parse(struct sweep_options *o, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	*o = (struct sweep_options){
		.cpu = "mips34k", .tc = -1, .vpe = -1, .repeat = 1, .jobs = 1};
	while ((option = next(argc, argv, &argument)))
		if (!apply_argument(o, option, argument))
			apply_flag(o, option);
	o->command = argv + optind;
	check(o);
	if (!o->modes && !o->sweep_modes)
		o->modes = 8;	/* the user's */
}
