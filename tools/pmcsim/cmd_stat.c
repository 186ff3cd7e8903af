/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim stat": what a command does on a processor, as perf stat prints it. */
#include "stat.h"
#include "common/progress.h"
#include "common/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Before the runs -------------------------------------------------- */

static void
load_cpu(struct stat *s, size_t i)
{
	struct stat_cpu *c = &s->cpu[i];
	struct pmcsim_error error;

	c->cpu = tool_cpu(&stat_tool, s->o->cpu[i]);
	if (s->o->several &&
	    pmcsim_cpu_set_cpus(c->cpu, (unsigned)s->o->several, &error) != 0)
		tool_fail(&stat_tool, TOOL_USAGE, "%s", error.text);
	if (pmcsim_lexicon_load(c->cpu, &c->lexicon, &error) != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "%s", error.text);
}

/* The modes that a want is counted in: its own, or those that its event has by
 * itself, to which others mean nothing. */
static unsigned
modes_of(const struct stat *s, const struct stat_want *want,
	 const struct pmcsim_named *named)
{
	if (!named->modes || named->modes == want->modes)
		return want->modes;
	if (want->modified)
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s: %s has modes of its own", want->name,
			  named->name);
	if (stat_user_only(s->o))
		tool_fail(&stat_tool, TOOL_USAGE,
			  "-e %s: %s counts user mode only", want->name,
			  stat_user_only(s->o));
	return named->modes;
}

/* Without a time there are no events that need one. */
static void
check_time(const struct stat *s, const struct stat_cpu *c, size_t want)
{
	if (s->o->no_time && c->supported[want] &&
	    !pmcsim_lexicon_is_untimed(c->lexicon, &c->ask[want]))
		tool_fail(&stat_tool, TOOL_USAGE,
			  "--no-time: %s takes a model of the processor: only "
			  "instructions and branches in user mode do not",
			  s->o->want[want].name);
}

/* What each want is on a CPU; an event that its table does not have is not
 * supported.  True if it is known. */
static bool
resolve(const struct stat *s, struct stat_cpu *c, size_t want)
{
	int i = pmcsim_lexicon_find(c->lexicon, s->o->want[want].event);
	const struct pmcsim_named *named;
	size_t n;

	if (i < 0)
		return false;
	named = pmcsim_lexicon_events(c->lexicon, &n);
	c->ask[want] = (struct pmcsim_ask){
		.named = (size_t)i,
		.modes = modes_of(s, &s->o->want[want], &named[i]),
	};
	c->supported[want] = named[i].precision != PMCSIM_NOT_MODELLED &&
			     system_measures(&s->o->system,
					     c->ask[want].modes);
	check_time(s, c, want);
	return true;
}

static void
prepare_cpu(struct stat *s, struct stat_cpu *c)
{
	size_t n = s->o->n_wants, runs = s->o->repeat;

	c->ask = tool_alloc(&stat_tool, n + 1, sizeof(*c->ask));
	c->supported = tool_alloc(&stat_tool, n + 1, sizeof(bool));
	c->count = tool_alloc(&stat_tool, runs * (n + 1), sizeof(uint64_t));
	c->user = tool_alloc(&stat_tool, runs, sizeof(double));
	c->kernel = tool_alloc(&stat_tool, runs, sizeof(double));
	c->begun = !s->o->delay;
	/* The time that events are counted for is that of user mode. */
	c->ask[n].named =
		(size_t)pmcsim_lexicon_find(c->lexicon, "user_time");
	c->ask[n].modes = 8;
}

static void
prepare(struct stat *s)
{
	for (size_t i = 0; i < s->o->n_cpus; i++)
		load_cpu(s, i);
	stat_parse_metrics(s->o, s->cpu[0].lexicon);
	for (size_t i = 0; i < s->o->n_cpus; i++)
		prepare_cpu(s, &s->cpu[i]);
	for (size_t w = 0; w < s->o->n_wants; w++) {
		bool known = false;

		for (size_t i = 0; i < s->o->n_cpus; i++)
			known |= resolve(s, &s->cpu[i], w);
		if (!known)
			tool_fail(&stat_tool, TOOL_USAGE,
				  "-e: there is no event %s; \"pmcsim list "
				  "%s\" and \"pmcsim list --linux %s\" list "
				  "them", tool_word(s->o->want[w].event),
				  s->o->cpu[0], s->o->cpu[0]);
	}
}

/* ---- The runs --------------------------------------------------------- */

static void
keep_counts(const struct stat *s, struct stat_cpu *c,
	    struct pmcsim_machine *m)
{
	size_t n = stat_n_asked(s);
	uint64_t *count = &c->count[c->runs * (s->o->n_wants + 1)];
	struct pmcsim_value *value =
		tool_alloc(&stat_tool, n, sizeof(*value));

	if (pmcsim_lexicon_read(c->lexicon, m, c->ask, n, value) != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	for (size_t i = 0; i < n; i++) {
		count[i] = value[i].count;
		if (value[i].unknown)
			c->supported[i] = false;
	}
	if (!s->o->no_time)
		pmcsim_machine_time(m, &c->user[c->runs], &c->kernel[c->runs]);
	stat_keep_regions(s, c, m);
	stat_keep_estimates(s, c, m, value);
	c->runs++;
	free(value);
}

/* What is to be done around a run, which is not counted. */
static void
do_beside(const char *option, const char *command)
{
	int status = command ? system(command) : 0;

	if (status < 0)
		tool_fail(&stat_tool, TOOL_FAILED, "%s: %s", option,
			  strerror(errno));
	if (status != 0 && !tool_stop)
		tool_fail(&stat_tool, TOOL_FAILED, "%s %s: it has failed",
			  option, command);
}

static void
run_once(struct stat *s, struct stat_cpu *c)
{
	struct pmcsim_start start = {
		.argv = s->o->command,
		.system = system_where(&s->o->system),
	};
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct streams streams;
	struct pmcsim_exit how;
	int err = pmcsim_machine_new(c->cpu, NULL, &m, &error);

	if (err != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "%s", error.text);
	outside_set(&s->o->outside, m);
	if (s->o->sampled.one_in)
		pmcsim_machine_set_periods(m, &s->o->sampled);
	pmcsim_lexicon_prepare(c->lexicon, m, c->ask, stat_n_asked(s));
	stat_note(s, c, m);
	if (stat_has_regions(s->o))
		regions_set(&stat_tool, &s->o->regions, m);
	err = streams_open(&streams, false);
	if (err != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "standard input: %s",
			  strerror(-err));
	tool_run(&stat_tool, m, &start, &how);
	streams_close(&streams);
	s->status = tool_stop ? 128 + tool_signal
			      : system_status(&s->o->system, how.status);
	s->partial |= how.partial;
	keep_counts(s, c, m);
	stat_keep_notes(s, c, m);
	stat_multiplex(s, c);
	pmcsim_machine_free(m);
}

static void
measure(struct stat *s)
{
	tool_catch_signals();
	progress_expect(s->o->n_cpus * s->o->repeat);
	if (s->o->keep_input)
		streams_keep_input(&stat_tool);
	for (size_t i = 0; i < s->o->n_cpus; i++)
		for (size_t r = 0; r < s->o->repeat && !tool_stop; r++) {
			do_beside("--pre", s->o->pre);
			if (!tool_stop)
				run_once(s, &s->cpu[i]);
			do_beside("--post", s->o->post);
		}
	if (tool_stop)
		s->status = 128 + tool_signal;
}

/* ---- Behind them ------------------------------------------------------ */

typedef void write_fn(const struct stat *s, FILE *out);

/* perf prints threads in place of the command, field for field. */
static bool
is_without_whole(const struct stat *s)
{
	return s->o->regions.threads && (s->o->format == STAT_CSV ||
					 s->o->format == STAT_JSON);
}

/* Writes the counts of the command, then those of its regions. */
static void
write_all(const struct stat *s, FILE *out)
{
	static write_fn *const whole[] = {
		[STAT_TEXT] = stat_write_text, [STAT_CSV] = stat_write_csv,
		[STAT_JSON] = stat_write_json, [STAT_TIDY] = stat_write_tidy,
		[STAT_MARKDOWN] = stat_write_markdown,
	};
	bool table = s->o->format == STAT_TEXT && s->o->n_cpus > 1 &&
		     !s->o->apart;

	if (s->o->regions.threads && s->o->format == STAT_TEXT && !table &&
	    !s->o->metric_only) {
		stat_write_threads(s, out);
		return;
	}
	if ((!s->o->interval || s->o->summary) && !is_without_whole(s))
		(table ? stat_write_table : whole[s->o->format])(s, out);
	stat_write_regions(s, out, s->o->format == STAT_TEXT
					   ? stat_write_region
					   : whole[s->o->format]);
}

static void
report(struct stat *s)
{
	struct tool_output out;

	tool_output_open(&out, &stat_tool, s->o->output, s->o->append,
			 s->o->log ? s->o->log : stderr);
	if (s->o->interval)
		stat_write_intervals(s, out.stream);
	write_all(s, out.stream);
	tool_output_close(&out, ferror(out.stream) ? -EIO : 0);
}

static void
free_cpu(struct stat_cpu *c)
{
	pmcsim_lexicon_free(c->lexicon);
	pmcsim_cpu_free(c->cpu);
	free(c->ask);
	free(c->supported);
	free(c->count);
	free(c->user);
	free(c->kernel);
	stat_free_regions(c);
	free(c->note);
	free(c->note_seconds);
	free(c->share);
	free(c->estimate);
}

int
cmd_stat(int argc, char **argv)
{
	struct stat_options options;
	struct stat s = {.o = &options};

	stat_parse(&options, argc, argv);
	prepare(&s);
	tool_output_check(&stat_tool, options.output);
	if (options.format == STAT_TIDY)
		options.run = tidy_run(&stat_tool, options.output,
				       options.append, STAT_COLUMNS);
	system_check(&stat_tool, &options.system, options.command);
	stat_check_sampled(&s);
	measure(&s);
	report(&s);
	if (options.format != STAT_TEXT)
		tool_note_partial(&stat_tool, s.partial);
	for (size_t i = 0; i < options.n_cpus; i++)
		free_cpu(&s.cpu[i]);
	stat_free_options(&options);
	return s.status;
}
