/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A number that looks random, always the same for the same one. */
#ifndef SIM_MIX_H
#define SIM_MIX_H

#include "types.h"

/* The last steps of SplitMix64: a bijection. */
static inline u64
mix64(u64 x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

#endif
