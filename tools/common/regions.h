/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions of a command: options of the tools that count them, and what is to
 * be said of them. */
#ifndef REGIONS_OPTION_H
#define REGIONS_OPTION_H

#include "tool.h"

/* Identities of these options; a tool's own are smaller. */
enum { REGIONS_NAME = 950, REGIONS_FUNCTION };

/* Rows of option tables. */
#define REGIONS_OPTIONS                                                \
	{REGIONS_NAME, 0, "region", "NAME",                            \
	 "count only between the markers of that region", WORDS_NONE}, \
	{REGIONS_FUNCTION, 0, "region-function", "SYMBOL",             \
	 "count only during calls of that procedure", WORDS_NONE}

/* What was asked for. */
struct regions_option {
	const char *name;	/* NULL: all are shown beside the whole */
	bool function;		/* that is a procedure's */
	bool threads;		/* all threads are, and nothing else */
	bool first;		/* the first thread is, and nothing else */
};

/* Lets a machine count them in its next run. */
void regions_set(const struct tool *tool, const struct regions_option *o,
		 struct pmcsim_machine *m);

/* Lets its next run profile the one that was asked for. */
void regions_profile(const struct tool *tool, const struct regions_option *o,
		     struct pmcsim_machine *m);

/* Acts on an option of REGIONS_OPTIONS; false if it is none of them. */
bool regions_apply(const struct tool *tool, struct regions_option *o, int id,
		   const char *argument);

/* The regions, or threads, of the last run, *n of them; the caller's. */
struct pmcsim_region *regions_list(const struct tool *tool,
				   const struct regions_option *o,
				   struct pmcsim_machine *m, size_t *n);

/* The one that was asked for, or the first thread; NULL: it was never begun. */
const struct pmcsim_region *regions_asked(const struct regions_option *o,
					  const struct pmcsim_region *list,
					  size_t n);

/* Notes about markers without a counterpart, and about one that was asked for
 * and is not there. */
void regions_note(const struct tool *tool, const struct regions_option *o,
		  struct pmcsim_machine *m, const struct pmcsim_region *list,
		  size_t n);

#endif
