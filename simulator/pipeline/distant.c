/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "distant.h"

void
distant_put(struct distant *d, u64 places, u64 cycle)
{
	u32 i = d->n;

	if (!places)
		return;
	if (i == DISTANT_MAX) {
		if (d->at[0].cycle < cycle)
			d->at[0].cycle = cycle;
		d->at[0].places += places;
		return;
	}
	for (; i && d->at[i - 1].cycle < cycle; i--)
		d->at[i] = d->at[i - 1];
	d->at[i].cycle = cycle;
	d->at[i].places = places;
	d->n++;
}

u64
distant_at(const struct distant *d, u64 cycle)
{
	u64 places = 0;

	for (u32 i = 0; i < d->n; i++)
		places += d->at[i].cycle == cycle ? d->at[i].places : 0;
	return places;
}

u64
distant_reach(struct distant *d, u64 now, u64 *ring, u64 *last, u64 mask)
{
	u64 given = 0;

	while (d->n && d->at[d->n - 1].cycle < now + WINDOW_RING) {
		u64 places = d->at[--d->n].places, cycle = d->at[d->n].cycle;

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
