/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics: ratios of sums of counts, as the CPU table has them.  A metric
 * can have several formulas; the first whose events were all measured is
 * used.  Counts are taken as they are shown, so that a printed metric is the
 * ratio of the printed counts; percentages are 0 to 100.
 */
#include "table/table.h"

#include <errno.h>

static const struct pmcsim_count *
find_count(const struct pmcsim_count *count, size_t n,
	   const struct yaml_term *term)
{
	for (size_t i = 0; i < n; i++)
		if (count[i].parity == term->list &&
		    count[i].code == term->code)
			return &count[i];
	return NULL;
}

/* The sum of terms into *sum; -ENODATA if one was not measured. */
static int
add_up(const struct yaml_term *term, unsigned n_terms,
       const struct pmcsim_count *count, size_t n, long double *sum)
{
	*sum = 0;
	for (unsigned i = 0; i < n_terms; i++) {
		const struct pmcsim_count *c = find_count(count, n, &term[i]);

		if (!c)
			return -ENODATA;
		*sum += (long double)c->value.shown * term[i].factor;
	}
	return 0;
}

static const struct pmcsim_event *
event_of(const struct pmcsim_cpu *cpu, const struct yaml_term *term)
{
	for (size_t i = 0; i < cpu->n_events; i++)
		if (cpu->event[i].code == term->code &&
		    !cpu->event[i].variant && !cpu->event[i].reserved &&
		    (cpu->file.cpu->events.all_count ||
		     cpu->event[i].counters >> term->list & 1))
			return &cpu->event[i];
	return NULL;
}

int
pmcsim_metric_quotient(const struct pmcsim_cpu *cpu,
		       const struct pmcsim_metric *metric,
		       struct pmcsim_quotient *q)
{
	const struct yaml_metric *yaml;
	const struct yaml_formula *f;

	if (metric < cpu->metric || metric >= cpu->metric + cpu->n_metrics)
		return -EINVAL;
	yaml = &cpu->file.cpu->metrics[metric - cpu->metric];
	f = yaml->formulas;
	if (!yaml->formulas_count || f->numerator_count != 1 ||
	    f->denominator_count != 1 || f->numerator->factor <= 0 ||
	    f->denominator->factor <= 0)
		return -ENOTSUP;
	*q = (struct pmcsim_quotient){
		.over = event_of(cpu, f->numerator),
		.under = event_of(cpu, f->denominator),
		.over_factor = (unsigned)f->numerator->factor *
			       (yaml->unit == YAML_PERCENT ? 100 : 1),
		.under_factor = (unsigned)f->denominator->factor,
	};
	return q->over && q->under ? 0 : -ENOTSUP;
}

int
pmcsim_metric_value(const struct pmcsim_cpu *cpu,
		    const struct pmcsim_metric *metric,
		    const struct pmcsim_count *count, size_t n, double *value)
{
	const struct yaml_metric *yaml;
	long double over, under;

	if (metric < cpu->metric || metric >= cpu->metric + cpu->n_metrics)
		return -EINVAL;
	yaml = &cpu->file.cpu->metrics[metric - cpu->metric];
	for (unsigned i = 0; i < yaml->formulas_count; i++) {
		const struct yaml_formula *f = &yaml->formulas[i];

		if (add_up(f->numerator, f->numerator_count, count, n,
			   &over) ||
		    add_up(f->denominator, f->denominator_count, count, n,
			   &under))
			continue;
		if (under == 0)
			return -EDOM;
		*value = over / under *
			 (yaml->unit == YAML_PERCENT ? 100 : 1);
		return 0;
	}
	return -ENODATA;
}
