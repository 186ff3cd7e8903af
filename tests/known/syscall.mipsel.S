/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls.
 *
 * 20 times getpid, and exit: 21 system calls; with the refill of the joint
 * TLB for the code 22 exceptions.
 * Instructions: 1 + 20 * 5 + 3 = 104.
 */
#include "start.mipsel.inc"
	begin
	addiu	$16, $0, 20
1:	addiu	$2, $0, 4020
	syscall
	addiu	$16, $16, -1
	bne	$16, $0, 1b
	nop
	finish
