/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks by the address of the target's code: lists, as many as there are blocks, or
 * fewer. */
#include "code.h"

#define LIST_BITS 14		/* at first */

static struct {
	struct code_block **list; /* 1 << bits of them */
	u32 bits, n;		/* blocks in all of them */
} lists;

bool
lists_begin(void *memory)
{
	lists.list = memory;
	lists.bits = LIST_BITS;
	return memory;
}

void
lists_forget(void)
{
	memset(lists.list, 0, sizeof *lists.list << lists.bits);
	lists.n = 0;
}

/* Blocks that are near each other are in lists that are. */
static u32
list_of(u64 pc)
{
	return (u32)(pc >> 3 ^ pc >> (3 + LIST_BITS)) & ((1u << lists.bits) - 1);
}

/* Twice as many lists.  Each is split into itself and that of the new bit, and
 * keeps its order. */
static void
split_lists(void)
{
	u32 n = 1u << lists.bits++;

	for (u32 i = 0; i < n; i++) {
		struct code_block **own = &lists.list[i], **other = own + n;

		for (struct code_block *b = *own; b; b = b->next) {
			struct code_block ***end =
				list_of(b->pc) == i ? &own : &other;

			**end = b;
			*end = &b->next;
		}
		*own = *other = NULL;
	}
}

struct code_block *
lists_find(u64 pc, enum code_copy copy)
{
	struct code_block *b = lists.list[list_of(pc)];

	while (b && (b->pc != pc || b->copy != copy))
		b = b->next;
	return b;
}

void
code_show(struct code_block *b)
{
	struct code_block **first;

	if (++lists.n > 1u << lists.bits && lists.bits < LISTS_MAX_BITS)
		split_lists();
	first = &lists.list[list_of(b->pc)];
	drop_note(b);
	b->next = *first;
	*first = b;
}

void
code_hide(struct code_block *b)
{
	struct code_block **at = &lists.list[list_of(b->pc)];

	while (*at && *at != b)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = b->next;
	lists.n--;
}
