/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines that model a part of long programs: what is an estimate, and how well it
 * is known. */
#include "lexicon_count.h"

#include "machine/machine_period.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* What was executed and estimated in each of the parts that have anything. */
struct parts {
	unsigned n;
	double steps[PERIOD_PARTS], all_steps;
	u64 sig[PERIOD_PARTS][SIG_N];
	struct machine_totals spare;
};

static void
find_parts(const struct machine *machine, struct parts *p)
{
	for (unsigned i = 0; i < PERIOD_PARTS; i++) {
		const u64 *of = machine->periods.part[i];

		if (!of[SIG_INSN])
			continue;
		memcpy(p->spare.sig[0], of, sizeof p->spare.sig[0]);
		machine_totals_modes(&machine->config, &p->spare,
				     1u << MODE_USER, -1, -1, p->sig[p->n]);
		p->steps[p->n] = (double)of[SIG_INSN];
		p->all_steps += p->steps[p->n++];
	}
}

/* The standard error of what all parts have counted of an event: by how much each is
 * off what its steps would have at the rate of all. */
static double
error_of(const struct pmcsim_lexicon *l, const struct sim_config *config,
	 const struct pmcsim_ask *ask, const struct parts *p)
{
	double count[PERIOD_PARTS], all = 0, squares = 0;

	for (unsigned i = 0; i < p->n; i++) {
		count[i] = (double)(s64)lexicon_count(l, config, ask,
						      p->sig[i]);
		all += count[i];
	}
	for (unsigned i = 0; i < p->n; i++) {
		double off = count[i] - all / p->all_steps * p->steps[i];

		squares += off * off;
	}
	return p->n > 1 ? sqrt(squares * p->n / (p->n - 1)) : fabs(all);
}

static void
estimate(const struct pmcsim_lexicon *l, const struct sim_config *config,
	 const struct pmcsim_ask *ask, const struct parts *p,
	 struct pmcsim_value *value)
{
	const struct sim_event *event = &l->event[ask->named];

	for (unsigned i = 0; i < event->n; i++) {
		enum sim_signal g = (enum sim_signal)event->term[i].signal;

		value->estimated |= period_estimates(g);
		value->missed |= g == SIG_OS_PAGE;
	}
	value->estimated |= l->named[ask->named].unit != PMCSIM_UNIT_NONE;
	if (value->estimated && value->count)
		value->deviation = 100 * error_of(l, config, ask, p) /
				   (double)value->count;
}

int
pmcsim_lexicon_estimates(const struct pmcsim_lexicon *l,
			 struct pmcsim_machine *m,
			 const struct pmcsim_ask *ask, size_t n,
			 struct pmcsim_value *value)
{
	const struct machine *machine = m->map.m;
	struct parts *p = calloc(1, sizeof *p);

	if (!p)
		return -ENOMEM;
	find_parts(machine, p);
	for (size_t i = 0; i < n && p->n; i++)
		estimate(l, &machine->config, &ask[i], p, &value[i]);
	free(p);
	return 0;
}
