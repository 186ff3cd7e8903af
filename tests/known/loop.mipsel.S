/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counted loop.
 *
 * Instructions: 1 + 1000 * 4 + 3 = 4004, 1000 of them no-ops.  1000
 * branches, 999 taken.  The two-bit counter starts at 1: the first branch
 * is taken against the prediction (counter 2), the last is not: 2
 * mispredictions.  The program is one line of code in one page.
 * Exceptions: the system call and one refill of the joint TLB.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 1000
1:	addiu	$9, $9, 3
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
