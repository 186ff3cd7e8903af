/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads that missed, while one context runs: a non-blocking cache lets the
 * program go on until the first reader of what was loaded.  The reader's
 * issue is known when the load misses (it is in the block) or when a later
 * block is entered that reads the register.
 */
#include "core.h"

static void
drop(struct core *c, unsigned i)
{
	c->pending[i] = c->pending[--c->n_pending];
}

/* The pipeline waits: everything behind is later. */
void
pending_pass(struct core *c, u64 cycles)
{
	c->now += CYCLES(cycles);
	for (unsigned i = 0; i < c->n_pending; i++)
		if (c->pending[i].use != PENDING_LATER)
			c->pending[i].use += cycles;
}

/* The pipeline waits for what p is about. */
static void
stall(struct core *c, const struct pending *p)
{
	u64 cycles = p->ready - p->use;

	c->sig[p->signal] += cycles;
	if (p->signal == SIG_ALU_DMISS) {
		c->sig[SIG_DCACHE_WAIT] += cycles;
		shadow_put_line(c, p->va);
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

/* An entry of the load queue until the data is there. */
static u64
take_load_queue(struct core *c, u64 issue, u64 ready)
{
	u64 start, cycles = queue_take(c, &c->ldq, issue, &start);

	queue_put(&c->ldq, ready > start ? ready : start + 1);
	c->sig[SIG_ALU_LDQ] += cycles;
	c->sig[SIG_REPLAY] += cycles != 0;
	pending_pass(c, cycles);
	return start;
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

/* The reader comes before anything else can happen. */
static void
use_at_once(struct core *c, struct pending *p)
{
	u64 before = core_cycle(c);

	if (c->n_pending)
		pending_until(c, p->use);
	p->use += core_cycle(c) - before;
	if (p->ready > p->use)
		stall(c, p);
}

void
pending_load(struct core *c, const struct block_access *a, u64 va,
	     u64 issue, u64 ready)
{
	struct pending p;

	issue = take_load_queue(c, issue, ready);
	if (a->reg == REG_NONE || a->use == ACCESS_NEVER_USED)
		return;
	if (a->flags & ACCESS_USE_IS_ADDRESS)
		ready += c->config->pipe.unit_address;
	p = (struct pending){
		.ready = ready,
		.use = a->use == ACCESS_NO_USE ? PENDING_LATER : issue + a->use,
		.va = va,
		.reg = a->reg,
		.signal = SIG_ALU_DMISS,
	};
	if (a->flags & ACCESS_USE_IS_NEXT)
		use_at_once(c, &p);
	else
		add(c, &p);
}

/* What block t does with a register; NULL if it leaves it alone. */
static const struct block_reg *
first_touch(const struct block *t, unsigned reg)
{
	const struct block_detail *d = t->detail;

	for (unsigned i = 0; i < d->n_entry; i++)
		if (d->entry[i].reg == reg)
			return &d->entry[i];
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
		const struct block_reg *owed = &d->exit[i];

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
