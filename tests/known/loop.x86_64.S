/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counted loop, with no-ops of several lengths.
 *
 * 1 + 1000 * 6 + 3 = 6004 instructions, 3000 no-ops, 1000 branches.  The
 * two-bit counter starts at 1: wrong at the first and at the last branch.
 * Exceptions: the system call and one refill of the joint TLB.
 */
#include "start.x86_64.inc"
	begin
	movl	$1000, %ecx
1:	addl	$3, %eax
	nop
	nopl	(%rax)
	nopw	0(%rax,%rax,1)
	decl	%ecx
	jnz	1b
	finish
