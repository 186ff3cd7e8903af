/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream of stores over 64 kB, one per line.
 *
 * 2048 misses; the cache has room for 1024, so 1024 write-backs.  16 pages
 * of the micro-TLB, 8 entries of the joint TLB.
 *
 * Instructions: 2 + 2048 * 4 + 3 = 8197.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rdi
	movl	$2048, %ecx
1:	movl	%ecx, (%rdi)
	addq	$32, %rdi
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	65536
area:	.space	65536
