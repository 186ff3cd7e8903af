/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines that model a part of long programs: what is an estimate, and how well it
 * is known. */
#include "lexicon_count.h"

#include "machine/machine_period.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void
pmcsim_machine_set_periods(struct pmcsim_machine *m,
			   const struct pmcsim_periods *periods)
{
	struct machine_periods *p = &m->map.m->periods;

	p->one_in = periods->one_in;
	p->warm = periods->warm;
	p->measured = periods->measured;
}

struct pmcsim_measured
pmcsim_machine_measured(struct pmcsim_machine *m)
{
	const struct machine_periods *p = &m->map.m->periods;
	u64 all = p->exact + p->estimated;

	return (struct pmcsim_measured){
		.periods = p->n,
		.percent = all ? 100 * (double)p->exact / (double)all : 100,
	};
}

/* What an event counts in the steps of a part of all periods. */
struct part {
	double steps, count;
};

static unsigned
parts_of(const struct pmcsim_lexicon *l, const struct machine *machine,
	 const struct pmcsim_ask *ask, struct machine_totals *t,
	 struct part part[PERIOD_PARTS])
{
	unsigned n = 0;
	u64 sig[SIG_N];

	for (unsigned i = 0; i < PERIOD_PARTS; i++) {
		const u64 *of = machine->periods.part[i];

		if (!of[SIG_INSN])
			continue;
		*t = (struct machine_totals){0};
		for (unsigned g = 0; g < SIG_N; g++)
			t->sig[0][g] = of[g];
		machine_totals_modes(&machine->config, t, 1u << MODE_USER, -1,
				     -1, sig);
		part[n++] = (struct part){
			(double)of[SIG_INSN],
			(double)(s64)lexicon_count(l, &machine->config, ask,
						   sig),
		};
	}
	return n;
}

/* The standard error of what all parts have counted: by how much each is off what
 * its steps would have at the rate of all. */
static double
error_of(const struct part *part, unsigned n)
{
	double steps = 0, count = 0, squares = 0;

	for (unsigned i = 0; i < n; i++) {
		steps += part[i].steps;
		count += part[i].count;
	}
	for (unsigned i = 0; i < n; i++) {
		double off = part[i].count - count / steps * part[i].steps;

		squares += off * off;
	}
	return n > 1 ? sqrt(squares * n / (n - 1)) : fabs(count);
}

static void
estimate(const struct pmcsim_lexicon *l, const struct machine *machine,
	 const struct pmcsim_ask *ask, struct machine_totals *spare,
	 struct pmcsim_value *value)
{
	const struct sim_event *event = &l->event[ask->named];
	struct part part[PERIOD_PARTS];
	unsigned n;

	for (unsigned i = 0; i < event->n; i++) {
		enum sim_signal g = (enum sim_signal)event->term[i].signal;

		value->estimated |= period_estimates(g);
		value->missed |= g == SIG_OS_PAGE;
	}
	value->estimated |= l->named[ask->named].unit != PMCSIM_UNIT_NONE;
	if (!value->estimated || !value->count)
		return;
	n = parts_of(l, machine, ask, spare, part);
	if (n)
		value->deviation = 100 * error_of(part, n) /
				   (double)value->count;
}

int
pmcsim_lexicon_estimates(const struct pmcsim_lexicon *l,
			 struct pmcsim_machine *m,
			 const struct pmcsim_ask *ask, size_t n,
			 struct pmcsim_value *value)
{
	struct machine_totals *spare = malloc(sizeof *spare);

	if (!spare)
		return -ENOMEM;
	for (size_t i = 0; i < n && m->map.m->periods.n; i++)
		estimate(l, m->map.m, &ask[i], spare, &value[i]);
	free(spare);
	return 0;
}
