/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoders: bytes of an instruction of the target to struct insn.
 * They never fail: what they do not know is INSN_UNKNOWN, class ALU.
 * QEMU has already found the size, so no decoder works out a length.
 */
#ifndef QEMU_DECODE_H
#define QEMU_DECODE_H

#include "code/insn.h"
#include "program/isa.h"

/*
 * Decodes the instruction of size bytes at data (target byte order), which
 * the target sees at address pc.  For MIPS, bit 0 of pc says nothing; 16-bit
 * code is recognised by mips16 (the block's ISA mode).
 */
void decode_x86(struct insn *in, u64 pc, const u8 *data, unsigned size,
		bool is64);
void decode_mips(struct insn *in, u64 pc, const u8 *data, unsigned size,
		 bool big_endian, bool mips16);
void decode_alpha(struct insn *in, u64 pc, const u8 *data, unsigned size);

/* Whether a direct conditional branch of size bytes at data goes to a lower
 * address: the sign of its displacement. */
bool decode_is_backward(enum isa isa, const u8 *data, unsigned size,
			bool mips16);

/* Where the instruction goes to if it is a direct branch, jump or call; 0 if
 * not, and for MIPS16e. */
u64 decode_target(enum isa isa, const struct insn *in, const u8 *data);

#endif
