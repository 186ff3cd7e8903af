/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inorder.h"

#include <string.h>

void
schedule_init(struct schedule *s)
{
	memset(s, 0, sizeof *s);
	memset(s->cause, SIG_ALU_OTHER, sizeof s->cause);
}

/* Makes w wait until cycle at, if that is later than it waits already. */
static void
wait_for(struct issue *w, const struct schedule *s, unsigned reg, u64 at)
{
	if (at <= w->at)
		return;
	w->at = at;
	w->cause = s->cause[reg];
	w->reg = (u8)reg;
}

/* The same for a register as an address. */
static void
wait_for_address(struct issue *w, const struct schedule *s, unsigned reg)
{
	u64 before = w->at;

	wait_for(w, s, reg, s->ready_addr[reg]);
	if (w->at > before)
		w->cause = address_cause(reg, w->cause);
}

struct issue
schedule_issue(const struct schedule *s, const struct pipeline_config *pipe,
	       const struct insn *in)
{
	struct issue w = {.at = s->next, .reg = REG_NONE};
	unsigned unit = pipe->cls[in->cls].unit;

	for (unsigned i = 0; i < INSN_ADDR && in->addr[i] != REG_NONE; i++)
		wait_for_address(&w, s, in->addr[i]);
	for (unsigned i = 0; i < INSN_SRC && in->src[i] != REG_NONE; i++)
		wait_for(&w, s, in->src[i], s->ready[in->src[i]]);
	if (stores_as_address(pipe, in))
		wait_for_address(&w, s, in->data);
	else if (in->data != REG_NONE &&
		 s->ready[in->data] > pipe->store_data_slack)
		wait_for(&w, s, in->data,
			 s->ready[in->data] - pipe->store_data_slack);
	if (unit != UNIT_NONE)
		wait_for(&w, s, unit_register(unit),
			 s->ready[unit_register(unit)]);
	return w;
}

void
schedule_book(struct schedule *s, const struct pipeline_config *pipe,
	      const struct insn *in, u64 at)
{
	const struct class_config *cost = &pipe->cls[in->cls];
	u64 ready = at + cost->latency, address;
	u8 cause = unit_cause(cost->unit);

	if (pipe->watch_mmx && in->cls == CLASS_SIMD_MUL)
		cause = SIG_ALU_MMX;
	if (cost->unit == UNIT_NONE && cost->latency <= 1)
		address = at + pipe->alu_address;
	else
		address = ready + pipe->unit_address;
	if (in->dst_loaded) {
		ready = at + pipe->load_use;
		address = at + pipe->load_address;
		cause = SIG_ALU_LOADUSE;
	} else if (in->flags & INSN_LOADS) {
		ready += pipe->load_use - 1;
		address += pipe->load_use - 1;
		if (cost->unit == UNIT_NONE)
			cause = SIG_ALU_LOADUSE;
	}
	for (unsigned i = 0; i < INSN_DST && in->dst[i] != REG_NONE; i++) {
		unsigned r = in->dst[i];

		s->ready[r] = ready;
		s->ready_addr[r] = address;
		s->cause[r] = cause;
	}
	if (cost->unit != UNIT_NONE && cost->repeat > 1) {
		unsigned r = unit_register(cost->unit);

		s->ready[r] = at + cost->repeat;
		s->ready_addr[r] = s->ready[r];
		s->cause[r] = cause;
	}
	s->next = at + 1;
}
