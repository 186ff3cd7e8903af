/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A processor that walks the page tables: it reads an entry of each table, one
 * behind the other, from the level behind the first one.  Entries of the last
 * table but one, of which each is of 2 MB, it keeps, the last used of them:
 * then only the last table is read.
 *
 * Tables are where no program is: an entry of 8 bytes for each page, and so on
 * for tables of tables; entries of neighbours share lines.
 */
#ifndef SIM_WALK_H
#define SIM_WALK_H

#include "machine/types.h"

struct core;

#define WALK_KEPT 64
#define WALK_PAGE_BITS 12
#define WALK_TABLE_BITS 9
/* The address of the entry for va in the table of that level, 0 the last. */
#define WALK_ENTRY(va, level)                                            \
	(1ull << 50 | (u64)(level) << 40 |                               \
	 ((va) & ((1ull << 48) - 1)) >>                                  \
			 (WALK_PAGE_BITS + WALK_TABLE_BITS * (level)) << 3)

/* Makes core.walker, if the configuration has one, and core.refill; 0 or
 * -ENOMEM.  It lives as long as the core. */
int walk_init(struct core *c);

/* The page of va is in no TLB: notes in core.refill what that takes. */
void walk_tables(struct core *c, u64 va);

#endif
