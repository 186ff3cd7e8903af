/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In-order scoreboard: single issue, one cause for each cycle without issue.
 *
 * issue_block() (issue.h) works out a block's cycles as if every access hit and
 * every register were ready at its start.  What a register still owes at
 * the end is the block's exit list; the first reads are its entry list.
 * schedule_edge() of core/edge.h charges the difference when one block follows
 * another.
 */
#ifndef PIPELINE_INORDER_H
#define PIPELINE_INORDER_H

#include "code/block.h"

/* Pseudo-registers: a unit that is busy. */
#define REG_UNIT_MDU 70
#define REG_UNIT_FPU 71

/* The pseudo-register of a unit, which is not UNIT_NONE. */
static inline unsigned
unit_register(unsigned unit)
{
	return unit == UNIT_MDU ? REG_UNIT_MDU : REG_UNIT_FPU;
}

/* The stall that waiting for a unit or its result is. */
static inline u8
unit_cause(unsigned unit)
{
	switch (unit) {
	case UNIT_MDU:
		return SIG_ALU_MDU;
	case UNIT_FPU:
		return SIG_ALU_FPU;
	default:
		return SIG_ALU_OTHER;
	}
}

/* Registers that no code has: one is never read, one never written. */
enum { REG_UNREAD = REG_N, REG_UNWRITTEN, SCHEDULE_REGS };

struct schedule {
	u64 ready[SCHEDULE_REGS]; /* cycle a plain reader can issue */
	u64 ready_addr[SCHEDULE_REGS]; /* cycle one as an address can issue */
	u8 cause[SCHEDULE_REGS]; /* stall that waiting for it is */
	u64 next;		/* earliest issue of the next instruction */
};

/* When an instruction can issue, and the stall that keeps it from it. */
struct issue {
	u64 at;
	u8 cause;	/* signal, if at is later than schedule.next */
	u8 reg;		/* that it waited for */
};

/* Registers ready, first issue at cycle 0. */
void schedule_init(struct schedule *s);

/* The earliest issue of in. */
struct issue schedule_issue(const struct schedule *s,
			    const struct pipeline_config *pipe,
			    const struct insn *in);

/* Books in at cycle at: what it writes becomes ready later. */
void schedule_book(struct schedule *s, const struct pipeline_config *pipe,
		   const struct insn *in, u64 at);

/* Whether what a store stores is waited for as an address is. */
static inline bool
stores_as_address(const struct pipeline_config *pipe, const struct insn *in)
{
	return pipe->issue.mmx_store_waits && insn_is_mmx_register(in->data);
}

/* The stall that waiting for such a register is, if it is no other. */
static inline u8
address_cause(unsigned reg, u8 cause)
{
	if (cause != SIG_ALU_OTHER)
		return cause;
	return insn_is_mmx_register(reg) ? SIG_ALU_STORE : SIG_ALU_AGEN;
}

#endif
