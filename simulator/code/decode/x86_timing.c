/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What x86 instructions are to the Pentium (pipes, prefixes, cycles of its
 * microcode) and to the P6 (micro-operations).
 *
 * An instruction that no row names goes alone through U, in the cycles that
 * its class and its memory operand make, and has one micro-operation for
 * each load and for what it computes, two for each store.  Rows without
 * cycles or micro-operations say no more than which pipes.  Where the number
 * of cycles depends on data, it is a typical one.
 *
 * Prefixes and REX of 64-bit and vector code, which neither has, are free.
 */
#include "x86_timing.h"

/* A memory operand that ModRM names? */
static bool
has_memory(const struct x86_state *s)
{
	return *s->p < 0xc0;
}

/* The row of the x87's opcodes D8 to DF. */
static const struct x86_time *
fpu_row(const struct x86_state *s)
{
	unsigned reg = *s->p >> 3 & 7, op = s->opcode & 7;

	if (has_memory(s))
		return &x86_time_fpu_memory[op][reg];
	if (op == 1 && reg >= 4)
		return &x86_time_fpu_d9[reg - 4][*s->p & 7];
	return &x86_time_fpu_register[op][reg];
}

static const struct x86_time *
find_row(const struct x86_state *s)
{
	const struct x86_time *row;

	if (s->vex || s->map > MAP_TWO)
		return NULL;
	if (s->map == MAP_TWO)
		return &x86_time_two[s->opcode];
	if (s->opcode >= 0xd8 && s->opcode <= 0xdf)
		return fpu_row(s);
	row = &x86_time_one[s->opcode];
	return row->group ? &row->group[*s->p >> 3 & 7] : row;
}

/* An immediate value behind the displacement of a memory operand. */
static bool
has_both(const struct x86_state *s, const u8 *end)
{
	const u8 *p = s->p;
	unsigned mod = *p >> 6, rm = *p & 7, displacement;
	bool sib = rm == 4 && mod != 3;

	if (s->map != MAP_ONE || mod == 3 ||
	    (s->opcode >> 2 != 0x80 >> 2 && s->opcode >> 1 != 0xc0 >> 1 &&
	     s->opcode >> 1 != 0xc6 >> 1))
		return false;
	displacement = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	if (mod == 0 && (rm == 5 || (sib && (p[1] & 7) == 5)))
		displacement = 4;
	return displacement && p + 1 + sib + displacement < end;
}

/* Neither the Pentium nor its prefixes know vector registers. */
static bool
is_vector(const struct insn *in)
{
	static const u8 first = REG_FP0, last = REG_FP0 + 15;

	return in->flags & INSN_IS_MMX ||
	       (in->dst[0] >= first && in->dst[0] <= last) ||
	       (in->src[0] >= first && in->src[0] <= last) ||
	       (in->data >= first && in->data <= last);
}

static unsigned
prefixes(struct x86_state *s)
{
	bool jcc = s->opcode >> 4 == 8;
	bool escaped = s->map > MAP_TWO || (s->map == MAP_TWO && !jcc);

	if (s->vex || is_vector(s->in) || s->in->branch == BRANCH_REP)
		return 0;
	if (escaped)
		s->in->flags |= INSN_IS_ESCAPED;
	return s->prefixes + escaped;
}

static unsigned
plain_uops(const struct x86_state *s)
{
	const struct insn *in = s->in;
	unsigned bytes = x86_width(s), parts = bytes > 8 ? bytes / 8 : 1;
	unsigned loads = in->flags & INSN_LOADS ? 1 : 0;
	unsigned stores = in->flags & INSN_STORES ? 1 : 0;
	bool moves = s->op->flags & MOVE && loads + stores;

	if (in->flags & INSN_MEM_KNOWN) {
		loads = in->n_load;
		stores = in->n_store;
	}
	return loads + 2 * stores + (moves ? 0 : parts);
}

void
x86_timing(struct x86_state *s, const u8 *end)
{
	static const struct x86_time none;
	const struct x86_time *row = find_row(s);
	struct insn *in = s->in;
	bool call = in->branch == BRANCH_IND_CALL;
	bool mem = call ? has_memory(s)
			: in->flags & (INSN_LOADS | INSN_STORES);
	bool narrow = s->size66 || in->branch == BRANCH_REP;

	if (!row)
		row = &none;
	in->pair = has_both(s, end) ? PAIR_NONE : row->pair;
	if (in->flags & INSN_IS_MMX && !(in->flags & INSN_IS_EMMS))
		in->pair = mem ? PAIR_U : PAIR_UV;
	in->prefixes = (u8)(prefixes(s) & 15);
	in->micro = mem && row->memory ? row->memory : row->cycles;
	if (narrow && row->other)
		in->micro = row->other;
	in->uops = mem && row->memory_uops ? row->memory_uops : row->uops;
	if (!in->uops)
		in->uops = (u8)plain_uops(s);
	if (in->uops == 0)
		in->uops = 1;
	if (row->flags & TIME_SEGMENT)
		in->flags |= INSN_IS_SEGMENT;
	if (row->flags & TIME_SERIAL)
		in->flags |= INSN_IS_SERIAL;
}
