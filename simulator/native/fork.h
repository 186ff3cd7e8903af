/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that begin threads and processes. */
#ifndef NATIVE_FORK_H
#define NATIVE_FORK_H

#include "machine/types.h"

#include <sys/types.h>

/* Once, in the first thread. */
void fork_begin(void);

/* As fork(); with what these flags of clone() ask for, and their signal, of which
 * the process has to have a single thread then. */
pid_t fork_process(u64 flags);

/* System calls. */
s64 fork_clone(const u64 arg[6]);
s64 fork_plainly(const u64 arg[6]);	/* fork() */
s64 fork_sharing(const u64 arg[6]);	/* vfork() */

#endif
