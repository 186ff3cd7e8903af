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

bool
distant_take(struct distant *d, u64 end, u64 *places, u64 *cycle)
{
	u32 last = d->n - 1;

	if (!d->n || d->at[last].cycle >= end)
		return false;
	*places = d->at[last].places;
	*cycle = d->at[last].cycle;
	d->n = last;
	return true;
}
