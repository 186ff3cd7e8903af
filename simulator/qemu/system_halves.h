/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that an exception has left half-way: an access to memory that a page
 * or an entry of the TLB was missing for.
 *
 * Blocks are counted when they are entered.  How far one came is known when
 * the exception returns to the middle of it: to the instruction that has to be
 * done again, or to the branch in whose delay slot that is.  Then only what is
 * before that stays counted.  A block that nothing comes back to, of a process
 * that has been killed, stays whole.
 */
#ifndef QEMU_SYSTEM_HALVES_H
#define QEMU_SYSTEM_HALVES_H

#include "../block.h"
#include "../signals.h"

/* Beginnings of a block that have been counted, one by one. */
struct halves_place {
	struct halves_part *part;	/* a list */
};

/* An exception that is no system call and no interrupt has ended a block that
 * was counted in that mode; or might have, if it was all done. */
void halves_left(struct halves_place *p, struct block *b, enum sim_mode mode);

/* An exception has returned to pc. */
void halves_returned(u64 pc);

#endif
