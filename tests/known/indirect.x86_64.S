/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jumps through a register, which are never predicted.
 *
 * 2 + 50 * 4 + 3 = 205 instructions, 50 indirect jumps, 50 direct ones, 50
 * branches, 2 of them mispredicted.
 */
#include "start.x86_64.inc"
	begin
	leaq	2f(%rip), %rax
	movl	$50, %ecx
1:	jmp	*%rax
2:	jmp	3f
	.fill	4, 1, 0xcc		/* never reached */
3:	decl	%ecx
	jnz	1b
	finish
