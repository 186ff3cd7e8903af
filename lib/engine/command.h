/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is executed to run a target on a machine. */
#ifndef COMMAND_H
#define COMMAND_H

#include "target.h"

struct command {
	char **argv;	/* argv[0] is the engine's path */
	char **env;
	int (*run)(void *arg);	/* instead: its result is the exit status */
	void (*release)(void *arg);
	void *arg;
};

/*
 * Puts the engine's command line together: QEMU with the plugin, which opens
 * the machine by its path, and the target; seed NULL: the machine has none.
 * -ENXIO when there is no engine or plugin, -ENOMEM.  Release with
 * command_free, also after a failure.
 */
int command_make(struct command *command, const struct program *target,
		 const char *machine_path, const uint64_t *seed,
		 struct pmcsim_error *error);
void command_free(struct command *command);

#endif
