/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads of one line while it is on its way.
 *
 * 5 rounds of 4 loads; the first one misses, what is loaded is not read.  From
 * its cycle 0 on, loads come at 0 to 3 and, behind 3 more instructions and 4
 * cycles of the branch that is wrong, at 11 to 14.  That is all that the load
 * queue holds: the ninth, at 19, waits until the line is there at 50, and takes
 * an entry for a cycle then.
 *   event 53, odd: 31; event 18, odd: 1
 *   one entry in 0 to 1 and 50 to 51, 2; two to four in 1 to 11, 10; more in 11 to
 *     50, 39
 *   fill/store buffer: one line, 50 and 3 beats of 4 cycles, 62
 *   event 25, even: lines of code are waited for 50, 44, as fetch is 6 ahead, and 48,
 *     the last being asked for behind the wrong path, whose bubble and one
 *     instruction come first; 2 for the micro-TLB, 3 + 2 behind branches: 149
 *   misses: 9, so 18 of event 11
 * Instructions: 8 + 5 * 7 + 3 = 46.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	addiu	$8, $0, 5
	.balign	32
1:	lw	$10, 0($9)
	lw	$11, 4($9)
	lw	$12, 8($9)
	lw	$13, 12($9)
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
cell:	.space	32
