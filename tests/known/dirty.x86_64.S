/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One dirty line of five in a set: a write-back a round.
 *
 * As dirty.mipsel.S: 500 misses, 100 write-backs, 400 loads, 100 stores.
 * Instructions: 2 + 100 * (5 + 2) + 3 = 705.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movl	$100, %ecx
1:	movl	%ecx, (%rsi)
	addl	8192(%rsi), %eax
	addl	16384(%rsi), %eax
	addl	24576(%rsi), %eax
	addl	32768(%rsi), %eax
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	65536
