/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_halves.h"

#include "plugin.h"

#include <errno.h>

struct halves_part {
	struct halves_part *next;
	struct block *block;	/* of so many instructions */
	enum sim_mode mode;
	struct profile_place profile;
};

struct left {
	struct half half;	/* block NULL: none */
	struct profile_block *record; /* that it was counted in, or NULL */
	int outcome;		/* of its branch; -1: it has none */
};

#define KEPT 32

static struct {
	struct left at[KEPT];	/* a ring */
	unsigned n;
} left;

static struct halves_part *
part_of(const struct half *h, unsigned n)
{
	struct halves_part *part = h->place->part;

	for (; part; part = part->next)
		if (part->mode == h->mode && part->block->n_insn == n)
			return part;
	part = process_alloc(sizeof *part);
	process_mode(h->mode);
	if (part)
		*part = (struct halves_part){
			.next = h->place->part, .mode = h->mode,
			.block = translate_part(h->block, n),
		};
	if (!part || !part->block)
		process_die("room for counts", ENOSPC);
	h->place->part = part;
	return part;
}

/* Counts the first n instructions in place of all; NULL if that is none. */
static struct block *
cut(const struct half *h, struct profile_block *record, unsigned n)
{
	struct halves_part *part = n ? part_of(h, n) : NULL;

	h->block->execs--;
	if (part)
		part->block->execs++;
	if (record)
		record->execs--;
	if (record && part) {
		record = system_profile_record(&part->profile, part->block,
					       &h->owner);
		if (record)
			record->execs++;
	}
	return part ? part->block : NULL;
}

/* The number of the instruction at pc; that of all if there is none. */
static unsigned
number_at(const struct block *b, u64 pc)
{
	const struct insn *insn = block_insns(b);
	unsigned i = 0;

	while (i < b->n_insn && insn[i].pc != pc)
		i++;
	return i;
}

static bool
accesses(const struct block *b, unsigned i)
{
	return i < b->n_insn &&
	       block_insns(b)[i].flags & (INSN_LOADS | INSN_STORES);
}

/*
 * Whether an exception may have led back to it: an access, or where QEMU has
 * ended a block of MIPS for it, a branch whose delay slot is in another page,
 * or an instruction that needs the FPU before the process has it.
 */
static bool
is_done_again(const struct block *b, unsigned i)
{
	const struct insn *in = &block_insns(b)[i];

	if (accesses(b, i))
		return true;
	return (target.isa == ISA_MIPSEL || target.isa == ISA_MIPS) &&
	       i + 1 == b->n_insn &&
	       (in->branch != BRANCH_NONE || in->flags & INSN_IS_FP);
}

/* ---- Exceptions ------------------------------------------------------ */

void
halves_left(const struct half *h)
{
	left.at[left.n++ % KEPT] = (struct left){
		*h, block_profile(h->block), -1};
}

void
halves_resolved(unsigned outcome)
{
	struct left *l = &left.at[(left.n - 1) % KEPT];
	unsigned branch = l->half.block->branch;

	if (branch == BRANCH_DIRECT_COND || branch == BRANCH_COND_CALL)
		l->outcome = (int)outcome;
}

static void
take_outcome_back(const struct left *l)
{
	const struct half *h = &l->half;

	if (l->outcome < 0)
		return;
	process_mode_slot(h->mode)->outcome[h->block->shares][l->outcome]--;
	if (l->record)
		l->record->outcome[l->outcome]--;
}

bool
halves_returned(u64 pc)
{
	for (unsigned i = 1; i <= KEPT; i++) {
		struct left *kept = &left.at[(left.n - i) % KEPT], l = *kept;
		const struct block *b = l.half.block;
		unsigned n;

		if (!b || pc < b->vaddr || pc > b->fall)
			continue;
		kept->half.block = NULL;
		n = number_at(b, pc);
		/* It, or the one in its delay slot. */
		if (!is_done_again(b, n) && !is_done_again(b, n + 1))
			return false;
		take_outcome_back(&l);
		cut(&l.half, l.record, n);
		return l.half.called;
	}
	return false;
}

/* ---- Accesses done again --------------------------------------------- */

bool
halves_is_redone(const struct block *b, u64 target, u64 pc)
{
	unsigned n;

	if (pc == target || b->branch == BRANCH_IND_JUMP ||
	    b->branch == BRANCH_IND_CALL || b->branch == BRANCH_REP)
		return false;
	n = number_at(b, pc);
	return n && accesses(b, n - 1);
}

struct block *
halves_redone(const struct half *h, u64 pc)
{
	return cut(h, block_profile(h->block), number_at(h->block, pc));
}
