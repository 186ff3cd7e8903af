/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What x86.c has found out about an instruction when its row is known. */
#ifndef QEMU_DECODE_X86_STATE_H
#define QEMU_DECODE_X86_STATE_H

#include "x86_table.h"

/* Registers of insn.h. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
enum { REG_XMM0 = REG_FP0, REG_MM0 = REG_FP0 + 16 };

enum { MAP_ONE, MAP_TWO, MAP_38, MAP_3A };

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
	u8 prefixes;	/* legacy prefixes, not REX */
	bool w, l;	/* REX.W or VEX.W, VEX.L */
	bool rex, vex, lock;
	bool size66, addr67;
	bool is64;
};

/* Fills s->in from the row s->op: registers, accesses, class and flags. */
void x86_apply(struct x86_state *s);

/* Kind, MMX and x87 as flags, after x86_apply(). */
void x86_kind(struct x86_state *s);

/* Classes that few tables have, after x86_kind(). */
void x86_class(struct x86_state *s);

/* What operands do not tell of the parts of registers, after x86_apply(). */
void x86_parts(struct x86_state *s);

/* What processors of today make less of, after x86_apply(): moves, zeroes,
 * compares before branches. */
void x86_fuse(struct x86_state *s);

/* The registers of the address that ModRM names, into a list for n of them. */
void x86_address(const struct x86_state *s, u8 *list, unsigned n);

/* Whether that is the sum of a base, an index and a displacement. */
bool x86_has_three_parts(const struct x86_state *s);

/* The bytes that the memory operand has; 0: not known. */
unsigned x86_width(const struct x86_state *s);

/*
 * What the Pentium and the P6 make of it, after x86_apply(): pipes, prefixes,
 * microcode, micro-operations.  end is behind its bytes.
 */
void x86_timing(struct x86_state *s, const u8 *end);

#endif
