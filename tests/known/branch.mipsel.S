/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches with known patterns; loop of 100 rounds.
 *
 * Rounds count down from 100, so the first is even.
 *
 *  always taken      counter 1 -> 2 -> 3: 1 misprediction
 *  never taken       counter 1 -> 0: 0
 *  taken, not, ...   1: wrong, 2: wrong, 1, ...: 100
 *  not, taken, ...   1: right, 0: wrong, 1, ...: 50
 *  the loop          first and last round: 2
 *
 * 5 branches a round = 500, 1 + 0 + 100 + 50 + 2 = 153 mispredictions.
 * Instructions a round: andi 1; branch and nop 2 each, 5 times = 10;
 * addiu 1; and the three addiu that a taken branch jumps over: never for
 * the first, 50 and 50 for the alternating ones.
 * 2 + 100 * (1 + 10 + 1) + 100 + 3 = 1305; no-ops 500.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 100
	addiu	$9, $0, 0
1:	andi	$10, $8, 1		/* 0 in the first round */
	bne	$8, $0, 2f		/* always */
	nop
	addiu	$9, $9, 1		/* never reached */
2:	bltz	$8, 3f			/* never */
	nop
3:	beq	$10, $0, 4f		/* taken in even rounds */
	nop
	addiu	$9, $9, 1		/* 50 times */
4:	bne	$10, $0, 5f		/* taken in odd rounds */
	nop
	addiu	$9, $9, 1		/* 50 times */
5:	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
