/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tables call the classes of instructions: X(enum, name), and
 * those that a table need not name: X(enum, name, the class that it costs
 * the same as).  An optional class stands behind the one that it refers to.
 */
#ifndef TABLE_CLASSES_H
#define TABLE_CLASSES_H

#define TABLE_CLASSES(X) \
	X(ALU, "alu") \
	X(NOP, "nop") \
	X(MUL, "mul") \
	X(MULT, "mult") \
	X(DIV, "div") \
	X(DIV64, "div64") \
	X(MFHILO, "mfhilo") \
	X(MTHILO, "mthilo") \
	X(FMOVE, "fmove") \
	X(FADD, "fadd") \
	X(FMUL, "fmul") \
	X(FMUL_D, "fmul_d") \
	X(FMADD, "fmadd") \
	X(FDIV, "fdiv") \
	X(FDIV_D, "fdiv_d") \
	X(FSQRT, "fsqrt") \
	X(FSQRT_D, "fsqrt_d") \
	X(FCMP, "fcmp") \
	X(FCVT, "fcvt") \
	X(FTRANSFER, "ftransfer") \
	X(SIMD, "simd") \
	X(PREFETCH, "prefetch") \
	X(SYNC, "sync") \
	X(SYSCALL, "syscall") \
	X(SYSREG, "sysreg")

#define TABLE_OPTIONAL_CLASSES(X) \
	X(LOGIC, "logic", ALU) \
	X(SHIFT, "shift", ALU) \
	X(SHIFT_CL, "shift_cl", SHIFT) \
	X(SHIFT2, "shift2", SHIFT) \
	X(XCHG, "xchg", ALU) \
	X(CMOV, "cmov", ALU) \
	X(CMOV2, "cmov2", CMOV) \
	X(FLAG, "flag", ALU) \
	X(LEA, "lea", ALU) \
	X(LEA3, "lea3", LEA) \
	X(BITS, "bits", ALU) \
	X(FIND, "find", BITS) \
	X(COUNT, "count", BITS) \
	X(STRING, "string", ALU) \
	X(MUL64, "mul64", MUL) \
	X(MUL2, "mul2", MUL64) \
	X(MULH, "mulh", MUL64) \
	X(FCPYS, "fcpys", FMOVE) \
	X(FCMOV, "fcmov", FMOVE) \
	X(FXCH, "fxch", FMOVE) \
	X(FDIV_X, "fdiv_x", FDIV_D) \
	X(FSQRT_X, "fsqrt_x", FSQRT_D) \
	X(FSHUFFLE, "fshuffle", FMOVE) \
	X(FACROSS, "facross", FMOVE) \
	X(FMIN, "fmin", FADD) \
	X(FHADD, "fhadd", FADD) \
	X(FDOT, "fdot", FMADD) \
	X(FRCP, "frcp", FMUL) \
	X(FDIV_Y, "fdiv_y", FDIV) \
	X(FDIV_YD, "fdiv_yd", FDIV_D) \
	X(FSQRT_Y, "fsqrt_y", FSQRT) \
	X(FSQRT_YD, "fsqrt_yd", FSQRT_D) \
	X(FROUND, "fround", FCVT) \
	X(FCVT_W, "fcvt_w", FCVT) \
	X(FCVT_X, "fcvt_x", FCVT) \
	X(FEXTRACT, "fextract", FTRANSFER) \
	X(SIMD_SHIFT, "simd_shift", SIMD) \
	X(SIMD_COMPARE, "simd_compare", SIMD) \
	X(SIMD_TEST, "simd_test", SIMD) \
	X(SHUFFLE, "shuffle", SIMD) \
	X(ACROSS, "across", SHUFFLE) \
	X(SIMD_MUL, "simd_mul", SIMD) \
	X(SIMD_MUL_D, "simd_mul_d", SIMD_MUL) \
	X(SIMD_SUM, "simd_sum", SIMD) \
	X(CRYPT, "crypt", SIMD) \
	X(CLMUL, "clmul", CRYPT) \
	X(FENCE, "fence", SYNC) \
	X(PAUSE, "pause", NOP)

#endif
