/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads behind stores, on a Pentium Pro.
 *
 * 100 loads behind stores whose address is the quotient of a division, not of
 * what they store: each is blocked.  70 loads of words behind stores of a byte
 * of these, which are blocked, and 50 of the words that were stored, which are
 * not.
 */
#include "start.x86_64.inc"
	.macro	rounds n, at, stored, loaded
	movl	$\n, %ecx
1:	mov	\stored, \at(%rsi)
	mov	\at(%rsi), \loaded
	decl	%ecx
	jnz	1b
	.endm

	begin
	leaq	area(%rip), %rsi
	movl	$1, %ebx
	movl	$100, %ecx
1:	xorl	%edx, %edx
	movl	%edx, %eax
	divl	%ebx
	movl	%ecx, (%rsi,%rax)
	movl	64(%rsi), %edi
	decl	%ecx
	jnz	1b
	rounds	70, 128, %cl, %eax
	rounds	50, 192, %ecx, %eax
	finish
	.bss
	.balign	8192
area:	.space	256
