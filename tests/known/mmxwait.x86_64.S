/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What MMX instructions wait for on a Pentium MMX.
 *
 * 100 rounds: a multiply's result, which takes three cycles, is asked for in
 * the next one, which costs two, and again with a pair in between, which costs
 * one: 300.  Then the sum is stored, which takes a cycle more than to use it:
 * 100; a cycle later it takes no more: 0.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movl	(%rsi), %eax
	movl	$100, %ecx
	.balign	32, 0x90
1:	pmullw	%mm0, %mm1
	paddw	%mm1, %mm2
	pmulhw	%mm0, %mm3
	nop
	paddw	%mm4, %mm5
	nop
	paddw	%mm3, %mm2
	movq	%mm2, 8(%rsi)
	paddw	%mm4, %mm5
	nop
	nop
	nop
	movq	%mm5, 16(%rsi)
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	64
