/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counts an access, before its instruction: what fast_data() does where
 * the tables show the line and the page, else a call of C, out of line.
 */
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
	struct code_live live;
};

/* A check's way to C, which is emitted behind the block. */
struct cold {
	struct check check;
	struct code_scratch scratch;
	u8 *from[2];
	u8 *back;
};

#define MAX_COLD 4096

static struct cold cold[MAX_COLD];
static unsigned n_cold;

static const struct block_access *
access_of(const struct code_source *s, unsigned i)
{
	const struct block_access *a = block_access(s->block->detail);
	unsigned n = s->block->detail->n_access;

	for (unsigned k = 0; k < n; k++)
		if (a[k].insn == i)
			return &a[k];
	return NULL;
}

/* Whether a hit in the tables is all that there is to it. */
static bool
is_inline(const struct insn *in, const struct block_access *a, bool store)
{
	const struct sim_config *config = target.config;

	return !code_calls_only && in->flags & INSN_MEM_KNOWN &&
	       !(a->flags & (ACCESS_IS_MMX | ACCESS_BANK)) &&
	       !config->pipe.watch_alignment &&
	       !(store && (config->l1d.write_through || core.tells));
}

/* The address into reg, where RSP is the engine's. */
static void
address(struct emitter *e, u8 reg, const struct check *c)
{
	struct host_memory m = *c->m;

	if (m.base == HOST_RSP) {
		emit_op(e, EMIT_LOAD, EMIT_64, reg,
			EMIT_GS(HOST_AT(host_state.pointer)));
		m.base = reg;
	}
	emit_address(e, reg, &m, c->offset);
}

/* Tells C of an access; one that the tables should have shown has no number. */
static void
call_c(struct emitter *e, const struct check *c)
{
	u32 what = ACCESS_WHAT(1u << c->size_log2, c->store);
	u8 to = c->flags & CODE_INLINE ? HOST_RDX : HOST_RSI;
	u8 r = 11;	/* and below: registers that C may change */

	glue_begin(e, c->live);
	while (c->names >> r & 1)
		r--;
	address(e, r, c);
	if (r != to)
		emit_rr(e, EMIT_LOAD, EMIT_64, to, r);
	if (c->flags & CODE_INLINE) {
		emit_number(e, HOST_RDI, (u64)(uintptr_t)c->a);
		emit_number(e, HOST_RSI, what);
		glue_call(e, c->live, EMIT_GS(HOST_AT(host_state.on_missed)));
		return;
	}
	emit_number(e, HOST_RDI,
		    access_new((struct code_access){c->a, what, c->flags}));
	glue_call(e, c->live, EMIT_GS(HOST_AT(host_state.on_access)));
}

/* way = SHADOW_WAY(), page = shown_slot(): as fast_data_shown(). */
static void
find_place(struct emitter *e, struct cold *o, u8 way, u8 page, u8 index)
{
	unsigned bytes = 1u << o->check.size_log2;

	emit_rr(e, EMIT_LOAD, EMIT_32, index, way);
	emit_rr(e, EMIT_LOAD, EMIT_64, page, way);
	emit_shift(e, false, EMIT_32, index, SHADOW_GRANULE_BITS);
	emit_ri(e, EMIT_ALU_AND, EMIT_32, index, SHADOW_ENTRIES - 1);
	emit_shift(e, true, EMIT_64, way, 16);
	emit_op(e, EMIT_SUB, EMIT_64, way,
		EMIT_GS_INDEX(HOST_AT(core.shadow[0]), index, 8));
	emit_ri(e, EMIT_ALU_CMP, EMIT_64, way, (s32)SHADOW_LAST(bytes));
	o->from[0] = emit_jcc(e, EMIT_JA);
	emit_shift(e, false, EMIT_64, page, SHADOW_PAGE_BITS);
	emit_rr(e, EMIT_LOAD, EMIT_32, index, page);
	emit_ri(e, EMIT_ALU_AND, EMIT_32, index, SHADOW_PAGES - 1);
	emit_shift(e, true, EMIT_64, page, 8);
	emit_op(e, EMIT_SUB, EMIT_64, page,
		EMIT_GS_INDEX(HOST_AT(core.dtlb.shown[0]), index, 8));
	emit_ri(e, EMIT_ALU_CMP, EMIT_64, page, SHADOW_PAGE_SLOTS);
	o->from[1] = emit_jcc(e, EMIT_JA);
}

/* As fast_data_hit(). */
static void
hit(struct emitter *e, const struct check *c, u8 way, u8 page, u8 clock)
{
	emit_rr(e, EMIT_LOAD_16, EMIT_32, way, way);
	emit_op(e, EMIT_LOAD, EMIT_32, clock, EMIT_GS(HOST_AT(core.now)));
	if (c->a->clock_back)
		emit_ri(e, EMIT_ALU_SUB, EMIT_32, clock, c->a->clock_back);
	emit_op(e, EMIT_STORE, EMIT_32, clock,
		EMIT_GS_INDEX(HOST_AT(core.data_stamp[0]), way, 4));
	emit_op(e, EMIT_STORE, EMIT_32, clock,
		EMIT_GS_INDEX(HOST_AT(core.dtlb.stamp[0]), page, 4));
	if (c->store)
		emit_put(e, EMIT_8,
			 EMIT_GS_INDEX(HOST_AT(core.data_dirty[0]), way, 1), 1);
}

static void
check_inline(struct emitter *e, const struct check *c)
{
	struct cold *o = &cold[n_cold++];
	struct code_scratch *s = &o->scratch;

	o->check = *c;
	scratch_take(e, s, 3, c->names, c->live);
	emit_address(e, s->reg[0], c->m, c->offset);
	scratch_flags(e, s, c->live);
	find_place(e, o, s->reg[0], s->reg[1], s->reg[2]);
	hit(e, c, s->reg[0], s->reg[1], s->reg[2]);
	scratch_give(e, s);
	o->back = e->p;
}

void
check_cold(struct emitter *e)
{
	for (unsigned i = 0; i < n_cold; i++) {
		struct cold *o = &cold[i];

		emit_reach(o->from[0], e->p);
		emit_reach(o->from[1], e->p);
		scratch_give(e, &o->scratch);
		call_c(e, &o->check);
		emit_reach(emit_jump(e), o->back);
	}
	n_cold = 0;
}

static void
check_one(struct emitter *e, const struct check *c)
{
	if (!c->m->known)
		return;
	if (c->flags & CODE_INLINE && n_cold < MAX_COLD)
		check_inline(e, c);
	else
		call_c(e, c);
}

/* The loads or the stores of an instruction whose accesses are known. */
static void
check_known(struct emitter *e, const struct host_insn *h,
	    const struct insn *in, struct check c)
{
	unsigned left = c.store ? in->n_store : in->n_load;

	c.size_log2 = in->size_log2;
	for (unsigned i = 0; i < h->n_memory; i++) {
		c.m = &h->memory[i];
		if (!(c.store ? c.m->store : c.m->load))
			continue;
		c.offset = 0;
		do {
			if (!left)
				return;
			left--;
			check_one(e, &c);
			c.offset = (u16)(c.offset + (1u << c.size_log2));
		} while (c.offset < c.m->bytes);
	}
}

/* Those of others: in pieces of eight bytes, and what is left of that. */
static void
check_dynamic(struct emitter *e, const struct host_insn *h, struct check c)
{
	for (unsigned i = 0; i < h->n_memory; i++) {
		c.m = &h->memory[i];
		if (!(c.store ? c.m->store : c.m->load))
			continue;
		for (c.offset = 0; c.offset < c.m->bytes;
		     c.offset = (u16)(c.offset + (1u << c.size_log2))) {
			unsigned left = c.m->bytes - c.offset;

			c.size_log2 = left >= 8 ? 3
				      : left >= 4 ? 2 : left >= 2 ? 1 : 0;
			check_one(e, &c);
		}
	}
}

void
check_insn(struct emitter *e, const struct code_source *s, unsigned i)
{
	const struct host_insn *h = &s->host[i];
	const struct insn *in = &s->insn[i];
	struct check c = {.live = code_live[i]};

	if (!target.timing || !s->block)
		return;
	c.a = access_of(s, i);
	if (!c.a)
		return;
	if (c.a->flags & ACCESS_IS_BARRIER) {
		static const struct host_memory nowhere = {
			HOST_NONE, HOST_NONE, 1, .known = true};

		c.m = &nowhere;
		c.flags = CODE_BARRIER;
		call_c(e, &c);
		return;
	}
	for (unsigned k = 0; k < h->n_memory; k++)
		for (unsigned r = 0; r < 2; r++) {
			u8 reg = r ? h->memory[k].index : h->memory[k].base;

			c.names |= reg < HOST_REGS ? (u16)(1u << reg) : 0;
		}
	if (c.a->flags & ACCESS_IS_MMX && !core.window)
		c.flags |= CODE_MMX;
	if (c.a->flags & ACCESS_BANK)
		c.flags |= CODE_BANK;
	for (unsigned store = 0; store < 2; store++) {
		struct check one = c;

		one.store = store;
		if (in->n_load + in->n_store == 0) {
			one.flags |= CODE_DYNAMIC;
			check_dynamic(e, h, one);
			continue;
		}
		if (is_inline(in, c.a, one.store))
			one.flags |= CODE_INLINE;
		check_known(e, h, in, one);
	}
}
