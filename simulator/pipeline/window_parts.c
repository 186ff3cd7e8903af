/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of which only a part was written, and segment registers that are
 * renamed once: a micro-op that reads or loads one has to wait. */
#include "window_internal.h"

/* A micro-op that could be dispatched at that cycle reads more of a register
 * than was written last: the cycle that it can. */
static u64
wait_for_parts(struct window *w, const struct window_op *op, u64 at)
{
	u64 until = at;

	for (unsigned i = 0; i < op->n_src; i++) {
		unsigned r = op->src[i];

		if (r < WINDOW_PARTS && w->parts >> r & 1 &&
		    op->src_part[i] & ~w->part[r])
			until = later(until, w->part_until[r]);
	}
	tally_add(w, SIG_PART_STALL, (s32)(until - at));
	return until;
}

/* The same of one that loads a segment register which is still renamed. */
static u64
wait_for_segment(struct window *w, u32 segment, u64 at)
{
	unsigned r = (unsigned)__builtin_ctz(segment);
	u64 until = later(at, w->part_until[r]);

	tally_add(w, SIG_SEGMENT_STALL_ES + r - WINDOW_PARTS,
		  (s32)(until - at));
	return until;
}

SIM_NOINLINE u64
parts_wait(struct window *w, const struct window_op *op, u64 at)
{
	u32 segment = w->parts & op->reads & ~WINDOW_PART_BITS;

	at = wait_for_parts(w, op, at);
	return segment ? wait_for_segment(w, segment, at) : at;
}

/* Parts of registers that the micro-op wrote, which retired at that cycle. */
static void
note_written(struct window *w, const struct window_op *op, u64 at)
{
	for (unsigned i = 0; i < op->n_dst; i++) {
		unsigned r = op->dst[i];

		if (!op->dst_part[i] || (w->clear & op->inherits) >> r & 1)
			continue;
		w->parts |= 1u << r;
		w->part[r] = op->dst_part[i];
		w->part_until[r] = at + w->pipe->window.part_wait;
	}
}

SIM_NOINLINE void
parts_note(struct window *w, const struct window_op *op, u64 at)
{
	u32 segment = op->narrow & ~WINDOW_PART_BITS;

	if (op->narrow & WINDOW_PART_BITS)
		note_written(w, op, at);
	w->parts |= segment;
	if (segment)
		w->part_until[__builtin_ctz(segment)] = at;
}
