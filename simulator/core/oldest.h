/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of a few stamps is the least, without branches. */
#ifndef SIM_OLDEST_H
#define SIM_OLDEST_H

#include "machine/types.h"

/* A stamp and its place: the least is the oldest, the first of equals. */
SIM_INLINE u64
aged(const u32 *stamp, u32 i)
{
	return (u64)stamp[i] << 3 | i;
}

/* The compiler, which knows that the order does not matter, would make a chain
 * of what is a tree below, and so make it later. */
SIM_INLINE u64
older(u64 a, u64 b)
{
	u64 least = a < b ? a : b;

	__asm__("" : "+r"(least));
	return least;
}

SIM_INLINE u32
oldest_of_4(const u32 *s)
{
	u64 a = older(aged(s, 0), aged(s, 1)), b = older(aged(s, 2),
							 aged(s, 3));

	return (u32)older(a, b) & 3;
}

SIM_INLINE u64
oldest_aged_8(const u32 *s)
{
	u64 a = older(aged(s, 0), aged(s, 1)), b = older(aged(s, 2),
							 aged(s, 3));
	u64 c = older(aged(s, 4), aged(s, 5)), d = older(aged(s, 6),
							 aged(s, 7));

	return older(older(a, b), older(c, d));
}

SIM_INLINE u32
oldest_of_8(const u32 *s)
{
	return (u32)oldest_aged_8(s) & 7;
}

/* Of n, a multiple of 8. */
SIM_INLINE u32
oldest_of_many(const u32 *s, u32 n)
{
	u64 least = UINT64_MAX;

	for (u32 at = 0; at < n; at += 8) {
		u64 age = oldest_aged_8(s + at);

		least = older(least, age >> 3 << 16 | at | (age & 7));
	}
	return (u16)least;
}

/* Of two, or of four. */
SIM_INLINE u32
oldest_of(const u32 *s, u32 ways)
{
	return ways == 4 ? oldest_of_4(s) : s[1] < s[0];
}

#endif
