/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that the target may write through a second mapping of its pages, as
 * programs do that compile at run time and keep no memory both writable and
 * executable.  QEMU notices what is written where code was executed, but not
 * through another address, and goes on executing what was there.
 */
#ifndef TARGET_ALIASES_H
#define TARGET_ALIASES_H

#include "call.h"

/* Before a system call, and behind it: DOUBT_CODE_TWICE if it makes a pair of
 * mappings, one for execution and one for writing. */
void aliases_syscall(enum call call, const u64 arg[8]);
void aliases_syscall_return(s64 result);

/* In a child just forked. */
void aliases_fork_child(void);

#endif
