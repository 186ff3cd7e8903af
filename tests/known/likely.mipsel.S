/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches that are likely: their delay slot is executed only if they are
 * taken.  A loop of 100 rounds, 100 down to 1.
 *
 *  bnel      taken in odd rounds: 50 slots, and 50 no-ops behind it
 *  bgezall   always taken: 100 slots
 *  bltzall   never taken: 100 no-ops behind it
 *  the loop  taken but for the last round: 99 slots, which are no-ops
 *
 * 2 + 100 * (1 + 4 + 1) + 50 + 50 + 100 + 100 + 99 + 3 = 1004 instructions;
 * 50 + 100 + 99 = 249 no-ops; 400 branches.  The counters start at 1: 50
 * mispredictions, 1, 0 and 2.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 100
	addiu	$9, $0, 0
1:	andi	$10, $8, 1
	bnel	$10, $0, 2f
	addiu	$9, $9, 1		/* 50 times */
	nop				/* 50 times */
2:	bgezall	$8, 3f
	addiu	$9, $9, 1		/* 100 times */
	nop				/* never */
3:	bltzall	$8, 4f
	addiu	$9, $9, 1		/* never */
	nop				/* 100 times */
4:	addiu	$8, $8, -1
	bnel	$8, $0, 1b
	nop				/* 99 times */
	finish
