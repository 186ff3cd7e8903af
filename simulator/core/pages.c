/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pages.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64u	/* power of two */
#define GROUP_BITS 6
#define GROUP_PAGES (1u << GROUP_BITS)
#define NO_GROUP (~0ull)
#define PAGES_END (1ull << 52)
#define TABLE_PAGES 512u /* pages that one table of the lowest level maps */

/* 64 pages that are side by side. */
struct group {
	u64 key;		/* page >> GROUP_BITS; NO_GROUP: an empty place */
	u64 pages;
};

/* Pages of a file, mapped at once. */
struct range {
	u64 first, end;
	bool written;
};

/* Groups by open addressing, ranges in ascending order. */
struct page_set {
	struct group *place;
	u64 mask;
	u64 used;
	struct range *range;
	size_t n, room;
	u32 around;
};

/* ---- Pages that have been touched ------------------------------------- */

static struct group *
groups_new(u64 n)
{
	struct group *place = malloc(n * sizeof *place);

	for (u64 i = 0; place && i < n; i++)
		place[i] = (struct group){.key = NO_GROUP};
	return place;
}

struct page_set *
pages_new(u32 around)
{
	struct page_set *set = calloc(1, sizeof *set);

	if (!set)
		return NULL;
	set->around = around;
	set->mask = FIRST_ROOM - 1;
	set->place = groups_new(FIRST_ROOM);
	if (set->place)
		return set;
	free(set);
	return NULL;
}

static struct group *
find(struct group *place, u64 mask, u64 key)
{
	u64 at = key * 0x9e3779b97f4a7c15ull >> 20;

	while (place[at & mask].key != NO_GROUP && place[at & mask].key != key)
		at++;
	return &place[at & mask];
}

static bool
grow(struct page_set *set)
{
	u64 mask = set->mask * 2 + 1;
	struct group *place = groups_new(mask + 1);

	if (!place)
		return false;
	for (u64 i = 0; i <= set->mask; i++)
		if (set->place[i].key != NO_GROUP)
			*find(place, mask, set->place[i].key) = set->place[i];
	free(set->place);
	set->place = place;
	set->mask = mask;
	return true;
}

/* Adds a page; true if it was not there, or memory has run out. */
static bool
add(struct page_set *set, u64 page)
{
	u64 bit = 1ull << (page % GROUP_PAGES);
	struct group *g = find(set->place, set->mask, page >> GROUP_BITS);

	if (g->key == NO_GROUP) {
		if (set->used * 2 > set->mask) {
			if (!grow(set))
				return true;
			g = find(set->place, set->mask, page >> GROUP_BITS);
		}
		*g = (struct group){.key = page >> GROUP_BITS};
		set->used++;
	}
	if (g->pages & bit)
		return false;
	g->pages |= bit;
	return true;
}

static bool
has(const struct page_set *set, u64 page)
{
	const struct group *g = find(set->place, set->mask, page >> GROUP_BITS);

	return g->key != NO_GROUP && g->pages >> (page % GROUP_PAGES) & 1;
}

/* The bits of pages first to end - 1 in a group. */
static u64
bits_in(u64 key, u64 first, u64 end)
{
	u64 from = key << GROUP_BITS, to = from + GROUP_PAGES, bits = ~0ull;

	if (end <= from || first >= to)
		return 0;
	if (first > from)
		bits <<= first - from;
	if (end < to)
		bits &= ~0ull >> (to - end);
	return bits;
}

/* Those pages leave a group; true if one was there. */
static bool
leave(struct group *g, u64 first, u64 end)
{
	u64 gone = g->key == NO_GROUP ? 0 : g->pages & bits_in(g->key, first, end);

	g->pages ^= gone;
	return gone;
}

bool
pages_forget(struct page_set *set, u64 first, u64 end)
{
	u64 key = first >> GROUP_BITS;
	bool any = false;

	if (end <= first)
		return false;
	if (((end - 1) >> GROUP_BITS) - key > set->mask) {
		for (u64 i = 0; i <= set->mask; i++)
			any |= leave(&set->place[i], first, end);
		return any;
	}
	for (; key <= (end - 1) >> GROUP_BITS; key++)
		any |= leave(find(set->place, set->mask, key), first, end);
	return any;
}

/* ---- Ranges of files --------------------------------------------------- */

/* The first range that ends behind a page. */
static size_t
range_at(const struct page_set *set, u64 page)
{
	size_t low = 0, high = set->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->range[middle].end > page)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Puts a range at place i; without memory, its pages are alone. */
static void
insert(struct page_set *set, size_t i, const struct range *r)
{
	if (r->end <= r->first)
		return;
	if (set->n == set->room) {
		size_t room = set->room ? 2 * set->room : FIRST_ROOM;
		void *more = realloc(set->range, room * sizeof *set->range);

		if (!more)
			return;
		set->range = more;
		set->room = room;
	}
	memmove(&set->range[i + 1], &set->range[i],
		(set->n++ - i) * sizeof *set->range);
	set->range[i] = *r;
}

/* A range that has page inside ends in front of it, and another begins there. */
static void
split(struct page_set *set, u64 page)
{
	size_t i = range_at(set, page);
	struct range behind;

	if (i == set->n || set->range[i].first >= page)
		return;
	behind = set->range[i];
	behind.first = page;
	set->range[i].end = page;
	insert(set, i + 1, &behind);
}

bool
pages_map(struct page_set *set, u64 first, u64 end, enum page_kind kind)
{
	bool any = pages_forget(set, first, end);
	size_t i, behind;

	if (end <= first)
		return false;
	split(set, first);
	split(set, end);
	i = range_at(set, first);
	for (behind = i; behind < set->n && set->range[behind].first < end;)
		behind++;
	if (behind > i) {
		memmove(&set->range[i], &set->range[behind],
			(set->n - behind) * sizeof *set->range);
		set->n -= behind - i;
	}
	if (kind != PAGES_ALONE)
		insert(set, i, &(struct range){first, end,
					       kind == PAGES_FILE_WRITTEN});
	return any;
}

void
pages_protect(struct page_set *set, u64 first, u64 end, bool written)
{
	if (end <= first)
		return;
	split(set, first);
	split(set, end);
	for (size_t i = range_at(set, first);
	     i < set->n && set->range[i].first < end; i++)
		set->range[i].written = written;
}

static enum page_kind
kind_at(const struct page_set *set, u64 page)
{
	size_t i = range_at(set, page);

	if (i == set->n || set->range[i].first > page)
		return PAGES_ALONE;
	return set->range[i].written ? PAGES_FILE_WRITTEN : PAGES_FILE;
}

void
pages_move(struct page_set *set, u64 first, u64 end, u64 to)
{
	enum page_kind kind = kind_at(set, first);

	if (end <= first)
		return;
	pages_map(set, to, to + (end - first), kind);
	for (u64 page = first; page < end; page++)
		if (has(set, page))
			add(set, to + (page - first));
	pages_map(set, first, end, PAGES_ALONE);
}

void
pages_fork(struct page_set *set, bool child)
{
	u64 next = 0;

	for (size_t i = 0; i < set->n && !child; i++)
		if (!set->range[i].written) {
			pages_forget(set, next, set->range[i].first);
			next = set->range[i].end;
		}
	pages_forget(set, next, PAGES_END);
}

/* ---- Faults ------------------------------------------------------------ */

/* What Linux maps around a page of range r that is read: see do_fault_around(). */
static void
touch_around(struct page_set *set, const struct range *r, u64 page)
{
	u64 from = page & ~(u64)(set->around - 1), to;
	u64 table = (page | (TABLE_PAGES - 1)) + 1;

	from = from > r->first ? from : r->first;
	to = from + set->around;
	to = to < r->end ? to : r->end;
	to = to < table ? to : table;
	while (from < to)
		add(set, from++);
}

bool
pages_touch(struct page_set *set, u64 page)
{
	size_t i;

	if (!add(set, page))
		return false;
	if (!set->around || !set->n)
		return true;
	i = range_at(set, page);
	if (i < set->n && set->range[i].first <= page && !set->range[i].written)
		touch_around(set, &set->range[i], page);
	return true;
}
