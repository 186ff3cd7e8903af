/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls nested four and six deep; return stack of 4.
 *
 * Four deep: all returns are predicted.  Six deep: the two oldest return
 * addresses are pushed out, so the four inner returns are predicted, the
 * two outer ones have no prediction.  10 rounds of each.
 *
 * A function of level n: moves $31 to a register of its own, calls the
 * next, moves it back, returns: 6 instructions with the two delay slots;
 * the innermost: jr and delay slot, 2.
 * Four deep: jal nop + 3 * 6 + 2 = 22; six deep: 2 + 5 * 6 + 2 = 34.
 * 1 + 10 * (22 + 34 + 3) + 3 = 594.
 * Returns 10 * (4 + 6) = 100, calls 100, without prediction 20, wrong 0.
 * Branches 10, mispredicted 2.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 10
1:	jal	level3
	nop
	jal	level1
	nop
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish

	.macro	level name, next, keep
\name:	addu	\keep, $31, $0
	jal	\next
	nop
	addu	$31, \keep, $0
	jr	$31
	nop
	.endm
	level	level1, level2, $16
	level	level2, level3, $17
	level	level3, level4, $18
	level	level4, level5, $19
	level	level5, level6, $20
level6:	jr	$31
	nop
