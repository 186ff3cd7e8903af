/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim compare": limits for what changes. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PARTS 1000000u		/* of a percent: six digits */
#define WHOLE_DIGITS 9
#define ROUNDED 1e-12

/* "1", "0.25", "5%": percent; false if it is anything else. */
static bool
parse_percent(const char *text, uint64_t *percent)
{
	size_t whole = strspn(text, "0123456789");
	const char *point = text + whole;

	if (!whole || whole > WHOLE_DIGITS)
		return false;
	*percent = PARTS * strtoull(text, NULL, 10);
	if (*point != '.')
		return !strcmp(point, "%") || !*point;
	if (point[1] < '0' || point[1] > '9')
		return false;
	point++;
	for (unsigned unit = PARTS / 10; unit; unit /= 10) {
		if (*point < '0' || *point > '9')
			break;
		*percent += unit * (unsigned)(*point++ - '0');
	}
	return !strcmp(point, "%") || !*point;
}

struct compare_limit
compare_parse_limit(const struct tool *tool, const char *text)
{
	const char *equals = strrchr(text, '=');
	const char *number = equals ? equals + 1 : text;
	struct compare_limit limit = {.text = text, .falls = *number == '-'};

	number += *number == '-' || *number == '+';
	if (!parse_percent(number, &limit.percent) || equals == text)
		tool_fail(tool, TOOL_USAGE,
			  "--limit %s: not [NAME=]PERCENT", text);
	if (equals) {
		limit.name = tool_alloc(tool,
					(size_t)(equals - text) + 1, 1);
		memcpy(limit.name, text, (size_t)(equals - text));
	}
	return limit;
}

/* Whether the limit is about that figure. */
static bool
concerns(const struct compare_limit *limit, const struct pmcsim_figure *f)
{
	return limit->name ? !strcasecmp(limit->name, f->name)
			   : !f->metric && f->known;
}

/* Metrics are rounded: what is as close to a limit is not beyond it. */
static bool
exceeds(const struct compare_limit *limit, const struct pmcsim_figure *a,
	const struct pmcsim_figure *b)
{
	double most = a->value * ((double)limit->percent / PARTS / 100);
	const struct pmcsim_figure *low = limit->falls ? b : a;
	const struct pmcsim_figure *high = limit->falls ? a : b;

	if (a->metric)
		return high->value - low->value > most + a->value * ROUNDED;
	return high->count > low->count &&
	       (unsigned __int128)(high->count - low->count) * 100u * PARTS >
		       (unsigned __int128)a->count * limit->percent;
}

static void
say_beyond(const struct tool *tool, const struct compare_limit *limit, const struct pmcsim_figures *old,
	   const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	char *name = compare_name(old, a), from[COMPARE_VALUE], to[COMPARE_VALUE];

	tool_say(tool, "%s, from %s to %s, is beyond the limit %s",
		 name, compare_value(a, from), compare_value(b, to), limit->text);
	free(name);
}

/* How many figures are beyond the limit; each is named. */
unsigned
compare_check(const struct tool *tool, const struct compare_limit *limit,
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
