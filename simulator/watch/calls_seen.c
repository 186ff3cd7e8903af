/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calls_seen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/mix.h"

#define BACKS_FIRST 1024u
#define ENTRIES_FIRST 256u

int
calls_seen_init(struct calls_seen *s)
{
	*s = (struct calls_seen){
		.back = calloc(BACKS_FIRST, sizeof *s->back),
		.mask = BACKS_FIRST - 1,
	};
	return s->back ? 0 : -ENOMEM;
}

void
calls_seen_free(struct calls_seen *s)
{
	free(s->entry);
	free(s->back);
	*s = (struct calls_seen){0};
}

/* ---- Functions ------------------------------------------------------- */

/* How many entries are at that address or before it. */
static u32
entries_to(const struct calls_seen *s, u64 address)
{
	u32 from = 0, to = s->n_entries;

	while (from < to) {
		u32 middle = (from + to) / 2;

		if (s->entry[middle] <= address)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

int
calls_see_entry(struct calls_seen *s, u64 entry)
{
	u32 at = entries_to(s, entry);

	if (at && s->entry[at - 1] == entry)
		return 0;
	if (s->n_entries == s->room) {
		u32 room = s->room ? 2 * s->room : ENTRIES_FIRST;
		u64 *list = realloc(s->entry, room * sizeof *list);

		if (!list)
			return -ENOMEM;
		s->entry = list;
		s->room = room;
	}
	memmove(&s->entry[at + 1], &s->entry[at],
		(s->n_entries - at) * sizeof *s->entry);
	s->entry[at] = entry;
	s->n_entries++;
	return 0;
}

bool
calls_together(const struct calls_seen *s, u64 a, u64 b)
{
	return entries_to(s, a) == entries_to(s, b);
}

/* ---- Returns --------------------------------------------------------- */

/* The place of an address, or the empty one where it would be. */
static struct calls_back *
place_of(const struct calls_seen *s, u64 back)
{
	u32 at = (u32)mix64(back) & s->mask;

	while (s->back[at].back && s->back[at].back != back)
		at = (at + 1) & s->mask;
	return &s->back[at];
}

static int
grow(struct calls_seen *s)
{
	struct calls_seen old = *s;

	s->mask = 2 * old.mask + 1;
	s->back = calloc((size_t)s->mask + 1, sizeof *s->back);
	if (!s->back) {
		*s = old;
		return -ENOMEM;
	}
	for (u32 i = 0; i <= old.mask; i++)
		if (old.back[i].back)
			*place_of(s, old.back[i].back) = old.back[i];
	free(old.back);
	return 0;
}

int
calls_see_return(struct calls_seen *s, u64 back, u64 site)
{
	struct calls_back *place = place_of(s, back);

	if (place->back)
		return 0;
	if (s->n_backs > s->mask / 2) {
		if (grow(s))
			return -ENOMEM;
		place = place_of(s, back);
	}
	*place = (struct calls_back){back, site};
	s->n_backs++;
	return 0;
}

u64
calls_returned(const struct calls_seen *s, u64 back)
{
	return place_of(s, back)->site;
}
