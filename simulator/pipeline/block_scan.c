/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers and accesses of a block that is being built. */
#include "build_internal.h"

/* What has been seen of a register. */
enum touch { TOUCH_READ = 1, TOUCH_ADDRESS = 2, TOUCH_WRITE = 4 };

static bool
accesses(const struct insn *in)
{
	return in->flags & (INSN_LOADS | INSN_STORES | INSN_UNKNOWN);
}

/* The first touch of its kind of a register. */
static void
touch(struct build *w, unsigned reg, unsigned cycle, enum touch how)
{
	if (w->reg[reg].touched & (how | TOUCH_WRITE))
		return;
	w->reg[reg].touched |= how;
	w->entry[w->n_entry++] = (struct block_reg){
		.reg = reg & 127,
		.cycles = (u16)cycle,
		.address = how == TOUCH_ADDRESS,
		.killed = how == TOUCH_WRITE,
	};
}

/* A register that a load of the block has written is read at that cycle. */
static void
use_load(struct build *w, unsigned reg, unsigned cycle, u8 flags)
{
	unsigned i = w->reg[reg].load;
	struct build_access *from;

	if (!i)
		return;
	from = &w->access[i - 1];
	w->reg[reg].load = 0;
	from->a.use = (u16)(cycle - from->offset);
	from->a.flags |= flags;
}

/*
 * The registers that the instruction reads, which issues at cycle at.  Only
 * if no access is between a load and the first reader, and none of the
 * reader's when it reads the data of a store, is the reader the next.
 */
static void
scan_reads(struct build *w, const struct insn *in, unsigned at)
{
	unsigned unit = w->pipe->cls[in->cls].unit;
	unsigned late = at + w->pipe->store_data_slack;
	bool address = issue_is_address(w->pipe, in);

	for (unsigned k = 0; k < INSN_ADDR && in->addr[k] != REG_NONE; k++) {
		unsigned r = in->addr[k];

		touch(w, r, at, TOUCH_ADDRESS);
		use_load(w, r, at, ACCESS_USE_IS_ADDRESS |
			 (w->reg[r].load == w->n_access ? ACCESS_USE_IS_NEXT
							: 0));
	}
	for (unsigned k = 0; k < INSN_SRC && in->src[k] != REG_NONE; k++) {
		unsigned r = in->src[k];
		u8 next = w->reg[r].load == w->n_access ? ACCESS_USE_IS_NEXT
							: 0;

		touch(w, r, at, address ? TOUCH_ADDRESS : TOUCH_READ);
		use_load(w, r, at, address ? next | ACCESS_USE_IS_ADDRESS
					   : next);
	}
	if (stores_as_address(w->pipe, in)) {
		touch(w, in->data, at, TOUCH_ADDRESS);
		use_load(w, in->data, at, ACCESS_USE_IS_ADDRESS);
	} else if (in->data != REG_NONE) {
		touch(w, in->data, late, TOUCH_READ);
		use_load(w, in->data, late, 0);
	}
	if (unit != UNIT_NONE)
		touch(w, unit_register(unit), at, TOUCH_READ);
}

/* Nothing goes on in front of the data of a load: as if the next cycle read
 * it. */
static bool
blocks(const struct build *w, const struct insn *in)
{
	return w->pipe->load_blocks && in->flags & INSN_LOADS;
}

static void
scan_access(struct build *w, const struct insn *in, unsigned i, unsigned at)
{
	struct build_access *to;
	bool loads = in->flags & INSN_LOADS && in->dst[0] != REG_NONE;
	bool barrier = w->pipe->barrier_drains && in->flags & INSN_DRAINS;
	bool mmx = w->pipe->watch_mmx && in->flags & INSN_IS_MMX;
	bool locked = w->pipe->locks_bus && in->flags & INSN_IS_LOCKED;
	bool counted = in->n_load + in->n_store;

	if (in->flags & INSN_IS_LOCKED)
		w->locked = true;
	if (in->branch == BRANCH_REP && in->flags & INSN_STORES)
		w->step = (u8)pipeline_string_step(w->pipe,
						   1u << in->size_log2);
	if (!accesses(in) && !barrier)
		return;
	w->ticks = (u16)(w->ticks + in->n_load + in->n_store);
	to = &w->access[w->n_access++];
	*to = (struct build_access){
		.a = {
			.insn = (u16)i,
			.reg = loads ? in->dst[0] : REG_NONE,
			.use = blocks(w, in) ? w->pipe->load_use
					     : ACCESS_NO_USE,
			.flags = (u8)((blocks(w, in) ? ACCESS_USE_IS_NEXT
						     : 0) |
				      (barrier ? ACCESS_IS_BARRIER : 0) |
				      (mmx ? ACCESS_IS_MMX : 0) |
				      (locked ? ACCESS_IS_LOCKED : 0) |
				      (counted ? 0 : ACCESS_IS_UNCOUNTED)),
		},
		.offset = (u16)at,
		.ticks = w->ticks,
	};
}

static void
scan_writes(struct build *w, const struct insn *in, unsigned at)
{
	const struct class_config *cls = &w->pipe->cls[in->cls];

	for (unsigned k = 0; k < INSN_DST && in->dst[k] != REG_NONE; k++) {
		unsigned r = in->dst[k], load = w->reg[r].load;

		touch(w, r, at, TOUCH_WRITE);
		if (load)
			w->access[load - 1].a.use = ACCESS_NEVER_USED;
		w->reg[r].load = 0;
		w->written[r >> 6] |= 1ull << (r & 63);
	}
	if (in->flags & INSN_LOADS && in->dst[0] != REG_NONE && !blocks(w, in))
		w->reg[in->dst[0]].load = w->n_access;
	if (cls->unit != UNIT_NONE)
		w->written[unit_register(cls->unit) >> 6] |=
			1ull << (unit_register(cls->unit) & 63);
}

static void
exit_add(struct build *w, unsigned reg, u64 ready, bool address)
{
	const struct schedule *s = &w->s;

	if (ready <= s->next)
		return;
	w->exit[w->n_exit++] = (struct block_reg){
		.reg = reg & 127,
		.signal = address ? address_cause(reg, s->cause[reg])
				  : s->cause[reg],
		.cycles = (u16)(ready - s->next),
		.address = address,
	};
}

void
block_scan_exit(struct build *w)
{
	const struct schedule *s = &w->s;

	for (unsigned half = 0; half < 2; half++) {
		u64 left = w->written[half];

		for (; left; left &= left - 1) {
			unsigned bit = (unsigned)__builtin_ctzll(left);
			unsigned r = half * 64 + bit;
			u64 ready = s->ready[r], address = s->ready_addr[r];

			exit_add(w, r, ready, false);
			exit_add(w, r, address > ready ? address : ready,
				 true);
		}
	}
}

void
block_scan(struct build *w, const struct insn *insn, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct insn *in = &insn[i];
		unsigned at = w->window ? 0 : w->offset[i];

		tally_insn(&w->t, in);
		scan_reads(w, in, at);
		scan_access(w, in, i, at);
		scan_writes(w, in, at);
	}
}
