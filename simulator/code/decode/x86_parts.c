/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of general registers that instructions read and write where their
 * operands do not tell: eax, ecx that are implied, sources that are narrower
 * than what they become.
 */
#include "x86_state.h"

/* So much of a register is read, if it is a source. */
static void
reads(struct insn *in, unsigned reg, u8 part)
{
	for (unsigned i = 0; i < INSN_SRC; i++)
		if (in->src[i] == reg)
			in->src_part[i] = part;
}

static void
writes(struct insn *in, unsigned reg, u8 part)
{
	for (unsigned i = 0; i < INSN_DST; i++)
		if (in->dst[i] == reg)
			in->dst_part[i] = part == PART_ALL ? 0 : part;
}

static u8
operand_part(const struct x86_state *s)
{
	return s->size66 && !s->w ? PART_WORD : PART_ALL;
}

/* Half as wide as the operand: cbw, cwde, cdqe. */
static u8
half_part(const struct x86_state *s)
{
	return s->w ? PART_ALL : s->size66 ? PART_LOW : PART_WORD;
}

/* Multiplies and divides of bytes: al or ax, and ax. */
static void
byte_group(struct x86_state *s)
{
	unsigned reg = *s->p >> 3 & 7;
	u8 source = *s->p >= 0xc0 && (*s->p & 7) == 4 ? PART_HIGH : 0;

	if (reg < 4)
		return;
	reads(s->in, RAX, (reg < 6 ? PART_LOW : PART_WORD) | source);
	writes(s->in, RAX, PART_WORD);
}

static void
divide(struct x86_state *s)
{
	u8 part = operand_part(s);

	reads(s->in, RAX, part);
	reads(s->in, RDX, part);
	writes(s->in, RAX, part);
	writes(s->in, RDX, part);
}

static void
parts_one(struct x86_state *s)
{
	struct insn *in = s->in;

	switch (s->opcode) {
	case 0x98:
		reads(in, RAX, half_part(s));
		break;
	case 0x9e:
		reads(in, RAX, PART_HIGH);
		break;
	case 0x9f:
		writes(in, RAX, PART_HIGH);
		break;
	case 0xd2:
	case 0xd3:
		if (*s->p < 0xc0 || ((*s->p & 7) | s->b) != RCX)
			reads(in, RCX, PART_LOW);
		break;
	case 0xdf:
		writes(in, RAX, PART_WORD);
		break;
	case 0xf6:
		byte_group(s);
		break;
	case 0xf7:
		if ((*s->p >> 3 & 7) >= 6)
			divide(s);
		break;
	}
}

static void
parts_two(struct x86_state *s)
{
	struct insn *in = s->in;

	switch (s->opcode) {
	case 0xa5:
	case 0xad:
		if (((*s->p & 7) | s->b) != RCX)
			reads(in, RCX, PART_LOW);
		break;
	case 0xb0:
		reads(in, RAX, PART_LOW);
		writes(in, RAX, PART_LOW);
		break;
	case 0xb7:
	case 0xbf:
		if (*s->p >= 0xc0)
			reads(in, (*s->p & 7) | s->b, PART_WORD);
		break;
	}
}

/* xor and sub of a whole register with itself. */
static bool
clears(const struct x86_state *s)
{
	u8 modrm = *s->p;

	return (s->opcode == 0x31 || s->opcode == 0x33 || s->opcode == 0x29 ||
		s->opcode == 0x2b) && modrm >= 0xc0 &&
	       ((modrm & 7) | s->b) == ((modrm >> 3 & 7) | s->r) &&
	       operand_part(s) == PART_ALL;
}

void
x86_parts(struct x86_state *s)
{
	if (s->map == MAP_ONE && clears(s))
		s->in->flags |= INSN_CLEARS;
	if (s->map == MAP_ONE)
		parts_one(s);
	else if (s->map == MAP_TWO)
		parts_two(s);
}
