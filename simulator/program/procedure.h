/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where procedures are in files of programs and libraries: by their symbol
 * tables, of any instruction set, of which nothing is believed. */
#ifndef PROGRAM_PROCEDURE_H
#define PROGRAM_PROCEDURE_H

#include "machine/types.h"

/*
 * Calls fn with the offset, in the file at that path, of each first instruction
 * that a procedure of that name may begin with: callers on an Alpha that share
 * its global pointer leave out the first two.  A file that cannot be read, or is
 * no ELF file, has none.
 */
void procedure_find(const char *path, const char *name,
		    void (*fn)(void *arg, u64 offset), void *arg);

#endif
