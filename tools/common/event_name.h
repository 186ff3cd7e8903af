/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by name, for tools whose manuals have numbers. */
#ifndef EVENT_NAME_H
#define EVENT_NAME_H

#include "tool.h"

#define EVERY_COUNTER (~0u)

/* Whether a word is a name rather than a number: it does not begin with a
 * digit. */
bool event_is_name(const char *word);

/*
 * The event of the CPU's counters with that name: as the tool prints it, or of
 * Linux.  counters: a bit for each that will do.  Ends the tool, which names
 * the option, if there is none; option NULL: returns NULL then.
 */
const struct pmcsim_event *event_named(const struct tool *tool,
				       const struct pmcsim_cpu *cpu,
				       unsigned counters, const char *option,
				       const char *name);

#endif
