/* SPDX-License-Identifier: GPL-2.0-or-later */
/* States of the window that have been seen, each kept once, found by hash. */
#include "window_internal.h"

#include <errno.h>
#include <string.h>

#define INDEX_SIZE (1u << 20) /* at most */
#define INDEX_FIRST (1u << 10)
#define STATES_MAX (INDEX_SIZE / 2)
#define ARENA_WORDS (1u << 24)
#define HASH_FACTOR 0x9e3779b97f4a7c15ull

int
states_init(struct window *w)
{
	w->arena = table_new(ARENA_WORDS * sizeof *w->arena);
	w->index = table_new(INDEX_SIZE * sizeof *w->index);
	if (!w->arena || !w->index)
		return -ENOMEM;
	w->index_mask = INDEX_FIRST - 1;
	w->arena_used = 1;
	return 0;
}

void
states_free(struct window *w)
{
	table_free(w->arena, ARENA_WORDS * sizeof *w->arena);
	table_free(w->index, INDEX_SIZE * sizeof *w->index);
}

SIM_INLINE u64
add_to_hash(u64 hash, u64 word)
{
	u64 x = (hash ^ word) * HASH_FACTOR;

	return x ^ x >> 29;
}

static u32
hash_of(const struct state_text *s)
{
	/* Two at a time: one would wait for the other's. */
	u64 even = s->n, odd = 0;
	unsigned i;

	for (i = 0; i + 1 < s->n; i += 2) {
		even = add_to_hash(even, s->word[i]);
		odd = add_to_hash(odd, s->word[i + 1]);
	}
	if (i < s->n)
		even = add_to_hash(even, s->word[i]);
	even = (even ^ odd) * HASH_FACTOR;
	return (u32)(even ^ even >> 32);
}

/* Everything is forgotten. */
static void
forget(struct window *w)
{
	memset(w->index, 0, (w->index_mask + 1) * sizeof *w->index);
	w->arena_used = 1;
	w->index_used = 0;
	w->era++;
	moves_forget(w);
}

/* An empty place of the index for a state of that hash. */
static u32 *
empty_place(const struct window *w, u32 hash)
{
	u32 at = hash & w->index_mask;

	while (w->index[at])
		at = (at + 1) & w->index_mask;
	return &w->index[at];
}

/* Twice as many places in the index. */
static void
grow_index(struct window *w)
{
	memset(w->index, 0, (w->index_mask + 1) * sizeof *w->index);
	w->index_mask = 2 * w->index_mask + 1;
	for (u32 i = 1; i < w->arena_used; i += 1 + (u32)w->arena[i])
		*empty_place(w, (u32)(w->arena[i] >> 32)) = i;
}

/* In the arena, a state's words come behind its length and hash. */
static u32
add_state(struct window *w, const struct state_text *s, u32 hash)
{
	u32 place = w->arena_used;

	if (w->index_used > w->index_mask / 2)
		grow_index(w);
	w->arena[place] = (u64)hash << 32 | s->n;
	memcpy(&w->arena[place + 1], s->word, s->n * sizeof *s->word);
	w->arena_used += 1 + s->n;
	w->index_used++;
	*empty_place(w, hash) = place;
	return place;
}

u32
state_find(struct window *w, const struct block *t)
{
	struct state_text s;
	u32 hash, at, place;

	if (!state_write(&s, w, t))
		return NO_STATE;
	hash = hash_of(&s);
	if (w->index_used == STATES_MAX || moves_full(w) ||
	    w->arena_used + 1 + s.n > ARENA_WORDS)
		forget(w);
	for (at = hash & w->index_mask; (place = w->index[at]);
	     at = (at + 1) & w->index_mask)
		if (w->arena[place] == ((u64)hash << 32 | s.n) &&
		    !memcmp(&w->arena[place + 1], s.word,
			    s.n * sizeof *s.word))
			return place;
	return add_state(w, &s, hash);
}
