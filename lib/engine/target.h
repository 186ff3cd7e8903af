/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at the program to be run: where it is, what executes it. */
#ifndef TARGET_H
#define TARGET_H

#include "pmcsim.h"

#include "program/program.h"

/*
 * Finds the program as the shell would and works out what starts it: a
 * script is started through its interpreter.  -ENOENT, -EACCES, -ENOEXEC,
 * -ENOTSUP with a sentence in error.  Release with program_free.
 */
int target_find(struct program *target, char *const *argv,
		struct pmcsim_error *error);

#endif
