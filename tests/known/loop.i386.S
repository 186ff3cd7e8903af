/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counted loop, with no-ops of several lengths and instructions that only
 * exist in 32-bit mode: inc and dec of one byte.
 *
 * 1 + 1000 * 6 + 3 = 6004 instructions, 3000 no-ops, 1000 branches, the
 * first and the last mispredicted.  One line, one page.  Exceptions: the
 * system call and one refill of the joint TLB.
 */
#include "start.i386.inc"
	begin
	movl	$1000, %ecx
1:	.byte	0x40			/* incl %eax */
	nop
	nopl	(%eax)
	nopw	0(%eax,%eax,1)
	.byte	0x49			/* decl %ecx */
	jnz	1b
	finish
