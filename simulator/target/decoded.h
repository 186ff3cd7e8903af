/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction of the target, from its bytes to its description. */
#ifndef QEMU_DECODED_H
#define QEMU_DECODED_H

#include "code/insn.h"

#define INSN_BYTES 16	/* at most; those behind the instruction are zero */

/* Decodes the instruction of size bytes at pc. */
void decode_insn(struct insn *in, u64 pc, const u8 data[INSN_BYTES],
		 unsigned size, bool mips16);

/*
 * The same, for code that is being translated: many of its instructions have
 * been seen before.  One thread at a time.
 */
void decoded_insn(struct insn *in, u64 pc, const u8 data[INSN_BYTES],
		  unsigned size, bool mips16);

/* It will be asked for one with these bytes, behind others. */
void decoded_soon(const u8 data[INSN_BYTES]);

#endif
