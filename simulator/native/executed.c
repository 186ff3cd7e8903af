/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "executed.h"

#include "machine/machine_period.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 4096u
#define AHEAD 8u		/* blocks that are asked for before they are looked at:
				   they lie all over the host's caches */

/* Blocks in their order, to which later ones are added. */
static struct {
	struct noted {
		const struct block *block;
		u64 executions;
	} *block;
	size_t n, room;
	struct process_place at; /* of the next one */
} all;

static void
add(const struct block *b)
{
	if (all.n == all.room) {
		all.room = all.room ? 2 * all.room : FIRST_ROOM;
		all.block = realloc(all.block, all.room * sizeof *all.block);
		if (!all.block)
			process_die("memory for periods", ENOMEM);
	}
	all.block[all.n++] = (struct noted){b, 0};
}

static void
add_new(void)
{
	const struct block *b;

	while ((b = process_next_block(&all.at)))
		add(b);
}

static u64
executions(size_t i)
{
	const struct block *ahead =
		all.block[i + AHEAD < all.n ? i + AHEAD : i].block;

	__builtin_prefetch(ahead);
	__builtin_prefetch(ahead->behind);
	return period_executions(all.block[i].block);
}

u64
executed_steps(void)
{
	u64 sum = 0;

	add_new();
	for (size_t i = 0; i < all.n; i++)
		sum += executions(i) * all.block[i].block->n_insn;
	return sum;
}

u64
executed_note(void)
{
	u64 sum = 0;

	add_new();
	for (size_t i = 0; i < all.n; i++) {
		struct noted *b = &all.block[i];

		b->executions = executions(i);
		sum += b->executions * b->block->n_insn;
	}
	return sum;
}

void
executed_since(void (*fn)(const struct block *b))
{
	add_new();
	for (size_t i = 0; i < all.n; i++) {
		struct noted *b = &all.block[i];
		u64 n = executions(i);

		if (n != b->executions)
			fn(b->block);
		b->executions = n;
	}
}

void
executed_forget(void)
{
	for (size_t i = 0; i < all.n; i++)
		all.block[i].executions = 0;
}
