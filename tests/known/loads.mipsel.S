/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * More lines on their way than buffers have room for.
 *
 * 20 loads, each of a line of its own in one page, and $11 is not read.  From
 * the first one's cycle 0 on, the second comes at 9 (5 that issue, 4 for the
 * branch that is wrong), each other one 6 behind (with 1 for the branch):
 * 15, 21, 27, 33, 39, 45, 51.  The bus takes 16 cycles for a line: line k is
 * there at 50 + 16 * (k - 1), and has left the fill/store buffer 3 beats, 12
 * cycles, later.  That holds eight: the ninth load waits from 51 until 62, each
 * of the other eleven for 10, until the next line has left.
 *   event 51, odd: 11 + 11 * 10 = 121; event 18, odd: 12
 * The last load comes at 238.
 *   fill/store buffer: one line in 0 to 9 and 350 to 366, 25; two to four in 9 to
 *     27 and 302 to 350, 66; more in between, 275
 *   load queue, until a line is there: one in 0 to 9 and 338 to 354, 25; two to
 *     four in 9 to 27 and 290 to 338, 66; more in between, 263
 *   event 39, even: 354
 * Behind the loop, at 247, its second line of code is wanted, asked for a cycle
 * before, behind the wrong path's slots; it has the bus at 320 and is there at 370:
 * fetch waits for 123, and for 50 at first.
 *   event 37, even: 173; event 48, odd: 174
 *   event 25, even: 173 + 2 for the micro-TLB + 18 behind branches + 2 behind
 *     wrong ones = 195
 *   event 25, odd: 121 + 3 for the micro-TLB = 124; event 18, even: 319
 *   event 46, odd: 2 * 3 = 6
 * Instructions: 3 + 20 * 5 + 3 = 106; with slots and stalls 431 cycles.
 */
#include "start.mipsel.inc"
	begin
	address	$9, area
	addiu	$10, $0, 20
1:	lw	$11, 0($9)
	addiu	$10, $10, -1
	addiu	$9, $9, 32
	bne	$10, $0, 1b
	nop
	finish
	.bss
	.balign	8192
area:	.space	20 * 32
