/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that read a cycle counter: rdtsc and rdtscp of x86, rpcc of
 * Alpha.  QEMU gives them the host's, unless they are watched.
 */
#ifndef QEMU_TICKS_H
#define QEMU_TICKS_H

#include "target/decoded.h"
#include "plugin.h"

/*
 * Once, before the target starts.  The machine's cycles are read where the
 * target reads the machine's clock, and where the CPU has such a counter:
 * on Pentiums and Alphas.
 */
void ticks_start(void);

/* Whether the machine's cycles are read by that instruction. */
bool ticks_reads(const struct insn *in, const u8 data[INSN_BYTES]);

/* Has instruction number i of a block, which is q and those bytes, read them;
 * insn: its instructions. */
void ticks_watch(struct qemu_plugin_insn *q, const struct block *b,
		 const struct insn *insn, unsigned i,
		 const u8 data[INSN_BYTES]);

/* What would be read at the end of the last block. */
u64 ticks_now(void);

#endif
