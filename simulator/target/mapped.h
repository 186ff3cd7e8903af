/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the target's memory is of files, for page faults: Linux maps pages around one
 * of a file that is read.  Nothing here does anything where the ledger has no
 * fault_around.
 */
#ifndef TARGET_MAPPED_H
#define TARGET_MAPPED_H

#include "call.h"

/* The program is loaded, and has not begun. */
void mapped_begin(void);

/* Before a system call, and behind it. */
void mapped_syscall(enum call call, const u64 arg[8]);
void mapped_syscall_return(s64 result);

/* The process has been forked, in the parent and in the child. */
void mapped_forked(bool child);

#endif
