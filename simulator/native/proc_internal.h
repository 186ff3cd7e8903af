/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about /proc share. */
#ifndef NATIVE_PROC_INTERNAL_H
#define NATIVE_PROC_INTERNAL_H

#include "proc.h"

/* Whether the path is NAME in the folder of the process, or of one of its
 * threads. */
bool proc_is_own(const char *path, const char *name);

/* proc_others.c: what another process that this engine executes is. */
struct proc_other {
	char *text;		/* the caller frees it, */
	const char *name, *program; /* its first argument, and its path, are there, */
	const char *first, *end; /* and those behind, one behind the other */
};

/* Whether the path is NAME in the folder of one. */
bool proc_other(const char *path, const char *name, struct proc_other *o);

/* proc_program.c: the call with that number, which opens the file that that
 * argument names, where it may be the program. */
s64 proc_open_program(long number, const u64 arg[6], unsigned path, u64 flags);

#endif
