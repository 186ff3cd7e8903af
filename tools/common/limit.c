/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "limit.h"

#include <stdlib.h>
#include <string.h>

#define WHOLE_DIGITS 9

/* "1", "0.25", "5%": percent; false if it is anything else. */
static bool
parse_percent(const char *text, uint64_t *percent)
{
	size_t whole = strspn(text, "0123456789");
	const char *point = text + whole;

	if (!whole || whole > WHOLE_DIGITS)
		return false;
	*percent = LIMIT_PARTS * strtoull(text, NULL, 10);
	if (*point != '.')
		return !strcmp(point, "%") || !*point;
	if (point[1] < '0' || point[1] > '9')
		return false;
	point++;
	for (unsigned unit = LIMIT_PARTS / 10; unit; unit /= 10) {
		if (*point < '0' || *point > '9')
			break;
		*percent += unit * (unsigned)(*point++ - '0');
	}
	return !strcmp(point, "%") || !*point;
}

struct limit
limit_parse(const struct tool *tool, const char *text, const char *form)
{
	const char *equals = strrchr(text, '=');
	const char *number = equals ? equals + 1 : text;
	struct limit limit = {.text = text, .falls = *number == '-'};

	number += *number == '-' || *number == '+';
	if (!parse_percent(number, &limit.percent) || equals == text)
		tool_fail(tool, TOOL_USAGE, "%slimit %s: not %s",
			  tool_dashes(tool), text, form);
	if (equals) {
		limit.name = tool_alloc(tool, (size_t)(equals - text) + 1, 1);
		memcpy(limit.name, text, (size_t)(equals - text));
	}
	return limit;
}

bool
limit_exceeded(const struct limit *limit, uint64_t old, uint64_t new)
{
	uint64_t low = limit->falls ? new : old;
	uint64_t high = limit->falls ? old : new;

	return high > low &&
	       (unsigned __int128)(high - low) * 100u * LIMIT_PARTS >
		       (unsigned __int128)old * limit->percent;
}
