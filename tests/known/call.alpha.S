/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls nested four and six deep; return stack of 4.
 *
 * Four deep: all returns are predicted.  Six deep: the two oldest return
 * addresses are pushed out, so the two outer returns have no prediction.
 * 10 rounds of each.
 *
 * A function of level n moves its return address to a register of its own,
 * calls the next, moves it back, returns: 4 instructions; the innermost: 1.
 * Four deep: bsr + 3 * 4 + 1 = 14; six deep: bsr + 5 * 4 + 1 = 22.
 * 1 + 10 * (14 + 22 + 2) + 3 = 384.
 * Returns 100, calls 100, without prediction 20, wrong 0; branches 10,
 * mispredicted 2.
 */
#include "start.alpha.inc"
	begin
	lda	$1, 10($31)
1:	bsr	$26, level3
	bsr	$26, level1
	subq	$1, 1, $1
	bne	$1, 1b
	finish

	.macro	level name, next, keep
\name:	bis	$26, $31, \keep
	bsr	$26, \next
	bis	\keep, $31, $26
	ret	$31, ($26), 1
	.endm
	level	level1, level2, $9
	level	level2, level3, $10
	level	level3, level4, $11
	level	level4, level5, $12
	level	level5, level6, $13
level6:	ret	$31, ($26), 1
