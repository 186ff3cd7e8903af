/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses that threads have recorded, on a core that executes their blocks one
 * behind the other: the machine's only one, or one of several CPUs.  hits: makes
 * an access for which nothing but its address matters if its line and its page
 * are there; of a pipeline in order, or of a window.
 */
#ifndef SIM_MERGE_ACCESS_H
#define SIM_MERGE_ACCESS_H

#include "core/fast.h"
#include "core/mmx.h"
#include "core/stores.h"
#include "core/watched.h"
#include "merge_internal.h"

typedef bool access_hits_fn(struct core *c, const struct merge_access *a,
			    bool window);
typedef void access_odd_fn(struct core *c, const struct merge_access *a);

/* What costs time because of the address alone. */
SIM_INLINE void
access_align(struct core *c, const struct merge_access *a)
{
	if (a->va & (a->bytes - 1u)) {
		core_misaligned(c, a->access, a->store);
		core_look(c, a->access);
	}
	if (a->store && core_may_order(c, a->access)) {
		core_order(c, a->access, a->va);
		core_look(c, a->access);
	}
}

SIM_INLINE void
access_data(struct core *c, const struct merge_access *a, access_hits_fn *hits)
{
	if (a->access->flags & ACCESS_BANK)
		core_bank(c, a->access, a->va);
	if (c->config->pipe.watch_alignment)
		access_align(c, a);
	if (hits(c, a, false))
		return;
	core_data(c, a->access, a->va, a->bytes, a->store);
	core_look(c, a->access);
}

SIM_INLINE void
access_mmx(struct core *c, const struct merge_access *a, access_hits_fn *hits)
{
	struct mmx_look before = mmx_look(c);

	access_data(c, a, hits);
	mmx_count(c, &before);
}

SIM_INLINE void
access_barrier(struct core *c, const struct merge_access *a)
{
	core_barrier(c, a->access);
	core_look(c, a->access);
}

/* One for which more matters. */
SIM_INLINE void
access_odd(struct core *c, const struct merge_access *a, access_hits_fn *hits)
{
	u8 flags = a->access->flags;

	if (SIM_UNLIKELY(flags & ACCESS_IS_BARRIER)) {
		access_barrier(c, a);
		return;
	}
	context_count(c, a);
	if (SIM_UNLIKELY(a->stored || flags & ACCESS_IS_UNCOUNTED))
		core_look(c, a->access);
	if (SIM_UNLIKELY(flags & ACCESS_IS_MMX))
		access_mmx(c, a, hits);
	else
		access_data(c, a, hits);
}

/* Whether nothing but its address matters, and where its line is. */
SIM_INLINE bool
access_is_usual(const struct core *c, const struct merge_access *a)
{
	const u8 odd = ACCESS_BANK | ACCESS_IS_BARRIER | ACCESS_IS_MMX |
		       ACCESS_IS_UNCOUNTED;

	return !(a->access->flags & odd) && !a->stored &&
	       !(c->config->pipe.watch_alignment &&
		 (a->store || a->va & (a->bytes - 1u)));
}

/* In a pipeline in order; any: access_odd() with the same hits. */
SIM_INLINE void
access_in_order(struct core *c, const struct merge_access *a,
		access_hits_fn *hits, access_odd_fn *any)
{
	if (SIM_UNLIKELY(!access_is_usual(c, a))) {
		any(c, a);
	} else if (!hits(c, a, false)) {
		core_data(c, a->access, a->va, a->bytes, a->store);
		core_look(c, a->access);
	}
}

/* Whether a window has nothing to look at if its line is known to be there. */
SIM_INLINE bool
access_is_plain(struct core *c, const struct merge_access *a)
{
	const u8 odd = ACCESS_IS_LOCKED | ACCESS_IS_MMX | ACCESS_IS_UNCOUNTED;

	return !(a->access->flags & odd) && !c->compares;
}

/* A window tells watchers itself. */
SIM_INLINE void
access_window(struct core *c, const struct merge_access *a,
	      access_hits_fn *hits)
{
	bool uncounted = a->access->flags & ACCESS_IS_UNCOUNTED;

	c->sig[SIG_SC_STORED] += a->stored;
	if (c->config->pipe.watch_alignment && a->va & (a->bytes - 1u))
		count_misaligned(c, a->store);
	if (!(c->stores && stores_pass(c, a->access, a->va, a->bytes,
				       a->store)) &&
	    access_is_plain(c, a) && hits(c, a, true))
		return;
	c->now += uncounted;
	core_data(c, a->access, a->va, a->bytes, a->store);
	if (SIM_UNLIKELY(uncounted)) {
		count_access(c, a->store);
		core_look(c, a->access);
	}
}

#endif
