/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines that last over several commands, by their names. */
#ifndef MACHINE_NAME_H
#define MACHINE_NAME_H

#include "tool.h"

/*
 * The file of a machine: a name without slash is kept in the user's state
 * folder, which create makes.  The caller's; ends the tool on failure.
 */
char *machine_path(const struct tool *tool, const char *name, bool create);

/* The folder of machines that have names; the caller's. */
char *machine_folder(const struct tool *tool);

/* Opens the machine of that name or file, or ends the tool; options are
 * those of "pmcsim new" that make one for this tool, each with a space
 * behind it. */
struct pmcsim_machine *machine_open(const struct tool *tool,
				    const char *name, const char *options);

/* The only operand, or the tool ends; what says which one is missing. */
const char *only_operand(const struct tool *tool, int argc, char **argv,
			 const char *what);

#endif
