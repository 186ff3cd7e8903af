/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function of 16-bit instructions.
 *
 * jalx calls it; it loops 100 times and returns: 1 + 100 * 2 + 2 = 203
 * MIPS16 instructions, jr's delay slot is one of them.
 * Instructions: 2 + 203 + 3 = 208.  Branches 100, mispredicted 2.
 */
#include "start.mipsel.inc"
	begin
	jalx	count
	nop
	finish
	.balign	32
	.set	mips16
	.ent	count
	.type	count, @function
count:	li	$2, 100
1:	addiu	$2, -1
	bnez	$2, 1b
	jr	$31
	nop
	.end	count
