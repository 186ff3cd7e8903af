/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program's file has to be mapped. */
#ifndef PROGRAM_SEGMENT_H
#define PROGRAM_SEGMENT_H

#include "machine/types.h"

struct segment {
	u64 address;		/* as the file has it */
	u64 offset, bytes;	/* of the file */
	bool writable, executable;
};

/* Calls fn with each segment that is loaded, in the file's order; a file that cannot be
 * read, or is no ELF file, has none. */
void segments_find(const char *path,
		   void (*fn)(void *arg, const struct segment *s), void *arg);

#endif
