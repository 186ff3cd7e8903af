/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pages.h"

#include <stdlib.h>

#define FIRST_ROOM 64u	/* power of two */
#define GROUP_BITS 6

/* 64 pages that are side by side. */
struct group {
	u64 key;		/* page >> GROUP_BITS */
	u64 pages;		/* 0: an empty place */
};

/* Open addressing. */
struct page_set {
	struct group *place;
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

static struct group *
find(struct group *place, u64 mask, u64 key)
{
	u64 at = key * 0x9e3779b97f4a7c15ull >> 20;

	while (place[at & mask].pages && place[at & mask].key != key)
		at++;
	return &place[at & mask];
}

static bool
grow(struct page_set *set)
{
	u64 mask = set->mask * 2 + 1;
	struct group *place = calloc(mask + 1, sizeof *place);

	if (!place)
		return false;
	for (u64 i = 0; i <= set->mask; i++)
		if (set->place[i].pages)
			*find(place, mask, set->place[i].key) = set->place[i];
	free(set->place);
	set->place = place;
	set->mask = mask;
	return true;
}

bool
pages_add(struct page_set *set, u64 page)
{
	u64 bit = 1ull << (page & ((1u << GROUP_BITS) - 1));
	struct group *g = find(set->place, set->mask, page >> GROUP_BITS);

	if (g->pages & bit)
		return false;
	if (g->pages) {
		g->pages |= bit;
		return true;
	}
	if (set->used * 2 > set->mask) {
		if (!grow(set))
			return true;
		g = find(set->place, set->mask, page >> GROUP_BITS);
	}
	*g = (struct group){page >> GROUP_BITS, bit};
	set->used++;
	return true;
}
