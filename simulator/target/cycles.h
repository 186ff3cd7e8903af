/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor's cycle counter, as the target reads it. */
#ifndef TARGET_CYCLES_H
#define TARGET_CYCLES_H

#include "code/block.h"

/* Once, before the target starts. */
void cycles_start(void);

/* What the counter shows in that cycle of the core; it never goes back. */
u64 cycles_read(u64 cycle);

/* The cycles of a block's first n instructions, which are those given. */
unsigned cycles_before(const struct insn *insn, unsigned n);

/* What the counter shows to the instruction at pc of block b, which the core is
 * in, or its thread as it is recorded: time goes on within a block as it is
 * scheduled, in a window as it issues, which is not known while blocks are
 * recorded.  For one engine's thread at a time. */
u64 cycles_at(const struct block *b, u64 pc);

#endif
