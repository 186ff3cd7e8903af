/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opcodes after the escape byte 0F. */
#include "x86_table.h"

#define SYS(...) OP(SYSREG, NONE, LOOSE, __VA_ARGS__)
#define UNKNOWN { .row = ROW_UNKNOWN }

/* System instructions: groups 6 and 7. */
static const struct x86_op group_6[8] = {
	OP(SYSREG, W, LOOSE, W(Ev)), OP(SYSREG, W, LOOSE, W(Ev)),
	SYS(R(Ev)), SYS(R(Ev)),
	OP(SYSREG, NONE, LOOSE | WF, R(Ev)),
	OP(SYSREG, NONE, LOOSE | WF, R(Ev)),
};

static const struct x86_op group_7_mem[8] = {
	SYS(W(Ev)), SYS(W(Ev)), SYS(R(Ev)), SYS(R(Ev)),
	SYS(W(Ev)), UNKNOWN, SYS(R(Ev)), SYS(0),
};

static const struct x86_op xgetbv[8] = {
	SYS(W(A), W(D), R(C)), SYS(R(A), R(D), R(C)),
};
static const struct x86_op swapgs[8] = {
	SYS(0), SYS(W(A), W(D), W(C)),
};
static const struct x86_op monitor[8] = {
	SYS(R(A), R(C), R(D)), SYS(R(A), R(C)), SYS(0), SYS(0),
};

static const struct x86_op group_7_reg[8] = {
	[1] = BY(RM, monitor), [2] = BY(RM, xgetbv),
	[4] = SYS(W(Ev)), [6] = SYS(R(Ev)), [7] = BY(RM, swapgs),
};
static const struct x86_op group_7[2] = {
	BY(REG, group_7_mem), BY(REG, group_7_reg),
};

#define PREFETCH OP(PREFETCH, NONE, LEA, R(Ev))

static const struct x86_op prefetch_mem[8] = {
	PREFETCH, PREFETCH, PREFETCH, PREFETCH,
	X86_NOP, X86_NOP, X86_NOP, X86_NOP,
};
static const struct x86_op prefetch[2] = { BY(REG, prefetch_mem), X86_NOP };
static const struct x86_op prefetchw[2] = { PREFETCH, X86_NOP };

/* Moves of vectors. */
#define LOAD(class, width) OP(class, width, MOVE, W(Vx), R(Wx))
#define STORE(class, width) OP(class, width, MOVE, W(Wx), R(Vx))
#define MERGE(class, width) OP(class, width, 0, RW(VHx), R(Wx))
#define MERGE_STORE OP(FMOVE, NONE, 0, RW(Wx), R(Vx))

static const struct x86_op movss_load[2] = { LOAD(FMOVE, D), MERGE(FMOVE, D) };
static const struct x86_op movsd_load[2] = { LOAD(FMOVE, Q), MERGE(FMOVE, Q) };
static const struct x86_op movss_store[2] = { STORE(FMOVE, D), MERGE_STORE };
static const struct x86_op movsd_store[2] = { STORE(FMOVE, Q), MERGE_STORE };

static const struct x86_op op_10[4] = {
	LOAD(FMOVE, X), LOAD(FMOVE, X), BY(MOD, movss_load),
	BY(MOD, movsd_load),
};
static const struct x86_op op_11[4] = {
	STORE(FMOVE, X), STORE(FMOVE, X), BY(MOD, movss_store),
	BY(MOD, movsd_store),
};
static const struct x86_op op_12[4] = {
	MERGE(FMOVE, Q), MERGE(FMOVE, Q), OP(FMOVE, X, 0, W(Vx), R(Wx)),
	OP(FMOVE, DUP, 0, W(Vx), R(Wx)),
};
static const struct x86_op op_16[4] = {
	MERGE(FMOVE, Q), MERGE(FMOVE, Q), OP(FMOVE, X, 0, W(Vx), R(Wx)),
};

/* Conversions. */
#define CVT(width, ...) OP(FCVT, width, FP, __VA_ARGS__)

static const struct x86_op op_2a[4] = {
	CVT(Q, RW(Vx), R(Qq)), CVT(Q, W(Vx), R(Qq)),
	CVT(Y, RW(VHx), R(Ey)), CVT(Y, RW(VHx), R(Ey)),
};
static const struct x86_op op_2c[4] = {
	CVT(Q, W(Pq), R(Wx)), CVT(O, W(Pq), R(Wx)),
	CVT(D, W(Gy), R(Wx)), CVT(Q, W(Gy), R(Wx)),
};
static const struct x86_op op_2e[4] = {
	OP(FCMP, D, FP | WF, R(Vx), R(Wx)), OP(FCMP, Q, FP | WF, R(Vx), R(Wx)),
};
static const struct x86_op op_5a[4] = {
	CVT(X2, W(Vx), R(Wx)), CVT(X, W(Vx), R(Wx)),
	CVT(D, RW(VHx), R(Wx)), CVT(Q, RW(VHx), R(Wx)),
};
static const struct x86_op op_e6[4] = {
	UNKNOWN, CVT(X, W(Vx), R(Wx)),
	CVT(X, W(Vx), R(Wx)), /* QEMU loads twice what it needs */
	CVT(X, W(Vx), R(Wx)),
};

/* Operations of one operand: the scalar ones keep the upper part. */
#define UNARY(class, how) { \
	OP(class, X, how, W(Vx), R(Wx)), OP(class, X, how, W(Vx), R(Wx)), \
	OP(class, D, how, RW(VHx), R(Wx)), OP(class, Q, how, RW(VHx), R(Wx)) }

static const struct x86_op sqrt_ps[4] = UNARY(FSQRT, FP | DBL);
static const struct x86_op rcp_ps[4] = UNARY(FMUL, FP);

/* Integer vectors. */
#define INT2 OP(SIMD, X, MMX, RW(VHx), R(Wx))

static const struct x86_op op_6e[2] = {
	OP(FMOVE, Y, MMX | MOVE, W(Vx), R(Ey)),
	OP(FTRANSFER, Y, MMX, W(Vx), R(Ey)),
};
static const struct x86_op movd_store[2] = {
	OP(FMOVE, Y, MMX | MOVE, W(Ey), R(Vx)),
	OP(FTRANSFER, Y, MMX, W(Ey), R(Vx)),
};
static const struct x86_op op_7e[4] = {
	BY(MOD, movd_store), BY(MOD, movd_store), LOAD(FMOVE, Q),
};
#define SHIFT_IMM OP(SIMD, NONE, MMX, RW(HWx))
static const struct x86_op shift_imm[8] = {
	[2] = SHIFT_IMM, [3] = SHIFT_IMM, [4] = SHIFT_IMM,
	[6] = SHIFT_IMM, [7] = SHIFT_IMM,
};
/* SSE4a: fields of the lower half. */
static const struct x86_op op_78[4] = {
	[1] = OP(SIMD, NONE, LEA, RW(Wx)),
	[3] = OP(SIMD, NONE, LEA, RW(Vx), R(Wx)),
};
static const struct x86_op op_79[4] = {
	[1] = OP(SIMD, NONE, LEA, RW(Vx), R(Wx)),
	[3] = OP(SIMD, NONE, LEA, RW(Vx), R(Wx)),
};
static const struct x86_op op_77[2] = {
	OP(SIMD, NONE, 0, W(ST)), OP(FMOVE, NONE, 0, 0),
};
#define PINSRW(how) { OP(SIMD, W, how, RW(VHx), R(Ey)), \
		      OP(FTRANSFER, NONE, how, RW(VHx), R(Ey)) }
static const struct x86_op pinsrw[2] = PINSRW(MMX);
static const struct x86_op op_d6[4] = {
	UNKNOWN, STORE(FMOVE, Q),
	OP(FMOVE, NONE, 0, W(Vx), R(Qq)), OP(FMOVE, NONE, 0, W(Pq), R(Wx)),
};
static const struct x86_op op_f0[4] = { [3] = LOAD(FMOVE, X) };

/* General registers. */
static const struct x86_op bit_imm[8] = {
	[4] = OP(ALU, V, WF, R(Ev)), [5] = OP(ALU, V, WF, RW(Ev)),
	[6] = OP(ALU, V, WF, RW(Ev)), [7] = OP(ALU, V, WF, RW(Ev)),
};
static const struct x86_op op_b8[4] = {
	[2] = OP(BITS, V, WF, W(Gv), R(Ev)),
};
#define BSF OP(BITS, V, WF, RW(Gv), R(Ev))
static const struct x86_op bit_scan[4] = {
	BSF, BSF, OP(BITS, V, WF, W(Gv), R(Ev)), BSF,
};

/* Group 9: compare and exchange of pairs, random numbers. */
static const struct x86_op group_9_mem[8] = {
	[1] = OP(ALU, NONE, WF | LOOSE, RW(A), RW(D), R(B), R(C), RW(Ev)),
	[3] = SYS(R(Ev)), [4] = SYS(W(Ev)), [5] = SYS(W(Ev)),
};
static const struct x86_op rdpid[4] = {
	OP(SYSREG, NONE, LOOSE | WF, W(Ev)),
	OP(SYSREG, NONE, LOOSE | WF, W(Ev)), SYS(W(Ey)),
};
static const struct x86_op group_9_reg[8] = {
	[6] = BY(PREFIX, rdpid), [7] = BY(PREFIX, rdpid),
};
static const struct x86_op group_9[2] = {
	BY(REG, group_9_mem), BY(REG, group_9_reg),
};

/* Group 15: state of the FPU, fences, segment bases. */
static const struct x86_op group_15_mem[8] = {
	SYS(W(Ev)), SYS(R(Ev)),
	OP(SYSREG, D, 0, R(Ev)), OP(SYSREG, D, 0, W(Ev)),
	SYS(RW(Ev), R(A), R(D)), SYS(R(Ev), R(A), R(D)),
	SYS(RW(Ev), R(A), R(D)), OP(SYNC, NONE, LEA, R(Ev)),
};
#define FENCE OP(SYNC, NONE, 0, 0)
static const struct x86_op fences[8] = {
	[5] = FENCE, [6] = FENCE, [7] = FENCE,
};
static const struct x86_op seg_bases[8] = {
	SYS(W(Ey)), SYS(W(Ey)), SYS(R(Ey)), SYS(R(Ey)),
	[5] = FENCE, [6] = FENCE, [7] = FENCE,
};
static const struct x86_op group_15_reg[4] = {
	BY(REG, fences), BY(REG, fences), BY(REG, seg_bases),
	BY(REG, fences),
};
static const struct x86_op group_15[2] = {
	BY(REG, group_15_mem), BY(PREFIX, group_15_reg),
};

const struct x86_op x86_two[256] = {
	[0x00] = BY(REG, group_6), [0x01] = BY(MOD, group_7),
	[0x02 ... 0x03] = OP(SYSREG, NONE, LOOSE | WF, W(Gv), R(Ev)),
	[0x05] = OP(SYSCALL, NONE, LOOSE, RW(A), W(C), R(DI), R(SI), R(D)),
	[0x06 ... 0x09] = SYS(0),
	[0x0b] = OP(SYSCALL, NONE, LOOSE, 0),
	[0x0d] = BY(MOD, prefetchw),
	[0x0e] = OP(SIMD, NONE, 0, W(ST)),
	[0x0f] = OP(FADD, Q, FP, RW(Pq), R(Qq)), /* 3DNow! */
	[0x10] = BY(PREFIX, op_10), [0x11] = BY(PREFIX, op_11),
	[0x12] = BY(PREFIX, op_12), [0x13] = STORE(FMOVE, Q),
	[0x14 ... 0x15] = MERGE(FMOVE, X),
	[0x16] = BY(PREFIX, op_16), [0x17] = STORE(FMOVE, Q),
	[0x18] = BY(MOD, prefetch), [0x19 ... 0x1f] = X86_NOP,
	[0x20 ... 0x23] = SYS(0),
	[0x28] = LOAD(FMOVE, X), [0x29] = STORE(FMOVE, X),
	[0x2a] = BY(PREFIX, op_2a), [0x2b] = STORE(FMOVE, PS),
	[0x2c ... 0x2d] = BY(PREFIX, op_2c),
	[0x2e ... 0x2f] = BY(PREFIX, op_2e),
	[0x30] = SYS(R(A), R(C), R(D)), [0x31] = SYS(W(A), W(D)),
	[0x32 ... 0x33] = SYS(W(A), W(D), R(C)),
	[0x34] = OP(SYSCALL, NONE, LOOSE, RW(A), R(B), R(C), R(D)),
	[0x35] = SYS(0),
	[0x40 ... 0x4f] = OP(CMOV, V, RF, RW(Gv), R(Ev)),
	[0x50] = OP(FTRANSFER, NONE, 0, W(Gy), R(Wx)),
	[0x51] = BY(PREFIX, sqrt_ps),
	[0x52 ... 0x53] = BY(PREFIX, rcp_ps),
	[0x54 ... 0x57] = MERGE(FMOVE, X),
	[0x58] = OP(FADD, PS, FP, RW(VHx), R(Wx)),
	[0x59] = OP(FMUL, PS, FP | DBL, RW(VHx), R(Wx)),
	[0x5a] = BY(PREFIX, op_5a),
	[0x5b] = CVT(X, W(Vx), R(Wx)),
	[0x5c ... 0x5d] = OP(FADD, PS, FP, RW(VHx), R(Wx)),
	[0x5e] = OP(FDIV, PS, FP | DBL, RW(VHx), R(Wx)),
	[0x5f] = OP(FADD, PS, FP, RW(VHx), R(Wx)),
	[0x60 ... 0x6d] = INT2,
	[0x6e] = BY(MOD, op_6e),
	[0x6f] = OP(FMOVE, X, MMX | MOVE, W(Vx), R(Wx)),
	[0x70] = OP(SIMD, X, MMX, W(Vx), R(Wx)),
	[0x71 ... 0x73] = BY(REG, shift_imm),
	[0x74 ... 0x76] = INT2,
	[0x77] = BY(VEX, op_77),
	[0x78] = BY(PREFIX, op_78), [0x79] = BY(PREFIX, op_79),
	[0x7c ... 0x7d] = OP(FADD, X, FP, RW(VHx), R(Wx)),
	[0x7e] = BY(PREFIX, op_7e),
	[0x7f] = OP(FMOVE, X, MMX | MOVE, W(Wx), R(Vx)),
	[0x80 ... 0x8f] = BR(DIRECT_COND, NONE, RF, 0),
	[0x90 ... 0x9f] = OP(ALU, B, RF, W(Eb)),
	[0xa0] = OP(ALU, S, PUSH, 0), [0xa1] = OP(SYSREG, NONE, POP | LOOSE, 0),
	[0xa2] = SYS(RW(A), W(B), RW(C), W(D)),
	[0xa3] = OP(ALU, V, WF, R(Ev), R(Gv)),
	[0xa4] = OP(SHIFT, V, WF, RW(Ev), R(Gv)),
	[0xa5] = OP(SHIFT, V, WF, RW(Ev), R(Gv), R(C)),
	[0xa8] = OP(ALU, S, PUSH, 0), [0xa9] = OP(SYSREG, NONE, POP | LOOSE, 0),
	[0xab] = OP(ALU, V, WF, RW(Ev), R(Gv)),
	[0xac] = OP(SHIFT, V, WF, RW(Ev), R(Gv)),
	[0xad] = OP(SHIFT, V, WF, RW(Ev), R(Gv), R(C)),
	[0xae] = BY(MOD, group_15),
	[0xaf] = OP(MUL, V, WF | WIDE, RW(Gv), R(Ev)),
	[0xb0] = OP(ALU, B, WF, RW(Eb), RW(A), R(Gb)),
	[0xb1] = OP(ALU, V, WF, RW(Ev), RW(A), R(Gv)),
	[0xb2] = SYS(W(Gv), R(Ev)),
	[0xb3] = OP(ALU, V, WF, RW(Ev), R(Gv)),
	[0xb4 ... 0xb5] = SYS(W(Gv), R(Ev)),
	[0xb6] = OP(ALU, B, MOVE, W(Gv), R(Eb)),
	[0xb7] = OP(ALU, W, MOVE, W(Gv), R(Ev)),
	[0xb8] = BY(PREFIX, op_b8),
	[0xb9] = OP(SYSCALL, NONE, LOOSE, 0),
	[0xba] = BY(REG, bit_imm),
	[0xbb] = OP(ALU, V, WF, RW(Ev), R(Gv)),
	[0xbc ... 0xbd] = BY(PREFIX, bit_scan),
	[0xbe] = OP(ALU, B, MOVE, W(Gv), R(Eb)),
	[0xbf] = OP(ALU, W, MOVE, W(Gv), R(Ev)),
	[0xc0] = OP(ALU, B, WF, RW(Eb), RW(Gb)),
	[0xc1] = OP(ALU, V, WF, RW(Ev), RW(Gv)),
	[0xc2] = OP(FADD, PS, FP, RW(VHx), R(Wx)),
	[0xc3] = OP(ALU, Y, MOVE, W(Ey), R(Gy)),
	[0xc4] = BY(MOD, pinsrw),
	[0xc5] = OP(FTRANSFER, NONE, MMX, W(Gy), R(Wx)),
	[0xc6] = MERGE(FMOVE, X),
	[0xc7] = BY(MOD, group_9),
	[0xc8 ... 0xcf] = OP(ALU, NONE, 0, RW(Zv)),
	[0xd0] = OP(FADD, X, FP, RW(VHx), R(Wx)),
	[0xd1 ... 0xd5] = INT2,
	[0xd6] = BY(PREFIX, op_d6),
	[0xd7] = OP(FTRANSFER, NONE, MMX, W(Gy), R(Wx)),
	[0xd8 ... 0xe5] = INT2,
	[0xe6] = BY(PREFIX, op_e6),
	[0xe7] = OP(FMOVE, X, MMX | MOVE, W(Wx), R(Vx)),
	[0xe8 ... 0xef] = INT2,
	[0xf0] = BY(PREFIX, op_f0),
	[0xf1 ... 0xf6] = INT2,
	[0xf7] = OP(SIMD, NONE, MMX | STDI | LOOSE, R(Vx), R(Wx)),
	[0xf8 ... 0xfe] = INT2,
	[0xff] = OP(SYSCALL, NONE, LOOSE, 0),
};
