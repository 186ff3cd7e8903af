/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_halves.h"

#include "plugin.h"

#include <errno.h>

struct halves_part {
	struct halves_part *next;
	struct block *block;	/* of so many instructions */
	enum sim_mode mode;
};

struct left {
	struct halves_place *place;
	struct block *block;	/* NULL: none */
	enum sim_mode mode;
};

#define KEPT 32

static struct {
	struct left at[KEPT];	/* a ring */
	unsigned n;
} left;

static struct block *
beginning_of(const struct left *l, unsigned n)
{
	struct halves_part *part = l->place->part;

	for (; part; part = part->next)
		if (part->mode == l->mode && part->block->n_insn == n)
			return part->block;
	part = process_alloc(sizeof *part);
	process_mode(l->mode);
	if (part)
		*part = (struct halves_part){
			.next = l->place->part, .mode = l->mode,
			.block = translate_part(l->block, n),
		};
	if (!part || !part->block)
		process_die("room for counts", ENOSPC);
	l->place->part = part;
	return part->block;
}

/* The instruction at pc, if it or the one in its delay slot accesses memory;
 * else the number of them. */
static unsigned
number_at(const struct block *b, u64 pc)
{
	const struct insn *insn = block_insns(b);
	unsigned i = 0;
	u32 flags;

	while (i < b->n_insn && insn[i].pc != pc)
		i++;
	if (i == b->n_insn)
		return i;
	flags = insn[i].flags | (i + 1 < b->n_insn ? insn[i + 1].flags : 0);
	return flags & (INSN_LOADS | INSN_STORES) ? i : b->n_insn;
}

void
halves_left(struct halves_place *p, struct block *b, enum sim_mode mode)
{
	left.at[left.n++ % KEPT] = (struct left){p, b, mode};
}

void
halves_returned(u64 pc)
{
	for (unsigned i = 1; i <= KEPT; i++) {
		struct left *l = &left.at[(left.n - i) % KEPT];
		struct block *b = l->block;
		struct left found;
		unsigned n;

		if (!b || pc < b->vaddr || pc > b->fall)
			continue;
		n = number_at(b, pc);
		found = *l;
		l->block = NULL;
		if (n == b->n_insn)
			return;
		b->execs--;
		if (n)
			beginning_of(&found, n)->execs++;
		return;
	}
}
