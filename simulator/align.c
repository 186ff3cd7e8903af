/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses whose address is no multiple of their size. */
#include "core.h"

void
count_misaligned(struct core *c, u64 va, unsigned bytes)
{
	c->sig[SIG_MISALIGNED]++;
	if ((va ^ (va + bytes - 1)) >> c->config->dtlb.page_bits)
		c->sig[SIG_PAGE_CROSS]++;
}

void
core_misaligned(struct core *c, const struct block_access *a, u64 va,
		unsigned bytes)
{
	u16 cycles = c->config->pipe.misaligned;

	count_misaligned(c, va, bytes);
	if (!cycles)
		return;
	if (c->n_pending)
		pending_until(c, core_cycle(c) - a->cycles_back);
	c->sig[SIG_ALU_OTHER] += cycles;
	pending_pass(c, cycles);
}
