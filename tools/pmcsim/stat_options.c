/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of "pmcsim stat": those of perf-stat(1) that mean something
 * here, and ours. */
#include "stat.h"

#include "common/progress.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A machine that is named, so that counts are the same on every host. */
#define DEFAULT_CPU "skylake"

/* Of the kernel, in ms, if it is not told otherwise. */
#define MUX_INTERVAL 4

/* That are waited for. */
#define MAX_MS 1000000

/* The metrics of --topdown, which add up to 100 %. */
#define TOPDOWN "retiring,bad-speculation,frontend-bound,backend-bound"

enum {
	OPT_EVENT = 1,
	OPT_REPEAT,
	OPT_TABLE,
	OPT_INTERVAL,
	OPT_INTERVALS,
	OPT_DELAY,
	OPT_TIMEOUT,
	OPT_NO_INHERIT,
	OPT_OF_SYSTEM,
	OPT_OF_PROCESS,
	OPT_CONTROL,
	OPT_OF_HOST,
	OPT_LEVEL,
	OPT_SCALE,
	OPT_VERBOSE,
	OPT_SYNC,
	OPT_CLEAR,
	OPT_DETAILED,
	OPT_NULL,
	OPT_SEPARATOR,
	OPT_JSON,
	OPT_TIDY,
	OPT_MARKDOWN,
	OPT_OUTPUT,
	OPT_APPEND,
	OPT_LOG_FD,
	OPT_NO_MERGE,
	OPT_SUMMARY,
	OPT_ALL_USER,
	OPT_ALL_KERNEL,
	OPT_PRE,
	OPT_POST,
	OPT_METRICS,
	OPT_METRIC_ONLY,
	OPT_TOPDOWN,
	OPT_BIG,
	OPT_NO_BIG,
	OPT_CPU,
	OPT_CPU_OUT,
	OPT_CPUS,
	OPT_THREADS,
	OPT_MULTIPLEX,
	OPT_MUX_INTERVAL,
	OPT_KEEP_INPUT,
	OPT_NO_TIME,
	OPT_SAMPLED,
	OPT_QUIET,
	OPT_SYSTEM
};

#define FLAG(id, letter, name, text) {id, letter, name, NULL, text, WORDS_NONE}

static const struct tool_option options[] = {
	{OPT_EVENT, 'e', "event", "LIST",
	 "count these events: a,b:u,{c,d}:k", WORDS_EVENTS},
	{OPT_REPEAT, 'r', "repeat", "N", "run N times, and print the mean",
	 WORDS_NONE},
	{OPT_PRE, 0, "pre", "SHELL-COMMAND", "execute it before each run",
	 WORDS_NONE},
	{OPT_POST, 0, "post", "SHELL-COMMAND", "execute it behind each run",
	 WORDS_NONE},
	FLAG(OPT_TABLE, 0, "table", "with -r, print the time of each run"),
	{OPT_INTERVAL, 'I', "interval-print", "MS",
	 "print counts of each MS milliseconds of the machine", WORDS_NONE},
	{OPT_INTERVALS, 0, "interval-count", "N",
	 "with -I, print the first N intervals only", WORDS_NONE},
	{OPT_DELAY, 'D', "delay", "MS",
	 "begin to count after MS milliseconds of the machine", WORDS_NONE},
	{OPT_TIMEOUT, 0, "timeout", "MS",
	 "send it SIGTERM after MS milliseconds of the machine",
	 WORDS_NONE},
	FLAG(OPT_NO_INHERIT, 'i', "no-inherit",
	     "count the command's first thread alone"),
	/* Words of perf's that are refused, with a reason. */
	{OPT_OF_SYSTEM, 'a', "all-cpus", NULL, NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 'A', "no-aggr", NULL, NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 'C', "cpu-list", "LIST", NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 'G', "cgroup", "NAME", NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 0, "for-each-cgroup", "NAME", NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 0, "per-socket", NULL, NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 0, "per-die", NULL, NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 0, "per-cluster", NULL, NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 0, "per-cache", NULL, NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 0, "per-core", NULL, NULL, WORDS_NONE},
	{OPT_OF_SYSTEM, 0, "per-node", NULL, NULL, WORDS_NONE},
	{OPT_OF_PROCESS, 'p', "pid", "PID", NULL, WORDS_NONE},
	{OPT_OF_PROCESS, 't', "tid", "TID", NULL, WORDS_NONE},
	{OPT_CONTROL, 0, "control", "FILES", NULL, WORDS_NONE},
	{OPT_OF_HOST, 0, "smi-cost", NULL, NULL, WORDS_NONE},
	{OPT_OF_HOST, 0, "iostat", NULL, NULL, WORDS_NONE},
	{OPT_OF_HOST, 'T', "transaction", NULL, NULL, WORDS_NONE},
	{OPT_OF_HOST, 'b', "bpf-prog", "ID", NULL, WORDS_NONE},
	{OPT_OF_HOST, 0, "bpf-counters", NULL, NULL, WORDS_NONE},
	{OPT_LEVEL, 0, "td-level", "N", NULL, WORDS_NONE},
	{OPT_SCALE, 'c', "scale", NULL, NULL, WORDS_NONE},
	{OPT_SCALE, 0, "no-scale", NULL, NULL, WORDS_NONE},
	{OPT_VERBOSE, 'v', "verbose", NULL, NULL, WORDS_NONE},
	{OPT_SYNC, 'S', "sync", NULL, NULL, WORDS_NONE},
	{OPT_CLEAR, 0, "interval-clear", NULL, NULL, WORDS_NONE},
	FLAG(OPT_DETAILED, 'd', "detailed",
	     "more events, of caches; -d -d of TLBs"),
	FLAG(OPT_NULL, 'n', "null", "count nothing but the time"),
	FLAG(OPT_NO_TIME, 0, "no-time",
	     "count instructions and branches alone, many times faster"),
	{OPT_SAMPLED, 0, "sampled", "ONE_IN",
	 "model one instruction in ONE_IN of a long command, and estimate",
	 WORDS_NONE},
	{OPT_METRICS, 'M', "metrics", "LIST", "print these metrics: ipc,...",
	 WORDS_METRICS},
	FLAG(OPT_METRIC_ONLY, 0, "metric-only", "print metrics alone"),
	FLAG(OPT_TOPDOWN, 0, "topdown",
	     "print which cycles did work, and why others did not"),
	{OPT_SEPARATOR, 'x', "field-separator", "SEP",
	 "write fields with SEP between them", WORDS_NONE},
	FLAG(OPT_JSON, 'j', "json-output", "write JSON, an object per line"),
	FLAG(OPT_TIDY, 0, "csv",
	     "write CSV, a record for each count and metric"),
	MARKDOWN_OPTION(OPT_MARKDOWN),
	{OPT_OUTPUT, 'o', "output", "FILE", "write to FILE, not to stderr",
	 WORDS_FILES},
	FLAG(OPT_APPEND, 0, "append", "add to what is in FILE"),
	{OPT_LOG_FD, 0, "log-fd", "N", "write to file descriptor N",
	 WORDS_NONE},
	FLAG(OPT_NO_MERGE, 0, "no-merge",
	     "print several processors one after the other"),
	FLAG(OPT_SUMMARY, 0, "summary", "with -I, print all of it at the end"),
	FLAG(OPT_ALL_USER, 0, "all-user",
	     "count events without modes in user mode [yes]"),
	FLAG(OPT_ALL_KERNEL, 0, "all-kernel",
	     "count events without modes in kernel mode"),
	FLAG(OPT_BIG, 'B', "big-num", "group digits by commas [yes]"),
	FLAG(OPT_NO_BIG, 0, "no-big-num", "do not group digits"),
	{OPT_CPU, 0, "cpu", "NAME|FILE,...",
	 "CPU tables, each of which runs the command [" DEFAULT_CPU "]",
	 WORDS_CPUS},
	{OPT_CPU_OUT, 0, "cpu-out", "FILE",
	 "write the table of --cpu host, for other hosts", WORDS_FILES},
	{OPT_CPUS, 0, "cpus", "N", "CPUs that threads are spread over [1]",
	 WORDS_NONE},
	FLAG(OPT_MULTIPLEX, 0, "multiplex",
	     "print what the processor's counters would say, events in turns"),
	{OPT_MUX_INTERVAL, 0, "mux-interval", "MS",
	 "the same, turns of MS milliseconds of the machine [4]", WORDS_NONE},
	FLAG(OPT_THREADS, 0, "per-thread", "print the counts of each thread"),
	REGIONS_OPTIONS,
	FLAG(OPT_KEEP_INPUT, 0, "keep-input",
	     "let each run read all of standard input"),
	PIPELINE_OPTION,
	OUTSIDE_OPTIONS,
	ENGINE_OPTION,
	SYSTEM_OPTION(OPT_SYSTEM),
	QUIET_OPTION(OPT_QUIET),
	TOOL_OPTIONS,
};

const struct tool stat_tool = {
	.name = "pmcsim stat",
	.usage = "[OPTION...] [--] COMMAND [ARGUMENT...]",
	.about = "Run a command on an emulated processor and print what it "
		 "did, as \"perf stat\"\ndoes.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_COMMANDS,
};

static unsigned long
number(const char *dashes, const char *name, const char *text,
       unsigned long min, unsigned long max)
{
	return tool_option_number(&stat_tool, dashes, name, text, min, max);
}

/* perf begins with events that are disabled, for a program that enables them by
 * --control. */
static unsigned long
delay(const char *text)
{
	if (!strcmp(text, "-1"))
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-D -1: there is no --control by which events could "
			  "be enabled later; --region counts a part of a "
			  "command");
	return number("-", "D", text, 0, MAX_MS);
}

/* Options of perf's that a command cannot have. */
static void
check_refused(int id)
{
	static const struct {
		int id;
		const char *why;
	} refused[] = {
		{OPT_OF_SYSTEM,
		 "-a, -A, -C, -G and --per-core are of perf's counts of a whole "
		 "system, and here a command is counted; --per-thread has "
		 "counts of each thread"},
		{OPT_OF_PROCESS,
		 "-p and -t: what executes already cannot be counted, but a "
		 "command from its beginning on"},
		{OPT_CONTROL,
		 "--control: events cannot be enabled from outside; --region "
		 "counts a part of a command"},
		{OPT_OF_HOST,
		 "--smi-cost, --iostat, -T and -b are of a host's hardware and "
		 "kernel, of which nothing is counted here"},
		{OPT_LEVEL,
		 "--td-level: --topdown has the first level alone; leave "
		 "--td-level out"},
		{OPT_SCALE,
		 "-c and --no-scale: counts are of the whole run and are not "
		 "scaled; --multiplex shows what counters in turns would say"},
		{OPT_VERBOSE,
		 "-v: pmcsim list NAME shows what a processor's events are, "
		 "and pmcsim engine what executes a command"},
		{OPT_SYNC,
		 "-S: --pre sync calls it before each run"},
		{OPT_CLEAR,
		 "--interval-clear: counts of intervals are lines, one behind "
		 "the other"},
	};

	for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
		if (refused[i].id == id)
			tool_fail(&stat_tool, TOOL_USAGE, "%s", refused[i].why);
}

/* Options that can be given again make one list. */
static char *
join(char *list, const char *more)
{
	char *both;

	if (asprintf(&both, "%s%s%s", list ? list : "", list ? "," : "",
		     more) < 0)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	free(list);
	return both;
}

static void
set_format(struct stat_options *o, enum stat_format format)
{
	if (o->format != STAT_TEXT && o->format != format)
		tool_fail(&stat_tool, TOOL_USAGE, "-x, -j, --csv and "
			  "--markdown exclude each other");
	o->format = format;
}

/* Options with an argument; false: it is none. */
static bool
apply_argument(struct stat_options *o, int id, const char *argument)
{
	switch (id) {
	case OPT_EVENT:
		o->events = join(o->events, argument);
		return true;
	case OPT_METRICS:
		o->metrics = join(o->metrics, argument);
		return true;
	case OPT_REPEAT:
		o->repeat = number("-", "r", argument, 1, 100000);
		return true;
	case OPT_INTERVAL:
		o->interval = number("-", "I", argument, 1, 100000);
		return true;
	case OPT_INTERVALS:
		o->intervals = number("--", "interval-count", argument, 1,
				      INT_MAX);
		return true;
	case OPT_DELAY:
		o->delay = delay(argument);
		return true;
	case OPT_TIMEOUT:
		o->timeout = number("--", "timeout", argument, 1, MAX_MS);
		return true;
	case OPT_MUX_INTERVAL:
		o->multiplex = number("--", "mux-interval", argument, 1,
				      100000);
		return true;
	case OPT_SAMPLED:
		o->sampled = stat_periods(argument);
		return true;
	case OPT_SEPARATOR:
		set_format(o, STAT_CSV);
		if (!*argument)
			tool_fail(&stat_tool, TOOL_USAGE,
				  "-x: the separator is empty");
		o->separator = strcmp(argument, "\\t") ? argument : "\t";
		return true;
	case OPT_OUTPUT:
		o->output = argument;
		return true;
	case OPT_PRE:
		o->pre = argument;
		return true;
	case OPT_POST:
		o->post = argument;
		return true;
	case OPT_LOG_FD:
		o->log = tool_output_descriptor(
			&stat_tool, "--log-fd",
			(int)number("--", "log-fd", argument, 0, INT_MAX));
		return true;
	case OPT_CPU:
		o->cpus = join(o->cpus, argument);
		return true;
	case OPT_CPU_OUT:
		o->cpu_out = argument;
		return true;
	case OPT_CPUS:
		o->several = number("--", "cpus", argument, 1,
				    PMCSIM_MAX_CPUS);
		return true;
	case OPT_SYSTEM:
		o->system.board = argument;
		return true;
	default:
		return outside_apply(&stat_tool, &o->outside, id, argument) ||
		       regions_apply(&stat_tool, &o->regions, id, argument);
	}
}

static void
apply_flag(struct stat_options *o, int id)
{
	switch (id) {
	case OPT_DETAILED:
		o->detailed++;
		break;
	case OPT_NULL:
		o->no_events = true;
		break;
	case OPT_NO_TIME:
		o->no_time = true;
		break;
	case OPT_JSON:
		set_format(o, STAT_JSON);
		break;
	case OPT_TIDY:
		set_format(o, STAT_TIDY);
		break;
	case OPT_QUIET:
		progress_be_quiet();
		break;
	case OPT_MARKDOWN:
		set_format(o, STAT_MARKDOWN);
		break;
	case OPT_APPEND:
		o->append = true;
		break;
	case OPT_NO_MERGE:
		o->apart = true;
		break;
	case OPT_TABLE:
		o->table = true;
		break;
	case OPT_NO_INHERIT:
		o->regions.first = true;
		break;
	case OPT_SUMMARY:
		o->summary = true;
		break;
	case OPT_ALL_USER:
		o->modes |= STAT_USER;
		break;
	case OPT_ALL_KERNEL:
		o->modes |= STAT_KERNEL;
		break;
	case OPT_METRIC_ONLY:
		o->metric_only = true;
		break;
	case OPT_TOPDOWN:
		o->metrics = join(o->metrics, TOPDOWN);
		o->metric_only = true;
		break;
	case OPT_BIG:
		o->no_big_numbers = false;
		break;
	case OPT_NO_BIG:
		o->no_big_numbers = true;
		break;
	case OPT_MULTIPLEX:
		o->multiplex = o->multiplex ? o->multiplex : MUX_INTERVAL;
		break;
	case OPT_THREADS:
		o->regions.threads = true;
		break;
	case OPT_KEEP_INPUT:
		o->keep_input = true;
		break;
	}
}

static void
cut_cpus(struct stat_options *o)
{
	char *rest, *name;

	if (!o->cpus)
		o->cpus = join(NULL, DEFAULT_CPU);
	rest = o->cpus;
	while ((name = strsep(&rest, ","))) {
		if (o->n_cpus == STAT_CPUS)
			tool_fail(&stat_tool, TOOL_USAGE,
				  "--cpu: more than %d of them", STAT_CPUS);
		o->cpu[o->n_cpus++] = name;
	}
}

/* The table of this host is for others to use as well. */
static void
write_host(const struct stat_options *o)
{
	struct tool_output out;
	struct pmcsim_error error;
	bool host = false;
	char *text;
	int err;

	if (!o->cpu_out)
		return;
	for (size_t i = 0; i < o->n_cpus; i++)
		host |= !strcmp(o->cpu[i], "host");
	if (!host)
		tool_fail(&stat_tool, TOOL_USAGE,
			  "--cpu-out is for --cpu host");
	if (pmcsim_host_table(&text, &error) != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "%s", error.text);
	tool_output_open(&out, &stat_tool, o->cpu_out, false, stdout);
	err = fputs(text, out.stream) < 0 ? -EIO : 0;
	tool_output_close(&out, err);
	free(text);
}

void
stat_parse(struct stat_options *o, int argc, char **argv)
{
	const struct tool_option *option;
	const char *argument;

	*o = (struct stat_options){.repeat = 1};
	while ((option = tool_next(&stat_tool, argc, argv, &argument))) {
		check_refused(option->id);
		if (!apply_argument(o, option->id, argument))
			apply_flag(o, option->id);
	}
	o->command = argv + optind;
	cut_cpus(o);
	stat_check(o);
	write_host(o);
	stat_parse_events(o);
}

void
stat_free_options(struct stat_options *o)
{
	for (size_t i = 0; i < o->n_wants; i++) {
		free(o->want[i].name);
		free(o->want[i].event);
	}
	free(o->want);
	free(o->wish);
	free(o->cpus);
	free(o->events);
	free(o->metrics);
}
