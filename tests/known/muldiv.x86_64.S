/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Multiplies and divides.
 *
 * A round: imul, imul with a constant, mul, div, idiv: 5, and the
 * instructions that set them up.
 * Instructions: 2 + 100 * (5 + 4 + 2) + 3 = 1105; 500 multiplies and
 * divides.
 */
#include "start.x86_64.inc"
	begin
	movl	$100, %ecx
	movl	$7, %ebx
1:	imull	%ebx, %esi
	imull	$3, %ebx, %esi
	movl	%ebx, %eax
	mull	%ebx
	xorl	%edx, %edx
	divl	%ebx
	movl	%ebx, %eax
	xorl	%edx, %edx
	idivl	%ebx
	decl	%ecx
	jnz	1b
	finish
