/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cycles.h"

#include "pipeline/block_build.h"
#include "pipeline/window.h"
#include "target.h"

static u64 base;		/* of the counter, when this program started */
static u64 last;		/* that was read */

/* On the Pentium that of pctr(4), of all programs; else a clock's. */
void
cycles_start(void)
{
	base = target.config->system == SYSTEM_OPENBSD
		       ? machine_cycles_read(&target.map)
		       : MACHINE_UPTIME * target.config->clock_hz;
}

u64
cycles_read(u64 cycle)
{
	if (base + cycle > last)
		last = base + cycle;
	return last;
}

unsigned
cycles_before(const struct insn *insn, unsigned n)
{
	struct block *part = n ? process_block_room(block_bound(n)) : NULL;

	if (!part ||
	    block_build(part, target.config, insn, n, true, 0, process_alloc))
		return 0;
	process_take_back(part->detail, block_detail_bytes(part->detail));
	return part->cycles;
}

/* The last places that were asked for. */
#define PLACES 64u

static struct place {
	const struct block *block;
	u64 pc;
	unsigned insn;
	unsigned back;		/* cycles to the end of the block */
} places[PLACES];

static struct place *
place_of(const struct block *b, u64 pc)
{
	struct place *p = &places[pc % PLACES];
	const struct insn *insn = block_insns(b);

	if (p->block == b && p->pc == pc)
		return p;
	*p = (struct place){.block = b, .pc = pc};
	while (p->insn + 1u < b->n_insn && insn[p->insn].pc < pc)
		p->insn++;
	if (!core.window)
		p->back = b->cycles - cycles_before(insn, p->insn);
	return p;
}

u64
cycles_at(const struct block *b, u64 pc)
{
	const struct place *p;

	if (!b || pc < b->vaddr || pc >= b->fall)
		return cycles_read(core_cycle(&core));
	if (core.window && core.recording)
		return cycles_read(core_cycle(&core));
	p = place_of(b, pc);
	return cycles_read(core.window ? window_issues(&core, p->insn)
				       : core_cycle(&core) - p->back);
}
