/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -I: what a command counts in each so many milliseconds of the machine. */
#include "stat.h"

#include <stdlib.h>

void
stat_note(const struct stat *s, const struct stat_cpu *c,
	  struct pmcsim_machine *m)
{
	unsigned long ms = s->o->interval ? s->o->interval : s->o->multiplex;
	uint64_t cycles = pmcsim_cpu_clock(c->cpu) * ms / 1000;

	if (ms && pmcsim_machine_note_from(m, cycles, cycles) != 0)
		tool_fail(&stat_tool, TOOL_FAILED,
			  "%s %lu: that many cycles cannot be waited for",
			  s->o->interval ? "-I" : "--mux-interval", ms);
}

struct keep {
	const struct stat *s;
	struct stat_cpu *c;
};

/* One more; counts of all wants, and the time. */
static void
add_note(const struct stat *s, struct stat_cpu *c, double seconds,
	 const uint64_t *count)
{
	size_t n = s->o->n_wants + 1;
	uint64_t *note = reallocarray(c->note, (c->n_notes + 1) * n,
				      sizeof(*note));
	double *at = reallocarray(c->note_seconds, c->n_notes + 1,
				  sizeof(*at));

	if (!note || !at)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	c->note = note;
	c->note_seconds = at;
	for (size_t i = 0; i < n; i++)
		note[c->n_notes * n + i] = count[i];
	at[c->n_notes++] = seconds;
}

static int
on_note(void *arg, const struct pmcsim_note *note)
{
	const struct keep *k = arg;

	add_note(k->s, k->c,
		 (double)note->cycles / (double)pmcsim_cpu_clock(k->c->cpu),
		 note->count);
	return 0;
}

void
stat_keep_notes(const struct stat *s, struct stat_cpu *c,
		struct pmcsim_machine *m)
{
	struct keep keep = {s, c};

	if (!s->o->interval && !s->o->multiplex)
		return;
	if (pmcsim_lexicon_notes(c->lexicon, m, c->ask, s->o->n_wants + 1,
				 on_note, &keep) != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "the counts are gone");
	/* The rest, up to the end. */
	add_note(s, c, c->user[0], c->count);
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
	for (size_t k = 0; k < s->cpu[0].n_notes; k++)
		put_interval(s, &s->cpu[0], k, out);
	/* What is written behind them is of no time. */
	snprintf(s->prefix, sizeof(s->prefix), "%s",
		 s->o->format == STAT_CSV ? "         summary" : "");
	s->further = false;
}
