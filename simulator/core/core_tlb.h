/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Micro-TLBs, the TLBs behind them, and the tables that show pages. */
#ifndef SIM_CORE_TLB_H
#define SIM_CORE_TLB_H

#include "machine/types.h"
#include "replace.h"

#define CORE_MAX_TLB 128	/* entries of a micro-TLB */
#define CORE_MAX_JTLB 2048
#define JTLB_MAX_LOG 256	/* entries of one that has a log */

#define SHADOW_PAGE_BITS 12	/* larger pages have several entries */
#define SHADOW_PAGES 4096	/* so many that few programs share an entry */
#define SHADOW_PAGE_INDEX(page) ((page) & (SHADOW_PAGES - 1))
/* An entry has a page, of 52 bits, and where it is in the micro-TLB. */
#define SHADOW_PAGE_ENTRY(page, slot) (((page) << 8) - (slot))
#define SHADOW_PAGE_SLOT(entry) ((u8)-(entry))
#define SHADOW_PAGE_EMPTY (1ull << 62)
#define SHADOW_PAGE_CAN_BE(page) (!((page) >> 52))
#define PAGE_HINTS 1024
#define PAGE_HINT(page) ((page) & (PAGE_HINTS - 1))
#define TLB_BEHIND 1024
#define BEHIND_INDEX(page) ((page) & (TLB_BEHIND - 1))
#define JTLB_PARTS 8		/* pages that an entry can map */
#define JTLB_LOG 4096

/* Where the pages of a TLB were last, by their low bits, and how many of those
 * that it holds share that. */
struct page_hints {
	u16 slot[PAGE_HINTS], here[PAGE_HINTS];
};

/* A micro-TLB; see tlb.h for what its table shows. */
struct micro_tlb {
	u64 shown[SHADOW_PAGES]; /* SHADOW_PAGE_ENTRY() */
	u64 aside[SHADOW_PAGES]; /* of a page that had that place before */
	u32 stamp[CORE_MAX_TLB + 1]; /* the last one: unmapped pages */
	u16 behind[TLB_BEHIND]; /* where a page was in the joint TLB last:
				   joint_place() */
	u64 page[CORE_MAX_TLB];
	u16 next[CORE_MAX_TLB];
	u32 set_aside;	/* pages that are */
	u32 hidden;	/* those that the table neither shows nor has aside */
	u32 page_bits;
	bool lru_of_8;	/* LRU, all of 8 entries */
	bool lru_of_many; /* ... of a larger multiple of 8 */
	bool usual;	/* and tlb_miss_usual() may do */
	bool hinted;	/* there are hints: all of more than 8 entries */
	u16 filled;	/* lru_of_many: slots below are not empty */
	struct page_hints hints;
	u8 miss, refill; /* signals: of it, of what is behind it */
	struct array array;
	struct joint_tlb *joint; /* behind it; NULL: the page tables */
};

/*
 * A TLB behind a micro-TLB, or two.  Where the least recently used of all
 * entries is replaced, a log has its uses in their order, and the stamp of an
 * entry is the place of its last one: the oldest entry is the first in the log
 * whose stamp says so.
 */
struct joint_tlb {
	u64 page[CORE_MAX_JTLB];
	u32 stamp[CORE_MAX_JTLB];
	/* Pages of the operating system that have been touched, by place: part
	 * of what the entry maps, slot. */
	u64 holds[JTLB_PARTS * CORE_MAX_JTLB];
	u16 next[CORE_MAX_JTLB];
	struct page_hints hints;
	bool logs;
	u8 log[JTLB_LOG];	/* slots */
	u32 first;		/* in the log, behind what does not count */
	struct array array;
	u32 clock;		/* the last place in the log, if it has one */
	u32 bits;		/* that one entry maps */
	u32 page_bits;		/* of a page of the operating system */
	u32 parts;		/* pages that one entry maps */
	bool inclusive;
};

_Static_assert(JTLB_MAX_LOG == 256, "a slot is a byte of the log");
_Static_assert(JTLB_PARTS * CORE_MAX_JTLB <= 65536, "a place has 16 bits");

/* Where a micro-TLB's table shows that page to be: its slot; above
 * SHADOW_PAGE_SLOTS if it does not. */
#define SHADOW_PAGE_SLOTS 255
SIM_INLINE u64
shown_slot(const struct micro_tlb *m, u64 page)
{
	return (page << 8) - m->shown[SHADOW_PAGE_INDEX(page)];
}

/* The same of t's page and the micro-ITLB. */
SIM_INLINE u64
block_shown(const struct micro_tlb *m, const struct block *t)
{
	return t->page_entry - m->shown[t->page_at];
}

/* The same of those that have been set aside. */
SIM_INLINE u64
aside_slot(const struct micro_tlb *m, u64 page)
{
	return (page << 8) - m->aside[SHADOW_PAGE_INDEX(page)];
}

_Static_assert(CORE_MAX_TLB <= SHADOW_PAGE_SLOTS, "an entry has room");

#endif
