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
static void
line_arrives(struct core *c, u64 va)
{
	int slot = array_find(&c->l1d, va >> c->dline_bits);

	if (slot >= 0)
		shadow_put_slot(c, va, (u32)slot, false);
}

/* The pipeline waits for what p is about. */
static void
stall(struct core *c, const struct pending *p)
{
	u64 cycles = p->ready - p->use;

	c->sig[p->signal] += cycles;
	count_stall(c, cycles);
	if (p->signal == SIG_ALU_DMISS) {
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

void
pending_until(struct core *c, u64 t)
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

/* Adds p to those that somebody will wait for. */
static void
add(struct core *c, const struct pending *p)
{
	if (c->n_pending == CORE_MAX_PENDING)
		pending_until(c, PENDING_LATER - 1);
	if (c->n_pending == CORE_MAX_PENDING)
		return;
	c->pending[c->n_pending++] = *p;
	c->deadline = 0;
}

void
pending_load(struct core *c, const struct block_access *a, u64 va,
	     u64 issue, u64 ready)
{
	add(c, &(struct pending){
		.ready = ready,
		.use = a->use == ACCESS_NO_USE ? PENDING_LATER : issue + a->use,
		.va = va,
		.soon = a->use == c->config->pipe.load_use,
		.reg = a->reg,
		.signal = SIG_ALU_DMISS,
	});
}

/* What block t does with a register; NULL if it leaves it alone. */
static const struct block_reg *
first_touch(const struct block *t, unsigned reg)
{
	const struct block_detail *d = t->detail;

	for (unsigned i = 0; i < d->n_entry; i++)
		if (block_entry(d)[i].reg == reg)
			return &block_entry(d)[i];
	return NULL;
}

void
pending_enter(struct core *c, const struct block *t)
{
	u64 start = core_cycle(c) - t->cycles;
	unsigned i = 0;

	pending_until(c, start);
	start = core_cycle(c) - t->cycles;
	while (i < c->n_pending) {
		struct pending *p = &c->pending[i];
		const struct block_reg *r = NULL;

		if (p->use == PENDING_LATER && p->ready > start)
			r = first_touch(t, p->reg);
		if ((r && r->killed) || p->ready <= start) {
			drop(c, i);
			continue;
		}
		if (r)
			p->use = start + r->cycles;
		if (r && r->address)
			p->ready += c->config->pipe.unit_address;
		i++;
	}
}

/*
 * What block p, over at cycle end, still owes when block t behind it is over
 * too, for t neither reads nor writes it.
 */
void
pending_debts(struct core *c, const struct block *p, const struct block *t,
	      u64 end)
{
	const struct block_detail *d = p->detail;

	for (unsigned i = 0; i < d->n_exit; i++) {
		const struct block_reg *owed = &block_exit(d)[i];

		if (owed->address || owed->cycles <= t->cycles ||
		    first_touch(t, owed->reg))
			continue;
		add(c, &(struct pending){
			.ready = end + owed->cycles,
			.use = PENDING_LATER,
			.reg = owed->reg,
			.signal = owed->signal,
		});
	}
}
