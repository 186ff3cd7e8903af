/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four lines of a set stay; five chase one another out.
 *
 * 4 misses, then 500.  900 loads in 5 pages, each in a joint TLB entry of
 * its own.
 *
 * Instructions: 2 + 100 * (4 + 2) + 1 + 100 * (5 + 2) + 3 = 1306.
 */
#include "start.i386.inc"
	begin
	movl	$area, %esi
	movl	$100, %ecx
1:	addl	(%esi), %eax
	addl	8192(%esi), %eax
	addl	16384(%esi), %eax
	addl	24576(%esi), %eax
	decl	%ecx
	jnz	1b
	movl	$100, %ecx
2:	addl	32(%esi), %eax
	addl	8192 + 32(%esi), %eax
	addl	16384 + 32(%esi), %eax
	addl	24576 + 32(%esi), %eax
	addl	32768 + 32(%esi), %eax
	decl	%ecx
	jnz	2b
	finish
	.bss
	.balign	8192
area:	.space	65536
