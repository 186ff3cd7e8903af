/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes of instructions: a CPU table gives each of them a cost. */
#ifndef SIM_INSN_CLASS_H
#define SIM_INSN_CLASS_H

/* The operation of an instruction. */
enum insn_class {
	CLASS_ALU,	/* add, move, set, and what has no class of its own */
	CLASS_NOP,	/* does nothing (on MIPS: writes $0) */
	CLASS_LOGIC,	/* Alpha: logic, compare */
	CLASS_SHIFT,	/* shift, rotate; Alpha: byte manipulation */
	CLASS_SHIFT_CL,	/* x86: the same by cl */
	CLASS_SHIFT2,	/* x86: bits of another register come in */
	CLASS_XCHG,	/* x86: exchange, also with a sum */
	CLASS_CMOV,	/* conditional move */
	CLASS_CMOV2,	/* x86: the same by carry and zero */
	CLASS_FLAG,	/* x86: with the carry, or set by a condition, or one bit */
	CLASS_LEA,	/* x86: address as a result */
	CLASS_LEA3,	/* x86: the same of three parts */
	CLASS_BITS,	/* x86: bits gathered; a checksum */
	CLASS_FIND,	/* x86: the first bit found */
	CLASS_COUNT,	/* x86: bits counted, or those before the last one */
	CLASS_STRING,	/* x86: one step of a string instruction */
	CLASS_MUL,	/* multiply to a general register */
	CLASS_MUL64,	/* the same of 64 bits */
	CLASS_MUL2,	/* x86: both halves of a product of 64 bits by 64 */
	CLASS_MULH,	/* upper half of a 64-bit product */
	CLASS_MULT,	/* multiply, multiply-add to HI/LO */
	CLASS_DIV,	/* 32-bit divide */
	CLASS_DIV64,	/* 64-bit divide */
	CLASS_MFHILO,	/* HI/LO to a general register */
	CLASS_MTHILO,	/* general register to HI/LO */
	CLASS_FMOVE,	/* move, FP logic; MIPS: negate, absolute */
	CLASS_FSHUFFLE,	/* x86: elements change places */
	CLASS_FACROSS,	/* x86: the same between halves of 256 bits */
	CLASS_FCPYS,	/* sign copied or changed */
	CLASS_FCMOV,	/* conditional FP move */
	CLASS_FXCH,	/* x87: exchange with the top of the stack */
	CLASS_FADD,	/* add, subtract, compare-to-register, min/max */
	CLASS_FMIN,	/* x86: the smaller, the larger; compared in place */
	CLASS_FHADD,	/* x86: of neighbours in a vector */
	CLASS_FMUL,	/* single multiply */
	CLASS_FMUL_D,	/* double multiply */
	CLASS_FDOT,	/* x86: dot product */
	CLASS_FRCP,	/* x86: reciprocals, about */
	CLASS_FMADD,	/* fused or chained multiply-add */
	CLASS_FDIV_Y,	/* x86: single divides of 256 bits */
	CLASS_FDIV_YD,	/* double ones */
	CLASS_FDIV,	/* single divide */
	CLASS_FDIV_D,	/* double divide, remainder of x87 */
	CLASS_FDIV_X,	/* x87: divide in extended precision */
	CLASS_FSQRT_Y,	/* x86: single square roots of 256 bits */
	CLASS_FSQRT_YD,	/* double ones */
	CLASS_FSQRT,	/* single square root */
	CLASS_FSQRT_D,	/* double square root, transcendental x87 */
	CLASS_FSQRT_X,	/* x87: square root in extended precision */
	CLASS_FCMP,	/* compare that sets a condition */
	CLASS_FROUND,	/* x86: to an integer, in place */
	CLASS_FCVT_W,	/* x86: conversion to another width */
	CLASS_FCVT_X,	/* x86: conversion from or to a general register */
	CLASS_FCVT,	/* conversion */
	CLASS_FTRANSFER, /* between general and FP registers */
	CLASS_FEXTRACT,	/* x86: to a general register */
	CLASS_SIMD,	/* integer vector operation */
	CLASS_SIMD_SHIFT, /* x86: the same that shifts */
	CLASS_SIMD_COMPARE, /* x86: compared, saturated, averaged */
	CLASS_SIMD_TEST, /* x86: a vector to the flags */
	CLASS_SHUFFLE,	/* x86: elements change places, or are packed */
	CLASS_ACROSS,	/* x86: the same between halves of 256 bits */
	CLASS_SIMD_MUL,	/* integer vectors multiplied */
	CLASS_SIMD_MUL_D, /* x86: to lower halves of 32 bits */
	CLASS_SIMD_SUM,	/* x86: differences of bytes, added up */
	CLASS_CRYPT,	/* x86: a round of AES */
	CLASS_CLMUL,	/* x86: a product without carries */
	CLASS_PREFETCH,
	CLASS_PAUSE,	/* x86: a turn of a loop that waits */
	CLASS_FENCE,	/* x86: until memory is quiet */
	CLASS_SYNC,	/* fence, sync */
	CLASS_SYSCALL,	/* also break, trap that is taken */
	CLASS_SYSREG,	/* rdhwr, cpuid, rdtsc, mfc0 */
	CLASS_N
};

#endif
