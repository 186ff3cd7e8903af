/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "refresh.h"

#include "outer.h"
#include "tlb.h"

/* Cycles from one to the next: the bus to memory is free again, of what was read, and
 * of a victim that was written. */
static u64
step_of(const struct core *c)
{
	u64 now = core_cycle(c), step = c->config->mem.bus_fill + 1u;

	return later(now + step, c->bus_free) - now;
}

static void
refresh(struct core *c, struct micro_tlb *m, u64 va, enum outer_request what)
{
	tlb_access(c, m, va, (u32)++c->now);
	if (c->n_outer)
		outer_read(c, 0, va, core_cycle(c), what);
	core_skip(c, step_of(c));
}

void
core_refresh_code(struct core *c, u64 from, unsigned bytes)
{
	u64 line = c->config->l1i.line;

	alone_forget(c);
	for (u64 va = from & ~(line - 1); va < from + bytes; va += line)
		refresh(c, &c->itlb, va, OUTER_IFETCH);
}

void
core_refresh(struct core *c, const u64 *line, unsigned n, unsigned line_bits)
{
	alone_forget(c);
	for (unsigned i = 0; i < n; i++)
		if (line[i])
			refresh(c, &c->dtlb, line[i] << line_bits, OUTER_LOAD);
	core_skip(c, c->config->mem.latency);
}
