/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the levels behind the first share. */
#ifndef OUTER_INTERNAL_H
#define OUTER_INTERNAL_H

#include "core.h"

/* How a line was found. */
enum { FOUND_MISS, FOUND_EXCLUSIVE, FOUND_MODIFIED, FOUND_N };

/* Signals of a level; request by request, how the line was found. */
struct outer_signals {
	u16 access, miss, clean, writeback, out;
	u16 way[2];		/* mispredicted: instructions, data */
	u16 found[OUTER_REQUESTS][FOUND_N];
};

extern const struct outer_signals outer_signals[OUTER_LEVELS];

#endif
