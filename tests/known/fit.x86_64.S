/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ten walks over 32 kB, a load per line: they fit.
 *
 * 1024 misses in the first walk, none after; 8 pages, 8 misses of the data
 * micro-TLB, 4 of the joint TLB (two pages to an entry); no write-backs.
 *
 * Instructions: 1 + 10 * (2 + 1024 * 4 + 2) + 3 = 41004.
 * Branches 10 * 1025: inner wrong 1 + 10, outer 2 = 13.
 */
#include "start.x86_64.inc"
	begin
	movl	$10, %ecx
1:	leaq	area(%rip), %rsi
	movl	$1024, %edx
2:	movl	(%rsi), %eax
	addq	$32, %rsi
	decl	%edx
	jnz	2b
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	32768
area:	.space	32768
