/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Misses that the level behind the first one answers, see near.c. */
#ifndef SIM_NEAR_H
#define SIM_NEAR_H

#include "core.h"

/* What is left of any load that may span two lines, whose page has been asked
 * for. */
void access_load_other(struct core *c, u32 what, u64 va,
		       const struct block_access *a);

/* A store to core.stores_shown, whose line and page are shown, at cycle t: all
 * that is left is to put it in the write buffer. */
void near_put(struct core *c, u64 va, u64 t, const struct block_access *a);

/* For core.unshown, or NULL. */
unshown_fn *near_unshown(const struct core *c, bool store);

/*
 * Chooses core.load_other, the function for such loads where caches are not
 * the usual ones: as above, or one that looks for its line nearby first; and
 * core.access, which does so sooner, and core.unshown.  A window has its own.
 */
void near_choose(struct core *c);

#endif
