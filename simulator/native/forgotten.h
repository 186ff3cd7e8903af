/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks whose copied code has been forgotten.  If code is made again of the same
 * instructions, it counts in the same block, which knows where its lines were: so
 * when code is forgotten is nothing that counts tell.
 */
#ifndef NATIVE_FORGOTTEN_H
#define NATIVE_FORGOTTEN_H

#include "code/block.h"

/* The block's code is about to be forgotten. */
void forgotten_note(struct block *b);

/* All that were noted look for their lines again. */
void forgotten_lines(void);

/* The one noted last that begins at pc; NULL: there is none. */
struct block *forgotten_at(u64 pc);

#endif
