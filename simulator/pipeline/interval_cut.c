/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What intervals know of a table, and where a block is cut into chunks. */
#include "interval_build.h"

#include <string.h>

/* ---- Tables ------------------------------------------------------------ */

static bool
has_set(const struct interval_table *t, unsigned ports)
{
	for (unsigned i = 0; i < t->n_set; i++)
		if (t->set[i] == ports)
			return true;
	return false;
}

/* A set of as many ports as micro-ops are dispatched per cycle is never too
 * few. */
static void
add_set(struct interval_table *t, unsigned ports)
{
	unsigned size = (unsigned)__builtin_popcount(ports);

	if (!ports || size >= t->pipe->window.dispatch || has_set(t, ports) ||
	    t->n_set == INTERVAL_PORTS)
		return;
	t->size[t->n_set] = (u8)size;
	t->set[t->n_set++] = (u16)ports;
}

/* Those that micro-ops name, and what sets that meet have together. */
void
interval_table_init(struct interval_table *table,
		    const struct pipeline_config *pipe)
{
	const struct window_config *wc = &pipe->window;
	unsigned step = wc->queue[0].entries / 8;

	memset(table, 0, sizeof *table);
	table->pipe = pipe;
	table->step = step < 4 ? 4 : step > INTERVAL_OPS ? INTERVAL_OPS : step;
	add_set(table, wc->load_ports);
	add_set(table, wc->load_ports_fp);
	add_set(table, wc->store_ports);
	add_set(table, wc->data_ports);
	add_set(table, wc->data_ports_fp);
	add_set(table, wc->branch_ports);
	for (unsigned i = 0; i < CLASS_N; i++)
		add_set(table, pipe->cls[i].ports);
	for (unsigned i = 1; i < table->n_set; i++)
		for (unsigned k = 0; k < i; k++)
			if (table->set[i] & table->set[k])
				add_set(table, table->set[i] | table->set[k]);
}

/* A queue's lane is its number. */
u64
interval_places(const struct window_config *wc, unsigned kind)
{
	u64 places = 0;

	for (u32 i = 0; i < wc->queues; i++)
		if (wc->queue[i].holds >> kind & 1)
			places |= 1ull << INTERVAL_LANE * i;
	return places;
}

u64
interval_leaves(const struct window_config *wc, unsigned kind, unsigned until)
{
	u64 places = 0;

	for (u32 i = 0; i < wc->queues; i++)
		if (wc->queue[i].until == until)
			places |= interval_places(wc, kind) &
				  1ull << INTERVAL_LANE * i;
	return places;
}

/* ---- Chunks ------------------------------------------------------------ */

/* Whether it waits for parts of registers that micro-ops of the chunk before
 * it have written: it is dispatched when these have retired. */
static bool
waits_for_parts(const struct window_op *op, const struct window_op *first)
{
	for (const struct window_op *o = first; o < op; o++)
		if (o->narrow & op->reads)
			return true;
	return false;
}

unsigned
interval_cut(const struct interval_table *t, const struct window_program *p,
	     unsigned from)
{
	unsigned end = from + 1, n = p->n;

	if (from < p->n_without_slot)
		n = p->n_without_slot;
	while (end < n && end - from < INTERVAL_OPS) {
		const struct window_op *op = &p->op[end];
		unsigned insn_end = p->first[op->insn + 1];

		if (op->flags & OP_SERIAL || waits_for_parts(op, &p->op[from]))
			break;
		if (op->flags & OP_FIRST && insn_end - from > t->step)
			break;
		end++;
	}
	/* What shares a place is in the chunk that has it. */
	while (end < n && end > from + 1 && p->op[end].joined)
		end--;
	return end;
}

/* ---- Arrival ----------------------------------------------------------- */

/* Lets the chunk's instructions arrive, of which a cycle had n before.  The
 * cycle of each micro-op's is at[]; how many arrived in the last one. */
static unsigned
arrive(const struct chunk_builder *b, unsigned n, u16 at[INTERVAL_OPS])
{
	const struct window_config *wc = &b->table->pipe->window;
	unsigned cycle = 0;

	for (unsigned j = 0; j < b->n; j++) {
		const struct window_op *op = &b->op[j];

		if (!(op->flags & OP_FIRST)) {
			at[j] = j ? at[j - 1] : (u16)cycle;
			continue;
		}
		if (n >= wc->fetch || (n && op->flags & OP_GROUP) ||
		    (n && wc->decoders &&
		     (n >= wc->decoders || op->decode > wc->decode[n]))) {
			cycle++;
			n = 0;
		}
		at[j] = (u16)cycle;
		n++;
		if (op->extra) {
			cycle += op->extra;
			n = wc->fetch;
		}
	}
	return n | cycle << 8;
}

void
interval_arrive(struct chunk_builder *b)
{
	unsigned fetch = b->table->pipe->window.fetch;
	struct interval_chunk *chunk = b->chunk;
	u16 at[INTERVAL_OPS];
	unsigned last = b->n - 1, end;

	for (unsigned n = 0; n <= fetch; n++) {
		end = arrive(b, n, at);
		chunk->arrive_first[n] = (u8)at[0];
		chunk->arrive_cycles[n] = (u16)(end >> 8);
		chunk->arrive_n[n] = (u8)end;
	}
	arrive(b, 0, b->arrives);
	chunk->late_last = b->arrives[last];
	while (last && b->arrives[last - 1] == chunk->late_last)
		last--;
	chunk->late_phase = (u8)((b->slots - b->slot[last]) %
				 b->table->pipe->window.dispatch);
}
