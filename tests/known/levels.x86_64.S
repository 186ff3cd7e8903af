/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three walks over 512 kB, an access for each 128 bytes: two of loads, then one
 * of stores.  4096 lines each time, more than a second level of 256 kB has
 * room for and fewer than a third one of 3 MB has; 128 pages of 4 kB, 32 of
 * 16 kB.
 *
 * Instructions: 3 * (2 + 4096 * 4) + 3 = 49161; branches 3 * 4096.
 */
#include "start.x86_64.inc"
	.macro	walk access:vararg
	leaq	area(%rip), %rsi
	movl	$4096, %ecx
1:	\access
	addq	$128, %rsi
	decl	%ecx
	jnz	1b
	.endm

	begin
	walk	movl (%rsi), %eax
	walk	movl (%rsi), %eax
	walk	movl %ecx, (%rsi)
	finish
	.bss
	.balign	524288
area:	.space	524288
