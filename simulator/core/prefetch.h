/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prefetchers: lines that are brought into a cache before the program asks for
 * them.  Each is of a kind, and fills the data cache or the level behind it.
 *
 * What trains those of the data cache: accesses that miss it, and the first one
 * to each line that was prefetched into it; of an access that spans two lines,
 * the first.  What trains those of the level behind: the data cache's requests,
 * by misses and by prefetches.  Hits do not, so that the fast path knows
 * nothing of all this: accesses that the shadow tables do not show come here
 * first (core.access, core.unshown), and lines that were prefetched are not
 * shown.
 *
 * PREFETCH_NEXT: the lines behind one that missed, or was prefetched and is used.
 *
 * PREFETCH_STRIDE: a table of loads by their address.  Each has where it
 * loaded from last, and how far that was from where it had before; if the
 * distance is the same often enough, lines so far ahead are fetched.  Distances
 * of less than two lines are the same if they are as many lines.
 *
 * PREFETCH_STREAM: a table of pages, the least recently used of which makes
 * room.  Each has its last line and whether lines go up or down, or, with
 * reach, in steps of how many lines; if they do so often enough, those ahead are
 * fetched.
 *
 * Nothing crosses a page of PREFETCH_PAGE_BITS.  A line on its way to the level
 * behind is not in it before it has arrived; what asks for it earlier waits
 * for the rest, and has missed.  What finds no buffer is dropped.
 */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "core.h"

#define PREFETCH_PAGE_BITS 12

/* Makes core.prefetch if the configuration has any; 0 or -ENOMEM.  It lives as
 * long as the core. */
int prefetch_init(struct core *c);

/* Accesses come here before they go to core.access, or to fn for those whose
 * page is shown, which is returned; where there are prefetchers. */
void prefetch_wrap(struct core *c);
unshown_fn *prefetch_wrap_unshown(struct core *c, unsigned store,
				  unshown_fn *fn);

/* Another line is in that slot of the level behind the first. */
void prefetch_replaced(struct core *c, u32 slot);

/* What is under way is the parent's. */
void prefetch_child(struct core *c);

/*
 * The line of addr is on its way to the level behind the first, which is
 * asked for it at cycle t, and has it not: if it has arrived, the slot that it
 * is put in, else -1.  And if it has not arrived: the slot, and the cycle that
 * it is there for the miss; -1: it is not under way.
 */
int prefetch_arrived(struct core *c, u64 addr, u64 t);
int prefetch_late(struct core *c, u64 addr, u64 t, u64 *ready);

/*
 * Several CPUs.  What is under way to the level behind the first is this CPU's,
 * as if it were there; without prefetchers nothing is.  The address of the line
 * that is number k of them; false: there are no more.
 */
bool prefetch_under_way(const struct core *c, u32 k, u64 *addr);

/* Whether any of that memory is under way. */
bool prefetch_holds(const struct core *c, u64 addr, u64 end);

/* As outer_clean(): of that memory, what is under way is clean when it arrives,
 * or never does; dirty is set if it would not have been.  True if any is. */
bool prefetch_clean(struct core *c, u64 addr, u64 end, bool *dirty, bool lose);

#endif
