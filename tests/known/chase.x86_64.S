/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Misses that wait for each other.
 *
 * A list of 64 nodes, each in a line of its own; a node's address is known
 * only some cycles after the one before has come.  64 loads that miss, never
 * two at a time.
 * Instructions: 2 + 64 * (3 + 2) + 3 = 325.
 */
#include "start.x86_64.inc"
	begin
	leaq	list(%rip), %rsi
	movl	$64, %ecx
1:	movq	(%rsi), %rsi
	addq	$1, %rsi
	subq	$1, %rsi
	decl	%ecx
	jnz	1b
	finish
	.data
	.balign	4096
list:
	.set	node, 0
	.rept	63
	.quad	list + 64 * (node + 1)
	.balign	64
	.set	node, node + 1
	.endr
	.quad	list
	.balign	64
