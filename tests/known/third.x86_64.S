/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ten rounds of a store and 20 loads, 1 MB from each other: all in one set of
 * each cache.  The line that is stored to leaves a second level of six or
 * eight ways among the loads, and later a third one of four or twelve.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movl	$10, %ecx
1:	movl	%ecx, (%rsi)
	.set	i, 1
	.rept	20
	movl	i * 1048576(%rsi), %eax
	.set	i, i + 1
	.endr
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	1048576
area:	.space	21 * 1048576
