/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses of MMX instructions among others, on a Pentium MMX.
 *
 * 32 lines are read by MMX and 32 others by integer instructions, 32 written
 * by each, all for the first time; then 50 accesses of each are misaligned.
 * MMX: 32 reads and 32 writes that miss, 50 misaligned; all: twice that.
 * 32 lines more that MMX reads, and 16 that integer instructions read, come
 * from memory in 33 cycles, of which the pipeline waits all but one: MMX waits
 * 32 * 32 = 1024.  MMX: 64 reads that miss, of 114.
 * So it does for the first 32.  All but the first want the bus 9 cycles behind
 * the first word of the integer read before them, when it has 15 to go of the
 * 24 that it takes to write both stores: 32 * 32 + 31 * 15 = 1489; with those
 * above 2513.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movl	$32, %ecx
1:	movq	(%rsi), %mm0
	movl	1024(%rsi), %eax
	movq	%mm1, 2048(%rsi)
	movl	%edx, 3072(%rsi)
	addq	$32, %rsi
	decl	%ecx
	jnz	1b
	leaq	area(%rip), %rsi
	movl	$50, %ecx
2:	movq	4(%rsi), %mm0
	movl	1(%rsi), %eax
	decl	%ecx
	jnz	2b
	leaq	area(%rip), %rsi
	movl	(%rsi), %eax
	addq	$4096, %rsi
	movl	4064(%rsi), %eax
	movl	$1, %ebx
	xorl	%edx, %edx
	movl	$32, %ecx
	divl	%ebx
	jmp	3f
	.balign	32, 0x90
3:	movq	(%rsi), %mm0
	paddb	%mm0, %mm1
	addq	$32, %rsi
	divl	%ebx
	divl	%ebx
	decl	%ecx
	jnz	3b
	movl	$16, %ecx
	jmp	4f
	.balign	32, 0x90
4:	movl	(%rsi), %edi
	addl	%edi, %edi
	addq	$32, %rsi
	divl	%ebx
	divl	%ebx
	decl	%ecx
	jnz	4b
	finish
	.bss
	.balign	8192
area:	.space	8192
