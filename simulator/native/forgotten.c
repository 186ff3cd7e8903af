/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "forgotten.h"

#include "target/target.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_BITS 12

/* By a hash of their addresses, the next free place behind it; half of the places
 * are free at least. */
static struct {
	struct block **at;
	unsigned bits;
	size_t n;
} map;

static size_t
places(void)
{
	return (size_t)1 << map.bits;
}

static struct block **
place_of(u64 pc)
{
	size_t i = pc * 0x9e3779b97f4a7c15 >> (64 - map.bits);

	while (map.at[i] && map.at[i]->vaddr != pc)
		i = (i + 1) & (places() - 1);
	return &map.at[i];
}

static void
grow(void)
{
	struct block **old = map.at;
	size_t n = old ? places() : 0;

	map.bits = old ? map.bits + 1 : FIRST_BITS;
	map.at = calloc(places(), sizeof *map.at);
	if (!map.at)
		process_die("blocks whose code was forgotten", ENOMEM);
	for (size_t i = 0; i < n; i++)
		if (old[i])
			*place_of(old[i]->vaddr) = old[i];
	free(old);
}

void
forgotten_note(struct block *b)
{
	struct block **place;

	if (!map.at || 2 * map.n >= places())
		grow();
	place = place_of(b->vaddr);
	map.n += !*place;
	*place = b;
}

void
forgotten_lines(void)
{
	for (size_t i = 0; map.at && i < places(); i++)
		if (map.at[i])
			block_forget_slots(map.at[i]);
}

struct block *
forgotten_at(u64 pc)
{
	return map.at ? *place_of(pc) : NULL;
}
