/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile's places in order, and several instructions at one of them. */
#include "profile_places.h"

#include <stdlib.h>

static int
by_place(const void *a, const void *b)
{
	const struct pmcsim_place *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	return x->path < y->path ? -1 : x->path > y->path;
}

void
profile_sort_places(struct pmcsim_profile *p)
{
	if (p->n_places)
		qsort((void *)p->place, p->n_places, sizeof *p->place,
		      by_place);
}

/* Adds up neighbours that have become one place. */
static void
join_places(struct pmcsim_profile *p)
{
	struct pmcsim_place *at = (struct pmcsim_place *)(void *)p->place;
	size_t n = 0;

	for (size_t i = 0; i < p->n_places; i++) {
		if (!n || by_place(&at[n - 1], &at[i])) {
			at[n++] = at[i];
			continue;
		}
		for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
			at[n - 1].count[e] += at[i].count[e];
	}
	p->n_places = n;
}

void
pmcsim_profile_round(struct pmcsim_profile *p, uint64_t stride)
{
	struct pmcsim_place *at = (struct pmcsim_place *)(void *)p->place;

	for (size_t i = 0; i < p->n_places; i++) {
		uint64_t over = stride ? at[i].offset % stride : at[i].offset;

		at[i].offset -= over;
		at[i].pc -= over;
	}
	profile_sort_places(p);
	join_places(p);
}
