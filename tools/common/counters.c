/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "counters.h"

#include <limits.h>

#define BITS (sizeof(unsigned) * CHAR_BIT)

static bool
assign(const unsigned *counters, size_t n, unsigned taken, unsigned *counter)
{
	if (!n)
		return true;
	for (unsigned i = 0; i < BITS; i++) {
		if (!((*counters & ~taken) >> i & 1))
			continue;
		*counter = i;
		if (assign(counters + 1, n - 1, taken | 1u << i, counter + 1))
			return true;
	}
	return false;
}

bool
counters_assign(const unsigned *counters, size_t n, unsigned *counter)
{
	unsigned all = 0;

	/* All at once are too many sooner than one after the other tell. */
	for (size_t i = 0; i < n; i++)
		all |= counters[i];
	return n <= (size_t)__builtin_popcount(all) &&
	       assign(counters, n, 0, counter);
}
