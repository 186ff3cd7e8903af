/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counts an access, before its instruction: what fast_data() does where
 * the tables show the line and the page, else a call of C, out of line.
 */
#include "check_internal.h"
#include "explain.h"
#include "touch.h"

#include "threads/written.h"

#define MAX_COLD 4096

static struct cold cold[MAX_COLD];
static unsigned n_cold;

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
	emit_address(e, reg, &m, c->offset + c->moved);
}

/* The same into register to, of those that may be changed here. */
static void
address_to(struct emitter *e, u8 to, u16 changes, const struct check *c)
{
	u8 r = (u8)__builtin_ctz(changes & ~(u32)c->names);

	address(e, r, c);
	if (r != to)
		emit_rr(e, EMIT_LOAD, EMIT_64, to, r);
}

/* The arguments va and value of C: what the register has is taken before either
 * changes it. */
static void
address_and_further(struct emitter *e, const struct check *c)
{
	u8 r = (u8)__builtin_ctz(GLUE_C & ~(1u << HOST_RDX) & ~(u32)c->names);

	address(e, r, c);
	if (c->further->reg == HOST_RSP)
		emit_op(e, EMIT_LOAD, EMIT_64, HOST_RDX,
			EMIT_GS(HOST_AT(host_state.pointer)));
	else if (c->further->reg != HOST_RDX)
		emit_rr(e, EMIT_LOAD, EMIT_64, HOST_RDX, c->further->reg);
	if (r != HOST_RSI)
		emit_rr(e, EMIT_LOAD, EMIT_64, HOST_RSI, r);
}

static u32
what_of(const struct check *c)
{
	return ACCESS_WHAT(1u << c->size_log2, c->store);
}

/* Tells C of an access that the tables should have shown. */
static void
call_miss(struct emitter *e, const struct check *c, struct code_live live)
{
	u16 changes = HOST_MISS_CHANGES;

	glue_begin(e, live, changes);
	address_to(e, HOST_RDX, changes, c);
	emit_number(e, HOST_RDI, (u64)(uintptr_t)c->a);
	emit_number(e, HOST_RSI, what_of(c));
	glue_call(e, live, changes, EMIT_GS(HOST_AT(host_state.miss)));
}

static struct code_access
code_access_of(const struct check *c)
{
	struct code_access x = {.a = c->a, .what = what_of(c),
				.flags = c->flags};

	if (c->flags & CODE_GATHER)
		x.gather = *c->gather;
	if (c->flags & CODE_FURTHER)
		x.further = c->further->bytes;
	return x;
}

/* ... of any. */
static void
call_c(struct emitter *e, const struct check *c, struct code_live live)
{
	if (c->flags & (CODE_INLINE | CODE_TOLD)) {
		call_miss(e, c, live);
		return;
	}
	glue_begin(e, live, GLUE_C);
	if (c->flags & CODE_FURTHER)
		address_and_further(e, c);
	else
		address_to(e, HOST_RSI, GLUE_C, c);
	emit_number(e, HOST_RDI, access_new(code_access_of(c)));
	glue_call(e, live, GLUE_C, EMIT_GS(HOST_AT(host_state.on_access)));
}

/* The same of a thread that takes turns, whose instruction makes n accesses
 * before it. */
static void
record(struct emitter *e, const struct check *c, unsigned n)
{
	bool asks = c->flags & (CODE_BARRIER | CODE_GATHER | CODE_FURTHER);

	if (asks || n >= WRITTEN_ACCESSES || code_calls_only) {
		call_c(e, c, c->live);
		return;
	}
	record_access(e, c->m, c->offset,
		      WRITTEN_ACCESS(c->a, 1u << c->size_log2, c->store),
		      c->names, c->live);
}

/* way = SHADOW_WAY(), page = shown_slot(): as fast_data_shown(). */
static void
find_place(struct emitter *e, struct cold *o, unsigned bytes, const u8 *r)
{
	u8 way = r[0], page = r[1], index = r[2];

	emit_rr(e, EMIT_LOAD, EMIT_32, index, way);
	emit_rr(e, EMIT_LOAD, EMIT_64, page, way);
	emit_shift(e, false, EMIT_32, index, SHADOW_GRANULE_BITS);
	emit_ri(e, EMIT_ALU_AND, EMIT_32, index, SHADOW_ENTRIES - 1);
	emit_shift(e, true, EMIT_64, way, 16);
	emit_op(e, EMIT_SUB, EMIT_64, way,
		EMIT_GS_INDEX(HOST_AT(core.shadow[0]), index, 8));
	emit_ri(e, EMIT_ALU_CMP, EMIT_64, way, (s32)SHADOW_LAST(bytes));
	check_leave_if(e, o, EMIT_JA);
	emit_shift(e, false, EMIT_64, page, SHADOW_PAGE_BITS);
	emit_rr(e, EMIT_LOAD, EMIT_32, index, page);
	emit_ri(e, EMIT_ALU_AND, EMIT_32, index, SHADOW_PAGES - 1);
	emit_shift(e, true, EMIT_64, page, 8);
	emit_op(e, EMIT_SUB, EMIT_64, page,
		EMIT_GS_INDEX(HOST_AT(core.dtlb.shown[0]), index, 8));
	emit_ri(e, EMIT_ALU_CMP, EMIT_64, page, SHADOW_PAGE_SLOTS);
	o->no_page = emit_jcc(e, EMIT_JA);
}

/* As fast_data_hit() of n accesses. */
static void
hit(struct emitter *e, const struct check *c, unsigned n, const u8 *r)
{
	u8 way = r[0], page = r[1], clock = r[2];
	bool store = false;

	for (unsigned i = 0; i < n; i++)
		store |= c[i].store;
	emit_op(e, EMIT_LOAD, EMIT_32, clock, EMIT_GS(HOST_AT(core.now)));
	if (c[n - 1].a->clock_back)
		emit_ri(e, EMIT_ALU_SUB, EMIT_32, clock,
			c[n - 1].a->clock_back);
	emit_op(e, EMIT_STORE, EMIT_32, clock,
		EMIT_GS_INDEX(HOST_AT(core.data_stamp[0]), way, 4));
	emit_op(e, EMIT_STORE, EMIT_32, clock,
		EMIT_GS_INDEX(HOST_AT(core.dtlb.stamp[0]), page, 4));
	if (store)
		emit_put(e, EMIT_8,
			 EMIT_GS_INDEX(HOST_AT(core.data_dirty[0]), way, 1), 1);
}

/* n accesses from c on, where the first one is. */
static void
check_inline(struct emitter *e, const struct check *c, unsigned n,
	     struct code_live live)
{
	struct cold *o = &cold[n_cold++];
	struct code_scratch *s = &o->scratch;
	s64 low, high;

	*o = (struct cold){.check = c, .n = n, .live = live};
	check_span(c, n, &low, &high);
	scratch_take(e, s, ask_registers(c), c->names, live);
	emit_address(e, s->reg[0], c->m, (s32)(low - c->m->disp));
	scratch_flags(e, s, live);
	ask_before(e, o, s->reg);
	find_place(e, o, (unsigned)(high - low), s->reg);
	ask_behind(e, o, s->reg);
	hit(e, c, n, s->reg);
	scratch_give(e, s);
	o->back = e->p;
}

/* Several are looked up one by one now. */
void
check_cold(struct emitter *e)
{
	for (unsigned i = 0; i < n_cold; i++) {
		struct cold *o = &cold[i];
		struct code_live live = o->live;

		emit_reach(o->no_page, e->p);
		if (o->n == 1 && host_state.on_page)
			emit_put(e, EMIT_8,
				 EMIT_GS(HOST_AT(host_state.no_page)), 1);
		for (unsigned k = 0; k < o->n_from; k++)
			emit_reach(o->from[k], e->p);
		scratch_give(e, &o->scratch);
		for (unsigned k = 0; k < o->n; k++)
			if (o->n > 1 && n_cold < MAX_COLD)
				check_inline(e, &o->check[k], 1, live);
			else
				call_c(e, &o->check[k], live);
		emit_reach(emit_jump(e), o->back);
	}
	n_cold = 0;
}

/* n accesses from c on, of which only is asked where they are. */
static void
touch(struct emitter *e, const struct check *c, unsigned n)
{
	s64 low, high;

	if (!(c->flags & (CODE_INLINE | CODE_TOLD)))
		return;
	check_span(c, n, &low, &high);
	touch_emit(e, c->m, (s32)(low - c->m->disp), c->names, c->live);
}

void
check_insn(struct emitter *e, const struct code_source *s, unsigned i)
{
	const struct check *c;
	unsigned before = 0;

	(void)s;
	while ((c = check_next(i))) {
		explain_part(e, c->n > 1 ? "accesses of one place"
					 : "an access");
		if (code_copy == COPY_COUNTED)
			touch(e, c, c->n);
		else if (c->flags & CODE_INLINE && n_cold < MAX_COLD)
			check_inline(e, c, c->n, c->live);
		else if (code_copy == COPY_RECORDED)
			record(e, c, before);
		else
			for (unsigned k = 0; k < c->n; k++)
				call_c(e, &c[k], c->live);
		before += c->n;
	}
}
