/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that have not been executed to their end.
 *
 * Blocks are counted when they are entered.  Where an instruction lacks a page,
 * an entry of the TLB or the FPU, how far its block came is known when the
 * exception returns to the middle of it: to the instruction that has to be
 * done again, or to the branch in whose delay slot that is.  Then only what is
 * before that stays counted, and no outcome of the block's branch.  A block
 * that nothing comes back to, of a process that has been killed, stays whole.
 *
 * Where an access turns out to be one to a device, QEMU does it again, so that
 * the clock is right, and goes on behind it with another block.
 */
#ifndef QEMU_SYSTEM_HALVES_H
#define QEMU_SYSTEM_HALVES_H

#include "code/block.h"
#include "machine/signals.h"
#include "system_profile.h"

/* Beginnings of a block that have been counted, one by one. */
struct halves_place {
	struct halves_part *part;	/* a list */
};

/* A block that is not over: what it is, and how it was counted. */
struct half {
	struct halves_place *place;
	struct block *block;
	enum sim_mode mode;
	struct profile_owner owner;
	bool called;		/* it was taken for a system call */
};

/* An exception has ended it; or might have, if it was all done. */
void halves_left(const struct half *h);

/* The same has been told to the core: what it made of the block's branch. */
void halves_resolved(unsigned outcome);

/* An exception has returned to pc.  True if that was no system call, though it
 * was taken for one. */
bool halves_returned(u64 pc);

/* Whether a block was left at pc, an address in it, without an exception;
 * target is that of its last branch, or 0. */
bool halves_is_redone(const struct block *b, u64 target, u64 pc);

/* Then what it came to stays counted, and is returned. */
struct block *halves_redone(const struct half *h, u64 pc);

#endif
