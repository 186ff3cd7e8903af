/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study": a command with other arguments, inputs and processors. */
#include "study.h"

#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#define LIMIT_FORM "[NAME=]PERCENT"

enum {
	OPT_RESULTS = 1, OPT_SHARD, OPT_JOBS, OPT_CSV, OPT_JSON, OPT_MARKDOWN,
	OPT_OUTPUT, OPT_X, OPT_Y, OPT_VALUE, OPT_LIMIT, OPT_CHANGED, OPT_FORMAT
};

static const struct tool_option options[] = {
	{OPT_RESULTS, 0, "results", "DIR",
	 "where results are [FILE, with .results in place of .yaml]",
	 WORDS_FILES},
	{OPT_SHARD, 0, "shard", "I/N",
	 "plan, run, jobs: the Ith of N parts of all cells", WORDS_NONE},
	{OPT_JOBS, 0, "jobs", "N",
	 "run: so many cells side by side [processors]; sbatch: so many parts",
	 WORDS_NONE},
	{OPT_CSV, 0, "csv", NULL, "table, history: write CSV", WORDS_NONE},
	{OPT_JSON, 0, "json", NULL, "table, history: write JSON", WORDS_NONE},
	{OPT_MARKDOWN, 0, "markdown", NULL,
	 "table, history, compare: write a table of Markdown", WORDS_NONE},
	{OPT_FORMAT, 0, "format", "NAME",
	 "export: as github (github-action-benchmark), bencher or hyperfine "
	 "reads it", WORDS_NONE},
	{OPT_OUTPUT, 'o', "output", "FILE",
	 "write there; plot, history: FILE.svg or FILE.png is drawn",
	 WORDS_FILES},
	{OPT_X, 0, "x", "NAME", "plot, html: over that parameter [the first that varies]",
	 WORDS_NONE},
	{OPT_Y, 0, "y", "NAME", "plot: a heat map, over that one as well",
	 WORDS_NONE},
	{OPT_VALUE, 0, "value", "NAME",
	 "plot, html, export, history: that event or metric", WORDS_NONE},
	{OPT_LIMIT, 0, "limit", LIMIT_FORM,
	 "compare: exit with status 1 if NAME, or any count, has risen by more",
	 WORDS_NONE},
	{OPT_CHANGED, 0, "changed", NULL, "compare: only what differs",
	 WORDS_NONE},
	TOOL_OPTIONS,
};

const struct tool study_tool = {
	.name = "pmcsim study",
	.usage = "plan|run|jobs|sbatch|table|plot|html|export [OPTION...] "
		 "FILE\n"
		 "       pmcsim study compare [OPTION...] OLD NEW\n"
		 "       pmcsim study history --value NAME [OPTION...] DIR...",
	.about = "Count a command with all combinations of arguments, inputs "
		 "and processors that\nFILE names, and print, draw and compare "
		 "what came out.  Cells whose results are\nthere are not "
		 "executed again.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_FILES,
};

struct study_options {
	const char *results, *output, *to;
	struct study_shard shard;
	unsigned long jobs;	/* 0: not given */
	enum study_format format;
	struct study_plot plot;
	struct limit *limit;
	unsigned n_limits;
	bool changed;
	char **file;		/* operands */
	int n_files;
};

#define MAX_SHARDS 100000

/* ---- Commands ----------------------------------------------------------- */

/* A study's file, and the cells of the shard. */
struct opened {
	struct study study;
	struct study_plan plan;
};

static void
open_study(const struct study_options *o, struct opened *s)
{
	study_read(&s->study, o->file[0], o->results);
	study_plan(&s->study, o->shard, &s->plan);
}

static void
close_study(struct opened *s)
{
	study_plan_free(&s->plan);
	study_free(&s->study);
}

static int
do_plan(const struct study_options *o)
{
	unsigned there = 0;
	struct opened s;

	open_study(o, &s);
	for (unsigned i = 0; i < s.plan.n; i++) {
		const struct study_cell *cell = &s.plan.cell[i];
		char *text = study_cell_text(&s.study, cell->number);
		bool is_there = study_cell_is_there(&s.study, cell);

		printf("%s %s ", cell->hash, is_there ? "there" : "to do");
		tool_put(text, stdout);
		putchar('\n');
		there += is_there;
		free(text);
	}
	printf("%u of %u cells, %u of them there\n", s.plan.n, s.plan.all,
	       there);
	close_study(&s);
	return 0;
}

static int
do_run(const struct study_options *o)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct opened s;
	int status;

	open_study(o, &s);
	status = study_run(&s.plan, o->jobs ? o->jobs :
			   processors > 0 ? (unsigned long)processors : 1);
	close_study(&s);
	return status;
}

/* A line for each cell that is not there; a shell executes it anywhere. */
static int
do_jobs(const struct study_options *o)
{
	char *folder, *quoted;
	struct opened s;

	open_study(o, &s);
	folder = get_current_dir_name();
	if (!folder)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	quoted = tidy_command_text(&study_tool, (char *[]){folder, NULL});
	for (unsigned i = 0; i < s.plan.n; i++) {
		char *text;

		if (study_cell_is_there(&s.study, &s.plan.cell[i]))
			continue;
		text = study_cell_command(&s.study, &s.plan.cell[i]);
		printf("cd %s && %s\n", quoted, text);
		free(text);
	}
	free(quoted);
	free(folder);
	close_study(&s);
	return 0;
}

/* A job array, each task of which runs a shard; it needs a shared folder. */
static int
do_sbatch(const struct study_options *o)
{
	unsigned long parts = o->jobs ? o->jobs : 1;
	char *file = realpath(o->file[0], NULL), *command, *name;
	struct study s;

	study_read(&s, o->file[0], o->results);
	if (!file)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	command = tidy_command_text(&study_tool, (char *[]){
		(char *)"pmcsim", (char *)"study", (char *)"run",
		(char *)"--results", s.results, NULL});
	name = tidy_command_text(&study_tool, (char *[]){file, NULL});
	printf("#!/bin/sh\n#SBATCH --job-name=%.200s\n#SBATCH --array=1-%lu\n"
	       "#SBATCH --requeue\n"
	       "exec %s --jobs \"${SLURM_CPUS_ON_NODE:-1}\" "
	       "--shard \"$SLURM_ARRAY_TASK_ID/%lu\" %s\n",
	       s.name, parts, command, parts, name);
	free(command);
	free(name);
	free(file);
	study_free(&s);
	return 0;
}

static int
do_table(const struct study_options *o)
{
	struct tool_output out;
	struct study_table table;
	struct opened s;

	tool_output_open(&out, &study_tool, o->output, false, stdout);
	open_study(o, &s);
	study_table_make(&s.plan, &table);
	study_table_write(&table, o->format, out.stream);
	tool_output_close(&out, 0);
	study_table_free(&table);
	close_study(&s);
	return 0;
}

/* A figure, as it is named from where the tool was called; the caller's. */
static char *
full_path(const char *path)
{
	char *folder = get_current_dir_name(), *full;

	if (!folder || asprintf(&full, "%s/%s", *path == '/' ? "" : folder,
				path) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	free(folder);
	return full;
}

static int
do_plot(const struct study_options *o)
{
	struct study_plot plot = o->plot;
	struct study_table table;
	struct opened s;
	char *output;

	if (!o->output || !o->plot.value)
		tool_fail(&study_tool, TOOL_USAGE,
			  "plot: --output and --value say where and what");
	plot.output = output = full_path(o->output);
	open_study(o, &s);
	study_table_make(&s.plan, &table);
	study_plot(&table, &plot);
	study_table_free(&table);
	close_study(&s);
	free(output);
	return 0;
}

static int
do_html(const struct study_options *o)
{
	struct study_plot plot = o->plot;
	struct tool_output out;
	struct study_table table;
	struct opened s;

	tool_output_open(&out, &study_tool, o->output, false, stdout);
	open_study(o, &s);
	study_table_make(&s.plan, &table);
	study_html(&s.study, &table, &plot, out.stream);
	tool_output_close(&out, 0);
	study_table_free(&table);
	close_study(&s);
	return 0;
}

static int
do_export(const struct study_options *o)
{
	struct tool_output out;
	struct study_table table;
	struct opened s;

	if (!o->to)
		tool_fail(&study_tool, TOOL_USAGE,
			  "export: --format says for what");
	tool_output_open(&out, &study_tool, o->output, false, stdout);
	open_study(o, &s);
	study_table_make(&s.plan, &table);
	study_export(&table, o->to, o->plot.value, out.stream);
	tool_output_close(&out, 0);
	study_table_free(&table);
	close_study(&s);
	return 0;
}

static bool
is_picture(const char *path)
{
	const char *suffix = path ? strrchr(path, '.') : NULL;

	return suffix && (!strcmp(suffix, ".svg") || !strcmp(suffix, ".png"));
}

/* A figure over many states, in the order of their folders. */
static int
do_history(const struct study_options *o)
{
	struct study_plot plot = {.x = "state", .value = o->plot.value,
				  .output = o->output, .ordered = true};
	struct tool_output out;
	struct study_table table;

	if (!plot.value)
		tool_fail(&study_tool, TOOL_USAGE,
			  "history: --value says of what");
	study_history_make(o->file, (unsigned)o->n_files, plot.value, &table);
	if (is_picture(o->output)) {
		study_plot(&table, &plot);
	} else {
		tool_output_open(&out, &study_tool, o->output, false, stdout);
		study_table_write(&table, o->format, out.stream);
		tool_output_close(&out, 0);
	}
	study_table_free(&table);
	return 0;
}

/* Results of two states of what was studied, by their folders. */
static int
do_compare(const struct study_options *o)
{
	struct pmcsim_figures *old = study_store_report(o->file[0]);
	struct pmcsim_figures *new = study_store_report(o->file[1]);
	unsigned beyond = 0;

	if (o->format == STUDY_MARKDOWN)
		compare_markdown(old, new, o->changed);
	else
		compare_table(old, new, o->changed);
	tool_flush(&study_tool);
	for (unsigned i = 0; i < o->n_limits; i++)
		beyond += compare_check(&study_tool, &o->limit[i], old, new,
					o->file[1]);
	pmcsim_figures_free(old);
	pmcsim_figures_free(new);
	return beyond ? 1 : 0;
}

#define ANY_FILES (-1)	/* one or more folders */

static const struct command {
	const char *name;
	int (*run)(const struct study_options *o);
	int files;		/* operands, or ANY_FILES */
	const int *takes;	/* options, besides --results; 0 ends them */
} commands[] = {
	{"plan", do_plan, 1, (const int[]){OPT_SHARD, 0}},
	{"run", do_run, 1, (const int[]){OPT_SHARD, OPT_JOBS, 0}},
	{"jobs", do_jobs, 1, (const int[]){OPT_SHARD, 0}},
	{"sbatch", do_sbatch, 1, (const int[]){OPT_JOBS, 0}},
	{"table", do_table, 1,
	 (const int[]){OPT_CSV, OPT_JSON, OPT_MARKDOWN, OPT_OUTPUT, 0}},
	{"plot", do_plot, 1,
	 (const int[]){OPT_OUTPUT, OPT_X, OPT_Y, OPT_VALUE, 0}},
	{"html", do_html, 1, (const int[]){OPT_OUTPUT, OPT_X, OPT_VALUE, 0}},
	{"export", do_export, 1,
	 (const int[]){OPT_FORMAT, OPT_VALUE, OPT_OUTPUT, 0}},
	{"history", do_history, ANY_FILES,
	 (const int[]){OPT_VALUE, OPT_CSV, OPT_JSON, OPT_MARKDOWN, OPT_OUTPUT,
		       0}},
	{"compare", do_compare, 2,
	 (const int[]){OPT_MARKDOWN, OPT_LIMIT, OPT_CHANGED, 0}},
};

/* ---- Options ------------------------------------------------------------ */

static struct study_shard
parse_shard(const char *text)
{
	char *copy = strdup(text), *slash = copy ? strchr(copy, '/') : NULL;
	unsigned long index = 0, of = 0;

	if (slash)
		*slash++ = '\0';
	if (!slash || !tool_number(copy, MAX_SHARDS, &index) ||
	    !tool_number(slash, MAX_SHARDS, &of) || !index || index > of)
		tool_fail(&study_tool, TOOL_USAGE,
			  "--shard %s: not I/N, I from 1 to N", tool_word(text));
	free(copy);
	return (struct study_shard){(unsigned)index, (unsigned)of};
}

static void
set_format(struct study_options *o, enum study_format format)
{
	if (o->format != STUDY_TEXT && o->format != format)
		tool_fail(&study_tool, TOOL_USAGE, FORMATS_EXCLUDE);
	o->format = format;
}

static void
apply(struct study_options *o, int id, const char *argument)
{
	switch (id) {
	case OPT_RESULTS:
		o->results = argument;
		break;
	case OPT_SHARD:
		o->shard = parse_shard(argument);
		break;
	case OPT_JOBS:
		o->jobs = tool_option_number(&study_tool, "--", "jobs",
					     argument, 1, 10000);
		break;
	case OPT_CSV:
		set_format(o, STUDY_CSV);
		break;
	case OPT_JSON:
		set_format(o, STUDY_JSON);
		break;
	case OPT_MARKDOWN:
		set_format(o, STUDY_MARKDOWN);
		break;
	case OPT_OUTPUT:
		o->output = argument;
		break;
	case OPT_FORMAT:
		o->to = argument;
		break;
	case OPT_X:
		o->plot.x = argument;
		break;
	case OPT_Y:
		o->plot.y = argument;
		break;
	case OPT_VALUE:
		o->plot.value = argument;
		break;
	case OPT_LIMIT:
		o->limit[o->n_limits++] = limit_parse(&study_tool, argument,
						      LIMIT_FORM);
		break;
	default:
		o->changed = true;
		break;
	}
}

static const struct command *
find_command(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	tool_fail(&study_tool, TOOL_USAGE,
		  "there is no \"study %s\"; see --help", name);
}

/* An option that a command would ignore is refused. */
static void
check_option(const struct command *c, const struct tool_option *option)
{
	const int *takes = c->takes;

	while (*takes && *takes != option->id)
		takes++;
	if (!*takes && (option->id != OPT_RESULTS || c->files != 1))
		tool_fail(&study_tool, TOOL_USAGE, "%s: it takes no --%s",
			  c->name, option->name);
}

int
cmd_study(int argc, char **argv)
{
	struct study_options o = {.shard = {1, 1}};
	const struct tool_option *option;
	const struct command *command;
	const char *argument;
	int status;

	/* --help and the like may stand before the command. */
	while (tool_next(&study_tool, argc > 1 && argv[1][0] == '-' ? argc : 1,
			 argv, &argument))
		;
	if (argc < 2)
		tool_fail(&study_tool, TOOL_USAGE, "no command; see --help");
	command = find_command(argv[1]);
	o.limit = tool_alloc(&study_tool, (size_t)argc, sizeof *o.limit);
	optind = 0;
	while ((option = tool_next(&study_tool, argc - 1, argv + 1,
				   &argument))) {
		check_option(command, option);
		apply(&o, option->id, argument);
	}
	o.file = argv + 1 + optind;
	o.n_files = argc - 1 - optind;
	if (command->files == ANY_FILES ? !o.n_files
					: o.n_files != command->files)
		tool_fail(&study_tool, TOOL_USAGE, "%s: %s; see --help",
			  command->name, command->files == 1 ?
			  "one study file is needed" : command->files > 1 ?
			  "two folders of results are needed" :
			  "folders of results are needed");
	status = command->run(&o);
	tool_flush(&study_tool);
	for (unsigned i = 0; i < o.n_limits; i++)
		free(o.limit[i].name);
	free(o.limit);
	return status;
}
