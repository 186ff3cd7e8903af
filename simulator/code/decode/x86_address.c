/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address of an x86 memory operand. */
#include "x86_state.h"

/* Prefix 67 in 32-bit mode. */
static bool
is_16(const struct x86_state *s)
{
	return s->addr67 && !s->is64;
}

static void
address_16(u8 modrm, u8 *list, unsigned n)
{
	static const u8 regs[8][2] = {
		{RBX, RSI}, {RBX, RDI}, {RBP, RSI}, {RBP, RDI},
		{RSI, RSI}, {RDI, RDI}, {RBP, RBP}, {RBX, RBX},
	};

	if (modrm < 0x40 && (modrm & 7) == 6)
		return;
	insn_reg(list, n, regs[modrm & 7][0]);
	insn_reg(list, n, regs[modrm & 7][1]);
}

void
x86_address(const struct x86_state *s, u8 *list, unsigned n)
{
	bool vector = s->op->flags & SPECIAL && s->map == MAP_38;
	u8 modrm = s->p[0], sib = s->p[1];
	unsigned base = modrm & 7, index;

	if (is_16(s)) {
		address_16(modrm, list, n);
		return;
	}
	if (base == 4) {
		base = sib & 7;
		index = (sib >> 3 & 7) | s->x;
	} else {
		index = RSP; /* none */
	}
	if (base != 5 || modrm >= 0x40)
		insn_reg(list, n, base | s->b);
	if (vector)
		insn_reg(list, n, REG_XMM0 + index);
	else if (index != RSP)
		insn_reg(list, n, index);
}

bool
x86_has_three_parts(const struct x86_state *s)
{
	u8 modrm = s->p[0], index = (s->p[1] >> 3 & 7) | s->x;

	if (modrm < 0x40 || modrm >= 0xc0)
		return false;
	return is_16(s) ? (modrm & 7) < 4 : (modrm & 7) == 4 && index != RSP;
}
