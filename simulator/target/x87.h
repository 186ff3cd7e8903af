/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a divide or a square root of the x87 takes follows from the precision
 * that its control word asks for: 24, 53 or 64 bits.
 *
 * A block has the precision of its thread when it is made.  A thread that asks
 * for another one when such a block exists leaves a doubt (DOUBT_PRECISION);
 * programs do so before they compute, if at all: rounding, which many change,
 * does not matter.
 */
#ifndef TARGET_X87_H
#define TARGET_X87_H

#include "code/insn.h"

/* The classes of n decoded instructions, by the thread's precision. */
void x87_classes(struct insn *insn, unsigned n);

/* Whether any of them is a divide or a square root of the x87. */
bool x87_divides(const struct insn *insn, unsigned n);

/* The precision that x87_classes() goes by, for built_again(). */
u8 x87_precision(void);
void x87_classes_by(struct insn *insn, unsigned n, u8 precision);

/* What an instruction does with the control word. */
enum x87_control {
	X87_NONE,
	X87_LOADS,	/* from the begin of what it reads: fldcw, fldenv,
			   frstor, fxrstor, xrstor */
	X87_RESETS	/* fninit, fnsave */
};

/* Of x86's instruction of that many bytes, in 64-bit code or not. */
enum x87_control x87_control_of(const u8 *bytes, unsigned size, bool is_64);

/* The thread's control word is that from now on. */
void x87_set(u16 word);
#define X87_RESET 0x37f

#endif
