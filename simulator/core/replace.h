/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays of slots: look-up and replacement, for caches and TLBs alike. */
#ifndef SIM_REPLACE_H
#define SIM_REPLACE_H

#include "machine/types.h"

/* A first-level cache or micro-TLB by slot: set * ways + way. */
struct array {
	u32 ways, set_mask;
	u8 policy;
	u32 random;		/* state of POLICY_RANDOM */
	u64 *key;		/* line or page number, ARRAY_EMPTY if none */
	u32 *stamp;		/* clock of the last use, for LRU */
	u16 *next;		/* way filled next per set, for FIFO */
	bool full;		/* POLICY_RANDOM: no slot is empty, or will be */
};

#define ARRAY_EMPTY (~0ull)

/* Empty, of so many entries, with room for their keys, stamps and next ways
 * that is the caller's; stamps and next ways are 0. */
void array_init(struct array *a, u32 entries, u32 ways, u8 policy, u64 *key,
		u32 *stamp, u16 *next);
u32 array_victim(struct array *a, u64 key);	/* slot to replace */

/* Puts ranks for stamps, set by set; 0, never used, stays. */
void array_renorm(const struct array *a);

/* What array_tick() does when its clock has run out. */
u32 array_rewind(struct array *a, u32 *clock);

/* A new stamp, from a clock that counts uses of this array alone. */
SIM_INLINE u32
array_tick(struct array *a, u32 *clock)
{
	if (SIM_LIKELY(*clock < UINT32_MAX))
		return ++*clock;
	return array_rewind(a, clock);
}

/* The slot that holds key, or -1; no way is looked at twice. */
SIM_INLINE int
array_find(const struct array *a, u64 key)
{
	u32 first = ((u32)key & a->set_mask) * a->ways;
	const u64 *k = a->key + first;

	if (SIM_LIKELY(a->ways == 4)) {
		if (k[0] == key)
			return (int)first;
		if (k[1] == key)
			return (int)first + 1;
		if (k[2] == key)
			return (int)first + 2;
		return k[3] == key ? (int)first + 3 : -1;
	}
	if (a->ways == 2) {
		if (k[0] == key)
			return (int)first;
		return k[1] == key ? (int)first + 1 : -1;
	}
	if (a->ways == 1)
		return k[0] == key ? (int)first : -1;
	for (u32 w = 0; w < a->ways; w++)
		if (k[w] == key)
			return (int)(first + w);
	return -1;
}

/* The same in the set that begins there, of a few ways which could not be
 * predict; no branch asks for one. */
SIM_INLINE int
array_find_flat(const u64 *keys, u32 first, u64 key, u32 ways)
{
	u32 hit = 0;

#pragma GCC unroll 8
	for (u32 w = 0; w < ways; w++)
		hit |= (u32)(keys[first + w] == key) << w;
	return hit ? (int)first + __builtin_ctz(hit) : -1;
}

#endif
