/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says of the host's threads, from /proc. */
#ifndef SIM_QEMU_TASK_H
#define SIM_QEMU_TASK_H

#include "machine/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TASK_SELF (-1)		/* this process, whatever its number is in /proc */
#define TASK_STAT 512		/* more than its "stat" has up to processor times */

/* Reads a small file of a thread or of TASK_SELF, or its first size - 1 bytes; false
 * if there is none. */
bool task_read(pid_t tid, const char *file, char *buf, size_t size);

/* Reads all of a file of a process, with a NUL behind, and says how many bytes it
 * has; the caller frees it.  NULL: there is none, or no memory. */
char *task_read_all(pid_t pid, const char *file, size_t *bytes);

/* Behind its name, in buf: its state (R, S, Z...), its parent, more; NULL if
 * it is gone. */
const char *task_stat(pid_t tid, char buf[TASK_STAT]);

/* Calls look for each thread of a process, as far as it returns true; false: there
 * is no such process. */
bool task_threads(pid_t pid, bool (*look)(pid_t pid, pid_t tid, void *given),
		  void *given);

/* The processes that thread tid of process pid has started, in that order, at most
 * so many; how many these are. */
unsigned task_children(pid_t pid, pid_t tid, pid_t *list, unsigned most);

/* A number that changes whenever the thread has run; 0 if it runs. */
u64 task_times_run(pid_t tid);

#endif
