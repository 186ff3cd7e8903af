/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes that few tables tell from those of the opcodes' rows: what a table
 * does not name costs as the class that it is like.
 */
#include "x86_state.h"

/* A product that is not cut to one register. */
static u8
two_words(u8 cls)
{
	return cls == CLASS_MUL64 ? CLASS_MUL2 : cls;
}

/* Of a group of sums, or of shifts: adc, sbb; rcl, rcr. */
static bool
is_with_carry(const struct x86_state *s)
{
	unsigned operation = *s->p >> 3 & 7;

	return operation == 2 || operation == 3;
}

/* Of general registers, opcodes of one byte. */
static u8
class_one(const struct x86_state *s)
{
	switch (s->opcode) {
	case 0x10 ... 0x15: /* adc */
	case 0x18 ... 0x1d: /* sbb */
		return CLASS_FLAG;
	case 0x80 ... 0x83:
		return is_with_carry(s) ? CLASS_FLAG : s->in->cls;
	case 0x86 ... 0x87:
	case 0x91 ... 0x97:
		return CLASS_XCHG;
	case 0xf7:
		return two_words(s->in->cls);
	case 0xd2:
	case 0xd3:
		return is_with_carry(s) ? s->in->cls : CLASS_SHIFT_CL;
	default:
		return s->in->cls;
	}
}

/* Behind 0F, of MMX and vectors as well; 0: no class of its own. */
static const u8 of_two[256] = {
	[0x14 ... 0x15] = CLASS_FSHUFFLE,
	[0x46 ... 0x47] = CLASS_CMOV2, /* carry and zero */
	[0x52 ... 0x53] = CLASS_FRCP,
	[0x5a] = CLASS_FCVT_W,
	[0x5d] = CLASS_FMIN, [0x5f] = CLASS_FMIN,
	[0x60 ... 0x63] = CLASS_SHUFFLE, [0x67 ... 0x6d] = CLASS_SHUFFLE,
	[0x70] = CLASS_SHUFFLE,
	[0x7c ... 0x7d] = CLASS_FHADD,
	[0x90 ... 0x9f] = CLASS_FLAG, [0xa3] = CLASS_FLAG,
	[0xa4] = CLASS_SHIFT2, [0xab] = CLASS_FLAG, [0xac] = CLASS_SHIFT2,
	[0xb3] = CLASS_FLAG, [0xba ... 0xbb] = CLASS_FLAG,
	[0xc0 ... 0xc1] = CLASS_XCHG, [0xc2] = CLASS_FMIN,
	[0xc6] = CLASS_FSHUFFLE,
	[0xe6] = CLASS_FCVT_W,
};

/* The same of SSE and AVX alone. */
static const u8 of_vectors[256] = {
	[0x64 ... 0x66] = CLASS_SIMD_COMPARE,
	[0x71 ... 0x73] = CLASS_SIMD_SHIFT,
	[0x74 ... 0x76] = CLASS_SIMD_COMPARE,
	[0xd1 ... 0xd3] = CLASS_SIMD_SHIFT, [0xd5] = CLASS_SIMD_MUL,
	[0xd8 ... 0xda] = CLASS_SIMD_COMPARE,
	[0xdc ... 0xde] = CLASS_SIMD_COMPARE,
	[0xe0] = CLASS_SIMD_COMPARE,
	[0xe1 ... 0xe2] = CLASS_SIMD_SHIFT, [0xe3] = CLASS_SIMD_COMPARE,
	[0xe4 ... 0xe5] = CLASS_SIMD_MUL,
	[0xe8 ... 0xea] = CLASS_SIMD_COMPARE,
	[0xec ... 0xee] = CLASS_SIMD_COMPARE,
	[0xf1 ... 0xf3] = CLASS_SIMD_SHIFT,
	[0xf4 ... 0xf5] = CLASS_SIMD_MUL, [0xf6] = CLASS_SIMD_SUM,
};

/* Between a general and a vector register, of scalars. */
static bool
converts_integer(const struct x86_state *s)
{
	return (s->opcode == 0x2a || s->opcode == 0x2c ||
		s->opcode == 0x2d) && s->column > 1;
}

/* The first bit, or how many: with prefix F3 those before the last one. */
static u8
counts_bits(const struct x86_state *s)
{
	if (s->opcode == 0xb8 || (s->opcode == 0xbd && s->column == 2))
		return CLASS_COUNT;
	return s->opcode == 0xbc || s->opcode == 0xbd ? CLASS_FIND
						      : CLASS_BITS;
}

/* From a vector, and not to one. */
static bool
extracts(const struct x86_state *s)
{
	return s->opcode == 0x50 || s->opcode == 0x7e || s->opcode == 0xc5 ||
	       s->opcode == 0xd7;
}

/* 256 bits, that are divided in two halves. */
static u8
halves(const struct x86_state *s)
{
	bool packed = s->vex && s->l && s->column < 2;

	if (packed && s->opcode == 0x5e)
		return s->column ? CLASS_FDIV_YD : CLASS_FDIV_Y;
	if (packed && s->opcode == 0x51)
		return s->column ? CLASS_FSQRT_YD : CLASS_FSQRT_Y;
	return s->in->cls;
}

static u8
class_two(const struct x86_state *s)
{
	u8 c = s->opcode, own = of_two[c];

	if (own)
		return own;
	if (s->in->flags & INSN_IS_SSE && of_vectors[c])
		return of_vectors[c];
	if (converts_integer(s))
		return CLASS_FCVT_X;
	if (s->in->flags & INSN_DRAINS)
		return CLASS_FENCE;
	if (s->in->cls == CLASS_BITS)
		return counts_bits(s);
	if (s->in->cls == CLASS_FTRANSFER && extracts(s))
		return CLASS_FEXTRACT;
	return halves(s);
}

static const u8 of_38[256] = {
	[0x00] = CLASS_SHUFFLE, [0x04] = CLASS_SIMD_MUL,
	[0x08 ... 0x0a] = CLASS_SIMD_COMPARE, [0x0b] = CLASS_SIMD_MUL,
	[0x0c ... 0x0d] = CLASS_FSHUFFLE, [0x16] = CLASS_FACROSS,
	[0x17] = CLASS_SIMD_TEST, [0x1c ... 0x1e] = CLASS_SIMD_COMPARE,
	[0x20 ... 0x25] = CLASS_SHUFFLE, [0x28] = CLASS_SIMD_MUL,
	[0x29] = CLASS_SIMD_COMPARE, [0x2b] = CLASS_SHUFFLE,
	[0x30 ... 0x35] = CLASS_SHUFFLE, [0x36] = CLASS_ACROSS,
	[0x38 ... 0x3f] = CLASS_SIMD_COMPARE, [0x40] = CLASS_SIMD_MUL_D,
	[0x58 ... 0x59] = CLASS_ACROSS, [0x78 ... 0x79] = CLASS_ACROSS,
};

static const u8 of_3a[256] = {
	[0x00] = CLASS_ACROSS, [0x01] = CLASS_FACROSS,
	[0x04 ... 0x05] = CLASS_FSHUFFLE, [0x06] = CLASS_FACROSS,
	[0x08 ... 0x0b] = CLASS_FROUND, [0x0f] = CLASS_SHUFFLE,
	[0x14 ... 0x17] = CLASS_FEXTRACT,
	[0x18 ... 0x19] = CLASS_FACROSS, [0x21] = CLASS_FSHUFFLE,
	[0x38 ... 0x39] = CLASS_ACROSS, [0x40 ... 0x41] = CLASS_FDOT,
	[0x42] = CLASS_SIMD_SUM, [0x44] = CLASS_CLMUL, [0x46] = CLASS_ACROSS,
};

/* Halves are crossed in 256 bits alone.  What comes from memory is at its place
 * when it is inserted. */
static u8
class_three(const struct x86_state *s, u8 own)
{
	bool inserts = s->map == MAP_3A && (s->opcode & 0xdf) == 0x18;

	if (s->map == MAP_38 && s->opcode == 0xf6) /* mulx */
		return two_words(s->in->cls);
	if (!own || (inserts && *s->p < 0xc0))
		return s->in->cls;
	if (own == CLASS_FEXTRACT && s->in->cls != CLASS_FTRANSFER)
		return s->in->cls;
	if (own == CLASS_ACROSS && s->map == MAP_38 && s->opcode != 0x36 &&
	    !s->l)
		return CLASS_SHUFFLE;
	if (own == CLASS_SHUFFLE && s->map == MAP_38 && s->l &&
	    s->opcode >= 0x20 && s->opcode != 0x2b)
		return CLASS_ACROSS;
	return own;
}

void
x86_class(struct x86_state *s)
{
	switch (s->map) {
	case MAP_ONE:
		s->in->cls = class_one(s);
		break;
	case MAP_TWO:
		s->in->cls = class_two(s);
		break;
	case MAP_38:
		s->in->cls = class_three(s, of_38[s->opcode]);
		break;
	case MAP_3A:
		s->in->cls = class_three(s, of_3a[s->opcode]);
		break;
	}
}
