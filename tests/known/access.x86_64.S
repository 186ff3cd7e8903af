/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that load, store, or both.
 *
 * One warm line: the first load, then 100 no-ops.  A round: mov load, mov
 * store, add to memory (load and store), push (store), pop (load), inc in
 * memory (load and store), lea (neither).  push and pop use a second line
 * that is warmed as well.
 * Instructions that load 2 + 400, that store 400; accesses 802; misses 2.
 * Instructions: 4 + 100 + 1 + 100 * (7 + 2) + 3 = 1008.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	leaq	area + 64(%rip), %rsp
	movl	(%rsi), %eax
	movl	-8(%rsp), %eax
	.fill	100, 1, 0x90
	movl	$100, %ecx
1:	movl	(%rsi), %eax
	movl	%eax, 4(%rsi)
	addl	%eax, 8(%rsi)
	pushq	%rax
	popq	%rax
	incl	12(%rsi)
	leaq	16(%rsi), %rdi
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	64
