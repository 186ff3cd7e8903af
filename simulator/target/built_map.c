/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "built_map.h"

#include "target.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_BITS 12

/* By a hash, the next free place behind it; half of the places are free at least. */
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
place_of(u64 pc, unsigned n)
{
	size_t i = (pc ^ (u64)n << 40) * 0x9e3779b97f4a7c15 >>
		   (64 - map.bits);

	while (map.at[i] && (map.at[i]->vaddr != pc || map.at[i]->n_insn != n))
		i = (i + 1) & (places() - 1);
	return &map.at[i];
}

static struct block **
place_for(const struct block *b)
{
	return place_of(b->vaddr, b->n_insn);
}

static void
grow(void)
{
	struct block **old = map.at;
	size_t n = old ? places() : 0;

	map.bits = old ? map.bits + 1 : FIRST_BITS;
	map.at = calloc(places(), sizeof *map.at);
	if (!map.at)
		process_die("blocks that have been built", ENOMEM);
	for (size_t i = 0; i < n; i++)
		if (old[i])
			*place_for(old[i]) = old[i];
	free(old);
}

void
built_map_note(struct block *b)
{
	struct block **place;

	if (!map.at || 2 * map.n >= places())
		grow();
	place = place_for(b);
	map.n += !*place;
	*place = b;
}

struct block *
built_map_find(u64 pc, unsigned n)
{
	return map.at ? *place_of(pc, n) : NULL;
}

void
built_map_forget(void)
{
	free(map.at);
	map.at = NULL;
	map.n = 0;
}
