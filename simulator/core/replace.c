/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replace.h"

#include "core.h"
#include "oldest.h"

#define RANDOM_SEED 0x2545f491u

void
array_init(struct array *a, u32 entries, u32 ways, u8 policy, u64 *key,
	   u32 *stamp, u16 *next)
{
	*a = (struct array){
		.ways = ways,
		.set_mask = entries / ways - 1,
		.policy = policy,
		.random = RANDOM_SEED,
		.key = key,
		.stamp = stamp,
		.next = next,
	};
	for (u32 i = 0; i < entries; i++)
		key[i] = ARRAY_EMPTY;
}

static u32
next_random(struct array *a)
{
	a->random ^= a->random << 13;
	a->random ^= a->random >> 17;
	a->random ^= a->random << 5;
	return a->random;
}

/* The first way that holds nothing, or -1. */
static int
empty_way(const struct array *a, u32 first)
{
	for (u32 w = 0; w < a->ways; w++)
		if (a->key[first + w] == ARRAY_EMPTY)
			return (int)w;
	return -1;
}

/* The way with the least stamp, the first of equals; an empty one has 0. */
static u32
oldest_way(const struct array *a, u32 first)
{
	u32 oldest = 0, least = a->stamp[first];

	if (a->ways % 8 == 0)
		return oldest_of_many(a->stamp + first, a->ways);
	for (u32 w = 1; w < a->ways; w++) {
		u32 this = a->stamp[first + w];

		oldest = this < least ? w : oldest;
		least = this < least ? this : least;
	}
	return oldest;
}

/* The way that was used last, of equals the first; none if none was. */
static u32
newest_way(const struct array *a, u32 first)
{
	u32 newest = 0, most = a->stamp[first];

	for (u32 w = 1; w < a->ways; w++) {
		u32 this = a->stamp[first + w];

		newest = this > most ? w : newest;
		most = this > most ? this : most;
	}
	return most ? newest : a->ways;
}

/* The way that was filled first: fills go round a set. */
static u32
next_way(struct array *a, u64 key)
{
	u16 *next = &a->next[(u32)key & a->set_mask];
	u32 way = *next;

	if (a->policy == POLICY_NOT_LAST_USED && a->ways > 1 &&
	    way == newest_way(a, ((u32)key & a->set_mask) * a->ways))
		way = way + 1 == a->ways ? 0 : way + 1;
	*next = (u16)(way + 1 == a->ways ? 0 : way + 1);
	return way;
}

u32
array_victim(struct array *a, u64 key)
{
	u32 first = ((u32)key & a->set_mask) * a->ways;

	if (a->policy == POLICY_FIFO || a->policy == POLICY_ROUND_ROBIN ||
	    a->policy == POLICY_NOT_LAST_USED)
		return first + next_way(a, key);
	if (a->policy == POLICY_RANDOM) {
		int empty = a->full ? -1 : empty_way(a, first);

		return first + (empty >= 0 ? (u32)empty
					   : next_random(a) % a->ways);
	}
	return first + oldest_way(a, first);
}

/* Number of stamps of a set that are older; never 0 for a used one. */
static u32
rank(const struct array *a, u32 first, u32 value)
{
	u32 older = 1;

	for (u32 w = 0; w < a->ways; w++) {
		u32 stamp = a->stamp[first + w];

		older += stamp && stamp < value;
	}
	return older;
}

void
array_renorm(const struct array *a)
{
	u32 fresh[2 * CORE_MAX_LINES], n = (a->set_mask + 1) * a->ways;

	for (u32 first = 0; first < n; first += a->ways) {
		for (u32 w = 0; w < a->ways; w++) {
			u32 stamp = a->stamp[first + w];

			fresh[w] = stamp ? rank(a, first, stamp) : 0;
		}
		for (u32 w = 0; w < a->ways; w++)
			a->stamp[first + w] = fresh[w];
	}
}

u32
array_rewind(struct array *a, u32 *clock)
{
	array_renorm(a);
	return *clock = a->ways + 1;
}
