/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process of our own between the caller and the target. */
#ifndef SUPERVISE_H
#define SUPERVISE_H

#include "command.h"

#include <stdbool.h>
#include <sys/types.h>

/* What the supervisor reports when the target has ended. */
struct supervise_report {
	int error;	/* errno of a failed start, else 0 */
	int wait_status; /* as of waitpid(2) */
	bool left;	/* processes of it still run */
	bool stopped;	/* SIGTERM has come to the supervisor before */
};

/*
 * Forks a process that starts the command with fd as its stdin, stdout and
 * stderr (NULL: as they are), waits for it and writes one struct
 * supervise_report into *report_fd, a pipe that the caller reads.  It takes
 * in orphans of the target; SIGTERM, or the caller's death, makes it end the
 * target and all its descendants.  Its pid, or -errno.
 */
pid_t supervise(const struct command *command, const int *fd, int *report_fd);

#endif
