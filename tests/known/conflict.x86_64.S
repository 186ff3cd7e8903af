/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four lines of a set stay; five chase one another out.
 *
 * As conflict.mipsel.S: 4 misses, then 500.  900 loads in 5 pages, each
 * in a joint TLB entry of its own.
 *
 * Instructions: 2 + 100 * (4 + 2) + 1 + 100 * (5 + 2) + 3 = 1306.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movl	$100, %ecx
1:	addl	(%rsi), %eax
	addl	8192(%rsi), %eax
	addl	16384(%rsi), %eax
	addl	24576(%rsi), %eax
	decl	%ecx
	jnz	1b
	movl	$100, %ecx
2:	addl	32(%rsi), %eax
	addl	8192 + 32(%rsi), %eax
	addl	16384 + 32(%rsi), %eax
	addl	24576 + 32(%rsi), %eax
	addl	32768 + 32(%rsi), %eax
	decl	%ecx
	jnz	2b
	finish
	.bss
	.balign	8192
area:	.space	65536
