/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses whose address costs time: it is no multiple of their size, they
 * want the bank of the data cache that another one goes to, or they hit behind
 * stores that have not. */
#include "core.h"

#define BANK_CYCLES 1u

/* Counts it; of the second one, true if so. */
static bool
count_bank(struct core *c, const struct block_access *a, u64 va)
{
	u32 bank = bank_of(c, va);
	bool conflict = a->flags & ACCESS_BANK_SECOND && c->bank == bank;

	c->bank = a->flags & ACCESS_BANK_FIRST ? bank : 0;
	c->sig[SIG_BANK_CONFLICT] += conflict;
	return conflict;
}

void
core_bank(struct core *c, const struct block_access *a, u64 va)
{
	if (!count_bank(c, a, va))
		return;
	if (c->n_pending)
		pending_until(c, core_cycle(c) - a->cycles_back);
	c->sig[SIG_ALU_OTHER] += BANK_CYCLES;
	pending_pass(c, BANK_CYCLES);
}

void
count_misaligned(struct core *c, bool store)
{
	c->sig[store ? SIG_MISALIGNED_STORE : SIG_MISALIGNED_LOAD]++;
}

void
core_misaligned(struct core *c, const struct block_access *a, bool store)
{
	u16 cycles = c->config->pipe.misaligned;

	count_misaligned(c, store);
	if (!cycles)
		return;
	if (c->n_pending)
		pending_until(c, core_cycle(c) - a->cycles_back);
	c->sig[SIG_ALU_OTHER] += cycles;
	pending_pass(c, cycles);
}

u64
order_wait(const struct core *c, u64 va, u64 t)
{
	return t < c->written && array_find(&c->l1d, va >> c->dline_bits) >= 0
		       ? c->written - t
		       : 0;
}

void
core_order(struct core *c, const struct block_access *a, u64 va)
{
	u64 wait;

	if (c->n_pending)
		pending_until(c, core_cycle(c) - a->cycles_back);
	wait = order_wait(c, va, core_cycle(c) - a->cycles_back);
	if (!wait)
		return;
	c->sig[SIG_ALU_ORDER] += wait;
	count_stall(c, wait);
	pending_pass(c, wait);
}
