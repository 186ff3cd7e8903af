/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where QEMU has put the program's own code.  Pages of an Alpha are larger than
 * the host's: QEMU copies the last one of a file if the host could map a part
 * of it only, so that the host's maps say nothing of where code there comes
 * from.  Of a small program that is all.
 */
#ifndef QEMU_PLACES_PROGRAM_H
#define QEMU_PLACES_PROGRAM_H

#include "machine/types.h"

#include <stdbool.h>

/* An executable segment, as far as the file has it. */
struct program_part {
	u64 start, end;		/* addresses of the target */
	u64 offset;		/* in the file, of start */
	const char *path;	/* of the file */
};

/* The program's file, without symbolic links: the caller's; NULL: not known. */
char *program_file(void);

/* With the first block, when the target has not changed its folder yet:
 * finds the file.  Again, it does nothing. */
void program_look_up(void);

/* The segment that pc is in, if it still has there what the file has. */
bool program_part(u64 pc, struct program_part *part);

#endif
