/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dependences among a chunk's micro-ops. */
#include "interval_build.h"
#include "window_forward.h"

#include <string.h>

#define CYCLES_MAX 512		/* in which ports are taken */

static int
latest(int a, int b)
{
	return a > b ? a : b;
}

static int
behind(int at, int cycles)
{
	return at == FLOW_NEVER ? at : at + cycles;
}

void
flow_init(struct flow *f)
{
	for (unsigned j = 0; j < INTERVAL_OPS; j++)
		f->lower[j] = f->result_lower[j] = f->data_lower[j] =
			FLOW_NEVER;
	f->addresses = FLOW_NEVER;
}

/* The highest port that is free, as in the window. */
static int
take_port(u16 *taken, unsigned ports, int at)
{
	for (; at < CYCLES_MAX; at++) {
		unsigned free = ports & ~(unsigned)taken[at];

		if (!free)
			continue;
		taken[at] |= (u16)(1u << (31 - __builtin_clz(free)));
		break;
	}
	return at;
}

void
flow_run(const struct chunk_builder *b, struct flow *f, bool ports)
{
	u16 taken[CYCLES_MAX] = {0};

	for (unsigned j = 0; j < b->n; j++) {
		const struct window_op *op = &b->op[j];
		int at = f->lower[j], unit = b->unit_before[j];

		for (unsigned k = 0; k < op->n_src; k++)
			if (b->writer[j][k] >= 0)
				at = latest(at, f->result[b->writer[j][k]]);
		if (unit >= 0)
			at = latest(at, behind(f->issue[unit],
					       b->op[unit].repeat));
		if (op->awaits)
			at = latest(at, f->addresses);
		if (ports && op->ports && at >= 0)
			at = take_port(taken, op->ports, at);
		f->issue[j] = at;
		if (op->flags & OP_STORE)
			f->addresses = latest(f->addresses, at);
		at = latest(behind(at, op->latency), f->result_lower[j]);
		f->result[j] = at;
		at = latest(at, f->data_lower[j]);
		if (b->data_writer[j] >= 0)
			at = latest(at, f->result[b->data_writer[j]]);
		f->done[j] = at;
	}
}

static int
end_of(const struct chunk_builder *b, const struct flow *f)
{
	int end = FLOW_NEVER;

	for (unsigned j = 0; j < b->n; j++)
		end = latest(end, behind(f->done[j], flow_retires(b, j)));
	return end;
}

/* When the data of a store, and its address, are known. */
static int
store_of(const struct chunk_builder *b, const struct flow *f, unsigned place)
{
	int at = FLOW_NEVER;

	for (unsigned j = 0; j < b->n; j++) {
		const struct window_op *op = &b->op[j];
		int data = b->data_writer[j];

		if (!window_op_stores(op) || forward_place(op->store) != place)
			continue;
		at = latest(at, op->flags & OP_LOAD ? f->result[j]
						    : f->issue[j]);
		at = latest(at, f->data_lower[j]);
		if (data >= 0)
			at = latest(at, f->result[data]);
	}
	return at;
}

int
flow_target(const struct chunk_builder *b, const struct flow *f,
	    unsigned target)
{
	unsigned at = b->target[target].at, from = b->from[target];

	if (target == TARGET_END)
		return end_of(b, f);
	if (target == TARGET_BRANCH)
		return b->chunk->branch ? f->done[from] : FLOW_NEVER;
	if (at == REG_ADDRESSES && target >= TARGET_OTHERS)
		return f->addresses;
	if (at >= TARGET_STORE)
		return store_of(b, f, at - TARGET_STORE);
	if (at >= SOURCE_UNIT)
		return behind(f->issue[from], b->op[from].repeat);
	return f->result[from];
}
