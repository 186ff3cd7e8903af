/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two branches 2048 bytes apart share a counter.
 *
 * 512 counters, index (address >> 2) & 511: branches 512 instructions
 * apart share one.  In each of 100 rounds the first is taken (predicted
 * not: 1 -> 2), the second is not (predicted taken: 2 -> 1): 200
 * mispredictions.  The loop's own branch adds 2: 202 of 300.
 *
 * Instructions: 1 + 100 * (bne nop + bltz nop + addiu bne nop) + 3 = 704.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 100
1:	bne	$8, $0, 2f
	nop
	.fill	510, 4, 0
2:	bltz	$8, 1b
	nop
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
