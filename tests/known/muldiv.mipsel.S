/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Multiply and divide, and waiting for their results.
 *
 * 100 rounds.  mul to a register is ready after 5 cycles: its user waits
 * 4.  mult, mflo: HI/LO can be read in the next cycle, mflo's result takes
 * 5: its user waits 4.  div is 36 cycles: mflo behind it waits 35, its
 * user 4.  4 + 4 + 35 + 4 = 47 stall cycles a round, 4700.
 *
 * A no-op puts div, mflo and addu into one line of code, so that no fetch
 * hides their waiting.
 *
 * Instructions: 3 + 100 * (2 + 3 + 3 + 3) + 3 = 1106; 300 multiplies and
 * divides.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 100
	addiu	$9, $0, 7
	nop
1:	mul	$10, $9, $8
	addu	$11, $10, $9
	mult	$9, $8
	mflo	$10
	addu	$11, $10, $9
	div	$0, $9, $8
	mflo	$10
	addu	$11, $10, $9
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
