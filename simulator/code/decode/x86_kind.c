/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an x86 instruction is to events that few processors have. */
#include "x86_state.h"

/* Whether an MMX instruction saturates: packs, and adds and subtracts with
 * words of their own for it. */
static bool
saturates(const struct x86_state *s)
{
	switch (s->opcode) {
	case 0x63:
	case 0x67:
	case 0x6b:
		return true;
	default:
		return s->opcode >= 0xd8 && s->opcode < 0xf0 &&
		       (s->opcode & 0x0a) == 0x08;
	}
}

/* Kinds of MMX instructions by their opcode behind 0F. */
static const u8 mmx_kind[256] = {
	[0x60 ... 0x62] = INSN_MMX_UNPACK, [0x63] = INSN_MMX_PACK,
	[0x64 ... 0x66] = INSN_MMX_ARITHMETIC, [0x67] = INSN_MMX_PACK,
	[0x68 ... 0x6a] = INSN_MMX_UNPACK, [0x6b] = INSN_MMX_PACK,
	[0x71 ... 0x73] = INSN_MMX_SHIFT,
	[0x74 ... 0x76] = INSN_MMX_ARITHMETIC,
	[0xd1 ... 0xd3] = INSN_MMX_SHIFT, [0xd4] = INSN_MMX_ARITHMETIC,
	[0xd5] = INSN_MMX_MULTIPLY, [0xd8 ... 0xda] = INSN_MMX_ARITHMETIC,
	[0xdb] = INSN_MMX_LOGICAL, [0xdc ... 0xde] = INSN_MMX_ARITHMETIC,
	[0xdf] = INSN_MMX_LOGICAL, [0xe0] = INSN_MMX_ARITHMETIC,
	[0xe1 ... 0xe2] = INSN_MMX_SHIFT, [0xe3] = INSN_MMX_ARITHMETIC,
	[0xe4 ... 0xe5] = INSN_MMX_MULTIPLY, [0xe7] = INSN_STORE_WEAK,
	[0xe8 ... 0xea] = INSN_MMX_ARITHMETIC, [0xeb] = INSN_MMX_LOGICAL,
	[0xec ... 0xee] = INSN_MMX_ARITHMETIC, [0xef] = INSN_MMX_LOGICAL,
	[0xf1 ... 0xf3] = INSN_MMX_SHIFT, [0xf4 ... 0xf5] = INSN_MMX_MULTIPLY,
	[0xf6] = INSN_MMX_ARITHMETIC, [0xf7] = INSN_STORE_WEAK,
	[0xf8 ... 0xfe] = INSN_MMX_ARITHMETIC,
};

/* Loads of segment registers: of that number, in the order of the encoding. */
static u8
segment_kind(unsigned number)
{
	static const u8 kind[8] = {[0] = INSN_SEGMENT_ES,
				   [3] = INSN_SEGMENT_DS,
				   [4] = INSN_SEGMENT_FS,
				   [5] = INSN_SEGMENT_GS};

	return kind[number];
}

static u8
kind_one(const struct x86_state *s)
{
	switch (s->opcode) {
	case 0x07:
	case 0x1f:
		return segment_kind(s->opcode >> 3);
	case 0x8e:
		return segment_kind(*s->p >> 3 & 7);
	case 0xc4:
		return INSN_SEGMENT_ES;
	case 0xc5:
		return INSN_SEGMENT_DS;
	default:
		return INSN_PLAIN;
	}
}

static u8
kind_prefetch(const struct x86_state *s)
{
	static const u8 kind[8] = {[0] = INSN_PREFETCH_NTA,
				   [2] = INSN_PREFETCH_T1,
				   [3] = INSN_PREFETCH_T2};

	return s->op->cls == CLASS_PREFETCH ? kind[*s->p >> 3 & 7]
					    : INSN_PLAIN;
}

/* Prefixes F3 and F2 tell that, for these. */
static bool
is_scalar(const struct x86_state *s)
{
	switch (s->opcode) {
	case 0x2e:
	case 0x2f:
		return true;
	case 0x10: case 0x11:
	case 0x2a: case 0x2c: case 0x2d:
	case 0x51: case 0x52: case 0x53:
	case 0x58: case 0x59: case 0x5a:
	case 0x5c: case 0x5d: case 0x5e: case 0x5f:
	case 0xc2:
		return s->column > 1;
	default:
		return false;
	}
}

static u8
kind_two(const struct x86_state *s)
{
	switch (s->opcode) {
	case 0x18:
		return kind_prefetch(s);
	case 0x2b:
		return INSN_STORE_WEAK;
	case 0xa1:
	case 0xa9:
		return segment_kind(s->opcode >> 3 & 7);
	case 0xb4:
	case 0xb5:
		return segment_kind(s->opcode & 7);
	}
	if (s->in->flags & INSN_IS_MMX && !(s->in->flags & INSN_IS_SSE))
		return mmx_kind[s->opcode];
	return s->in->flags & INSN_IS_SSE && is_scalar(s) ? INSN_SSE_SCALAR
							  : INSN_PLAIN;
}

void
x86_kind(struct x86_state *s)
{
	struct insn *in = s->in;

	if (s->map == MAP_ONE) {
		in->kind = kind_one(s);
		if (s->opcode >> 3 == 0xd8 >> 3)
			in->flags |= INSN_IS_X87;
	}
	if (s->map != MAP_TWO)
		return;
	if (s->opcode == 0x77 && !s->vex)
		in->flags |= INSN_IS_MMX | INSN_IS_EMMS;
	if (in->flags & INSN_IS_MMX && saturates(s))
		in->flags |= INSN_SATURATES;
	in->kind = kind_two(s);
	if (in->kind == INSN_MMX_MULTIPLY)
		in->cls = CLASS_SIMD_MUL;
}
