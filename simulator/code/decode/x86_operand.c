/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the row of an x86 opcode to registers and memory accesses.
 *
 * Conventions beyond those of insn.h:
 *  - ah, ch, dh, bh stand for the register they are a part of.
 *  - A write of 8 or 16 bits also reads its general register.
 *  - The address registers of lea are sources, not address registers.
 *  - Segment registers, the direction flag and control registers are left out.
 *  - A vector access of 16 or 32 bytes counts as 2 or 4 accesses of 8 bytes,
 *    since that is how QEMU performs and reports it.
 */
#include "x86_state.h"

enum { X86_MEMORY = 0xfe };	/* in place of a register number */

unsigned
x86_width(const struct x86_state *s)
{
	bool mmx = s->op->flags & MMX && s->column == 0;
	unsigned full = mmx ? 8 : s->l ? 32 : 16;
	unsigned operand = s->w ? 8 : s->size66 ? 2 : 4;

	switch (s->op->size) {
	case SZ_B:
		return 1;
	case SZ_W:
		return 2;
	case SZ_D:
		return 4;
	case SZ_Q:
		return 8;
	case SZ_V:
		return operand;
	case SZ_Y:
		return s->w ? 8 : 4;
	case SZ_S:
		return operand == 4 && s->is64 ? 8 : operand;
	case SZ_O:
		return 16;
	case SZ_X:
		return full;
	case SZ_X2:
		return full / 2;
	case SZ_X4:
		return full / 4;
	case SZ_X8:
		return full / 8;
	case SZ_PS:
		return s->column == 2 ? 4 : s->column == 3 ? 8 : full;
	case SZ_DUP:
		return s->l ? 32 : 8;
	default:
		return 0;
	}
}

static void
add_load(struct x86_state *s)
{
	unsigned bytes = x86_width(s);

	s->in->flags |= INSN_LOADS;
	s->in->n_load += (u8)(bytes > 8 ? bytes / 8 : 1);
}

static void
add_store(struct x86_state *s)
{
	unsigned bytes = x86_width(s);

	s->in->flags |= INSN_STORES;
	s->in->n_store += (u8)(bytes > 8 ? bytes / 8 : 1);
}

/* A source of which so much is read. */
static void
add_part(struct x86_state *s, unsigned reg, unsigned part)
{
	unsigned i = insn_reg(s->in->src, INSN_SRC, reg);

	if (i < INSN_SRC)
		s->in->src_part[i] |= (u8)part;
}

static void
add_src(struct x86_state *s, unsigned reg)
{
	add_part(s, reg, PART_ALL);
}

static void
add_dst(struct x86_state *s, unsigned reg)
{
	insn_reg(s->in->dst, INSN_DST, reg);
}

/* An address register; the third one of an instruction is a source. */
static void
add_addr(struct x86_state *s, unsigned reg)
{
	if (s->in->addr[INSN_ADDR - 1] != REG_NONE)
		add_src(s, reg);
	else
		insn_reg(s->in->addr, INSN_ADDR, reg);
}

/* A memory operand that ModRM names, with the access bits of how. */
static void
memory(struct x86_state *s, u8 how)
{
	struct insn *in = s->in;

	if (s->op->flags & LEA) {
		if (s->op->cls == CLASS_LEA)
			x86_address(s, in->src, INSN_SRC);
		else
			x86_address(s, in->addr, INSN_ADDR);
		return;
	}
	x86_address(s, in->addr, INSN_ADDR);
	if (how & OPND_READ)
		add_load(s);
	if (how & OPND_WRITE)
		add_store(s);
}

/* The general register n as a byte register. */
static unsigned
byte_reg(const struct x86_state *s, unsigned n)
{
	return s->rex || n < 4 ? n : n - 4;
}

static unsigned
mmx_reg(const struct x86_state *s, unsigned n)
{
	s->in->flags |= INSN_IS_MMX;
	return REG_MM0 + (n & 7);
}

static unsigned
vector_reg(const struct x86_state *s, unsigned n)
{
	if (s->op->flags & MMX && s->column == 0)
		return mmx_reg(s, n);
	s->in->flags |= INSN_IS_SSE;
	return REG_XMM0 + n;
}

/* Where the number of an operand's register is. */
enum { AT_NONE, AT_RM, AT_REG, AT_OPCODE, AT_VVVV, AT_LAST };

/* What that is a number of; a vector may be MMX. */
enum { GENERAL, BYTE, VECTOR, XMM, MM };

/* enum x86_operand, but for memory alone. */
static const struct operand_kind {
	u8 at;
	u8 set;		/* AT_NONE: the register itself */
	u8 part;	/* PART_LOW: a byte; PART_WORD: of the operand size */
} kinds[OPND_MASK] = {
	[OPND_NONE] = {AT_NONE, REG_NONE, PART_ALL},
	[Eb] = {AT_RM, BYTE, PART_LOW},
	[Ev] = {AT_RM, GENERAL, PART_WORD},
	[Ey] = {AT_RM, GENERAL, PART_ALL},
	[Gb] = {AT_REG, BYTE, PART_LOW},
	[Gv] = {AT_REG, GENERAL, PART_WORD},
	[Gy] = {AT_REG, GENERAL, PART_ALL},
	[Zb] = {AT_OPCODE, BYTE, PART_LOW},
	[Zv] = {AT_OPCODE, GENERAL, PART_WORD},
	[By] = {AT_VVVV, GENERAL, PART_ALL},
	[Ab] = {AT_NONE, RAX, PART_LOW},
	[Av] = {AT_NONE, RAX, PART_WORD},
	[A] = {AT_NONE, RAX, PART_ALL},
	[Dv] = {AT_NONE, RDX, PART_WORD},
	[D] = {AT_NONE, RDX, PART_ALL},
	[C] = {AT_NONE, RCX, PART_ALL},
	[B] = {AT_NONE, RBX, PART_ALL},
	[SI] = {AT_NONE, RSI, PART_ALL},
	[DI] = {AT_NONE, RDI, PART_ALL},
	[Vx] = {AT_REG, VECTOR, PART_ALL},
	[Wx] = {AT_RM, VECTOR, PART_ALL},
	[Hx] = {AT_VVVV, XMM, PART_ALL},
	[VHx] = {AT_REG, VECTOR, PART_ALL},
	[HWx] = {AT_RM, VECTOR, PART_ALL},
	[Lx] = {AT_LAST, XMM, PART_ALL},
	[X0] = {AT_NONE, REG_XMM0, PART_ALL},
	[Pq] = {AT_REG, MM, PART_ALL},
	[Qq] = {AT_RM, MM, PART_ALL},
	[ST] = {AT_NONE, REG_FPSTATUS, PART_ALL},
};

static unsigned
number_at(const struct x86_state *s, unsigned at)
{
	u8 modrm = *s->p;

	switch (at) {
	case AT_RM:
		return (modrm & 7) | s->b;
	case AT_REG:
		return (modrm >> 3 & 7) | s->r;
	case AT_OPCODE:
		return (s->opcode & 7) | s->b;
	case AT_VVVV:
		return s->vvvv;
	default:
		return s->last >> 4 & (s->is64 ? 15 : 7);
	}
}

/* The register that an operand of this kind is, or X86_MEMORY. */
static unsigned
resolve(const struct x86_state *s, const struct operand_kind *k)
{
	unsigned n;

	if (k->at == AT_NONE)
		return k->set;
	if (k->at == AT_RM && *s->p < 0xc0)
		return X86_MEMORY;
	n = number_at(s, k->at);
	switch (k->set) {
	case BYTE:
		return byte_reg(s, n);
	case VECTOR:
		return vector_reg(s, n);
	case XMM:
		return REG_XMM0 + n;
	case MM:
		return mmx_reg(s, n);
	default:
		return n;
	}
}

/* Does a write to this kind of operand keep a part of the register? */
static bool
keeps_part(const struct x86_state *s, const struct operand_kind *k)
{
	return k->part == PART_LOW ||
	       (k->part == PART_WORD && s->size66 && !s->w);
}

/* The part of a general register that it is: ah to bh are those behind dl and
 * bl, but for code with REX. */
static u8
part_of(const struct x86_state *s, const struct operand_kind *k)
{
	unsigned n;

	if (!keeps_part(s, k))
		return PART_ALL;
	if (k->part == PART_WORD || k->at == AT_NONE)
		return k->part;
	n = number_at(s, k->at);
	return !s->rex && n >= 4 && n < 8 ? PART_HIGH : PART_LOW;
}

/* A register that is read: the data of a plain store, else a source. */
static void
read_reg(struct x86_state *s, unsigned reg, u8 part)
{
	bool stores = s->in->flags & INSN_STORES ||
		      s->op->flags & (PUSH | STDI);

	if (s->op->flags & MOVE && stores && s->in->data == REG_NONE) {
		s->in->data = (u8)reg;
		s->in->data_part = part;
	} else {
		add_part(s, reg, part);
	}
}

/* Where VEX makes two operands of one: see enum x86_operand. */
static void
split_operand(struct x86_state *s, unsigned kind)
{
	unsigned own = resolve(s, &kinds[kind]);
	unsigned other = REG_XMM0 + s->vvvv;

	if (own == X86_MEMORY)
		return; /* there is no such instruction */
	if (!s->vex)
		other = own;
	add_src(s, kind == VHx ? other : own);
	add_dst(s, kind == VHx ? own : other);
}

static void
write_reg(struct x86_state *s, unsigned reg, u8 part)
{
	unsigned i = insn_reg(s->in->dst, INSN_DST, reg);

	if (i < INSN_DST && part != PART_ALL)
		s->in->dst_part[i] = part;
}

static void
operand(struct x86_state *s, u8 how)
{
	unsigned kind = how & OPND_MASK, reg;
	const struct operand_kind *k = &kinds[kind];
	u8 part = part_of(s, k);

	if (kind == VHx || kind == HWx) {
		split_operand(s, kind);
		return;
	}
	if (kind == O) {
		if (how & OPND_READ)
			add_load(s);
		else
			add_store(s);
		return;
	}
	reg = resolve(s, k);
	if (reg == X86_MEMORY) {
		memory(s, how);
		return;
	}
	if (how & OPND_READ)
		read_reg(s, reg, part);
	else if (keeps_part(s, k))
		add_part(s, reg, 0);
	if (how & OPND_WRITE)
		write_reg(s, reg, part);
	if (keeps_part(s, k))
		s->in->flags |= how & OPND_WRITE ? INSN_WRITES_PART |
							   INSN_READS_PART
						 : INSN_READS_PART;
}

/* push, pop, call, ret. */
static void
stack(struct x86_state *s)
{
	add_addr(s, RSP);
	add_dst(s, RSP);
	s->in->flags |= INSN_IS_STACK;
	if (s->op->flags & PUSH)
		add_store(s);
	else
		add_load(s);
}

/* movs, cmps, lods, scas, stos, ins, outs; maskmov. */
static void
string(struct x86_state *s)
{
	u16 flags = s->op->flags;
	bool one = s->map == MAP_ONE;

	if (flags & LDSI) {
		add_addr(s, RSI);
		add_dst(s, RSI);
		add_load(s);
	}
	if (flags & (LDDI | STDI)) {
		add_addr(s, RDI);
		if (one)
			add_dst(s, RDI);
	}
	if (flags & LDDI)
		add_load(s);
	if (flags & STDI)
		add_store(s);
	if (one && s->rep) {
		s->in->branch = BRANCH_REP;
		add_src(s, RCX);
		add_dst(s, RCX);
	}
}

/* enter, leave, xlat. */
static void
special(struct x86_state *s)
{
	if (s->opcode == 0xd7) {
		add_addr(s, RBX);
		add_addr(s, RAX);
		add_load(s);
		return;
	}
	add_dst(s, RBP);
	add_dst(s, RSP);
	if (s->opcode == 0xc8) {
		add_addr(s, RSP);
		add_src(s, RBP);
		add_store(s);
		return;
	}
	add_addr(s, RBP);
	add_load(s);
	s->in->dst_loaded = true;
}

/* Class, branch, flags, and whether the memory accesses are known. */
static void
properties(struct x86_state *s)
{
	const struct x86_op *op = s->op;
	struct insn *in = s->in;
	bool mem = in->flags & (INSN_LOADS | INSN_STORES);
	bool loose = op->flags & LOOSE || in->branch == BRANCH_REP;
	unsigned bytes = mem ? x86_width(s) : 1;

	in->cls = op->cls;
	if (op->cls == CLASS_LEA && x86_has_three_parts(s))
		in->cls = CLASS_LEA3;
	if (op->flags & DBL && s->column & 1)
		in->cls++;
	if (op->flags & WIDE && s->w)
		in->cls++;
	if (op->branch)
		in->branch = op->branch;
	if (op->flags & FP)
		in->flags |= INSN_IS_FP;
	if (op->cls == CLASS_SYNC)	/* mfence is F0 to F7 */
		in->flags |= *s->p >> 3 == 0xf0 >> 3
				     ? INSN_IS_BARRIER | INSN_DRAINS
				     : INSN_IS_BARRIER;
	if (s->lock || (op->flags & EXCH && mem))
		in->flags |= INSN_IS_LOCKED;
	if (op->flags & MOVE && in->flags & INSN_LOADS)
		in->dst_loaded = in->dst[0] != REG_NONE;
	if (!loose || in->branch == BRANCH_REP)
		in->size_log2 = (u8)(bytes >= 8 ? 3 : bytes >> 1);
	if (loose)
		in->n_load = in->n_store = 0;
	else
		in->flags |= INSN_MEM_KNOWN;
}

void
x86_apply(struct x86_state *s)
{
	const struct x86_op *op = s->op;

	for (unsigned i = 0; i < X86_OPERANDS && op->opnd[i]; i++)
		operand(s, op->opnd[i]);
	if (op->flags & RF)
		add_src(s, REG_FLAGS);
	if (op->flags & WF)
		add_dst(s, REG_FLAGS);
	if (op->flags & (PUSH | POP))
		stack(s);
	if (op->flags & (LDSI | LDDI | STDI))
		string(s);
	if (op->flags & SPECIAL && s->map == MAP_ONE)
		special(s);
	properties(s);
}
