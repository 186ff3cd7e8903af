/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options of "pmcsim stat" exclude each other. */
#include "stat.h"

static void
refuse_if(bool wrong, const char *sentence)
{
	if (wrong)
		tool_fail(&stat_tool, TOOL_USAGE, "%s", sentence);
}

static void
check_output(const struct stat_options *o)
{
	refuse_if(o->no_events && (o->events || o->metrics || o->detailed),
		  "-n counts nothing: -e, -M and -d exclude it");
	refuse_if(o->append && !o->output, "--append is for -o FILE");
	refuse_if(o->log && o->output, "-o and --log-fd exclude each other");
	refuse_if(o->metric_only && o->no_events,
		  "-n and --metric-only exclude each other");
	refuse_if(o->table && o->repeat < 2, "--table is for -r");
	refuse_if(o->table && o->format != STAT_TEXT,
		  "--table: only text has a place for it");
	refuse_if(o->table && o->n_cpus > 1 && !o->apart,
		  "--table: processors side by side have no place for it, "
		  "--no-merge prints them one after the other");
}

static void
check_intervals(const struct stat_options *o)
{
	refuse_if(o->summary && !o->interval, "--summary is for -I");
	refuse_if(o->intervals && !o->interval, "--interval-count is for -I");
	refuse_if(o->interval &&
			  (o->repeat > 1 || o->no_events || o->n_cpus > 1),
		  "-I is for one run on one processor, and events");
	refuse_if(o->interval && o->format > STAT_JSON,
		  "-I: --csv and --markdown have no place for times");
	refuse_if(o->interval && o->regions.name,
		  "-I and --region exclude each other");
	refuse_if(o->interval && o->timeout,
		  "-I and --timeout exclude each other; --interval-count "
		  "prints so many intervals");
}

static void
check_turns(const struct stat_options *o)
{
	refuse_if(o->multiplex &&
			  (o->interval || o->repeat > 1 || o->no_events ||
			   o->n_cpus > 1 || o->regions.name ||
			   o->regions.threads || o->regions.first),
		  "--multiplex is for one run on one processor, all of it, "
		  "and events");
	refuse_if(o->multiplex && o->format > STAT_JSON,
		  "--multiplex: --csv and --markdown have no place for "
		  "errors");
}

/* Parts of a command are counted from beginning to end, and are not noted at
 * times. */
static void
check_parts(const struct stat_options *o)
{
	const struct regions_option *part = &o->regions;

	refuse_if(part->threads && o->apart,
		  "--per-thread excludes --no-merge");
	refuse_if(part->threads && (o->interval || part->name),
		  "--per-thread excludes -I and --region");
	refuse_if(part->first && (o->interval || part->name || part->threads),
		  "-i excludes -I, --region and --per-thread");
	refuse_if(o->delay && (part->name || part->threads || part->first),
		  "-D excludes -i, --region and --per-thread");
}

/* Without a time, what is of it, or changes it alone, has no meaning. */
static void
check_time(const struct stat_options *o)
{
	refuse_if(o->no_time && (o->no_events || o->interval || o->delay ||
				 o->timeout || o->multiplex || o->table),
		  "--no-time excludes -n, -I, -D, --timeout, --multiplex and "
		  "--table, which are of the time");
	refuse_if(o->no_time && o->metric_only,
		  "--no-time excludes --metric-only and --topdown: there are "
		  "no metrics of instructions and branches alone");
	refuse_if(o->no_time && (o->outside.clock || o->outside.pipeline),
		  "--no-time excludes --clock machine and --pipeline");
}

/* What is estimated is of one command, all of it, in user mode. */
static void
check_sampled(const struct stat_options *o)
{
	const struct regions_option *part = &o->regions;

	if (!o->sampled.one_in)
		return;
	refuse_if(o->no_time || o->no_events || o->repeat > 1 || o->interval ||
			  o->delay || o->timeout || o->multiplex ||
			  o->several || part->name || part->threads ||
			  part->first || o->outside.clock ||
			  o->outside.parallel,
		  "--sampled is for one run, all of it, and events: it "
		  "excludes -n, -r, -I, -D, -i, --no-time, --timeout, "
		  "--multiplex, --cpus, --region, --per-thread, --clock and "
		  "--threads");
	refuse_if(o->format == STAT_MARKDOWN,
		  "--sampled: --markdown has no place for errors");
	refuse_if(o->n_cpus > 1 && !o->apart && o->format == STAT_TEXT,
		  "--sampled: processors side by side have no place for "
		  "errors, --no-merge prints them one after the other");
}

static void
check_system(const struct stat_options *o)
{
	const struct {
		bool given;
		const char *dashes, *name;
	} option[] = {
		{o->regions.name, "--", "region"},
		{o->regions.threads, "--", "per-thread"},
		{o->regions.first, "-", "i"},
		{o->interval, "-", "I"},
		{o->delay, "-", "D"},
		{o->timeout, "--", "timeout"},
		{o->multiplex, "--", "multiplex"},
		{o->several, "--", "cpus"},
		{o->no_time, "--", "no-time"},
		{o->sampled.one_in, "--", "sampled"},
	};

	for (size_t i = 0; i < sizeof(option) / sizeof(*option); i++)
		system_excludes(&stat_tool, &o->system, option[i].given,
				option[i].dashes, option[i].name);
}

void
stat_check(const struct stat_options *o)
{
	check_output(o);
	check_intervals(o);
	check_turns(o);
	check_parts(o);
	check_time(o);
	check_sampled(o);
	check_system(o);
	outside_check(&stat_tool, &o->outside, &o->system);
	refuse_if(!o->command[0], "no command to be measured");
}
