/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a block is made of.  It ends where QEMU 7.2 ends one: behind a branch, at the
 * end of the page that it begins in, or with so many instructions.
 */
#ifndef NATIVE_CUT_H
#define NATIVE_CUT_H

#include "native.h"

#include "target/decoded.h"
#include "x86_64/host.h"

struct cut {
	struct insn insn[BLOCK_MAX_INSN];
	struct host_insn host[BLOCK_MAX_INSN];
	u8 data[BLOCK_MAX_INSN][INSN_BYTES];
	unsigned n;
};

static inline u64
cut_last_byte(const struct insn *in)
{
	return in->pc + in->size - 1u;
}

/* The instruction at pc, all of whose pages but the first are known to be executed;
 * or NULL. */
const struct host_insn *cut_insn(u64 pc);

/*
 * Decodes what QEMU would translate at once, from pc on; alone: one instruction.  The
 * number of those that surely belong to it: if the last one may cross the page's end,
 * the plugin of QEMU makes a block of it.  Does not return if there is none that this
 * engine executes.
 */
unsigned cut_block(struct cut *now, u64 pc, bool alone);

#endif
