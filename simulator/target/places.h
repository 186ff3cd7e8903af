/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the target's code comes from, put on record as it is translated:
 * programs, forks, and the file behind each mapping that code is found in.
 * Nothing here does anything unless the machine asks for it (NEED_PLACES).
 */
#ifndef QEMU_PLACES_H
#define QEMU_PLACES_H

#include "call.h"
#include "target.h"

/* The process has taken its slot; image parent was there before, or has
 * forked it. */
void places_image(u32 parent, bool forked);

/* A block at pc is being translated. */
void places_code(u64 pc);

/* The mapping at pc, if it is of a file whose beginning is mapped too, and
 * where that is. */
bool places_file(u64 pc, u64 *first, u64 *start, u64 *end);

/* How many mappings of this image are on record. */
u32 places_maps(void);

/* Before a system call: one that may change mappings makes all doubtful. */
void places_syscall(enum call call);

#endif
