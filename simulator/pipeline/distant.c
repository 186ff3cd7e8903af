/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "distant.h"

void
distant_put(struct distant *d, u64 places, u64 cycle)
{
	u32 i = d->n;

	if (!places)
		return;
	if (i == DISTANT_MAX) {
		if (DISTANT(d, i - 1).cycle < cycle)
			DISTANT(d, i - 1).cycle = cycle;
		DISTANT(d, i - 1).places += places;
		return;
	}
	for (; i && DISTANT(d, i - 1).cycle > cycle; i--)
		DISTANT(d, i) = DISTANT(d, i - 1);
	DISTANT(d, i).cycle = cycle;
	DISTANT(d, i).places = places;
	d->n++;
}

u64
distant_at(const struct distant *d, u64 cycle)
{
	u64 places = 0;

	for (u32 i = 0; i < d->n; i++)
		places += DISTANT(d, i).cycle == cycle ? DISTANT(d, i).places : 0;
	return places;
}

u64
distant_next(const struct distant *d, const u64 *ring, u64 now, u64 last, u64 mask)
{
	u64 cycle = now + 1;

	while (cycle <= last && !(ring[RING_AT(cycle)] & mask))
		cycle++;
	if (cycle <= last)
		return cycle;
	if (d->n)
		return DISTANT(d, 0).cycle;
	return last > now ? last : now + 1;
}

u64
distant_reach(struct distant *d, u64 now, u64 *ring, u64 *last, u64 mask)
{
	u64 given = 0;

	while (d->n && DISTANT(d, 0).cycle < now + WINDOW_RING) {
		u64 places = DISTANT(d, 0).places, cycle = DISTANT(d, 0).cycle;

		d->first++;
		d->n--;
		if (cycle <= now) {
			given += places & mask;
			continue;
		}
		ring[RING_AT(cycle)] += places;
		if (*last < cycle)
			*last = cycle;
	}
	return given;
}
