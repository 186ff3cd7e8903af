/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * String instructions that repeat themselves are completed once.
 *
 * A round: three moves, rep stosb of 10 bytes behind them in its block, a
 * rep movsb of no byte, a rep stosb that a jump leads to, a repe cmpsb of 4
 * equal bytes, and the end of the loop.
 * 1 + 100 * 17 + 3 = 1704 instructions.  Accesses: 100 * (10 + 0 + 3 + 8)
 * = 2100.  Instructions that load 100 * 2, that store 100 * 3.  Branches 100,
 * mispredicted 2.  Jumps 100, no-ops 100.
 */
#include "start.x86_64.inc"
	begin
	movl	$100, %ebx
1:	leaq	area(%rip), %rdi
	leaq	area + 32(%rip), %rsi
	movl	$10, %ecx
	rep stosb
	xorl	%ecx, %ecx
	rep movsb
	leaq	area(%rip), %rdi
	movl	$3, %ecx
	jmp	2f
2:	rep stosb
	leaq	area(%rip), %rdi
	movl	$4, %ecx
	xorl	%eax, %eax
	nop
	repe cmpsb
	decl	%ebx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	64
