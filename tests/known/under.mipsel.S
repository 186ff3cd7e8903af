/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A load that is under way when the program ends.
 *
 * The first load's line is there before the loop is over.  The second load
 * misses its own: D-$ miss pending has all 50 cycles of the former, and of the
 * latter the 4 in which it and the three instructions behind it issue.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	lw	$10, 0($9)
	addiu	$8, $0, 100
1:	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	.balign	32
	lw	$11, 64($9)
	finish
	.data
	.balign	8192
cell:	.space	96
