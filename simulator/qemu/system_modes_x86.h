/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In what mode an x86-64 system executes a block, from the blocks that went
 * before and the instructions in them: QEMU does not tell.
 *
 * The upper half of all addresses is the kernel's, at privilege level 0, and
 * the lower half the user's, at level 3.  The processor knows no exception
 * level; what comes next to it begins where an interrupt, an exception or a
 * system call enters the kernel, with interrupts disabled by the processor,
 * and lasts until the kernel enables them or returns.  An iret gives back
 * what there was before.
 *
 * So the mode is exact by block for a kernel that changes the flag with cli
 * and sti, as Linux does; what popf does is not seen.
 */
#ifndef QEMU_SYSTEM_MODES_X86_H
#define QEMU_SYSTEM_MODES_X86_H

#include "system_isa.h"

#define MODES_X86_KERNEL_BASE (1ull << 63)

/* What a block does to the flag that lets interrupts in, at its end. */
enum x86_effect { X86_SAME, X86_OFF, X86_ON, X86_RETURN };

enum x86_effect x86_effect(const struct system_code *code, unsigned n);

/* Which way into the kernel begins at pc. */
enum system_vector x86_vector(const struct system_vectors *v, u64 pc);

/* An iret elsewhere than among the ways into the kernel serves to
 * synchronize, and comes back to itself. */
bool x86_is_entry_code(const struct system_vectors *v, u64 pc);

struct x86_modes {
	bool off;		/* interrupts are disabled */
	bool exception;		/* ... since the kernel was entered */
	u64 before;		/* both before each exception that has not
				 * returned, the last one's in bits 0 and 1 */
	enum x86_effect pending; /* of the block before */
};

enum sim_mode x86_enter(struct x86_modes *m, bool user,
			enum system_vector vector, enum x86_effect effect);

#endif
