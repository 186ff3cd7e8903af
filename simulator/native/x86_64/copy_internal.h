/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of copies share. */
#ifndef NATIVE_COPY_INTERNAL_H
#define NATIVE_COPY_INTERNAL_H

#include "code.h"

/* The bytes of instruction i. */
static inline const u8 *
copy_bytes(const struct code_source *s, unsigned i)
{
	return (const u8 *)(uintptr_t)s->insn[i].pc;
}

/* copy.c: an exit of b to the instruction at target. */
void copy_leave(struct emitter *e, struct code_block *b, u64 target);

/* copy_repeat.c: copies instruction i, which repeats itself; and what its copy has put
 * aside of RCX is there again. */
void copy_repeat(struct emitter *e, struct code_block *b,
		 const struct code_source *s, unsigned i);
void copy_repeat_take_back(const struct host_insn *h, u64 reg[HOST_REGS]);

#endif
