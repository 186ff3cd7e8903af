/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that children of forks have made, made before the next fork.
 *
 * Each child of a shell goes the same way from its fork to the program that it
 * executes, by code that the shell never executes itself; and what it makes of
 * that is gone with it.  So a child notes, in memory that it has with its parent,
 * which blocks it makes, which exits lead where, and which targets indirect
 * branches find.  The parent makes the same of its own memory before it forks
 * again.  What that is is worked out from the code as ever: notes only say where,
 * and one that does not fit is passed over.  Counts do not change by it, since a
 * block counts nothing until it is executed.
 *
 * It is left out where code is not kept either (keep.h).
 */
#ifndef NATIVE_PREMADE_H
#define NATIVE_PREMADE_H

#include "native.h"

/* Before this process is forked; and in the child. */
void premade_before(void);
void premade_forked(void);

/* A block has been made there; an exit leads there, of that number and that block;
 * indirect branches find the block there. */
void premade_note_block(u64 pc);
void premade_note_exit(u32 number, u64 from, u64 pc);
void premade_note_target(u64 pc);

#endif
