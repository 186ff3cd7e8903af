/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The region of a procedure that the machine asks for by its name: from where
 * it is entered to where that call is over, which is known by the calls under
 * way (calls.h).  Calls from within are part of it.
 */
#ifndef TARGET_PROCEDURES_H
#define TARGET_PROCEDURES_H

#include "target.h"
#include "watch/regions.h"

/* When the process starts: 0 or -ENOMEM. */
int procedures_start(struct regions *regions);

/* Whether there is one to be followed. */
bool procedures_wanted(void);

/* Code of that file is mapped there; what was there is not any more. */
void procedures_mapped(u64 start, u64 end, u64 offset, const char *path);

/* A thread is about to enter block t: the boundary in front of that, or
 * NULL. */
const struct region_mark *procedures_follow(struct region_thread *th,
					    const struct block *t);

#endif
