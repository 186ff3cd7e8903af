/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pages.h"

#include <stdlib.h>

#define FIRST_ROOM 1024u	/* power of two */

/* Open addressing; 0 is an empty place, so page + 1 is kept. */
struct page_set {
	u64 *place;
	u64 mask;
	u64 used;
};

struct page_set *
pages_new(void)
{
	struct page_set *set = calloc(1, sizeof *set);

	if (!set)
		return NULL;
	set->mask = FIRST_ROOM - 1;
	set->place = calloc(FIRST_ROOM, sizeof *set->place);
	if (set->place)
		return set;
	free(set);
	return NULL;
}

static u64 *
find(u64 *place, u64 mask, u64 key)
{
	u64 at = key * 0x9e3779b97f4a7c15ull >> 20;

	while (place[at & mask] && place[at & mask] != key)
		at++;
	return &place[at & mask];
}

static bool
grow(struct page_set *set)
{
	u64 mask = set->mask * 2 + 1;
	u64 *place = calloc(mask + 1, sizeof *place);

	if (!place)
		return false;
	for (u64 i = 0; i <= set->mask; i++)
		if (set->place[i])
			*find(place, mask, set->place[i]) = set->place[i];
	free(set->place);
	set->place = place;
	set->mask = mask;
	return true;
}

bool
pages_add(struct page_set *set, u64 page)
{
	u64 *place;

	if (set->used * 2 > set->mask && !grow(set))
		return true;
	place = find(set->place, set->mask, page + 1);
	if (*place)
		return false;
	*place = page + 1;
	set->used++;
	return true;
}
