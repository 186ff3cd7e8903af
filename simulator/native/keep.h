/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that is kept for the next process that executes the same program on the
 * same machine: a shell script is a hundred of them, and most of what each executes
 * is the dynamic linker and the C library, at the same addresses.
 *
 * The starter of the machine has a file without a name for that.  A process that
 * ends, executes another program or gives up code writes what it has made there,
 * as an image of the code cache and of the blocks, with what had been mapped where
 * and a copy of each page that code was read from.  The next process of that
 * program maps the image in its own cache's place, at its start; but none of it is
 * found until the target has mapped executable code at the same addresses, and all
 * pages that code was read from there are the same.  Then all that was made of it is.
 *
 * So what is executed and counted is what would have been without: only that it is
 * not made again.  With $PMCSIM_NATIVE_KEEP=0 the starter makes no such file.
 *
 *	keep.c		what is kept, and when
 *	keep_file.c	the file
 *	keep_take.c	an image in the place of the cache
 */
#ifndef NATIVE_KEEP_H
#define NATIVE_KEEP_H

#include "native.h"

/* Before anything else: says where blocks of this process are to lie. */
void keep_places(void);

/* At the start, once the code cache is there, and before anything is mapped for
 * the target. */
void keep_begin(void);

/* The target has mapped that. */
void keep_mapped(u64 at, u64 bytes, int prot, int flags, int fd);

/* What is mapped there may be another thing from now on; and all code is about to be
 * forgotten. */
void keep_changed(u64 at, u64 bytes);
void keep_flushed(void);

/* What is made now depends on more than the code: nothing of this process is
 * kept. */
void keep_spoil(void);

/* Whether it may be kept: what is made depends on the code alone. */
bool keep_is_on(void);

/* The process ends, executes another program, or gives up code: so that of one that
 * unloads a library at its end there is something left. */
void keep_save(void);

#endif
