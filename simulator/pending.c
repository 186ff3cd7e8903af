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

static void
stall(struct core *c, u64 cycles)
{
	c->sig[SIG_ALU_DMISS] += cycles;
	c->sig[SIG_DCACHE_WAIT] += cycles;
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

	while ((i = earliest(c, t)) >= 0) {
		struct pending p = c->pending[i];

		drop(c, (unsigned)i);
		if (p.ready <= p.use)
			continue;
		stall(c, p.ready - p.use);
		shadow_put_line(c, p.va);
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
	pending_pass(c, cycles);
	return start;
}

void
pending_load(struct core *c, const struct block_access *a, u64 va,
	     u64 issue, u64 ready)
{
	struct pending *p;

	issue = take_load_queue(c, issue, ready);
	if (a->reg == REG_NONE || a->use == ACCESS_NO_USE - 1)
		return;
	if (c->n_pending == CORE_MAX_PENDING)
		pending_until(c, PENDING_LATER - 1);
	if (c->n_pending == CORE_MAX_PENDING)
		return;
	if (a->flags & ACCESS_USE_IS_ADDRESS)
		ready += c->config->pipe.unit_address;
	p = &c->pending[c->n_pending++];
	*p = (struct pending){
		.ready = ready,
		.use = a->use == ACCESS_NO_USE ? PENDING_LATER : issue + a->use,
		.va = va,
		.reg = a->reg,
	};
	c->deadline = 0;
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
