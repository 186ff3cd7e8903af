/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores that hit behind stores that miss the caches, and wait until these
 * have been written: on a Pentium.
 *
 * 64 rounds: a pair of stores, the second of which hits, so that it waits as
 * long as the bus takes to write the first, 8 cycles of a Pentium, 12 of a
 * Pentium MMX: 512, or 768.  Then 60 rounds of two MMX stores, which do not
 * pair: a cycle less each, 11 of a Pentium MMX: 660.  In between a division
 * takes longer than the bus; a jump begins each loop, so that its first round
 * pairs as the others.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	leaq	4092(%rsi), %rdi
	movl	(%rdi), %eax
	movl	-64(%rdi), %eax
	xorl	%edx, %edx
	movl	$1, %ebx
	movl	$64, %ecx
	divl	%ebx
	jmp	1f
	.balign	32, 0x90
1:	movl	%eax, (%rsi)
	movl	%eax, (%rdi)
	addq	$32, %rsi
	divl	%ebx
	xorl	%edx, %edx
	decl	%ecx
	jnz	1b
	andq	$-8, %rdi
	leaq	2048+area(%rip), %rsi
	movl	$60, %ecx
	jmp	2f
	.balign	32, 0x90
2:	movq	%mm0, (%rsi)
	movq	%mm0, (%rdi)
	addq	$32, %rsi
	divl	%ebx
	xorl	%edx, %edx
	decl	%ecx
	jnz	2b
	finish
	.bss
	.balign	8192
area:	.space	4096
