/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of /proc a program sees otherwise than the engine's process is: its own
 * program, its memory, and the processor. */
#ifndef NATIVE_PROC_H
#define NATIVE_PROC_H

#include "machine/types.h"

#include <stdio.h>

/* The process has the program's name; once, before the target changes anything. */
void proc_begin(void);

s64 proc_open(const u64 arg[6]);
s64 proc_openat(const u64 arg[6]);
s64 proc_openat2(const u64 arg[6]);
s64 proc_readlink(const u64 arg[6]);
s64 proc_readlinkat(const u64 arg[6]);
s64 proc_stat(const u64 arg[6]);
s64 proc_newfstatat(const u64 arg[6]);
s64 proc_statx(const u64 arg[6]);
s64 proc_access(const u64 arg[6]);
s64 proc_faccessat(const u64 arg[6]);
s64 proc_faccessat2(const u64 arg[6]);

/* proc_self.c: writes what these files of the process, or of the thread whose path that
 * is, are to tell. */
void proc_write_mappings(FILE *f, const char *path);
void proc_write_environ(FILE *f, const char *path);
void proc_write_auxv(FILE *f, const char *path);
void proc_write_stat(FILE *f, const char *path);
void proc_write_status(FILE *f, const char *path);

#endif
