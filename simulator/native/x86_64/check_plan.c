/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which accesses the instructions of a block make, and which of them are looked
 * up together. */
#include "area.h"
#include "check_internal.h"

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
	if (code_calls_only || code_copy == COPY_RECORDED ||
	    !(in->flags & INSN_MEM_KNOWN) || a->flags & ACCESS_IS_MMX)
		return 0;
	return store && target.config->l1d.write_through ? CODE_TOLD
							 : CODE_INLINE;
}

void
check_span(const struct check *c, unsigned n, s64 *low, s64 *high)
{
	*low = check_place(c);
	*high = *low + (1 << c->size_log2);
	for (unsigned i = 1; i < n; i++) {
		s64 from = check_place(&c[i]), to = from + (1 << c[i].size_log2);

		*low = from < *low ? from : *low;
		*high = to > *high ? to : *high;
	}
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
		check_span(first, first->n + 1, &low, &high);
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

const struct check *
check_next(unsigned i)
{
	const struct check *c = &plan[next_plan];

	if (next_plan == n_plan || c->insn != i)
		return NULL;
	next_plan += c->n;
	return c;
}
