/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far what is counted may rise, or fall. */
#ifndef LIMIT_H
#define LIMIT_H

#include "tool.h"

#include <stdbool.h>
#include <stdint.h>

#define LIMIT_PARTS 1000000u	/* of a percent: six digits */

struct limit {
	const char *text;	/* as it was given */
	char *name;		/* of what is limited; NULL: of all */
	uint64_t percent;	/* in LIMIT_PARTS */
	bool falls;		/* it is how far that may fall */
};

/* "NAME=5%", "-0.25": a limit as an option has it, or the tool ends with a
 * sentence that has the form; its name is the caller's. */
struct limit limit_parse(const struct tool *tool, const char *text,
			 const char *form);

bool limit_exceeded(const struct limit *limit, uint64_t old, uint64_t new);

#endif
