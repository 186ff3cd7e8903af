/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of a block that has been built. */
#include "block.h"

#include <stdlib.h>

struct block_wide *
block_widen(struct block *b, void *(*alloc)(size_t bytes))
{
	struct block_wide *w = block_wide(b), *other = NULL;

	if (w)
		return w;
	w = alloc(sizeof *w);
	if (!w)
		return NULL;
	*w = (struct block_wide){0};
	if (!__atomic_compare_exchange_n(&b->own->wide, &other, w, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return other;
	return w;
}

static const struct insn *(*decoder)(const struct block *b);

void
block_decoder(const struct insn *(*decode)(const struct block *b))
{
	decoder = decode;
}

const struct insn *
block_decode(const struct block *b)
{
	const struct insn *insn = decoder(b);
	struct block_wide *w = block_widen((struct block *)b, malloc);

	if (w)
		__atomic_store_n(&w->insn, insn, __ATOMIC_RELEASE);
	return insn;
}

static const struct block_detail no_detail;

struct block block_none = {.detail = &no_detail};

struct block *
block_none_at(u64 vaddr)
{
	static struct block none = {.detail = &no_detail};

	none.vaddr = none.fall = vaddr;
	none.fall_low = (u32)vaddr;
	return &none;
}

unsigned
block_branch_insn(const struct block *b)
{
	unsigned last = b->n_insn - 1u;

	if (last && b->branch && block_insns(b)[last].pc != block_branch_pc(b))
		last--;
	return last;
}

void
block_remember(struct block *b, const struct block *from)
{
	unsigned lines = b->n_line < BLOCK_LINES ? b->n_line : BLOCK_LINES;

	memcpy(b->line_slot, from->line_slot, sizeof b->line_slot);
	for (unsigned i = 2; i < lines; i++)
		block_more_slot(b)[i - 2] = block_more_slot(from)[i - 2];
	b->bht_index = from->bht_index;
}
