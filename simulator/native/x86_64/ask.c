/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What machines ask of an access beside its place, emitted: whether it is
 * aligned, its bank, stores before it. */
#include "check_internal.h"

#include "core/stores.h"

/* What emitted code does with stores takes aligned ones for granted. */
static bool
is_aligned(const struct check *c)
{
	return target.config->pipe.watch_alignment || (core.stores && c->store);
}

/* n accesses from c on of equal size, as many bytes from each other. */
static void
look_aligned(struct emitter *e, struct cold *o, const struct check *c, u8 va)
{
	if (!is_aligned(c) || !c->size_log2)
		return;
	emit_test(e, va, (1 << c->size_log2) - 1);
	check_leave_if(e, o, EMIT_JNE);
}

/* As core_may_order(). */
static void
look_order(struct emitter *e, struct cold *o, const struct check *c, u8 t)
{
	if (!target.config->mem.ordered || !c->store)
		return;
	emit_op(e, EMIT_LOAD, EMIT_32, t, EMIT_GS(HOST_AT(core.now) + 4));
	emit_op(e, EMIT_ADD, EMIT_64, t, EMIT_GS(HOST_AT(core.epoch)));
	emit_ri(e, EMIT_ALU_SUB, EMIT_64, t, c->a->cycles_back);
	emit_op(e, EMIT_CMP, EMIT_64, t, EMIT_GS(HOST_AT(core.written)));
	check_leave_if(e, o, EMIT_JB);
}

/* As bank_of(). */
static void
find_bank(struct emitter *e, u8 va, u8 bank)
{
	const struct issue_config *issue = &target.config->pipe.issue;

	emit_rr(e, EMIT_LOAD, EMIT_64, bank, va);
	emit_shift(e, false, EMIT_64, bank,
		   (u8)__builtin_ctz(issue->bank_bytes));
	emit_ri(e, EMIT_ALU_AND, EMIT_32, bank, issue->banks - 1);
	emit_ri(e, EMIT_ALU_ADD, EMIT_32, bank, 1);
}

/* As fast_bank(); nothing has been changed before. */
static void
look_bank(struct emitter *e, struct cold *o, const struct check *c, u8 bank)
{
	struct emit_memory last = EMIT_GS(HOST_AT(core.bank));

	if (c->a->flags & ACCESS_BANK_SECOND) {
		emit_op(e, EMIT_CMP, EMIT_32, bank, last);
		check_leave_if(e, o, EMIT_JE);
	}
	if (c->a->flags & ACCESS_BANK_FIRST)
		emit_op(e, EMIT_STORE, EMIT_32, bank, last);
	else
		emit_put(e, EMIT_32, last, 0);
}

/* ---- Stores in a window ----------------------------------------------- */

/* word = stores_word() of so many bytes behind va, at = where it is in
 * stores.last, in units of 8 bytes; last = that. */
static void
find_store(struct emitter *e, s32 bytes, const u8 *r)
{
	u8 va = r[0], word = r[1], at = r[2], last = r[3];

	_Static_assert(sizeof(struct last_store) == 24, "as is done here");
	emit_op(e, EMIT_LEA, EMIT_64, word, EMIT_BASE(va, bytes));
	emit_shift(e, false, EMIT_64, word, STORES_WORD_BITS);
	emit_rr(e, EMIT_LOAD, EMIT_32, at, word);
	emit_ri(e, EMIT_ALU_AND, EMIT_32, at, STORES_WORDS - 1);
	emit_op(e, EMIT_LEA, EMIT_64, at,
		(struct emit_memory){at, at, 2, false, 0});
	emit_number(e, last, (u64)(uintptr_t)core.stores->last);
}

#define STORE_FIELD(r, field)                                  \
	(struct emit_memory){(r)[3], (r)[2], 8, false,         \
			     offsetof(struct last_store, field)}

/* As stores_has(). */
static void
look_stores(struct emitter *e, struct cold *o, const struct check *c,
	    const u8 *r)
{
	s32 last = (1 << c->size_log2) - 1;

	find_store(e, 0, r);
	emit_op(e, EMIT_CMP, EMIT_64, r[1], STORE_FIELD(r, word));
	check_leave_if(e, o, EMIT_JE);
	if (!last || (is_aligned(c) && last < 1 << STORES_WORD_BITS))
		return;
	find_store(e, last, r);
	emit_op(e, EMIT_CMP, EMIT_64, r[1], STORE_FIELD(r, word));
	check_leave_if(e, o, EMIT_JE);
}

/* As stores_put(). */
static void
put_store(struct emitter *e, const struct check *c, const u8 *r)
{
	s32 bytes = 1 << c->size_log2;
	s32 block = (s32)((const u8 *)&core.stores->block -
			  (const u8 *)core.stores->last);

	for (s32 at = 0; at < bytes; at += 1 << STORES_WORD_BITS) {
		find_store(e, at, r);
		emit_op(e, EMIT_STORE, EMIT_64, r[1], STORE_FIELD(r, word));
		emit_op(e, EMIT_STORE, EMIT_64, r[0], STORE_FIELD(r, va));
		emit_op(e, EMIT_LOAD, EMIT_32, r[1], EMIT_BASE(r[3], block));
		emit_op(e, EMIT_STORE, EMIT_32, r[1], STORE_FIELD(r, block));
		emit_put(e, EMIT_32, STORE_FIELD(r, bytes),
			 bytes | c->a->store << 16);
	}
}

/* As data_change(), if the level behind need not be told any more. */
static void
look_own(struct emitter *e, struct cold *o, const struct check *c, u8 way)
{
	if (!c->store || !core.tells)
		return;
	emit_compare_8(e, EMIT_GS_INDEX(HOST_AT(core.data_own[0]), way, 1), 0);
	check_leave_if(e, o, EMIT_JE);
}

/* ---- All ------------------------------------------------------------- */

unsigned
ask_registers(const struct check *c)
{
	return c->a->flags & ACCESS_BANK || core.stores ? 4 : 3;
}

void
ask_before(struct emitter *e, struct cold *o, const u8 *r)
{
	const struct check *c = o->check;

	look_aligned(e, o, c, r[0]);
	if (c->a->flags & ACCESS_BANK)
		find_bank(e, r[0], r[3]);
	else if (core.stores && c->store)
		put_store(e, c, r);
	else if (core.stores)
		look_stores(e, o, c, r);
}

void
ask_behind(struct emitter *e, struct cold *o, const u8 *r)
{
	const struct check *c = o->check;

	emit_rr(e, EMIT_LOAD_16, EMIT_32, r[0], r[0]);
	look_order(e, o, c, r[2]);
	for (unsigned i = 0; i < o->n; i++)
		look_own(e, o, &c[i], r[0]);
	if (c->a->flags & ACCESS_BANK)
		look_bank(e, o, c, r[3]);
}

bool
ask_the_same(const struct check *a, const struct check *b)
{
	const struct sim_config *config = target.config;
	s64 size = 1 << a->size_log2;

	if (core.stores || (a->a->flags | b->a->flags) & ACCESS_BANK ||
	    (config->mem.ordered && (a->store || b->store)))
		return false;
	return !config->pipe.watch_alignment ||
	       (a->size_log2 == b->size_log2 &&
		(check_place(a) - check_place(b)) % size == 0);
}

