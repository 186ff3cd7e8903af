/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses on and off multiples of their size; loop of 100 rounds.
 *
 * Per round 4 of 7 are misaligned, of which 1 spans two pages: 400, 100.
 * Instructions: 1 + 100 * (7 + 2) + 3 = 904; 500 loads, 200 stores.
 */
#include "start.x86_64.inc"
	begin
	movl	$100, %ecx
1:	movl	there, %eax
	movl	there+2, %eax		/* misaligned */
	movw	there+3, %ax		/* misaligned */
	movb	there+3, %al
	movl	%eax, there+4093	/* misaligned, two pages */
	movq	there+8, %rax
	movq	%rax, there+20		/* misaligned */
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	4096
there:	.skip	8192
