/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads of more of a register than was written last, on a Pentium Pro.
 *
 * What is written in cycle d issues in d+1, is done in d+2 and retires in
 * d+3; three cycles later, in d+6, more than it can be read.  Each round of
 * three loops has a write and a read that could go in one cycle, so it waits
 * 6 cycles: eax behind al, al behind ah, eax behind ax: 3 * 100 * 6 = 1800.
 * The others have none: what is read was written, has been cleared before,
 * or has long retired.  What was cleared in front of the last loop but one
 * stays known in all its rounds; its end is predicted wrongly and lets that be
 * forgotten, so the last one waits again: 600.
 */
#include "start.x86_64.inc"
	.macro	again
	movl	$100, %ecx
	jmp	1f
	.balign	32, 0x90
1:
	.endm
	.macro	until
	decl	%ecx
	jnz	1b
	.endm

	begin
	again
	movb	$1, %al
	movl	%eax, %ebx
	until
	again
	movb	$1, %ah
	movb	%al, %bl
	until
	again
	movw	$1, %ax
	movl	%eax, %ebx
	until
	again
	xorl	%eax, %eax
	movb	$1, %al
	movl	%eax, %ebx
	until
	again
	movb	$1, %al
	movzbl	%al, %ebx
	until
	again
	addw	$1, %ax
	testb	%al, %al
	until
	again
	movb	$1, %al
	.fill	30, 1, 0x90
	movl	%eax, %ebx
	until
	xorl	%edx, %edx
	again
	movb	$1, %dl
	movl	%edx, %ebx
	until
	again
	movb	$1, %dl
	movl	%edx, %ebx
	until
	finish
