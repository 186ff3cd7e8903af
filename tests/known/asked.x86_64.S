/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads, the second of which asks for lines of 128 bytes that the first
 * one has: this has stored to 100 and loaded 50, and waits.
 *
 * The second loads 60 of those that are changed and stores to the other 40;
 * stores to 30 of those that are not and loads the other 20: 100 times the
 * first one's CPU is asked for a changed line, 50 times for a clean one.  Then it
 * stores to 25 of those that both have now, which the other has to give up.  The
 * first thread has executed nothing that the second one does.
 */
#include "start.x86_64.inc"
	.macro	walk n, access:vararg
	movl	$\n, %ecx
8:	\access
	subq	$-128, %rsi
	decl	%ecx
	jnz	8b
	.endm

	begin
	leaq	changed(%rip), %rsi
	walk	100, movl %ecx, (%rsi)
	walk	50, movl (%rsi), %eax
	movl	$56, %eax		/* clone: a thread; its number into */
	movl	$0x350f00, %edi		/* number, which is cleared in the end */
	leaq	number(%rip), %rdx
	movq	%rdx, %r10
	leaq	(%rdx), %rsi
	xorl	%r8d, %r8d
	jmp	1f
	.balign	128
1:	syscall
	testl	%eax, %eax
	jz	2f
	movl	%eax, %edx		/* futex: wait until it is another */
	movq	%r10, %rdi
	xorl	%esi, %esi
	xorl	%r10d, %r10d
	movl	$202, %eax
	syscall
	finish
	.balign	128
2:	leaq	changed(%rip), %rsi
	walk	60, movl (%rsi), %eax
	walk	40, movl %ecx, (%rsi)
	walk	30, movl %ecx, (%rsi)
	walk	20, movl (%rsi), %eax
	leaq	changed(%rip), %rsi
	walk	25, movl %ecx, (%rsi)
	finish
	.bss
	.balign	8192
changed:
	.space	150 * 128 + 4096
number:	.space	128
