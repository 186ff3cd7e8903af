/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opcodes after the escapes 0F 38 and 0F 3A. */
#include "x86_table.h"

#define UNKNOWN { .row = ROW_UNKNOWN }
#define LOAD(class, width) OP(class, width, MOVE, W(Vx), R(Wx))
#define UNARY(class, width, how) OP(class, width, how, W(Vx), R(Wx))
#define BINARY(class, width, how) OP(class, width, how, RW(VHx), R(Wx))
#define INT1 OP(SIMD, X, MMX, W(Vx), R(Wx))
#define INT2 BINARY(SIMD, X, MMX)
#define BLEND(class) OP(class, X, 0, RW(Vx), R(Wx), R(X0))
#define BLEND4(class) OP(class, X, 0, W(Vx), R(Hx), R(Wx), R(Lx))
#define SHA(...) OP(SIMD, O, 0, RW(Vx), R(Wx), __VA_ARGS__)
/* Memory accesses that depend on a mask or on indexes. */
#define MASK_LOAD(class) OP(class, NONE, LOOSE, W(Vx), R(Hx), R(Ev))
#define MASK_STORE(class) OP(class, NONE, LOOSE, W(Ev), R(Hx), R(Vx))
#define GATHER(class) \
	OP(class, NONE, SPECIAL | LOOSE, RW(Vx), RW(Hx), R(Ev))
/* Fused multiply-add: QEMU loads a whole vector for the scalar ones too. */
#define FMA OP(FMADD, X, FP, RW(Vx), R(Hx), R(Wx))

#define BMI(class, how, ...) OP(class, Y, how, __VA_ARGS__)

static const struct x86_op op_f0[4] = {
	OP(ALU, V, MOVE, W(Gv), R(Ev)), OP(ALU, W, MOVE, W(Gv), R(Ev)),
	UNKNOWN, OP(BITS, B, 0, RW(Gy), R(Eb)),
};
static const struct x86_op op_f1[4] = {
	OP(ALU, V, MOVE, W(Ev), R(Gv)), OP(ALU, W, MOVE, W(Ev), R(Gv)),
	UNKNOWN, OP(BITS, V, 0, RW(Gy), R(Ev)),
};
static const struct x86_op op_f3[8] = {
	[1] = BMI(ALU, WF, W(By), R(Ey)), [2] = BMI(ALU, WF, W(By), R(Ey)),
	[3] = BMI(ALU, WF, W(By), R(Ey)),
};
static const struct x86_op op_f5[4] = {
	BMI(ALU, WF, W(Gy), R(Ey), R(By)), UNKNOWN,
	BMI(BITS, 0, W(Gy), R(By), R(Ey)), BMI(BITS, 0, W(Gy), R(By), R(Ey)),
};
static const struct x86_op op_f6[4] = {
	UNKNOWN, BMI(ALU, RF | WF, RW(Gy), R(Ey)),
	BMI(ALU, RF | WF, RW(Gy), R(Ey)),
	BMI(MUL, WIDE, W(Gy), W(By), R(Ey), R(D)),
};
static const struct x86_op op_f7[4] = {
	BMI(ALU, WF, W(Gy), R(Ey), R(By)), BMI(SHIFT, 0, W(Gy), R(Ey), R(By)),
	BMI(SHIFT, 0, W(Gy), R(Ey), R(By)), BMI(SHIFT, 0, W(Gy), R(Ey), R(By)),
};

/* Widening moves at o: byte to 2, 4, 8 bytes, word to 4, 8, double to 8. */
#define WIDEN(o) \
	[(o) + 0] = UNARY(SIMD, X2, 0), [(o) + 1] = UNARY(SIMD, X4, 0), \
	[(o) + 2] = UNARY(SIMD, X8, 0), [(o) + 3] = UNARY(SIMD, X2, 0), \
	[(o) + 4] = UNARY(SIMD, X4, 0), [(o) + 5] = UNARY(SIMD, X2, 0)

const struct x86_op x86_38[256] = {
	[0x00 ... 0x0b] = INT2,
	[0x0c ... 0x0d] = BINARY(FMOVE, X, 0),
	[0x0e ... 0x0f] = OP(SIMD, X, WF, R(Vx), R(Wx)),
	[0x10] = BLEND(SIMD),
	[0x13] = UNARY(FCVT, X2, FP),
	[0x14 ... 0x15] = BLEND(FMOVE),
	[0x16] = BINARY(FMOVE, X, 0),
	[0x17] = OP(SIMD, X, WF, R(Vx), R(Wx)),
	[0x18] = LOAD(FMOVE, D), [0x19] = LOAD(FMOVE, Q),
	[0x1a] = LOAD(FMOVE, O),
	[0x1c ... 0x1e] = INT1,
	WIDEN(0x20),
	[0x28 ... 0x29] = INT2, [0x2a] = LOAD(FMOVE, X), [0x2b] = INT2,
	[0x2c ... 0x2d] = MASK_LOAD(FMOVE), [0x2e ... 0x2f] = MASK_STORE(FMOVE),
	WIDEN(0x30),
	[0x36] = BINARY(SIMD, X, 0),
	[0x37 ... 0x40] = INT2, [0x41] = INT1,
	[0x45 ... 0x47] = BINARY(SIMD, X, 0),
	[0x58] = LOAD(SIMD, D), [0x59] = LOAD(SIMD, Q), [0x5a] = LOAD(SIMD, O),
	[0x78] = LOAD(SIMD, B), [0x79] = LOAD(SIMD, W),
	[0x8c] = MASK_LOAD(SIMD), [0x8e] = MASK_STORE(SIMD),
	[0x90 ... 0x91] = GATHER(SIMD), [0x92 ... 0x93] = GATHER(FMOVE),
	[0x96 ... 0x9f] = FMA, [0xa6 ... 0xaf] = FMA, [0xb6 ... 0xbf] = FMA,
	[0xc8 ... 0xca] = SHA(0), [0xcb] = SHA(R(X0)), [0xcc ... 0xcd] = SHA(0),
	[0xdb] = UNARY(CRYPT, X, 0),
	[0xdc ... 0xdf] = BINARY(CRYPT, X, 0),
	[0xf0] = BY(PREFIX, op_f0), [0xf1] = BY(PREFIX, op_f1),
	[0xf2] = BMI(ALU, WF, W(Gy), R(By), R(Ey)),
	[0xf3] = BY(REG, op_f3), [0xf5] = BY(PREFIX, op_f5),
	[0xf6] = BY(PREFIX, op_f6), [0xf7] = BY(PREFIX, op_f7),
};

/* An element from or to a general register, or memory. */
#define EXTRACT(width) { OP(SIMD, width, MOVE, W(Ey), R(Vx)), \
			 OP(FTRANSFER, NONE, 0, W(Ey), R(Vx)) }
#define INSERT(width) { OP(SIMD, width, 0, RW(VHx), R(Ey)), \
			OP(FTRANSFER, NONE, 0, RW(VHx), R(Ey)) }

static const struct x86_op pextrb[2] = EXTRACT(B);
static const struct x86_op pextrw[2] = EXTRACT(W);
static const struct x86_op pextrd[2] = EXTRACT(Y);
static const struct x86_op extractps[2] = EXTRACT(D);
static const struct x86_op pinsrb[2] = INSERT(B);
static const struct x86_op pinsrd[2] = INSERT(Y);

/* String compares: the result is a mask in xmm0 or an index in rcx. */
#define STR_CMP(result, ...) \
	OP(SIMD, O, WF, W(result), R(Vx), R(Wx), __VA_ARGS__)

const struct x86_op x86_3a[256] = {
	[0x00] = UNARY(SIMD, X, 0), [0x01] = UNARY(FMOVE, X, 0),
	[0x02] = BINARY(SIMD, X, 0),
	[0x04 ... 0x05] = UNARY(FMOVE, X, 0),
	[0x06] = BINARY(FMOVE, X, 0),
	[0x08 ... 0x09] = UNARY(FCVT, X, FP),
	[0x0a] = BINARY(FCVT, D, FP), [0x0b] = BINARY(FCVT, Q, FP),
	[0x0c ... 0x0d] = BINARY(FMOVE, X, 0),
	[0x0e] = BINARY(SIMD, X, 0), [0x0f] = INT2,
	[0x14] = BY(MOD, pextrb), [0x15] = BY(MOD, pextrw),
	[0x16] = BY(MOD, pextrd), [0x17] = BY(MOD, extractps),
	[0x18] = BINARY(FMOVE, O, 0),
	[0x19] = OP(FMOVE, O, MOVE, W(Wx), R(Vx)),
	[0x1d] = OP(FCVT, X2, FP | MOVE, W(Wx), R(Vx)),
	[0x20] = BY(MOD, pinsrb), [0x21] = BINARY(FMOVE, D, 0),
	[0x22] = BY(MOD, pinsrd),
	[0x38] = BINARY(SIMD, O, 0),
	[0x39] = OP(SIMD, O, MOVE, W(Wx), R(Vx)),
	[0x40 ... 0x41] = BINARY(FMADD, X, FP),
	[0x42] = BINARY(SIMD, X, 0), [0x44] = BINARY(CRYPT, X, 0),
	[0x46] = BINARY(SIMD, X, 0),
	[0x4a ... 0x4b] = BLEND4(FMOVE), [0x4c] = BLEND4(SIMD),
	[0x60] = STR_CMP(X0, R(A), R(D)), [0x61] = STR_CMP(C, R(A), R(D)),
	[0x62] = STR_CMP(X0, 0), [0x63] = STR_CMP(C, 0),
	[0xcc] = SHA(0),
	[0xdf] = UNARY(CRYPT, X, 0),
	[0xf0] = BMI(SHIFT, 0, W(Gy), R(Ey)),
};
