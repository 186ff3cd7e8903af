/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk.h"

#include "core.h"
#include "memory.h"

#include <errno.h>
#include <stdlib.h>

struct walker {
	struct {
		u64 region;	/* of 2 MB */
		u32 used;	/* 0: never */
	} kept[WALK_KEPT];
	u32 clock;
};

int
walk_init(struct core *c)
{
	c->refill = c->config->pipe.tlb_refill;
	if (!c->config->walk.levels)
		return 0;
	c->walker = calloc(1, sizeof *c->walker);
	return c->walker ? 0 : -ENOMEM;
}

/* Whether the entry for a region is kept; it is from now on. */
static bool
keep(struct core *c, u64 region)
{
	struct walker *x = c->walker;
	u32 oldest = 0;

	for (u32 i = 0; i < c->config->walk.kept; i++) {
		if (x->kept[i].used && x->kept[i].region == region) {
			x->kept[i].used = ++x->clock;
			return true;
		}
		if (x->kept[i].used < x->kept[oldest].used)
			oldest = i;
	}
	x->kept[oldest].region = region;
	x->kept[oldest].used = ++x->clock;
	return false;
}

/* An entry is read at cycle t; the cycle that it is there. */
static u64
read_entry(struct core *c, u64 addr, u64 t)
{
	c->sig[SIG_WALK_READ]++;
	return c->n_outer ? outer_read(c, 0, addr, t, OUTER_WALK)
			  : memory_read(c, addr, t, OUTER_WALK);
}

void
walk_tables(struct core *c, u64 va)
{
	struct unordered *u = c->unordered;
	u64 start = u ? c->asked : core_cycle(c), t = start;
	u32 levels = c->config->walk.levels;

	alone_forget(c);
	if (u)
		t = holds_take(&u->walkers, start, u->earliest);
	c->refill_wait = (u32)(t - start);
	if (levels > 1 &&
	    keep(c, va >> (WALK_PAGE_BITS + WALK_TABLE_BITS)))
		levels = 1;
	while (levels--)
		t = read_entry(c, WALK_ENTRY(va, levels), t);
	c->refill = c->config->pipe.tlb_refill + (u32)(t - start);
	if (u)
		holds_put(&u->walkers, start + c->refill_wait,
			  start + c->refill);
}
