/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an access is made, as the engine's callbacks do it. */
#ifndef TEST_MAKE_ACCESS_H
#define TEST_MAKE_ACCESS_H

#include "core/fast.h"
#include "core/near.h"

static inline void
make_access(struct core *c, const struct block_access *a, u64 va,
	    unsigned size_log2, bool store)
{
	u32 what = ACCESS_WHAT(1u << size_log2, store);
	u32 clock = (u32)c->now - a->clock_back;
	u64 t = core_cycle(c) - a->cycles_back;
	struct fast_place at;
	bool shown = fast_data_shown(c, va, size_log2, &at);

	if (at.way > SHADOW_LAST(1u << size_log2) &&
	    at.slot <= SHADOW_PAGE_SLOTS && c->unshown[store])
		c->unshown[store](c, what, va, a, (u32)at.slot, clock);
	else if (shown && !(store && c->config->l1d.write_through))
		fast_data_hit(c, &at, clock, store, false);
	else if (shown && fast_through(c, &at, clock, t))
		near_put(c, va, t, a);
	else
		core_data(c, a, va, 1u << size_log2, store);
}

#endif
