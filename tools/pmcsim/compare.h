/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim compare": what its files share. */
#ifndef COMPARE_H
#define COMPARE_H

#include "commands.h"
#include "common/limit.h"
#include "common/tidy.h"

/* The same figure of another report, or NULL. */
const struct pmcsim_figure *
compare_same(const struct pmcsim_figures *in, const struct pmcsim_figure *f);

/* Its name, and which one it is if it has a twin; the caller's. */
char *compare_name(const struct pmcsim_figures *in,
		   const struct pmcsim_figure *f);

/* Whether there is one, and it has a value. */
bool compare_is_known(const struct pmcsim_figure *f);

/* The text of a figure that is known. */
#define COMPARE_VALUE 32
const char *compare_value(const struct pmcsim_figure *f,
			  char text[COMPARE_VALUE]);

#define COMPARE_LIMIT "[[REGION/]NAME=]PERCENT"

/* How many figures are beyond the limit; each is named.  Ends the tool if the
 * limit is about none, or one that is in the old report alone. */
unsigned compare_check(const struct tool *tool,
		       const struct limit *limit,
		       const struct pmcsim_figures *old,
		       const struct pmcsim_figures *new, const char *new_path);

/* Print both side by side, or only what differs. */
void compare_table(const struct pmcsim_figures *old,
		   const struct pmcsim_figures *new, bool changed);
void compare_markdown(const struct pmcsim_figures *old,
		      const struct pmcsim_figures *new, bool changed);

#endif
