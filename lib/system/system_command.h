/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a command in a system, as run.c sees it. */
#ifndef LIB_SYSTEM_COMMAND_H
#define LIB_SYSTEM_COMMAND_H

#include "engine/command.h"

#include "machine/machine.h"

/*
 * What runs argv in a board's system, with the machine at that path: -ENXIO
 * (not set up), -ENOENT, -ENOEXEC... with a sentence.  Release with
 * command_free().
 */
int system_command(const char *board, char *const *argv,
		   const char *machine_path, struct command *command,
		   struct pmcsim_error *error);

/* Whether the folder that it starts in is left out, see pmcsim-system(1). */
bool system_command_is_alone(const struct command *command);

/* Whether a system may run on the machine: one on which none has run, but
 * programs have, mixes counts and accounts; -EBUSY. */
int system_check_machine(struct machine_map *map, struct pmcsim_error *error);

/* From now on the machine is one of the system that the command runs in; 0,
 * or -errno with a sentence. */
int system_prepare_machine(struct machine_map *map,
			   const struct command *command,
			   struct pmcsim_error *error);

#endif
