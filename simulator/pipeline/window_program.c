/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of a block's micro-ops together. */
#include "window_internal.h"

static void
find_inherits(struct window_program *p)
{
	p->inherits = 0;
	for (unsigned i = 0; i < p->n; i++)
		p->inherits |= p->op[i].inherits;
}

/* Of a machine that does not wait for parts. */
static void
forget_parts(struct window_program *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		p->op[i].reads &= ~WINDOW_PART_BITS;
		p->op[i].narrow &= ~WINDOW_PART_BITS;
	}
	p->inherits = p->clears = 0;
}

/* Which registers the program writes as a whole before it reads of them. */
static void
find_whole(struct window_program *p)
{
	u16 touched = 0;

	p->whole = 0;
	for (unsigned i = 0; i < p->n_without_slot; i++) {
		const struct window_op *op = &p->op[i];
		u16 writes = (u16)~op->keeps;

		touched |= (u16)op->reads;
		p->whole |= (u16)(writes & ~op->narrow & ~touched);
		touched |= writes;
	}
}

/* Which registers' old values the program never asks for. */
static void
find_dead(struct window_program *p)
{
	u64 read[2] = {0};

	p->dead[0] = p->dead[1] = 0;
	for (unsigned i = 0; i < p->n_without_slot; i++) {
		const struct window_op *op = &p->op[i];

		for (unsigned k = 0; k < op->n_src; k++)
			read[op->src[k] >> 6] |= 1ull << (op->src[k] & 63);
		if (op->data != REG_NONE)
			read[op->data >> 6] |= 1ull << (op->data & 63);
		for (unsigned k = 0; k < op->n_dst; k++)
			p->dead[op->dst[k] >> 6] |=
				1ull << (op->dst[k] & 63) &
				~read[op->dst[k] >> 6];
	}
}

/* Where no load waits for them, addresses of stores are no part of a state. */
static void
find_written(struct window_program *p, const struct window_config *wc)
{
	bool waits = wc->disambiguation == DISAMBIGUATION_WAIT;

	p->written[0] = p->written[1] = 0;
	for (unsigned i = 0; i < p->n; i++) {
		const struct window_op *op = &p->op[i];

		for (unsigned k = 0; k < op->n_dst; k++)
			p->written[op->dst[k] >> 6] |=
				1ull << (op->dst[k] & 63);
		if (waits && op->flags & OP_STORE)
			p->written[REG_ADDRESSES >> 6] |=
				1ull << (REG_ADDRESSES & 63);
	}
}

static void
count_stores(struct window_program *p, const struct window_config *wc)
{
	int at = window_store_queue(wc);
	unsigned holds = at < 0 ? 0 : wc->queue[at].holds;

	p->stores = p->enters = p->slots = 0;
	for (unsigned i = 0; i < p->n; i++) {
		p->slots += !p->op[i].joined;
		p->stores += (p->op[i].flags & OP_STORE) != 0;
		p->enters += holds >> p->op[i].kind & 1;
	}
}

u64
window_places(const struct window_config *wc, unsigned kind)
{
	u64 places = 0;

	for (u32 i = 0; i < wc->queues; i++)
		if (wc->queue[i].holds >> kind & 1)
			places |= 1ull << 8 * (i + 1);
	return places;
}

static void
add_places(struct window_program *p, const struct window_config *wc,
	   u64 *enter)
{
	p->enter = enter;
	enter[0] = 0;
	for (unsigned i = 0; i < p->n_without_slot && i < WINDOW_MANY; i++)
		enter[i + 1] = enter[i] + window_places(wc, p->op[i].kind);
}

void
program_survey(struct window_program *p, const struct window_config *wc,
	       u64 *enter)
{
	find_written(p, wc);
	find_dead(p);
	find_inherits(p);
	if (wc->part_wait)
		find_whole(p);
	else
		forget_parts(p);
	count_stores(p, wc);
	add_places(p, wc, enter);
}
