/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block while it is being built: what its files have in common. */
#ifndef SIM_BUILD_INTERNAL_H
#define SIM_BUILD_INTERNAL_H

#include "block_count.h"
#include "issue.h"

/* An access of the block and where it is: see struct block_access. */
struct build_access {
	struct block_access a;
	u16 offset;		/* cycle that it issues at */
	u16 ticks;		/* of the clock, from the start of the block */
};

/* What is known about a register while the block is scanned. */
struct build_reg {
	u8 touched;		/* block_scan.c: what has been seen of it */
	u16 load;		/* 1 + access that it waits for, 0: none */
};

/* All of it. */
struct build {
	const struct pipeline_config *pipe;
	struct schedule s;
	struct tally t;
	struct build_reg reg[REG_N];
	u64 written[2];		/* bit per register */
	struct window_program *window; /* PIPELINE_WINDOW, else NULL */
	u16 n_access, ticks;
	u8 n_entry, n_near, n_exit, n_slot;
	u8 step;		/* block_detail.step; 0: there is none */
	bool locked;
	/* Lists, not cleared. */
	struct block_reg entry[3 * REG_N];
	struct block_reg exit[2 * REG_N];
	/* Of a branch-likely's delay slot. */
	struct block_count slot[SIG_BLOCK_N];
	struct build_access access[BLOCK_MAX_INSN];
	u16 offset[BLOCK_MAX_INSN]; /* cycle that each instruction issues at */
};

/* block_scan.c: what the instructions count, access, read and write. */
void block_scan(struct build *w, const struct insn *insn, unsigned n);

/* What the registers owe at the end, in their order. */
void block_scan_exit(struct build *w);

#endif
