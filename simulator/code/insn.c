/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "insn.h"

#include <string.h>

void
insn_init(struct insn *in, u64 pc, unsigned size)
{
	*in = (struct insn){
		.pc = pc, .size = (u8)size, .uops = 1, .data = REG_NONE};
	memset(in->addr, REG_NONE, sizeof in->addr);
	memset(in->src, REG_NONE, sizeof in->src);
	memset(in->dst, REG_NONE, sizeof in->dst);
}

unsigned
insn_reg(u8 *list, unsigned n, unsigned reg)
{
	unsigned i = 0;

	while (i < n && list[i] != reg && list[i] != REG_NONE)
		i++;
	if (i < n)
		list[i] = (u8)reg;
	return i;
}
