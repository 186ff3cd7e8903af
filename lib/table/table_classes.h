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
	X(CMOV, "cmov", ALU) \
	X(LEA, "lea", ALU) \
	X(LEA3, "lea3", LEA) \
	X(BITS, "bits", ALU) \
	X(STRING, "string", ALU) \
	X(MUL64, "mul64", MUL) \
	X(MULH, "mulh", MUL64) \
	X(FCPYS, "fcpys", FMOVE) \
	X(FCMOV, "fcmov", FMOVE) \
	X(FXCH, "fxch", FMOVE) \
	X(FDIV_X, "fdiv_x", FDIV_D) \
	X(FSQRT_X, "fsqrt_x", FSQRT_D) \
	X(SIMD_MUL, "simd_mul", SIMD) \
	X(CRYPT, "crypt", SIMD) \
	X(PAUSE, "pause", NOP)

#endif
