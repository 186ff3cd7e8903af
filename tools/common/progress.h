/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far the runs of a command are: a line on a terminal's standard error,
 * from the second second of a run on, which is gone when the run has ended.
 * Elsewhere, and with --quiet, there is none.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "tool.h"

/* Rows of option tables, and what acts on it. */
#define QUIET_OPTION(id)                                                  \
	{id, 0, "quiet", NULL, "show no progress and no hints on a terminal", \
	 WORDS_NONE}
void progress_be_quiet(void);

/* Whether hints that are no part of a report have a terminal to be shown on. */
bool progress_is_shown(void);

/* There will be so many runs; without it, one. */
void progress_expect(size_t runs);

/* A run on the machine begins, which is to be started with start; and it has
 * ended.  At most PROGRESS_RUNS are shown side by side. */
#define PROGRESS_RUNS 16
void progress_begin(struct pmcsim_machine *m, struct pmcsim_start *start);
void progress_end(struct pmcsim_machine *m);

#endif
