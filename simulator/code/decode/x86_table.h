/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opcode tables of the x86 decoder: one row says what an opcode computes,
 * which operands it reads and writes and how wide its memory operand is.
 * A row may instead point to a finer table, chosen by another part of the
 * instruction (prefix, ModRM field, mode).  A missing row is an opcode that
 * the decoder does not know.
 */
#ifndef QEMU_DECODE_X86_TABLE_H
#define QEMU_DECODE_X86_TABLE_H

#include "decode.h"

/* What a row is: nothing, an instruction, or a table chosen by ... */
enum x86_row {
	ROW_UNKNOWN,
	ROW_OP,
	ROW_BY_REG,	/* ModRM.reg: 8 rows */
	ROW_BY_RM,	/* ModRM.rm: 8 rows */
	ROW_BY_MOD,	/* memory, register: 2 rows */
	ROW_BY_PREFIX,	/* none, 66, F3, F2: 4 rows */
	ROW_BY_MODE,	/* 64-bit, 32-bit: 2 rows */
	ROW_BY_VEX,	/* without, with VEX prefix: 2 rows */
};

/* Width of the memory operand. */
enum x86_size {
	SZ_NONE,	/* no memory operand, or the accesses are not known */
	SZ_B,		/* 1 byte */
	SZ_W,		/* 2 bytes */
	SZ_D,		/* 4 bytes */
	SZ_Q,		/* 8 bytes */
	SZ_V,		/* operand size: 2, 4 or 8 */
	SZ_Y,		/* 4, or 8 with REX.W or VEX.W */
	SZ_S,		/* stack and near branch: 2 with 66, else 4 or 8 */
	SZ_O,		/* 16 bytes */
	SZ_X,		/* 16 bytes, 32 with VEX.L, 8 for MMX */
	SZ_X2,		/* half of SZ_X */
	SZ_X4,		/* a quarter */
	SZ_X8,		/* an eighth */
	SZ_PS,		/* by prefix: packed SZ_X, F3 SZ_D, F2 SZ_Q */
	SZ_DUP,		/* movddup: 8 bytes, 32 with VEX.L */
};

/* Where an operand is; combined with R(), W() or RW(). */
enum x86_operand {
	OPND_NONE,
	Eb, Ev, Ey,	/* ModRM.rm: general register or memory */
	Gb, Gv, Gy,	/* ModRM.reg: general register */
	Zb, Zv,		/* low bits of the opcode: general register */
	By,		/* VEX.vvvv: general register */
	Ab, Av, A,	/* rax: byte, operand size, whole */
	Dv, D,		/* rdx */
	C, B, SI, DI,	/* rcx, rbx, rsi, rdi */
	O,		/* memory at an absolute address */
	Vx, Wx,		/* ModRM.reg, ModRM.rm: vector register (or memory) */
	Hx,		/* VEX.vvvv: vector register */
	VHx,		/* Vx: read and written; VEX: Vx written, Hx read */
	HWx,		/* Wx: read and written; VEX: Hx written, Wx read */
	Lx,		/* last byte of the instruction: vector register */
	X0,		/* xmm0 */
	Pq, Qq,		/* ModRM.reg, ModRM.rm: MMX register (or memory) */
	ST,		/* the x87 stack */
	OPND_MASK = 0x1f,
	OPND_READ = 0x40,
	OPND_WRITE = 0x80,
};

#define R(kind) ((kind) | OPND_READ)
#define W(kind) ((kind) | OPND_WRITE)
#define RW(kind) ((kind) | OPND_READ | OPND_WRITE)

/* Flags of a row. */
enum {
	RF = 1 << 0,	/* reads the flags */
	WF = 1 << 1,	/* writes the flags */
	FP = 1 << 2,	/* INSN_IS_FP */
	MOVE = 1 << 3,	/* plain copy: loaded result, stored register */
	PUSH = 1 << 4,
	POP = 1 << 5,
	LEA = 1 << 6,	/* only the address is used */
	MMX = 1 << 7,	/* without prefix 66 the vectors are MMX registers */
	DBL = 1 << 8,	/* with 66 or F2 the class is the one for doubles */
	WIDE = 1 << 9,	/* with REX.W the class is the 64-bit one */
	LDSI = 1 << 10,	/* string: loads at rsi */
	LDDI = 1 << 11,	/* string: loads at rdi */
	STDI = 1 << 12,	/* string: stores at rdi */
	LOOSE = 1 << 13, /* the number of memory accesses is not known */
	EXCH = 1 << 14,	/* locked when it has a memory operand */
	SPECIAL = 1 << 15, /* enter, leave, xlat; indexes in a vector */
};

#define X86_OPERANDS 5

struct x86_op {
	const struct x86_op *sub;
	u16 flags;
	u8 row;		/* enum x86_row */
	u8 cls;		/* enum insn_class */
	u8 size;	/* enum x86_size */
	u8 branch;	/* enum insn_branch */
	u8 opnd[X86_OPERANDS];
};

#define OP(class, width, how, ...) \
	{ .row = ROW_OP, .cls = CLASS_##class, .size = SZ_##width, \
	  .flags = (how), .opnd = { __VA_ARGS__ } }
#define BR(kind, width, how, ...) \
	{ .row = ROW_OP, .branch = BRANCH_##kind, .size = SZ_##width, \
	  .flags = (how), .opnd = { __VA_ARGS__ } }
#define BY(what, table) { .row = ROW_BY_##what, .sub = (table) }

/* The hint: no operands, whatever its ModRM byte says. */
#define X86_NOP OP(NOP, NONE, 0, 0)

extern const struct x86_op x86_one[256];	/* no escape */
extern const struct x86_op x86_two[256];	/* 0F */
extern const struct x86_op x86_38[256];		/* 0F 38 */
extern const struct x86_op x86_3a[256];		/* 0F 3A */
extern const struct x86_op x86_fpu[16]; /* D8..DF: memory, register */

#endif
