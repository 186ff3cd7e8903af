/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics: ratios of sums of counts, as the CPU table has them.  A metric
 * can have several formulas; the first whose events were all measured is
 * used.  Counts are taken as they are shown, so that a printed metric is the
 * ratio of the printed counts; percentages are 0 to 100.
 */
#include "table.h"

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
