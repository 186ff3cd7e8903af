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
	CLASS_CMOV,	/* conditional move */
	CLASS_LEA,	/* x86: address as a result */
	CLASS_LEA3,	/* x86: the same of three parts */
	CLASS_BITS,	/* x86: bits counted, found, or gathered; a checksum */
	CLASS_STRING,	/* x86: one step of a string instruction */
	CLASS_MUL,	/* multiply to a general register */
	CLASS_MUL64,	/* the same of 64 bits */
	CLASS_MULH,	/* upper half of a 64-bit product */
	CLASS_MULT,	/* multiply, multiply-add to HI/LO */
	CLASS_DIV,	/* 32-bit divide */
	CLASS_DIV64,	/* 64-bit divide */
	CLASS_MFHILO,	/* HI/LO to a general register */
	CLASS_MTHILO,	/* general register to HI/LO */
	CLASS_FMOVE,	/* move, FP logic; MIPS: negate, absolute */
	CLASS_FCPYS,	/* sign copied or changed */
	CLASS_FCMOV,	/* conditional FP move */
	CLASS_FXCH,	/* x87: exchange with the top of the stack */
	CLASS_FADD,	/* add, subtract, compare-to-register, min/max */
	CLASS_FMUL,	/* single multiply */
	CLASS_FMUL_D,	/* double multiply */
	CLASS_FMADD,	/* fused or chained multiply-add */
	CLASS_FDIV,	/* single divide */
	CLASS_FDIV_D,	/* double divide, remainder of x87 */
	CLASS_FDIV_X,	/* x87: divide in extended precision */
	CLASS_FSQRT,	/* single square root */
	CLASS_FSQRT_D,	/* double square root, transcendental x87 */
	CLASS_FSQRT_X,	/* x87: square root in extended precision */
	CLASS_FCMP,	/* compare that sets a condition */
	CLASS_FCVT,	/* conversion */
	CLASS_FTRANSFER, /* between general and FP registers */
	CLASS_SIMD,	/* integer vector operation */
	CLASS_SIMD_MUL,	/* the same that multiplies */
	CLASS_CRYPT,	/* x86: a round of AES, a product without carries */
	CLASS_PREFETCH,
	CLASS_PAUSE,	/* x86: a turn of a loop that waits */
	CLASS_SYNC,	/* fence, sync */
	CLASS_SYSCALL,	/* also break, trap that is taken */
	CLASS_SYSREG,	/* rdhwr, cpuid, rdtsc, mfc0 */
	CLASS_N
};

#endif
