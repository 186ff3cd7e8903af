/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads that missed, while one context runs: a non-blocking cache lets the
 * program go on until the first reader of what was loaded.  The reader's
 * issue is known when the load misses (it is in the block) or when a later
 * block is entered that reads the register.
 */
#include "dcache.h"

static void
drop(struct core *c, unsigned i)
{
	c->pending[i] = c->pending[--c->n_pending];
}

void
pending_shift(struct core *c, u64 cycles)
{
	for (unsigned i = 0; i < c->n_pending; i++)
		if (c->pending[i].use != PENDING_LATER)
			c->pending[i].use += cycles;
}

/* The line of va has just arrived: its next access is a plain hit. */
SIM_INLINE void
line_arrives(struct core *c, u64 va)
{
	int slot = array_find(&c->l1d, va >> c->dline_bits);

	if (slot >= 0)
		shadow_put_slot(c, va, (u32)slot, false);
}

/* The pipeline waits for what p is about. */
SIM_INLINE void
stall(struct core *c, const struct pending *p)
{
	u64 cycles = p->ready - p->use;

	c->sig[p->signal] += cycles;
	count_stall(c, cycles);
	if (p->signal == SIG_ALU_DMISS) {
		c->sig[SIG_MMX_DMISS] += p->mmx ? cycles : 0;
		c->sig[SIG_DCACHE_WAIT] += cycles;
		c->sig[SIG_REPLAY_USE] += p->soon;
		line_arrives(c, p->va);
	}
	pending_pass(c, cycles);
}

/* The earliest reader at or before t, or -1. */
static int
earliest(const struct core *c, u64 t)
{
	int best = -1;

	for (unsigned i = 0; i < c->n_pending; i++) {
		u64 use = c->pending[i].use;

		if (use <= t && (best < 0 || use < c->pending[best].use))
			best = (int)i;
	}
	return best;
}

/* The same where several are pending. */
static SIM_NOINLINE void
until_of_many(struct core *c, u64 t)
{
	int i;

	while (c->n_pending && (i = earliest(c, t)) >= 0) {
		struct pending p = c->pending[i];

		drop(c, (unsigned)i);
		if (p.ready <= p.use)
			continue;
		stall(c, &p);
		t += p.ready - p.use;
	}
}

void
pending_until(struct core *c, u64 t)
{
	const struct pending *p = &c->pending[0];

	if (SIM_UNLIKELY(c->n_pending > 1)) {
		until_of_many(c, t);
	} else if (c->n_pending && p->use <= t) {
		c->n_pending = 0;
		if (p->ready > p->use)
			stall(c, p);
	}
}

/* Adds p to those that will be waited for. */
SIM_INLINE void
add(struct core *c, const struct pending *p)
{
	if (c->n_pending == CORE_MAX_PENDING)
		pending_until(c, PENDING_LATER - 1);
	if (c->n_pending == CORE_MAX_PENDING)
		return;
	c->pending[c->n_pending++] = *p;
	c->deadline = 0;
	alone_forget(c);
}

void
pending_load(struct core *c, const struct block_access *a, u64 va,
	     u64 issue, u64 ready)
{
	if (a->use == ACCESS_NO_USE && a->reg == REG_NONE)
		return;
	add(c, &(struct pending){
		.ready = ready,
		.use = a->use == ACCESS_NO_USE ? PENDING_LATER : issue + a->use,
		.va = va,
		.soon = a->use == c->config->pipe.load_use,
		.reg = a->reg,
		.mmx = a->flags & ACCESS_IS_MMX,
		.signal = SIG_ALU_DMISS,
	});
}

/* What block t does with a register; NULL if it leaves it alone. */
static const struct block_reg *
first_touch(const struct block *t, unsigned reg)
{
	const struct block_detail *d = t->detail;

	for (unsigned i = 0, n = d->n_entry; i < n; i++)
		if (block_entry(d)[i].reg == reg)
			return &block_entry(d)[i];
	return NULL;
}

/* What block t, whose first cycle is start, does with what p is about: false
 * if p is over with it. */
SIM_INLINE bool
meet(const struct core *c, struct pending *p, const struct block *t,
     u64 start)
{
	const struct block_reg *r;

	if (p->ready <= start)
		return false;
	r = p->use == PENDING_LATER ? first_touch(t, p->reg) : NULL;
	if (!r)
		return true;
	if (r->killed)
		return false;
	p->use = start + r->cycles;
	if (r->address)
		p->ready += c->config->pipe.unit_address;
	return true;
}

void
pending_enter(struct core *c, const struct block *t)
{
	u64 start = core_cycle(c) - t->cycles;
	unsigned i = 0;

	if (SIM_LIKELY(c->n_pending == 1 && c->pending[0].use > start)) {
		c->n_pending = meet(c, &c->pending[0], t, start);
		return;
	}
	pending_until(c, start);
	start = core_cycle(c) - t->cycles;
	while (i < c->n_pending) {
		if (meet(c, &c->pending[i], t, start))
			i++;
		else
			drop(c, i);
	}
}

/* Whether p's register is late for longer than t takes, which neither reads nor
 * writes it. */
static bool
outlasts(const struct block_reg *owed, const struct block *t)
{
	return !owed->address && owed->cycles > t->cycles &&
	       !first_touch(t, owed->reg);
}

bool
pending_leaves(const struct block *p, const struct block *t)
{
	const struct block_detail *d = p->detail;

	for (unsigned i = 0; i < d->n_exit; i++)
		if (outlasts(&block_exit(d)[i], t))
			return true;
	return false;
}

void
pending_debts(struct core *c, const struct block *p, const struct block *t,
	      u64 end)
{
	const struct block_detail *d = p->detail;

	for (unsigned i = 0; i < d->n_exit; i++) {
		const struct block_reg *owed = &block_exit(d)[i];

		if (!outlasts(owed, t))
			continue;
		add(c, &(struct pending){
			.ready = end + owed->cycles,
			.use = PENDING_LATER,
			.reg = owed->reg,
			.signal = owed->signal,
		});
	}
}
