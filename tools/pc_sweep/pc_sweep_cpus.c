/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pc_sweep --cpus: one run on each of several processors, side by side, of what
 * has one name on all of them. */
#include "pc_sweep_cpus.h"

#include "common/progress.h"
#include "common/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct row sides_row[ROWS] = {
	{"cycles", false, "events", "ipc "},
	{"instructions", false, "events", "ipc instructions "},
	{"ipc", true, "", "ipc "},
	{"branches", false, "events", "branches branch instructions "},
	{"branch-misses", false, "events", "branches branch misses "},
	{"branch-miss-rate", true, "percent", "branches branch "},
	{"branch-mpki", true, "", "branches branch misses "},
	{"L1-icache-loads", false, "events", "cache "},
	{"L1-icache-load-misses", false, "events", "cache misses "},
	{"l1i-mpki", true, "", "cache misses "},
	{"L1-dcache-loads", false, "events", "cache instructions "},
	{"L1-dcache-load-misses", false, "events", "cache misses "},
	{"l1d-mpki", true, "", "cache misses "},
	{"L2-loads", false, "events", "l2 "},
	{"L2-load-misses", false, "events", "l2 misses "},
	{"l2-mpki", true, "", "l2 misses "},
	{"dTLB-load-misses", false, "events", "tlb misses "},
	{"dtlb-mpki", true, "", "tlb misses "},
	{"iTLB-load-misses", false, "events", "tlb misses "},
	{"itlb-mpki", true, "", "tlb misses "},
};

/* ---- What is asked for -------------------------------------------------- */

static bool
is_of_group(const struct row *row, const char *group)
{
	size_t n = strlen(group);

	if (!strcmp(group, "all"))
		return true;
	for (const char *p = row->groups; *p; p = strchr(p, ' ') + 1)
		if (!strncmp(p, group, n) && p[n] == ' ')
			return true;
	return false;
}

static void
choose_rows(struct sides *s)
{
	for (size_t i = 0; i < s->o->groups.n; i++) {
		const char *group = s->o->groups.word[i];
		bool any = false;

		for (size_t k = 0; k < ROWS; k++)
			if (is_of_group(&sides_row[k], group))
				any = s->chosen[k] = true;
		if (!any)
			tool_fail(&pc_sweep, TOOL_USAGE,
				  "--cpus: the events of group %s are one "
				  "processor's alone", group);
	}
}

static void
load_cpus(struct sides *s)
{
	char *rest = strdup(s->o->cpus), *name;

	while (rest && (name = strsep(&rest, ","))) {
		if (s->n == CPUS)
			tool_fail(&pc_sweep, TOOL_USAGE,
				  "--cpus: more than %d of them", CPUS);
		s->names[s->n] = name;
		s->cpu[s->n++] = tool_cpu(&pc_sweep, name);
	}
}

/* ---- A run -------------------------------------------------------------- */

/* What a row asks the lexicon for: the count, or what a metric divides. */
static size_t
events_of(const struct pmcsim_lexicon *lexicon, const struct row *row,
	  size_t event[2], unsigned *times)
{
	const struct pmcsim_quotient_of *m;
	size_t n;
	int found;

	if (!row->metric) {
		found = pmcsim_lexicon_find(lexicon, row->name);
		event[0] = found < 0 ? 0 : (size_t)found;
		return found >= 0;
	}
	m = pmcsim_lexicon_metrics(lexicon, &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(m[i].name, row->name)) {
			event[0] = m[i].over;
			event[1] = m[i].under;
			*times = m[i].times;
			return 2;
		}
	return 0;
}

static void
take_figure(struct figure *f, const struct pmcsim_named *named,
	    const struct pmcsim_value *value, const size_t event[2], size_t n,
	    unsigned times)
{
	f->known = n > 0;
	for (size_t i = 0; i < n; i++)
		f->known &= named[event[i]].precision != PMCSIM_NOT_MODELLED &&
			    !value[i].unknown;
	if (n == 2)
		f->known &= value[1].count != 0;
	if (f->known)
		f->value = n == 1 ? (double)value[0].count :
			   times * (double)value[0].count /
				   (double)value[1].count;
}

static void
read_figures(struct sides *s, size_t side, struct pmcsim_lexicon *lexicon,
	     struct pmcsim_machine *m)
{
	size_t all;
	const struct pmcsim_named *named = pmcsim_lexicon_events(lexicon, &all);

	for (size_t k = 0; k < ROWS; k++) {
		struct pmcsim_value value[2];
		struct pmcsim_ask ask[2];
		unsigned times = 1;
		size_t event[2], n;

		if (!s->chosen[k])
			continue;
		n = events_of(lexicon, &sides_row[k], event, &times);
		for (size_t i = 0; i < n; i++)
			ask[i] = (struct pmcsim_ask){event[i], s->o->modes};
		if (pmcsim_lexicon_read(lexicon, m, ask, n, value) != 0)
			tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
		take_figure(&s->figure[k][side], named, value, event, n,
			    times);
	}
}

/* All that is asked for is modelled. */
static void
prepare(const struct sides *s, struct pmcsim_lexicon *lexicon,
	struct pmcsim_machine *m)
{
	struct pmcsim_ask ask[2 * ROWS];
	size_t n = 0;

	for (size_t k = 0; k < ROWS; k++) {
		size_t event[2], more;
		unsigned times;

		more = s->chosen[k] ? events_of(lexicon, &sides_row[k], event,
						&times) : 0;
		for (size_t i = 0; i < more; i++)
			ask[n++] = (struct pmcsim_ask){event[i], s->o->modes};
	}
	pmcsim_lexicon_prepare(lexicon, m, ask, n);
}

static void
run_on(struct sides *s, size_t side)
{
	struct pmcsim_start start = {.argv = s->o->command};
	struct pmcsim_lexicon *lexicon;
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct streams streams;
	struct pmcsim_exit how;
	int err = pmcsim_lexicon_load(s->cpu[side], &lexicon, &error);

	if (err == 0)
		err = pmcsim_machine_new(s->cpu[side], NULL, &m, &error);
	if (err != 0)
		tool_fail(&pc_sweep, TOOL_FAILED, "%s", error.text);
	outside_set(&s->o->outside, m);
	prepare(s, lexicon, m);
	err = streams_open(&streams, false);
	if (err != 0)
		tool_fail(&pc_sweep, TOOL_FAILED, "standard input: %s",
			  strerror(-err));
	tool_run(&pc_sweep, m, &start, &how);
	streams_close(&streams);
	s->partial |= how.partial;
	s->doubts |= pmcsim_machine_doubts(m);
	if (how.status && !s->status)
		s->status = how.status;
	read_figures(s, side, lexicon, m);
	pmcsim_machine_free(m);
	pmcsim_lexicon_free(lexicon);
}

int
sweep_cpus(struct sweep_options *o)
{
	struct sides s = {.o = o};
	struct pmcsim_error error;
	struct tool_output out;
	int err;

	choose_rows(&s);
	load_cpus(&s);
	tool_output_check(&pc_sweep, o->output);
	if (o->format == FORMAT_CSV)
		o->run = tidy_run(&pc_sweep, o->output, o->append,
				  SIDES_COLUMNS);
	err = pmcsim_command_check(o->command, &error);
	if (err != 0)
		tool_fail(&pc_sweep, tool_status(err), "%s", error.text);
	tool_catch_signals();
	progress_expect(s.n);
	if (o->keep_input)
		streams_keep_input(&pc_sweep);
	for (size_t i = 0; i < s.n && !tool_stop; i++)
		run_on(&s, i);
	s.partial |= tool_stop != 0;
	tool_output_open(&out, &pc_sweep, o->output, o->append, stdout);
	sides_write(&s, out.stream);
	tool_output_close(&out, 0);
	for (size_t i = 0; i < s.n; i++)
		pmcsim_cpu_free(s.cpu[i]);
	free(s.names[0]);
	return tool_stop ? 128 + tool_signal : s.status;
}
