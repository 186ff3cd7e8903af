/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of accesses to the same bank of a data cache, and to others.
 *
 * Two warm lines of 32 bytes, then 101 no-ops, the last of which pairs with
 * what is behind.  A round has three pairs that access memory: two loads of
 * the same word of each line, two of different words, a load and a store of
 * the same word.  With eight banks of four bytes the first and the third
 * wait.
 * Pairs that access memory 1 + 300, conflicts 200; loads 502, stores 100.
 * Instructions: 1 + 2 + 101 + 1 + 100 * (6 + 2) + 3 = 908.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movl	(%rsi), %eax
	movl	36(%rsi), %ebx
	.fill	101, 1, 0x90
	movl	$100, %ecx
1:	movl	4(%rsi), %eax
	movl	36(%rsi), %ebx
	movl	8(%rsi), %eax
	movl	44(%rsi), %ebx
	movl	16(%rsi), %eax
	movl	%edi, 48(%rsi)
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	64
