/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function that returns behind where it was called.
 *
 * 100 returns, all of which the return stack has predicted, and wrongly, which
 * takes 3 slots as for a branch; the loop's is wrong twice.
 *   event 46, odd: (100 + 2) * 3 = 306
 * Instructions: 1 + 100 * (2 + 3 + 3) + 3 = 804; 100 calls.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 100
1:	jal	further
	nop
	addiu	$8, $8, -1
	nop
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish

further:
	addiu	$31, $31, 8
	jr	$31
	nop
