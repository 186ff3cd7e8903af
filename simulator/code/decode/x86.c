/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86 decoder, 64-bit and 32-bit mode: prefixes, and the search in the
 * opcode tables.
 */
#include "x86_state.h"

#include <string.h>

enum { X86_MAX = 15 };		/* bytes of the longest instruction */

static const struct x86_op nop = X86_NOP;
static const struct x86_op pause_op = OP(PAUSE, NONE, 0, 0);

/* Bytes that are a prefix; those that are not have 0. */
enum { PREFIX_SEGMENT = 1, PREFIX_66, PREFIX_67, PREFIX_LOCK, PREFIX_REP,
       PREFIX_REX };

static const u8 prefix_kind[256] = {
	[0x26] = PREFIX_SEGMENT, [0x2e] = PREFIX_SEGMENT,
	[0x36] = PREFIX_SEGMENT, [0x3e] = PREFIX_SEGMENT,
	[0x40 ... 0x4f] = PREFIX_REX,
	[0x64 ... 0x65] = PREFIX_SEGMENT,
	[0x66] = PREFIX_66, [0x67] = PREFIX_67,
	[0xf0] = PREFIX_LOCK, [0xf2 ... 0xf3] = PREFIX_REP,
};

static void
legacy_prefix(struct x86_state *s, u8 byte)
{
	switch (prefix_kind[byte]) {
	case PREFIX_66:
		s->size66 = true;
		break;
	case PREFIX_67:
		s->addr67 = true;
		break;
	case PREFIX_LOCK:
		s->lock = true;
		break;
	case PREFIX_REP:
		s->rep = byte;
		break;
	default:
		break;
	}
}

/* Legacy prefixes and REX.  Returns the first byte after them. */
static const u8 *
prefixes(struct x86_state *s, const u8 *p)
{
	const u8 *end = p + X86_MAX;
	u8 rex = 0;

	s->prefixes = 0;
	for (; p < end && prefix_kind[*p]; p++) {
		if (prefix_kind[*p] != PREFIX_REX) {
			legacy_prefix(s, *p);
			s->prefixes++;
			rex = 0; /* it only counts right before the opcode */
		} else if (s->is64) {
			rex = *p;
		} else {
			break;
		}
	}
	s->rex = rex != 0;
	s->w = rex & 8;
	s->r = (u8)((rex & 4) << 1);
	s->x = (u8)((rex & 2) << 2);
	s->b = (u8)((rex & 1) << 3);
	s->column = s->rep == 0xf3 ? 2 : s->rep == 0xf2 ? 3 : s->size66;
	return p;
}

/* VEX of two (C5) or three bytes (C4); p is after that byte. */
static const u8 *
vex_prefix(struct x86_state *s, const u8 *p, bool three)
{
	u8 last;

	s->vex = true;
	s->r = p[0] & 0x80 ? 0 : 8;
	s->map = MAP_TWO;
	if (three) {
		s->x = p[0] & 0x40 ? 0 : 8;
		s->b = p[0] & 0x20 ? 0 : 8;
		s->map = p[0] & 0x1f;
		s->w = s->is64 && p[1] & 0x80;
		p++;
	}
	last = *p++;
	s->vvvv = (u8)(~last >> 3 & 15);
	s->l = last & 4;
	s->column = last & 3;
	if (!s->is64) {
		s->r = s->x = s->b = 0;
		s->vvvv &= 7;
	}
	s->opcode = *p++;
	return p;
}

/* Which opcodes of map 0F exist with VEX and without 512-bit masks. */
static bool
vex_exists(u8 opcode)
{
	return (opcode >= 0x10 && opcode <= 0x17) ||
	       (opcode >= 0x28 && opcode <= 0x2f) ||
	       (opcode >= 0x50 && opcode <= 0x7f) || opcode == 0xae ||
	       (opcode >= 0xc2 && opcode <= 0xc6) || opcode >= 0xd0;
}

/* Opcode and map.  Returns its row in the table of the map, or NULL. */
static const struct x86_op *
opcode_row(struct x86_state *s)
{
	const u8 *p = s->p;
	u8 c = *p++;

	if ((c == 0xc4 || c == 0xc5) && (s->is64 || *p >= 0xc0)) {
		s->p = vex_prefix(s, p, c == 0xc4);
		if (s->map == MAP_TWO && !vex_exists(s->opcode))
			return NULL;
	} else if (c == 0x0f) {
		c = *p++;
		s->map = c == 0x38 ? MAP_38 : c == 0x3a ? MAP_3A : MAP_TWO;
		s->opcode = s->map == MAP_TWO ? c : *p++;
		s->p = p;
	} else {
		s->opcode = c;
		s->p = p;
		if (c == 0x90 && !s->b)
			return s->rep == 0xf3 ? &pause_op : &nop;
		if (c == 0x62 && *p >= 0xc0) /* EVEX */
			return NULL;
		return &x86_one[c];
	}
	switch (s->map) {
	case MAP_TWO:
		return &x86_two[s->opcode];
	case MAP_38:
		return &x86_38[s->opcode];
	case MAP_3A:
		return &x86_3a[s->opcode];
	default:
		return NULL;
	}
}

/* Follows a row to the instruction it stands for; NULL: unknown. */
static const struct x86_op *
leaf_row(const struct x86_state *s, const struct x86_op *row)
{
	u8 modrm = *s->p;

	while (row && row->row != ROW_OP) {
		switch (row->row) {
		case ROW_BY_REG:
			row = row->sub + (modrm >> 3 & 7);
			break;
		case ROW_BY_RM:
			row = row->sub + (modrm & 7);
			break;
		case ROW_BY_MOD:
			row = row->sub + (modrm >= 0xc0);
			break;
		case ROW_BY_PREFIX:
			row = row->sub + s->column;
			break;
		case ROW_BY_MODE:
			row = row->sub + !s->is64;
			break;
		case ROW_BY_VEX:
			row = row->sub + s->vex;
			break;
		default:
			return NULL;
		}
	}
	return row;
}

void
decode_x86(struct insn *in, u64 pc, const u8 *data, unsigned size, bool is64)
{
	struct x86_state s = {.in = in, .is64 = is64};
	u8 bytes[X86_MAX + 8] = {0};
	unsigned n = size < X86_MAX ? size : X86_MAX;

	insn_init(in, pc, size);
	memcpy(bytes, data, n);
	s.last = n ? bytes[n - 1] : 0;
	s.p = prefixes(&s, bytes);
	s.op = leaf_row(&s, opcode_row(&s));
	if (!s.op || s.p > bytes + n) {
		in->flags |= INSN_UNKNOWN;
		return;
	}
	x86_apply(&s);
	x86_kind(&s);
	x86_class(&s);
	x86_parts(&s);
	x86_fuse(&s);
	x86_timing(&s, bytes + n);
}
