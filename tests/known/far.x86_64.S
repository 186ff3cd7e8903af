/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Misses that wait for each other, each on a page of its own.
 *
 * A list of 16 nodes, two pages apart: each load misses the cache, the
 * micro-TLB and the joint TLB.  The line is asked for when the page is known:
 * nothing of its 50 cycles is behind the refill.  Lines are on their way for
 * 15 * 50 cycles, and the last one until the program ends: six instructions and
 * the 4 slots of a mispredicted branch, 760.
 * The next load would issue four behind, with a cycle for the taken branch, or
 * seven behind the first, whose branch is mispredicted; an address is late by
 * one cycle more: 14 * (50 + 1 - 4) + 50 + 1 - 7 = 702.
 * Instructions: 2 + 16 * (1 + 2) + 3 = 53.
 */
#include "start.x86_64.inc"
	begin
	leaq	list(%rip), %rsi
	movl	$16, %ecx
1:	movq	(%rsi), %rsi
	decl	%ecx
	jnz	1b
	finish
	.data
	.balign	8192
list:
	.set	node, 0
	.rept	16
	.quad	list + 8192 * (node + 1)
	.balign	8192
	.set	node, node + 1
	.endr
