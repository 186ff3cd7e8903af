/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What other CPUs ask of the levels behind the first. */
#include "outer_internal.h"
#include "prefetch.h"

/* A level's part of outer_clean(); true if it had some of the line. */
static bool
level_clean(struct core *c, unsigned i, u64 addr, u64 end, bool *dirty,
	    bool lose)
{
	struct outer_level *level = &c->outer[i];
	bool held = false;

	for (; addr < end; addr += level->config->line) {
		int slot = array_find(&level->lines, addr >> level->line_bits);

		if (slot < 0)
			continue;
		held = true;
		*dirty |= level->state[slot] & OUTER_DIRTY;
		level->state[slot] = 0;
		if (!lose)
			continue;
		level->lines.key[slot] = ARRAY_EMPTY;
		level->lines.stamp[slot] = 0;
	}
	c->sig[outer_signals[i].writeback] += held && *dirty && !lose;
	return held;
}

int
outer_clean(struct core *c, u64 addr, u64 end, bool dirty, bool lose)
{
	bool held = prefetch_clean(c, addr, end, &dirty, lose);

	for (unsigned i = 0; i < c->n_outer; i++)
		held |= level_clean(c, i, addr, end, &dirty, lose);
	return held ? dirty : -1;
}

bool
outer_holds(const struct core *c, u64 addr, u64 end)
{
	for (unsigned i = 0; i < c->n_outer; i++) {
		const struct outer_level *level = &c->outer[i];

		for (u64 a = addr; a < end; a += level->config->line)
			if (array_find(&level->lines,
				       a >> level->line_bits) >= 0)
				return true;
	}
	return prefetch_holds(c, addr, end);
}

void
outer_own(struct core *c, u64 addr, u64 end)
{
	for (unsigned i = 0; i < c->n_outer; i++) {
		struct outer_level *level = &c->outer[i];

		for (u64 a = addr; a < end; a += level->config->line) {
			int slot = array_find(&level->lines,
					      a >> level->line_bits);

			if (slot >= 0)
				level->state[slot] |= OUTER_OWNED;
		}
	}
}
