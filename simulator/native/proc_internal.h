/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about /proc share. */
#ifndef NATIVE_PROC_INTERNAL_H
#define NATIVE_PROC_INTERNAL_H

#include "proc.h"

/* The path there, the caller's, if it is of /proc; else NULL. */
char *proc_path(u64 path);

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

/* proc_program.c: the program that the path means, the caller's; NULL: none. */
char *proc_program(const char *path);

/* The kernel's answer to the call with that number, about the program, which that
 * argument names, unless it is NULL; takes it over. */
s64 proc_about(long number, const u64 arg[6], unsigned path, char *program);

#endif
