/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bundles, as Itanium has them.  The instructions of any instruction set are
 * packed, in order, as a compiler of that processor would: each takes the
 * next slot of a kind that it can have in one of the templates, no-ops fill
 * slots in between, and a stop stands where an instruction needs a result of
 * the same group of instructions.  Each cycle then disperses bundles, slot
 * by slot, until a stop, a unit that is missing, or a rule that splits.  All
 * that goes in a cycle waits until all of it can go.
 *
 * The flags of x86 and what an Alpha branch compares stand for predicates: a
 * branch may use them in the group that makes them.
 */
#include "issue.h"

#include <string.h>

/* Kinds of slots, as bits. */
enum slot { SLOT_M = 1, SLOT_I = 2, SLOT_F = 4, SLOT_B = 8 };

struct template {
	u8 slot[3];
	u8 stop;	/* bit k: a stop behind slot k */
};

/* A block has one branch: those with more slots for them are not needed. */
enum { MII, MI_I, MMI, M_MI, MFI, MMF, MIB, MMB, MFB, TEMPLATES };

static const struct template templates[TEMPLATES] = {
	[MII] = {{SLOT_M, SLOT_I, SLOT_I}, 0},
	[MI_I] = {{SLOT_M, SLOT_I, SLOT_I}, 2},
	[MMI] = {{SLOT_M, SLOT_M, SLOT_I}, 0},
	[M_MI] = {{SLOT_M, SLOT_M, SLOT_I}, 1},
	[MFI] = {{SLOT_M, SLOT_F, SLOT_I}, 0},
	[MMF] = {{SLOT_M, SLOT_M, SLOT_F}, 0},
	[MIB] = {{SLOT_M, SLOT_I, SLOT_B}, 0},
	[MMB] = {{SLOT_M, SLOT_M, SLOT_B}, 0},
	[MFB] = {{SLOT_M, SLOT_F, SLOT_B}, 0},
};

#define NO_OP 0xffff

/* A bundle while it is packed: which templates it can still be. */
struct bundle {
	u16 insn[3];	/* index, or NO_OP */
	u16 can_be;	/* bit per template */
	u8 n;		/* slots taken */
	bool stops;	/* at its end */
};

/* The slots that an instruction can be in. */
static unsigned
slots_of(const struct insn *in)
{
	if (in->branch != BRANCH_NONE && in->branch != BRANCH_REP)
		return SLOT_B;
	if (in->flags & (INSN_LOADS | INSN_STORES | INSN_IS_BARRIER))
		return SLOT_M;
	switch (in->cls) {
	case CLASS_ALU:
	case CLASS_LOGIC:
	case CLASS_XCHG:
	case CLASS_CMOV:
	case CLASS_CMOV2:
	case CLASS_FLAG:
	case CLASS_LEA:
	case CLASS_LEA3:
	case CLASS_BITS:
	case CLASS_FIND:
	case CLASS_COUNT:
	case CLASS_NOP:
	case CLASS_PAUSE:
		return SLOT_M | SLOT_I;
	case CLASS_SHIFT:
	case CLASS_SHIFT_CL:
	case CLASS_SHIFT2:
	case CLASS_STRING:
	case CLASS_SIMD:
	case CLASS_SIMD_SHIFT:
	case CLASS_SIMD_COMPARE:
	case CLASS_SIMD_TEST:
	case CLASS_SHUFFLE:
	case CLASS_ACROSS:
	case CLASS_SIMD_MUL:
	case CLASS_SIMD_MUL_D:
	case CLASS_SIMD_SUM:
	case CLASS_CRYPT:
	case CLASS_CLMUL:
	case CLASS_SYSCALL:
		return SLOT_I;
	case CLASS_FTRANSFER:
	case CLASS_FEXTRACT:
	case CLASS_PREFETCH:
	case CLASS_FENCE:
	case CLASS_SYNC:
	case CLASS_SYSREG:
		return SLOT_M;
	default:
		return SLOT_F;
	}
}

/* ---- Packing ---------------------------------------------------------- */

/* Templates of b that have a slot like that at at, and that stop, or do not
 * stop, between its last slot taken and at. */
static unsigned
templates_for(const struct bundle *b, unsigned at, unsigned slots, bool stop)
{
	unsigned between = (1u << at) - (b->n ? 1u << (b->n - 1) : 1u);
	unsigned list = 0;

	for (unsigned t = 0; t < TEMPLATES; t++)
		if (b->can_be >> t & 1 && templates[t].slot[at] & slots &&
		    !!(templates[t].stop & between) == stop)
			list |= 1u << t;
	return list;
}

/* Puts instruction i into the first slot of b that it can be in. */
static bool
put(struct bundle *b, unsigned i, unsigned slots, bool stop)
{
	for (unsigned at = b->n; at < 3; at++) {
		unsigned list = templates_for(b, at, slots, stop);

		if (!list)
			continue;
		b->can_be = (u16)list;
		b->insn[at] = (u16)i;
		b->n = (u8)(at + 1);
		return true;
	}
	return false;
}

static void
start(struct bundle *b)
{
	*b = (struct bundle){
		.insn = {NO_OP, NO_OP, NO_OP}, .can_be = (1 << TEMPLATES) - 1};
}

/* Whether in cannot be in one group with those from first up to it. */
static bool
needs_stop(const struct insn *first, const struct insn *in)
{
	for (const struct insn *a = first; a < in; a++) {
		bool compares = a->cls == CLASS_LOGIC && slots_of(in) == SLOT_B;

		if (issue_depends(a, in, REG_NONE) && !compares)
			return true;
		if (memchr(a->dst, REG_FLAGS, INSN_DST) &&
		    memchr(in->src, REG_FLAGS, INSN_SRC) &&
		    slots_of(in) != SLOT_B)
			return true;
	}
	return false;
}

/* Packs all instructions; returns the number of bundles. */
static unsigned
pack(const struct issue_run *run, struct bundle *b)
{
	const struct insn *group = run->in;
	unsigned last = 0;

	start(&b[0]);
	for (unsigned i = 0; i < run->n; i++) {
		const struct insn *in = &run->in[i];
		bool stop = needs_stop(group, in);

		if (stop)
			group = in;
		if (put(&b[last], i, slots_of(in), stop && b[last].n))
			continue;
		b[last].stops = stop;
		start(&b[++last]);
		put(&b[last], i, slots_of(in), false);
	}
	return last + 1;
}

/* ---- Dispersal -------------------------------------------------------- */

/* One cycle: what it has taken. */
struct cycle {
	u8 taken[SLOT_B + 1];	/* units by kind of slot */
	u8 loads, stores;
	u8 bundles;		/* begun or gone on with */
	u16 insn[ISSUE_MAX];
	u8 n, nops;
};

/* Where the next cycle begins. */
struct place {
	unsigned bundle, slot;
};

/* Takes a unit for the slot at p; false if there is none left. */
static bool
disperse(struct cycle *c, const struct issue_run *run, const struct bundle *b,
	 unsigned slot, unsigned kind)
{
	const struct issue_config *rule = &run->pipe->issue;
	const u8 units[SLOT_B + 1] = {
		[SLOT_M] = rule->units_m, [SLOT_I] = rule->units_i,
		[SLOT_F] = rule->units_f, [SLOT_B] = rule->units_b};
	const struct insn *in = &run->in[b->insn[slot]];
	bool nop = b->insn[slot] == NO_OP;
	bool loads = !nop && in->flags & INSN_LOADS;
	bool stores = !nop && in->flags & INSN_STORES;

	if (c->taken[kind] == units[kind] ||
	    (loads && c->loads == rule->units_load) ||
	    (stores && c->stores == rule->units_store))
		return false;
	c->taken[kind]++;
	c->loads += loads;
	c->stores += stores;
	if (nop)
		c->nops++;
	else
		c->insn[c->n++] = b->insn[slot];
	return true;
}

/* What b is, where it can be several: the one whose units are not short. */
static unsigned
template_of(const struct issue_run *run, const struct bundle *b)
{
	const struct issue_config *rule = &run->pipe->issue;

	if (b->can_be >> MMI & 1 && rule->units_m > rule->units_i)
		return MMI;
	return (unsigned)__builtin_ctz(b->can_be);
}

/* Whether nothing may follow bundle b in its cycle: behind a branch, and
 * where a template of two M and an F goes alone. */
static bool
splits_after(const struct issue_run *run, const struct bundle *b)
{
	switch (template_of(run, b)) {
	case MIB:
	case MMB:
	case MFB:
		return b->insn[2] != NO_OP;
	case MMF:
		return run->pipe->issue.mmf_alone;
	default:
		return false;
	}
}

/* Fills a cycle from place p on; p is then where the next one begins. */
static void
fill(struct cycle *c, const struct issue_run *run, const struct bundle *list,
     unsigned n, struct place *p)
{
	const struct issue_config *rule = &run->pipe->issue;

	while (p->bundle < n && c->bundles < rule->bundles) {
		const struct bundle *b = &list[p->bundle];
		const struct template *t = &templates[template_of(run, b)];

		if (c->bundles && template_of(run, b) == MMF && rule->mmf_alone)
			return;
		c->bundles++;
		for (; p->slot < 3; p->slot++) {
			if (!disperse(c, run, b, p->slot, t->slot[p->slot]))
				return;
			if (t->stop >> p->slot & 1) {
				p->slot++;
				return;
			}
		}
		p->bundle++;
		p->slot = 0;
		if (b->stops || splits_after(run, b))
			return;
	}
}

/* Issues what a cycle has taken, when all of it can. */
static void
issue_cycle(struct issue_run *run, const struct cycle *c)
{
	struct schedule *s = run->s;
	struct issue w = {.at = s->next};

	run->count[SIG_ISSUE_NOP] += c->nops;
	run->count[SIG_SLOTS_1 + c->n + c->nops - 1]++;
	for (unsigned i = 0; i < c->n; i++)
		w = issue_later(w, schedule_issue(s, run->pipe,
						  &run->in[c->insn[i]]));
	run->count[w.cause] += (u32)(w.at - s->next);
	if (c->n)
		issue_count(run, c->n, c->loads + c->stores);
	else
		run->count[SIG_ALU_OTHER]++;
	for (unsigned i = 0; i < c->n; i++) {
		run->offset[c->insn[i]] = (u16)w.at;
		schedule_book(s, run->pipe, &run->in[c->insn[i]], w.at);
	}
	s->next = w.at + 1;
}

void
issue_bundles(struct issue_run *run)
{
	struct bundle list[BLOCK_MAX_INSN];
	unsigned n = pack(run, list);
	struct place p = {0, 0};

	while (p.bundle < n) {
		struct cycle c = {.n = 0};

		fill(&c, run, list, n, &p);
		issue_cycle(run, &c);
	}
}
