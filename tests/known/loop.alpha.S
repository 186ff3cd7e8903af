/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counted loop.
 *
 * 1 + 1000 * 4 + 3 = 4004 instructions, 1000 no-ops, 1000 branches, the
 * first and the last mispredicted.  One line, one page.  Exceptions: the
 * system call and one refill of the joint TLB.
 */
#include "start.alpha.inc"
	begin
	lda	$1, 1000($31)
1:	addq	$2, 3, $2
	subq	$1, 1, $1
	bis	$31, $31, $31
	bne	$1, 1b
	finish
