/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ROUNDS times TIMES loads in a ring of LINES words, each of which has the
 * address of the next one, DISTANCE bytes farther on.  The ring is made by
 * stores first.
 */
#include "../known/start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movq	%rsi, %rdi
	movl	$LINES - 1, %ecx
	.if	LINES > 1
1:	leaq	DISTANCE(%rdi), %rax
	movq	%rax, (%rdi)
	movq	%rax, %rdi
	decl	%ecx
	jnz	1b
	.endif
	movq	%rsi, (%rdi)
	movl	$ROUNDS, %ecx
	.balign	64
3:	.rept	TIMES
	movq	(%rsi), %rsi
	.endr
	decl	%ecx
	jnz	3b
	finish
	.bss
	.balign	65536
area:	.space	LINES * DISTANCE
