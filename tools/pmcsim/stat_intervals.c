/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -I, -D and --timeout: what a command counts in each so many milliseconds of the
 * machine, from when on, and until when. */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
cycles_of(const struct stat_cpu *c, unsigned long ms)
{
	return pmcsim_cpu_clock(c->cpu) * ms / 1000;
}

static void
check_wait(int rc, const char *option, unsigned long ms)
{
	if (rc != 0)
		tool_fail(&stat_tool, TOOL_FAILED,
			  "%s %lu: that many cycles cannot be waited for",
			  option, ms);
}

void
stat_note(const struct stat *s, const struct stat_cpu *c,
	  struct pmcsim_machine *m)
{
	const struct stat_options *o = s->o;
	unsigned long every = o->interval ? o->interval : o->multiplex;
	unsigned long first = o->delay ? o->delay : every;

	if (first)
		check_wait(pmcsim_machine_note_from(m, cycles_of(c, first),
						    cycles_of(c, every)),
			   o->delay ? "-D" : o->interval ? "-I"
							 : "--mux-interval",
			   first);
	if (o->timeout)
		check_wait(pmcsim_machine_end_after(
				   m, cycles_of(c, o->delay + o->timeout)),
			   "--timeout", o->timeout);
}

struct keep {
	const struct stat *s;
	struct stat_cpu *c;
	uint64_t *since;	/* counts when counting began, of all wants */
	double user, kernel;	/* likewise */
	bool begun;
};

/* One more; counts of all wants, and the time. */
static void
add_note(const struct keep *k, double seconds, const uint64_t *count)
{
	struct stat_cpu *c = k->c;
	size_t n = k->s->o->n_wants + 1;
	uint64_t *note = reallocarray(c->note, (c->n_notes + 1) * n,
				      sizeof(*note));
	double *at = reallocarray(c->note_seconds, c->n_notes + 1,
				  sizeof(*at));

	if (!note || !at)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	c->note = note;
	c->note_seconds = at;
	for (size_t i = 0; i < n; i++)
		note[c->n_notes * n + i] = count[i] - k->since[i];
	at[c->n_notes++] = seconds - k->user;
}

/* With -D, the first one is where counting begins. */
static int
on_note(void *arg, const struct pmcsim_note *note)
{
	struct keep *k = arg;
	double hz = (double)pmcsim_cpu_clock(k->c->cpu);
	size_t n = k->s->o->n_wants + 1;

	if (k->begun) {
		add_note(k, (double)note->cycles / hz, note->count);
		return 0;
	}
	memcpy(k->since, note->count, n * sizeof(*k->since));
	k->user = (double)note->cycles / hz;
	k->kernel = (double)note->kernel_cycles / hz;
	k->begun = true;
	return 0;
}

/* What is printed behind intervals is of those that are printed. */
static void
count_printed(const struct stat_options *o, struct stat_cpu *c)
{
	size_t n = o->n_wants + 1;

	if (o->intervals && o->intervals < c->n_notes)
		memcpy(c->count, &c->note[(o->intervals - 1) * n],
		       n * sizeof(*c->count));
}

/* Counts of the run that has ended are those since counting began. */
static void
take_off(const struct keep *k, uint64_t *count, double *user, double *kernel)
{
	size_t n = k->s->o->n_wants + 1;

	for (size_t i = 0; i < n; i++)
		count[i] -= k->begun ? k->since[i] : count[i];
	*user -= k->begun ? k->user : *user;
	*kernel -= k->begun ? k->kernel : *kernel;
	if (k->begun)
		k->c->begun = true;
	else
		tool_note(&stat_tool, "-D %lu: the command has ended before, "
			  "and nothing is counted", k->s->o->delay);
}

void
stat_keep_notes(const struct stat *s, struct stat_cpu *c,
		struct pmcsim_machine *m)
{
	const struct stat_options *o = s->o;
	size_t n = o->n_wants + 1, run = c->runs - 1;
	struct keep keep = {s, c, .begun = !o->delay};

	if (!o->interval && !o->multiplex && !o->delay)
		return;
	keep.since = tool_alloc(&stat_tool, n, sizeof(*keep.since));
	if (pmcsim_lexicon_notes(c->lexicon, m, c->ask, n, on_note, &keep) !=
	    0)
		tool_fail(&stat_tool, TOOL_FAILED, "the counts are gone");
	/* The rest, up to the end. */
	if ((o->interval || o->multiplex) && keep.begun)
		add_note(&keep, c->user[run], &c->count[run * n]);
	if (o->delay)
		take_off(&keep, &c->count[run * n], &c->user[run],
			 &c->kernel[run]);
	count_printed(o, c);
	free(keep.since);
}

/* The counts of interval k alone, as if it were a run. */
static void
put_interval(struct stat *s, const struct stat_cpu *c, size_t k, FILE *out)
{
	size_t n = s->o->n_wants + 1;
	uint64_t *count = tool_alloc(&stat_tool, n, sizeof(*count));
	double kernel = 0, seconds = c->note_seconds[k];
	struct stat_cpu one = *c;

	for (size_t i = 0; i < n; i++)
		count[i] = c->note[k * n + i] -
			   (k ? c->note[(k - 1) * n + i] : 0);
	snprintf(s->prefix, sizeof(s->prefix),
		 s->o->format == STAT_TEXT ? "%16.9f " : "%.9f", seconds);
	seconds -= k ? c->note_seconds[k - 1] : 0;
	one.count = count;
	one.user = &seconds;
	one.kernel = &kernel;
	one.runs = 1;
	switch (s->o->format) {
	case STAT_CSV:
		stat_put_csv(s, &one, out);
		break;
	case STAT_JSON:
		stat_put_json(s, &one, out);
		break;
	default:
		stat_put_text(s, &one, out);
	}
	s->further = true;
	free(count);
}

void
stat_write_intervals(struct stat *s, FILE *out)
{
	size_t n = s->cpu[0].n_notes;

	if (s->o->intervals && s->o->intervals < n)
		n = s->o->intervals;
	for (size_t k = 0; k < n; k++)
		put_interval(s, &s->cpu[0], k, out);
	/* What is written behind them is of no time. */
	snprintf(s->prefix, sizeof(s->prefix), "%s",
		 s->o->format == STAT_CSV ? "         summary" : "");
	s->further = false;
}
