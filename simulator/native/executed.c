/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "executed.h"

#include "machine/machine_period.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 4096u
#define AHEAD 8u		/* blocks that are asked for before they are looked at:
				   they lie all over the host's caches */

/* Blocks in their order, to which later ones are added; and numbers of those that were
 * executed between the last two times that all were looked at, or have been made since:
 * mostly these are what is executed next. */
static struct {
	struct noted {
		const struct block *block;
		u64 executions;
		bool lately;	/* since all were looked at */
	} *block;
	u32 *hot;
	size_t n, n_hot, room;
	struct process_place at; /* of the next one */
} all;

static void
make_room(void)
{
	all.room = all.room ? 2 * all.room : FIRST_ROOM;
	all.block = realloc(all.block, all.room * sizeof *all.block);
	all.hot = realloc(all.hot, all.room * sizeof *all.hot);
	if (!all.block || !all.hot)
		process_die("memory for periods", ENOMEM);
}

static void
add(const struct block *b)
{
	if (all.n == all.room)
		make_room();
	all.hot[all.n_hot++] = (u32)all.n;
	all.block[all.n++] = (struct noted){.block = b};
}

static void
add_new(void)
{
	const struct block *b;

	while ((b = process_next_block(&all.at)))
		add(b);
}

/* How often b was executed; the one that is asked about soon is ahead. */
static u64
executions(const struct noted *b, const struct noted *ahead)
{
	__builtin_prefetch(ahead->block);
	__builtin_prefetch(ahead->block->counter);
	return period_executions(b->block);
}

static const struct noted *
ahead_of(size_t i)
{
	return &all.block[i + AHEAD < all.n ? i + AHEAD : i];
}

static const struct noted *
ahead_of_hot(size_t k)
{
	return &all.block[all.hot[k + AHEAD < all.n_hot ? k + AHEAD : k]];
}

/* Whether it has been executed n times now, and not so often before. */
static bool
note(struct noted *b, u64 n)
{
	bool executed = n != b->executions;

	b->executions = n;
	b->lately |= executed;
	return executed;
}

u64
executed_steps(void)
{
	u64 sum = 0;

	add_new();
	for (size_t i = 0; i < all.n; i++)
		sum += executions(&all.block[i], ahead_of(i)) *
		       all.block[i].block->n_insn;
	return sum;
}

u64
executed_note(void)
{
	u64 sum = 0;

	add_new();
	for (size_t i = 0; i < all.n; i++) {
		struct noted *b = &all.block[i];

		note(b, executions(b, ahead_of(i)));
		sum += b->executions * b->block->n_insn;
	}
	return sum;
}

void
executed_since(void (*fn)(const struct block *b))
{
	add_new();
	all.n_hot = 0;
	for (size_t i = 0; i < all.n; i++) {
		struct noted *b = &all.block[i];

		if (note(b, executions(b, ahead_of(i))))
			fn(b->block);
		if (b->lately)
			all.hot[all.n_hot++] = (u32)i;
		b->lately = false;
	}
}

void
executed_lately(void (*fn)(const struct block *b))
{
	add_new();
	for (size_t k = 0; k < all.n_hot; k++) {
		struct noted *b = &all.block[all.hot[k]];

		if (note(b, executions(b, ahead_of_hot(k))))
			fn(b->block);
	}
}

void
executed_forget(void)
{
	for (size_t i = 0; i < all.n; i++)
		all.block[i].executions = 0;
}
