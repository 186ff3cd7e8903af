/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Six lines of instructions and six of data, all in one set of the first level
 * each, 16 kB and 2 MB from each other.
 *
 * 100 rounds, so that all miss it each time.  Two that are 2 MB from each other
 * share a set of an R10000's second level, which has one way of each: after the
 * first round all are looked for in the other one's way first, 6 * 99 times.
 * An R12000's is twice as large: both are in the first way of a set.
 */
#include "start.x86_64.inc"
	.macro	line next
	movl	(%rsi), %eax
	jmp	\next
	.balign	16384
	.endm

	.text
	.space	131072
	begin
	movl	$100, %ecx
	jmp	1f
	.balign	0x200000
1:	leaq	area(%rip), %rsi
	line	2f
2:	addl	$16384, %esi
	line	3f
3:	addl	$16384, %esi
	line	4f
	.balign	0x200000
4:	addl	$0x200000 - 32768, %esi
	line	5f
5:	addl	$16384, %esi
	line	6f
6:	addl	$16384, %esi
	movl	(%rsi), %eax
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	0x200000
	.space	65536
area:	.space	0x200000 + 49152
