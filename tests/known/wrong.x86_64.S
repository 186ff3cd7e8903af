/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 50 branches that are taken for the first time, forward, and wait for what a
 * load brings from memory: behind each that is predicted not taken, wrong
 * instructions fill the list of those in flight.
 *
 * Instructions: 3 + 50 * 4 + 3 = 206, one of them a no-op, one a jump, one a
 * system call; 50 loads, 50 stores.
 */
#include "start.x86_64.inc"
	begin
	leaq	128+area(%rip), %rsi
	nop
	jmp	1f
	.balign	32
1:
	.set	i, 0
	.rept	50
	movl	%ecx, -64(%rsi)
	movl	i * 128(%rsi), %eax
	testl	%eax, %eax
	.byte	0x74, 1f - . - 1	/* jz 1f */
	.balign	32
1:
	.set	i, i + 1
	.endr
	finish
	.bss
	.balign	8192
area:	.space	51 * 128
