/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim compare": limits for what changes. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROUNDED 1e-12

/* Whether the limit is about that figure: by its name, or "REGION/NAME"; without
 * a name, about all counts of the whole command. */
static bool
concerns(const struct limit *limit, const struct pmcsim_figure *f)
{
	size_t region = f->region ? strlen(f->region) : 0;

	if (!limit->name)
		return !f->region && !f->metric && f->known;
	if (!f->region)
		return !strcasecmp(limit->name, f->name);
	return !strncmp(limit->name, f->region, region) &&
	       limit->name[region] == '/' &&
	       !strcasecmp(limit->name + region + 1, f->name);
}

/* Metrics are rounded: what is as close to a limit is not beyond it. */
static bool
exceeds(const struct limit *limit, const struct pmcsim_figure *a,
	const struct pmcsim_figure *b)
{
	double most = a->value * ((double)limit->percent / LIMIT_PARTS / 100);
	const struct pmcsim_figure *low = limit->falls ? b : a;
	const struct pmcsim_figure *high = limit->falls ? a : b;

	if (a->metric)
		return high->value - low->value > most + a->value * ROUNDED;
	return limit_exceeded(limit, a->count, b->count);
}

static void
say_beyond(const struct tool *tool, const struct limit *limit,
	   const struct pmcsim_figures *old,
	   const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	char *name = compare_name(old, a);
	char from[COMPARE_VALUE], to[COMPARE_VALUE];

	tool_say(tool, "%s, from %s to %s, is beyond the limit %s",
		 name, compare_value(a, from), compare_value(b, to), limit->text);
	free(name);
}

/* How many figures are beyond the limit; each is named. */
unsigned
compare_check(const struct tool *tool, const struct limit *limit,
	      const struct pmcsim_figures *old,
	      const struct pmcsim_figures *new, const char *new_path)
{
	unsigned n = 0, beyond = 0;

	for (size_t i = 0; i < old->n; i++) {
		const struct pmcsim_figure *a = &old->figure[i], *b;

		if (!concerns(limit, a) || !a->known)
			continue;
		n++;
		b = compare_same(new, a);
		if (!compare_is_known(b))
			tool_fail(tool, TOOL_FAILED,
				  "--limit %s: %s has no %s", limit->text,
				  new_path, a->name);
		if (!exceeds(limit, a, b))
			continue;
		beyond++;
		say_beyond(tool, limit, old, a, b);
	}
	if (!n)
		tool_fail(tool, TOOL_FAILED,
			  "--limit %s: the old report has no such figure",
			  limit->text);
	return beyond;
}
