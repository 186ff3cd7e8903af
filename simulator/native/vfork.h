/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that share their parent's memory until they execute a program. */
#ifndef NATIVE_VFORK_H
#define NATIVE_VFORK_H

#include "machine/types.h"

#include <sys/types.h>

/* As fork_process(), but the parent returns when the child has executed a program, or has
 * ended; if it tells, the parent has what it has changed near its stack pointer. */
pid_t vfork_begin(u64 flags, bool tells);

/* In a child of any kind: it is not one that its parent's parent waits for. */
void vfork_forget(void);

/* Calls of the target's that close or replace descriptors: the one that the parent
 * waits for is none of its own, and stays. */
s64 vfork_close(const u64 arg[6]);
s64 vfork_close_range(const u64 arg[6]);
s64 vfork_dup2(const u64 arg[6]);
s64 vfork_dup3(const u64 arg[6]);

/* Before the process ends, which lets its parent go on. */
void vfork_end(void);

#endif
