/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where direct branches go to, whatever the instruction set. */
#include "decode.h"

#define MIPS_OP_J 0x02
#define MIPS_OP_JAL 0x03
#define X86_NEAR 5	/* bytes; shorter ones have displacements of 8 bits */

static unsigned
halfword(const u8 *data, bool big_endian)
{
	return big_endian ? data[0] << 8u | data[1] : data[1] << 8u | data[0];
}

/* The bytes' first word, little endian. */
static u32
word_at(const u8 *data)
{
	return (u32)data[3] << 24 | data[2] << 16 | data[1] << 8 | data[0];
}

static u32
mips_word(const u8 *data, bool big_endian)
{
	return big_endian ? __builtin_bswap32(word_at(data)) : word_at(data);
}

static s32
sign_extend(u32 value, unsigned bits)
{
	return (s32)(value << (32 - bits)) >> (32 - bits);
}

/* Of 8 bits in a halfword, or of 16 of which the upper eleven are in the
 * EXTEND before it. */
static s32
mips16_displacement(const u8 *data, unsigned size, bool big_endian)
{
	unsigned extend = halfword(data, big_endian);

	if (size == 2)
		return sign_extend(extend, 8);
	return sign_extend((extend & 31) << 11 | (extend & 0x7e0) |
			   (halfword(data + 2, big_endian) & 31), 16);
}

/* The displacement of a conditional branch, in bytes, halfwords or words; that
 * of x86 comes last. */
static s32
displacement(enum isa isa, const u8 *data, unsigned size, bool mips16)
{
	switch (isa) {
	case ISA_X86_64:
	case ISA_I386:
		return size < X86_NEAR ? (int8_t)data[size - 1]
				       : (s32)word_at(data + size - 4);
	case ISA_MIPSEL:
	case ISA_MIPS:
		if (mips16)
			return mips16_displacement(data, size,
						   isa == ISA_MIPS);
		return (int16_t)mips_word(data, isa == ISA_MIPS);
	default:
		return sign_extend(word_at(data), 21);
	}
}

bool
decode_is_backward(enum isa isa, const u8 *data, unsigned size,
		   bool mips16)
{
	return displacement(isa, data, size, mips16) < 0;
}

static u64
mips_target(const struct insn *in, const u8 *data, bool big_endian, s32 by)
{
	u32 word = mips_word(data, big_endian), next = (u32)in->pc + 4;
	unsigned op = word >> 26;

	if (op == MIPS_OP_J || op == MIPS_OP_JAL)
		return (next & 0xf0000000) | (word & 0x03ffffff) << 2;
	return next + (u32)by * 4;
}

u64
decode_target(enum isa isa, const struct insn *in, const u8 *data)
{
	bool direct = in->branch == BRANCH_DIRECT_COND ||
		      in->branch == BRANCH_COND_CALL ||
		      in->branch == BRANCH_JUMP || in->branch == BRANCH_CALL;
	s32 by;

	if (!direct || in->flags & INSN_IS_MIPS16)
		return 0;
	by = displacement(isa, data, in->size, false);
	switch (isa) {
	case ISA_X86_64:
	case ISA_I386:
		return in->pc + in->size + (u64)by;
	case ISA_MIPSEL:
	case ISA_MIPS:
		return mips_target(in, data, isa == ISA_MIPS, by);
	default:
		return in->pc + 4 + (u64)by * 4;
	}
}
