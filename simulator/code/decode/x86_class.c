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

/* Of general registers, opcodes of one byte. */
static u8
class_one(const struct x86_state *s)
{
	switch (s->opcode) {
	case 0x86 ... 0x87:
	case 0x91 ... 0x97:
		return CLASS_XCHG;
	case 0xf7:
		return two_words(s->in->cls);
	case 0xd2:
	case 0xd3:
		return (*s->p >> 3 & 7) == 2 || (*s->p >> 3 & 7) == 3
			       ? s->in->cls
			       : CLASS_SHIFT_CL;
	default:
		return s->in->cls;
	}
}

/* Behind 0F, of MMX and vectors as well; 0: no class of its own. */
static const u8 of_two[256] = {
	[0x14 ... 0x15] = CLASS_FSHUFFLE,
	[0x46 ... 0x47] = CLASS_CMOV2, /* carry and zero */
	[0x5a] = CLASS_FCVT_W,
	[0x60 ... 0x63] = CLASS_SHUFFLE, [0x67 ... 0x6d] = CLASS_SHUFFLE,
	[0x70] = CLASS_SHUFFLE,
	[0x7c ... 0x7d] = CLASS_FHADD,
	[0xa4] = CLASS_SHIFT2, [0xac] = CLASS_SHIFT2,
	[0xc0 ... 0xc1] = CLASS_XCHG,
	[0xc6] = CLASS_FSHUFFLE,
	[0xe6] = CLASS_FCVT_W,
};

/* The same of SSE and AVX alone. */
static const u8 of_vectors[256] = {
	[0x71 ... 0x73] = CLASS_SIMD_SHIFT,
	[0xd1 ... 0xd3] = CLASS_SIMD_SHIFT, [0xd5] = CLASS_SIMD_MUL,
	[0xe1 ... 0xe2] = CLASS_SIMD_SHIFT,
	[0xe4 ... 0xe5] = CLASS_SIMD_MUL,
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
	return halves(s);
}

static const u8 of_38[256] = {
	[0x00] = CLASS_SHUFFLE, [0x04] = CLASS_SIMD_MUL,
	[0x0b] = CLASS_SIMD_MUL, [0x0c ... 0x0d] = CLASS_FSHUFFLE,
	[0x16] = CLASS_FACROSS,
	[0x20 ... 0x25] = CLASS_SHUFFLE, [0x28] = CLASS_SIMD_MUL,
	[0x2b] = CLASS_SHUFFLE, [0x30 ... 0x35] = CLASS_SHUFFLE,
	[0x36] = CLASS_ACROSS, [0x40] = CLASS_SIMD_MUL_D,
	[0x58 ... 0x59] = CLASS_ACROSS, [0x78 ... 0x79] = CLASS_ACROSS,
};

static const u8 of_3a[256] = {
	[0x00] = CLASS_ACROSS, [0x01] = CLASS_FACROSS,
	[0x04 ... 0x05] = CLASS_FSHUFFLE, [0x06] = CLASS_FACROSS,
	[0x08 ... 0x0b] = CLASS_FROUND, [0x0f] = CLASS_SHUFFLE,
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
