/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps and moves that have been seen, each kept once. */
#include "window_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEADS (2 * MOVES)	/* at most */
#define HEADS_FIRST (1u << 11)
#define HEAD_MOVE (MOVES - 1)	/* of a head: the place; above, its tag */
#define POOL (1u << 21)
#define SPARE 128		/* more than one block can add */
#define HASH_FACTOR 0x9e3779b97f4a7c15ull

int
moves_init(struct window *w)
{
	w->move = table_new(MOVES * sizeof *w->move);
	w->heads = table_new(HEADS * sizeof *w->heads);
	w->more = malloc(MOVES * sizeof *w->more);
	w->pool = malloc(POOL * sizeof *w->pool);
	if (!w->move || !w->heads || !w->more || !w->pool)
		return -ENOMEM;
	w->head_mask = HEADS_FIRST - 1;
	w->moves_used = 1;
	w->at = w->move;
	return 0;
}

void
moves_free(struct window *w)
{
	table_free(w->move, MOVES * sizeof *w->move);
	table_free(w->heads, HEADS * sizeof *w->heads);
	free(w->more);
	free(w->pool);
}

void
moves_forget(struct window *w)
{
	memset(w->heads, 0, (w->head_mask + 1) * sizeof *w->heads);
	memset(w->move, 0, w->moves_used * sizeof *w->move);
	w->moves_used = 1;
	w->pool_used = 0;
	if (w->shares)
		shares_forget(w);
	if (w->forward)
		forward_forget(w);
	w->at = w->move;
}

bool
moves_full(const struct window *w)
{
	return w->moves_used > MOVES - SPARE || w->pool_used > POOL - SPARE ||
	       (w->shares && shares_full(w));
}

static u64
hash_of(u32 from, u64 what, const struct block *next)
{
	u64 h = ((u64)from << 32 ^ (u64)(uintptr_t)next) * HASH_FACTOR;

	h = (h ^ h >> 29 ^ what) * HASH_FACTOR;
	return h ^ h >> 32;
}

/* What a head has of the hash. */
static u32
tag_of(u64 hash)
{
	return (u32)(hash >> 32) & ~HEAD_MOVE;
}

/* It has no head yet. */
static void
add_head(struct window *w, u32 i, u64 hash)
{
	u32 at = (u32)hash & w->head_mask;

	while (w->heads[at])
		at = (at + 1) & w->head_mask;
	w->heads[at] = tag_of(hash) | i;
}

/* Twice as many heads: few, as long as there are few moves, are close to each
 * other. */
static void
add_heads(struct window *w)
{
	memset(w->heads, 0, (w->head_mask + 1) * sizeof *w->heads);
	w->head_mask = 2 * w->head_mask + 1;
	for (u32 i = 1; i < w->moves_used; i++) {
		const struct window_move *m = &w->move[i];

		add_head(w, i, hash_of(m->from, m->what, m->next));
	}
}

/* It came behind w->at.  What did so before, and has that place, gets one that
 * is empty, if there is one. */
static void
follow(struct window *w, const struct window_move *m)
{
	unsigned place = move_place(w, m->what, m->next), i;
	u32 *follow = w->at->follow;

	for (i = 1; i < MOVE_NEXT && follow[place ^ i]; i++)
		;
	if (i < MOVE_NEXT)
		follow[place ^ i] = follow[place];
	follow[place] = (u32)((const char *)m - (const char *)w->move);
}

/* What came behind w->at with that key, if another place keeps it: it is on
 * its way to the host's caches, unlike what is found by its hash. */
static struct window_move *
followed_before(struct window *w, u64 what, const struct block *next)
{
	u32 *follow = w->at->follow, first;
	unsigned place = move_place(w, what, next);

	for (unsigned i = 1; i < MOVE_NEXT; i++) {
		struct window_move *m = move_followed(w, w->at, place ^ i);

		if (!move_is(m, w, what, next))
			continue;
		first = follow[place];
		follow[place] = follow[place ^ i];
		follow[place ^ i] = first;
		return m;
	}
	return NULL;
}

struct window_move *
move_look_up(struct window *w, u64 what, const struct block *next)
{
	u64 hash = hash_of(w->from, what, next);
	u32 at = (u32)hash & w->head_mask, tag = tag_of(hash), head;
	struct window_move *before = followed_before(w, what, next);

	if (before)
		return before;
	for (; (head = w->heads[at]); at = (at + 1) & w->head_mask) {
		struct window_move *m = &w->move[head & HEAD_MOVE];

		if ((head & ~HEAD_MOVE) != tag || !move_is(m, w, what, next))
			continue;
		follow(w, m);
		return m;
	}
	return NULL;
}

struct window_move *
move_add(struct window *w, u64 what, const struct block *next)
{
	u32 i = w->moves_used;
	struct window_move *m = &w->move[i];

	if (i == MOVES)
		return NULL;
	if (i > w->head_mask / 2)
		add_heads(w);
	w->moves_used++;
	m->next = next;
	m->what = what;
	m->from = w->from;
	m->to = STEP | i;
	add_head(w, i, hash_of(w->from, what, next));
	follow(w, m);
	w->at = m;
	return m;
}

/* ---- What a move counts ------------------------------------------------ */

/* Places that count nothing, none of them the same signal: what is added to
 * one after the other would be waited for. */
static const struct window_count no_counts[MOVE_COUNTS] = {
	{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}
};

/* More than a place can count: all but what that can is put in front. */
static SIM_NOINLINE s32
split_count(struct window_count *list, unsigned *n, u8 signal, s32 left)
{
	while (left < -127 || left > 127) {
		s32 part = left > 0 ? 127 : -127;

		if (*n == SPARE - 1)
			return 0;
		list[(*n)++] = (struct window_count){signal, (int8_t)part};
		left -= part;
	}
	return left;
}

/* All that is to be counted: so many. */
static unsigned
list_counts(const struct window *w, struct window_count *list)
{
	unsigned n = 0;

	memcpy(list, no_counts, sizeof no_counts);
	for (u64 at = w->used; at; at &= at - 1) {
		unsigned i = (unsigned)__builtin_ctzll(at);
		u8 signal = (u8)signal_of(i);
		s32 left = w->tally[i];

		if (SIM_UNLIKELY(left < -127 || left > 127))
			left = split_count(list, &n, signal, left);
		if (left && n < SPARE - 1)
			list[n++] = (struct window_count){signal, (int8_t)left};
	}
	return n;
}

bool
move_count(struct window *w, struct window_move *m)
{
	struct window_count list[SPARE];
	unsigned n = list_counts(w, list);

	if (n == SPARE - 1 || w->pool_used + SPARE > POOL)
		return false;
	if (n <= MOVE_COUNTS) {
		m->n = (u8)n;
		memcpy(m->count, list, sizeof m->count);
		return true;
	}
	m->n = MOVE_COUNTS + 1;
	w->more[m - w->move] = w->pool_used;
	list[n] = (struct window_count){0};
	memcpy(w->pool + w->pool_used, list, (n + 1) * sizeof *list);
	w->pool_used += n + 1;
	return true;
}
