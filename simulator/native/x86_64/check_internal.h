/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of checks share. */
#ifndef NATIVE_CHECK_INTERNAL_H
#define NATIVE_CHECK_INTERNAL_H

#include "code.h"

#include "core/fast.h"
#include "target/target.h"

/* One access that is to be told of. */
struct check {
	const struct host_memory *m;
	u16 offset;		/* behind the beginning of m */
	u8 size_log2;
	bool store;
	const struct block_access *a;
	u16 flags;
	u16 names;		/* registers that addresses are made of */
	const struct host_gather *gather; /* CODE_GATHER */
	const struct host_further *further; /* CODE_FURTHER */
	struct code_live live;
	unsigned insn;
	/* Those behind it that are looked up with it: how many, itself too; and
	 * how far RSP has moved from the first of them to this one. */
	unsigned n;
	s32 moved;
};

/* Where an access begins, from what the first one's registers lead to. */
static inline s64
check_place(const struct check *c)
{
	return c->m->disp + c->offset + c->moved;
}

/* check_plan.c: the next access of the block that has been planned, or several
 * that are looked up as one, if it is of instruction i; else NULL. */
const struct check *check_next(unsigned i);

/* From where to where n accesses from c on reach. */
void check_span(const struct check *c, unsigned n, s64 *low, s64 *high);

/* What a check leaves over, which is emitted behind the block. */
#define MAX_FROM 6

struct cold {
	const struct check *check;
	unsigned n;
	struct code_live live;	/* where it stands */
	struct code_scratch scratch;
	u8 *from[MAX_FROM];
	unsigned n_from;
	u8 *no_page;		/* comes from there if only the page is not
				   shown */
	u8 *back;
};

/* ... where cc holds. */
static inline void
check_leave_if(struct emitter *e, struct cold *o, unsigned cc)
{
	o->from[o->n_from++] = emit_jcc(e, cc);
}

/*
 * ask.c: what is asked of an access beside its place, with so many registers.
 * Before that is looked for, the first one is the address; behind it, the first
 * two are the line's slot and the page's, and nothing has been changed that
 * must not be changed twice.
 */
unsigned ask_registers(const struct check *c);
void ask_before(struct emitter *e, struct cold *o, const u8 *r);
void ask_behind(struct emitter *e, struct cold *o, const u8 *r);

/* Whether asking one of two accesses does for both. */
bool ask_the_same(const struct check *a, const struct check *b);

#endif
