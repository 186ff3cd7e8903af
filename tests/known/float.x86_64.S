/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the x87 computes, and what integers need its unit for, on Pentiums.
 *
 * 2 loads of a constant, 10 additions, 20 multiplications, 3 divisions, 2 roots
 * and 4 comparisons, 41 in all; 5 multiplications and 2 divisions of integers.
 *
 * All of the x87's need what the one before makes, which on a Pentium takes 3
 * cycles of an addition or multiplication, 39 of a division and 70 of a root:
 * 10 * 2 + 20 * 2 + 3 * 38 + 2 * 69 = 312 cycles of waiting.
 */
#include "start.x86_64.inc"
	begin
	movl	$1, %ebx
	movl	$7, %eax
	xorl	%edx, %edx
	fld1
	fld1
	.rept	10
	fadd	%st(1), %st
	.endr
	.rept	20
	fmul	%st(1), %st
	.endr
	.rept	3
	fdiv	%st(1), %st
	.endr
	.rept	2
	fsqrt
	.endr
	.rept	4
	fcom	%st(1)
	.endr
	.rept	5
	imull	%ebx, %ecx
	.endr
	.rept	2
	divl	%ebx
	.endr
	finish
