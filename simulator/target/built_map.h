/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that have been built, by where they begin and how many instructions they
 * have.  Engines forget code and make it again; if it is of the same instructions, it
 * counts in the same block, which knows where its lines were: so when an engine
 * forgets code is nothing that counts tell.
 */
#ifndef TARGET_BUILT_MAP_H
#define TARGET_BUILT_MAP_H

#include "code/block.h"

void built_map_note(struct block *b);

/* The one noted last of n instructions that begins at pc; NULL: there is none. */
struct block *built_map_find(u64 pc, unsigned n);

/* None has been built. */
void built_map_forget(void);

#endif
