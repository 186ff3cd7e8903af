/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_setaffinity: the target chooses among the machine's contexts, which
 * the host need not have.  If it has none of them, its mask is the host's own
 * while the call is made, so that it succeeds; turns.c has read what the target
 * asked for.
 */
#ifndef TARGET_AFFINITY_H
#define TARGET_AFFINITY_H

#include "machine/types.h"

/* Before and after each system call of a thread. */
void affinity_syscall(s64 number, const u64 arg[8]);
void affinity_syscall_return(void);

#endif
