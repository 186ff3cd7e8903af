/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a system's instruction set says about its blocks: whose they are, what
 * they do to modes and interrupts, which instructions are marks.
 */
#ifndef QEMU_SYSTEM_ISA_H
#define QEMU_SYSTEM_ISA_H

#include "machine/machine.h"

#include <stdbool.h>

/* An instruction as it is in memory; longer ones matter nowhere. */
struct system_code {
	u8 byte[8];
	u8 size;
};

/* What is known about a block when it is translated. */
struct system_block {
	u64 pc, end;		/* end: behind its last instruction */
	bool user;		/* user code */
	bool syscall;		/* it ends with a system call */
	bool returns;		/* ... with a return from an exception */
	u64 target;		/* of a direct branch at its end, or 0 */
	u8 effect, levels;	/* what its end does, in the set's terms */
	u8 vector;		/* enum system_vector, if that is all it is */
};

/* What is known when a block is entered. */
struct system_entry {
	enum sim_mode mode;
	enum system_vector vector; /* exception that led here */
	bool off;		/* interrupts are disabled */
};

enum system_mark { MARK_NONE, MARK_START, MARK_STOP, MARK_WAIT };

struct system_isa {
	enum system_mark (*mark)(const struct system_code *code);
	/* Fills all but pc, end, syscall and target, which are there. */
	void (*place)(struct system_block *p, const struct system_code *code,
		      unsigned n);
	void (*enter)(const struct system_block *p, struct system_entry *e);
	/* Address of the exception vectors, or 0. */
	u64 (*vectors)(void);
};

/* vectors: where kernels are entered, if the machine has been told. */
const struct system_isa *system_isa_mips(bool big);
const struct system_isa *system_isa_x86(const struct system_vectors *vectors);

#endif
