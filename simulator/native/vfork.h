/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that share their parent's memory until they execute a program. */
#ifndef NATIVE_VFORK_H
#define NATIVE_VFORK_H

#include <sys/types.h>

/* As fork(), but the parent returns when the child has executed a program, or has
 * ended, and has what the child has changed near its stack pointer. */
pid_t vfork_begin(void);

/* In a child of any kind: it is not one that its parent's parent waits for. */
void vfork_forget(void);

/* Before the process ends, which lets its parent go on. */
void vfork_end(void);

#endif
