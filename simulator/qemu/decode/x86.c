/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86 decoder, 64-bit and 32-bit mode: prefixes, the search in the
 * opcode tables, and from the row found to registers and memory accesses.
 *
 * Conventions beyond those of insn.h:
 *  - ah, ch, dh, bh stand for the register they are a part of.
 *  - A write of 8 or 16 bits also reads its general register.
 *  - The address registers of lea are sources, not address registers.
 *  - Segment registers, the direction flag and control registers are left out.
 *  - A vector access of 16 or 32 bytes counts as 2 or 4 accesses of 8 bytes,
 *    since that is how QEMU performs and reports it.
 */
#include "x86_table.h"

#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
enum { MAP_ONE, MAP_TWO, MAP_38, MAP_3A };
enum { REG_XMM0 = REG_FP0, REG_MM0 = REG_FP0 + 16 };
enum { X86_MEMORY = 0xfe };	/* in place of a register number */
enum { X86_MAX = 15 };		/* bytes of the longest instruction */

/* What prefixes and ModRM say. */
struct x86_state {
	struct insn *in;
	const struct x86_op *op;
	const u8 *p;	/* the ModRM byte, if there is one */
	u8 map;
	u8 opcode;
	u8 column;	/* mandatory prefix: 0 none, 1 66, 2 F3, 3 F2 */
	u8 rep;		/* F3, F2 or 0 */
	u8 r, x, b;	/* REX bits: 8 or 0 */
	u8 vvvv;
	u8 last;	/* last byte of the instruction */
	bool w, l;	/* REX.W or VEX.W, VEX.L */
	bool rex, vex, lock;
	bool size66, addr67;
	bool is64;
};

static const struct x86_op nop = X86_NOP;

/* Legacy prefixes and REX.  Returns the first byte after them. */
static const u8 *
prefixes(struct x86_state *s, const u8 *p)
{
	const u8 *end = p + X86_MAX;
	u8 rex = 0;

	for (; p < end; p++) {
		if (s->is64 && (*p & 0xf0) == 0x40) {
			rex = *p;
			continue;
		}
		switch (*p) {
		case 0x66:
			s->size66 = true;
			break;
		case 0x67:
			s->addr67 = true;
			break;
		case 0xf0:
			s->lock = true;
			break;
		case 0xf2:
		case 0xf3:
			s->rep = *p;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
			break;
		default:
			goto done;
		}
		rex = 0; /* it only counts right before the opcode */
	}
done:
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
			return &nop;
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

/* The bytes that the memory operand has; 0: not known. */
static unsigned
width(const struct x86_state *s)
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
	unsigned bytes = width(s);

	s->in->flags |= INSN_LOADS;
	s->in->n_load += (u8)(bytes > 8 ? bytes / 8 : 1);
}

static void
add_store(struct x86_state *s)
{
	unsigned bytes = width(s);

	s->in->flags |= INSN_STORES;
	s->in->n_store += (u8)(bytes > 8 ? bytes / 8 : 1);
}

static void
add_src(struct x86_state *s, unsigned reg)
{
	insn_reg(s->in->src, INSN_SRC, reg);
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

/* The registers of a 16-bit address (prefix 67 in 32-bit mode). */
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

/* The registers of the address that ModRM names. */
static void
address(struct x86_state *s, u8 *list, unsigned n)
{
	bool vector = s->op->flags & SPECIAL && s->map == MAP_38;
	u8 modrm = s->p[0], sib = s->p[1];
	unsigned base = modrm & 7, index;

	if (s->addr67 && !s->is64) {
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

/* A memory operand that ModRM names, with the access bits of how. */
static void
memory(struct x86_state *s, u8 how)
{
	struct insn *in = s->in;

	if (s->op->flags & LEA) {
		if (s->op->cls == CLASS_ALU)
			address(s, in->src, INSN_SRC);
		else
			address(s, in->addr, INSN_ADDR);
		return;
	}
	address(s, in->addr, INSN_ADDR);
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
vector_reg(const struct x86_state *s, unsigned n)
{
	if (s->op->flags & MMX && s->column == 0)
		return REG_MM0 + (n & 7);
	return REG_XMM0 + n;
}

/* The register that an operand of this kind is, or X86_MEMORY. */
static unsigned
resolve(const struct x86_state *s, unsigned kind)
{
	u8 modrm = *s->p;
	bool mem = modrm < 0xc0;
	unsigned reg = (modrm >> 3 & 7) | s->r, rm = (modrm & 7) | s->b;

	switch (kind) {
	case Eb:
		return mem ? X86_MEMORY : byte_reg(s, rm);
	case Ev:
	case Ey:
		return mem ? X86_MEMORY : rm;
	case Gb:
		return byte_reg(s, reg);
	case Gv:
	case Gy:
		return reg;
	case Zb:
		return byte_reg(s, (s->opcode & 7) | s->b);
	case Zv:
		return (s->opcode & 7) | s->b;
	case By:
		return s->vvvv;
	case Ab:
	case Av:
	case A:
		return RAX;
	case Dv:
	case D:
		return RDX;
	case C:
		return RCX;
	case B:
		return RBX;
	case SI:
		return RSI;
	case DI:
		return RDI;
	case Vx:
	case VHx:
		return vector_reg(s, reg);
	case Wx:
	case HWx:
		return mem ? X86_MEMORY : vector_reg(s, rm);
	case Hx:
		return REG_XMM0 + s->vvvv;
	case Lx:
		return REG_XMM0 + (s->last >> 4 & (s->is64 ? 15 : 7));
	case X0:
		return REG_XMM0;
	case Pq:
		return REG_MM0 + (modrm >> 3 & 7);
	case Qq:
		return mem ? X86_MEMORY : REG_MM0 + (modrm & 7u);
	case ST:
		return REG_FPSTATUS;
	default:
		return REG_NONE;
	}
}

/* Does a write to this kind of operand keep a part of the register? */
static bool
keeps_part(const struct x86_state *s, unsigned kind)
{
	switch (kind) {
	case Eb:
	case Gb:
	case Zb:
	case Ab:
		return true;
	case Ev:
	case Gv:
	case Zv:
	case Av:
	case Dv:
		return s->size66 && !s->w;
	default:
		return false;
	}
}

/* A register that is read: the data of a plain store, else a source. */
static void
read_reg(struct x86_state *s, unsigned reg)
{
	bool stores = s->in->flags & INSN_STORES ||
		      s->op->flags & (PUSH | STDI);

	if (s->op->flags & MOVE && stores && s->in->data == REG_NONE)
		s->in->data = (u8)reg;
	else
		add_src(s, reg);
}

/* Where VEX makes two operands of one: see enum x86_operand. */
static void
split_operand(struct x86_state *s, unsigned kind)
{
	unsigned own = resolve(s, kind);
	unsigned other = REG_XMM0 + s->vvvv;

	if (!s->vex)
		other = own;
	add_src(s, kind == VHx ? other : own);
	add_dst(s, kind == VHx ? own : other);
}

static void
operand(struct x86_state *s, u8 how)
{
	unsigned kind = how & OPND_MASK, reg;

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
	reg = resolve(s, kind);
	if (reg == X86_MEMORY) {
		memory(s, how);
		return;
	}
	if (how & OPND_READ)
		read_reg(s, reg);
	else if (keeps_part(s, kind))
		add_src(s, reg);
	if (how & OPND_WRITE)
		add_dst(s, reg);
}

/* push, pop, call, ret. */
static void
stack(struct x86_state *s)
{
	add_addr(s, RSP);
	add_dst(s, RSP);
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
	unsigned bytes;

	in->cls = op->cls;
	if (op->flags & DBL && s->column & 1)
		in->cls++;
	if (op->flags & WIDE && s->w)
		in->cls++;
	if (op->branch)
		in->branch = op->branch;
	if (op->flags & FP)
		in->flags |= INSN_IS_FP;
	if (s->lock || (op->flags & EXCH && mem)) {
		in->flags |= INSN_IS_LOCKED;
		loose = true;
	}
	if (op->flags & MOVE && in->flags & INSN_LOADS)
		in->dst_loaded = in->dst[0] != REG_NONE;
	if (loose) {
		in->n_load = in->n_store = 0;
		return;
	}
	in->flags |= INSN_MEM_KNOWN;
	bytes = mem ? width(s) : 1;
	in->size_log2 = (u8)(bytes >= 8 ? 3 : bytes >> 1);
}

/* Fills the instruction from its row. */
static void
apply(struct x86_state *s)
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
	apply(&s);
}
