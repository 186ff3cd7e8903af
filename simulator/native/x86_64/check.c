/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counts an access, before its instruction: what fast_data() does where
 * the tables show the line and the page, else a call of C, out of line.
 */
#include "area.h"
#include "check_internal.h"
#include "explain.h"

#include "threads/written.h"

/*
 * Accesses of a block, in their order.  Some that follow each other, at known
 * distances, are looked up as one: if the bytes from the first to the last are
 * in one entry of the table of lines, so is each of them, and what the last of
 * them leaves is what all of them would.
 */
#define MAX_PLAN 4096
#define MAX_SPAN 24		/* more would seldom be in one entry */

static struct check plan[MAX_PLAN];
static unsigned n_plan, next_plan;

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

/* Whether all that is to be done for a hit is emitted, or C needs to know no
 * more than where it is. */
static u16
is_inline(const struct insn *in, const struct block_access *a, bool store)
{
	if (code_calls_only || code_recorded ||
	    !(in->flags & INSN_MEM_KNOWN) || a->flags & ACCESS_IS_MMX)
		return 0;
	return store && target.config->l1d.write_through ? CODE_TOLD
							 : CODE_INLINE;
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

static void
span_of(const struct check *c, unsigned n, s64 *low, s64 *high)
{
	*low = check_place(c);
	*high = *low + (1 << c->size_log2);
	for (unsigned i = 1; i < n; i++) {
		s64 from = check_place(&c[i]), to = from + (1 << c[i].size_log2);

		*low = from < *low ? from : *low;
		*high = to > *high ? to : *high;
	}
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
	span_of(c, n, &low, &high);
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

static void
plan_one(const struct check *c)
{
	if (!c->m->known || n_plan == MAX_PLAN)
		return;
	plan[n_plan] = *c;
	plan[n_plan++].n = 1;
}

static unsigned
operands(const struct host_insn *h, bool store)
{
	unsigned n = 0;

	for (unsigned i = 0; i < h->n_memory; i++)
		n += store ? h->memory[i].store : h->memory[i].load;
	return n;
}

/*
 * The loads or the stores of an instruction whose accesses are known, as many as
 * its block has counted: where QEMU loads a whole vector for a part of it, what
 * is behind that as well.
 */
static void
plan_known(const struct host_insn *h, const struct insn *in, struct check c)
{
	unsigned left = c.store ? in->n_store : in->n_load;
	bool alone = operands(h, c.store) == 1;

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
			plan_one(&c);
			c.offset = (u16)(c.offset + (1u << c.size_log2));
		} while (alone || c.offset < c.m->bytes);
	}
}

/* Those of others: in pieces of eight bytes, and what is left of that. */
static void
plan_dynamic(const struct host_insn *h, struct check c)
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
			plan_one(&c);
		}
	}
}

static u16
names_of(const struct host_insn *h)
{
	u16 names = 0;

	for (unsigned k = 0; k < h->n_memory; k++) {
		const struct host_memory *m = &h->memory[k];

		names |= m->base < HOST_REGS ? (u16)(1u << m->base) : 0;
		names |= m->index < HOST_REGS ? (u16)(1u << m->index) : 0;
	}
	return names;
}

static void
plan_barrier(struct check c)
{
	static const struct host_memory nowhere = {
		HOST_NONE, HOST_NONE, 1, .known = true};

	c.m = &nowhere;
	c.flags = CODE_BARRIER;
	plan_one(&c);
}

static void
plan_area(const struct code_source *s, unsigned i, struct check c)
{
	struct area a;

	area_find(&a, s, i);
	c.m = &s->host[i].memory[0];
	c.flags |= CODE_DYNAMIC;
	for (unsigned k = 0; k < a.n; k++) {
		c.offset = a.access[k].at;
		c.size_log2 = a.access[k].size_log2;
		c.store = a.access[k].store;
		plan_one(&c);
	}
}

static void
plan_gather(const struct host_insn *h, struct check c)
{
	c.m = &h->memory[0];
	c.flags |= CODE_DYNAMIC | CODE_GATHER;
	c.gather = &h->gather;
	c.store = c.m->store;
	c.size_log2 = (u8)__builtin_ctz(h->gather.bytes);
	plan_one(&c);
}

static void
plan_insn(const struct code_source *s, unsigned i)
{
	const struct host_insn *h = &s->host[i];
	const struct insn *in = &s->insn[i];
	struct check c = {.live = code_live[i], .insn = i,
			  .names = names_of(h)};

	c.a = access_of(s, i);
	if (!c.a)
		return;
	if (c.a->flags & ACCESS_IS_BARRIER) {
		plan_barrier(c);
		return;
	}
	if (c.a->flags & ACCESS_IS_MMX && !core.window)
		c.flags |= CODE_MMX;
	if (c.a->flags & ACCESS_BANK)
		c.flags |= CODE_BANK;
	if (h->area && h->n_memory && in->n_load + in->n_store == 0) {
		plan_area(s, i, c);
		return;
	}
	if (h->further.reg != HOST_NONE) {
		c.flags |= CODE_FURTHER;
		c.further = &h->further;
		c.names |= (u16)(1u << h->further.reg);
	}
	if (h->gather.n) {
		plan_gather(h, c);
		return;
	}
	for (unsigned store = 0; store < 2; store++) {
		struct check one = c;

		one.store = store;
		if (in->n_load + in->n_store == 0) {
			one.flags |= CODE_DYNAMIC;
			plan_dynamic(h, one);
			continue;
		}
		if (!(c.flags & CODE_FURTHER))
			one.flags |= is_inline(in, c.a, one.store);
		plan_known(h, in, one);
	}
}

static bool
same_registers(const struct host_memory *a, const struct host_memory *b)
{
	return a->base == b->base && a->index == b->index &&
	       a->scale == b->scale && a->segment == b->segment &&
	       a->narrow == b->narrow;
}

/* Whether the registers of c still lead, in its instruction, to where they do
 * in that of first, but for how far RSP has moved since. */
static bool
can_follow(const struct code_source *s, const struct check *first,
	   struct check *c)
{
	s32 moved = 0;

	if (!(first->flags & c->flags & CODE_INLINE) || first->m->narrow ||
	    !same_registers(first->m, c->m))
		return false;
	for (unsigned i = first->insn; i < c->insn; i++) {
		const struct host_insn *h = &s->host[i];
		u16 changes = h->changes;

		if (h->kind != HOST_COPY)
			return false;
		if (h->moves) {
			moved += h->by;
			changes &= (u16)~(1u << HOST_RSP);
		}
		if (changes & first->names)
			return false;
	}
	if (c->m->base != HOST_RSP && c->m->index != HOST_RSP)
		moved = 0;
	c->moved = moved;
	return s->host[c->insn].kind != HOST_REP;
}

static void
plan_group(const struct code_source *s, struct check *first)
{
	struct check *end = &plan[n_plan];
	s64 low, high;

	while (first + first->n < end &&
	       can_follow(s, first, first + first->n) &&
	       ask_the_same(first, first + first->n)) {
		span_of(first, first->n + 1, &low, &high);
		if (high - low > MAX_SPAN)
			break;
		first->n++;
	}
	if (first + first->n < end)
		first[first->n].moved = 0;
}

void
check_plan(const struct code_source *s)
{
	n_plan = next_plan = 0;
	if (!target.timing || !s->block)
		return;
	for (unsigned i = 0; i < s->n; i++)
		plan_insn(s, i);
	for (unsigned k = 0; k < n_plan; k += plan[k].n)
		plan_group(s, &plan[k]);
}

void
check_insn(struct emitter *e, const struct code_source *s, unsigned i)
{
	unsigned before = next_plan;

	(void)s;
	while (next_plan < n_plan && plan[next_plan].insn == i) {
		const struct check *c = &plan[next_plan];

		explain_part(e, c->n > 1 ? "accesses of one place"
					 : "an access");
		if (c->flags & CODE_INLINE && n_cold < MAX_COLD)
			check_inline(e, c, c->n, c->live);
		else if (code_recorded)
			record(e, c, next_plan - before);
		else
			for (unsigned k = 0; k < c->n; k++)
				call_c(e, &c[k], c->live);
		next_plan += c->n;
	}
}
