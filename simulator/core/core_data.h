/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core's data side: the first-level cache, its micro-TLB, and how an access
 * goes through them. */
#ifndef SIM_CORE_DATA_H
#define SIM_CORE_DATA_H

#include "code/block.h"
#include "core_tlb.h"
#include "replace.h"

#define CORE_MAX_LINES 4096	/* per first-level cache */

#define SHADOW_GRANULE_BITS 5
#define SHADOW_GRANULE (1u << SHADOW_GRANULE_BITS)
#define SHADOW_ENTRIES 4096
/* Addresses have 48 bits and are sign-extended: an entry has room for where
 * the line is.  None is at the end of the lower half. */
#define SHADOW_ENTRY(addr, slot) (((addr) << 16) - (slot))
#define SHADOW_EMPTY SHADOW_ENTRY((1ull << 47) - SHADOW_GRANULE, 0)
/* From an entry to an address: bytes << 16 | slot, if it is behind it; up to
 * SHADOW_LAST() for an access of so many bytes that the granule has. */
#define SHADOW_WAY(va, entry) (((va) << 16) - (entry))
#define SHADOW_LAST(bytes) ((u64)(SHADOW_GRANULE - (bytes)) << 16 | 0xffff)
#define SHADOW_INDEX(va) \
	(((va) >> SHADOW_GRANULE_BITS) & (SHADOW_ENTRIES - 1))

struct core;

/* An access that the fast path leaves over. */
typedef void access_fn(struct core *c, u32 what, u64 va,
		       const struct block_access *a);

/* One to a line that the table does not show: its page is in that slot. */
typedef void unshown_fn(struct core *c, u32 what, u64 va,
			const struct block_access *a, u32 page, u32 clock);

struct core_data {
	bool direct;		/* accesses are not indirect, and
				   access_shown() may do them */
	bool shadow_off;	/* the table of lines stays empty */
	bool compares;		/* it does for all accesses: window_compare() */
	bool plain;		/* see data_is_plain() in dcache.h */
	bool goes_through;	/* stores go to the write buffer, whether they
				   hit or not */
	bool goes_past;		/* stores that miss do, to the other one */
	bool stores_shown;	/* goes_through, and that is all that stores to
				   lines in the table do */
	bool writes_near;	/* a line in the level behind is just written */
	access_fn *access;	/* core_access(), or for such as near.c has, or
				   window_accessor() */
	access_fn *load_other;	/* if it is not plain: near_choose() */
	unshown_fn *unshown[2];	/* loads, stores; NULL: access */
	unshown_fn *sampled[2];	/* where a sampler alone is told, at its
				   deadline; NULL: access */
	struct prefetch *prefetch; /* NULL: nothing prefetches */
	/* The line of the access that prefetchers have looked at, and where it
	 * is, or -1; see data_find_looked(). */
	u64 looked_line;	/* ARRAY_EMPTY: there is no such access */
	int looked_slot;
	u64 asked;		/* window: the cycle of the last access, or that
				   a page of code was wanted at */
	const struct near_fns *near; /* NULL: near.c has none */
	struct stores *stores;	/* of the window, see stores.h; NULL: loads never
				   wait for stores */
	u64 shadow[SHADOW_ENTRIES]; /* SHADOW_ENTRY() */
	u32 data_stamp[CORE_MAX_LINES]; /* last access */
	u8 data_dirty[CORE_MAX_LINES];
	bool tells;		/* the level behind is told_of_stores */
	bool data_own[CORE_MAX_LINES]; /* and knows that the line is stored to */
	u64 data_line[CORE_MAX_LINES];
	u64 data_ready[CORE_MAX_LINES]; /* cycle the fill is complete */
	u16 data_next[CORE_MAX_LINES];
	struct micro_tlb dtlb;
	struct own_tlbs *own_dtlbs; /* see own_tlb.h; NULL: none */
	struct array l1d;
	u32 dline_bits;
	u32 bank;		/* 1 + that of a pair's first access, or 0 */
	u8 side;		/* enum block_side of the last instruction that
				   has one */
};

#endif
