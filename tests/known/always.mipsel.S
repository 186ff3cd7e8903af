/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The branch that is always taken, written b: beq $0, $0.
 *
 * It is a PC-relative branch like any other and no jump: 50 of it and 50 of
 * the loop's are 100 branches.  1 + 50 * 5 + 3 = 254 instructions.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 50
1:	beq	$0, $0, 2f
	nop
	addiu	$9, $9, 1		/* never reached */
2:	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
