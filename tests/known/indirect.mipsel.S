/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jumps through a register, which are never predicted.
 *
 * 3 + 50 * 7 + 3 = 356 instructions, 50 jr $xx, 50 direct jumps (j), 50
 * branches, 2 of them mispredicted, 0 returns.
 */
#include "start.mipsel.inc"
	begin
	address	$9, 2f
	addiu	$8, $0, 50
1:	jr	$9
	nop
2:	j	3f
	nop
3:	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
