/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls.
 *
 * 20 times getpid, and exit: 21 system calls; with the refill of the joint
 * TLB for the code 22 exceptions.
 * Instructions: 1 + 20 * 4 + 3 = 84.
 */
#include "start.x86_64.inc"
	begin
	movl	$20, %ebx
1:	movl	$39, %eax
	syscall
	decl	%ebx
	jnz	1b
	finish
