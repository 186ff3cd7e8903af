/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which way a conditional branch goes, whatever the instruction set. */
#include "decode.h"

static unsigned
halfword(const u8 *data, bool big_endian)
{
	return big_endian ? data[0] << 8u | data[1] : data[1] << 8u | data[0];
}

/* Of a displacement of 16 bits in the lower half of a word, or of 8 in a
 * halfword, or of 16 of which the upper five are in the EXTEND before it. */
static bool
mips_is_backward(const u8 *data, unsigned size, bool big_endian, bool mips16)
{
	if (size == 2)
		return halfword(data, big_endian) & 1u << 7;
	if (mips16)
		return halfword(data, big_endian) & 1u << 4;
	return data[big_endian ? 2 : 1] & 0x80;
}

bool
decode_is_backward(enum decode_isa isa, const u8 *data, unsigned size,
		   bool mips16)
{
	switch (isa) {
	case ISA_X86_64:
	case ISA_I386:		/* the displacement comes last */
		return data[size - 1] & 0x80;
	case ISA_MIPSEL:
	case ISA_MIPS:
		return mips_is_backward(data, size, isa == ISA_MIPS, mips16);
	default:		/* Alpha: 21 bits at the end of a word */
		return data[2] & 0x10;
	}
}
