/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tick.h"

#include "dcache.h"

/* Lines of the kernel: no program has an address there. */
#define KERNEL_LINES (1ull << 56)

void
tick_init(struct core *c)
{
	if (c->config->tick_evicts)
		c->tick = c->config->ledger.tick_cycles;
}

/* So many bytes of them, of code. */
static void
bring_code(struct core *c, u32 bytes)
{
	u32 size = c->config->l1i.line, lines = (bytes + size - 1) / size;

	while (lines--) {
		u64 line = KERNEL_LINES | c->tick_line[0]++;
		u32 s = array_victim(&c->l1i, line);

		c->line_number[s] = line;
		c->line_stamp[s] = (u32)++c->now;
		c->line_ready[s] = 0;
		if (c->predict)
			predict_refill(c, s);
	}
}

/* The same of data; stored bytes of them come first, and are changed. */
static void
bring_data(struct core *c, u32 bytes, u32 stored)
{
	u32 size = c->config->l1d.line, lines = (bytes + size - 1) / size;
	u32 dirty = c->config->l1d.write_through ? 0
						 : (stored + size - 1) / size;

	alone_forget(c);
	for (u32 i = 0; i < lines; i++) {
		u64 line = KERNEL_LINES | c->tick_line[1]++;
		u32 s = array_victim(&c->l1d, line);

		if (c->data_line[s] != ARRAY_EMPTY)
			shadow_drop_slot(c, s);
		c->data_line[s] = line;
		c->data_stamp[s] = (u32)++c->now;
		c->data_ready[s] = 0;
		c->data_dirty[s] = i < dirty;
	}
}

u64
tick_attend(struct core *c, u64 deadline)
{
	const struct ledger_config *ledger = &c->config->ledger;
	u64 now = core_cycle(c), left;

	if (now >= c->tick) {
		bring_code(c, ledger->tick_code);
		bring_data(c, ledger->tick_data, ledger->tick_stored);
		c->tick = now - now % ledger->tick_cycles + ledger->tick_cycles;
	}
	left = c->tick - c->epoch;
	return left < RENORM_CYCLES && CYCLES(left) < deadline ? CYCLES(left)
							       : deadline;
}
