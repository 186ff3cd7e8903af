/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * More changed lines on their way out than the write-back buffer has room for.
 *
 * Four stores fill a set of four ways, and four loads, of another set, bring the
 * other pages that are stored to.  When all that is over, 12 stores miss in that
 * set, and each writes back the line that was stored to four before.  The bus
 * takes 16 cycles for a line in and 16 for a line out, so that from the first
 * one's cycle 0 on line k is out at 32 * k.  Stores come at 0 to 3, then, behind
 * four more instructions and the 4 cycles of a branch that is wrong, at 12, where
 * the buffer's four entries are taken until 32: 20 cycles.  The next three wait
 * from 33, 65 and 97 until 64, 96 and 128.  Behind 4 instructions and a cycle for
 * the branch the ninth waits from 134 until 160, the others for 31 as before.
 *   event 55, odd: 20 + 3 * 31 + 26 + 3 * 31 = 232; event 18, odd: 8
 * The last one is in the buffer from 256 on, and all are out at 384, before the
 * next line of code comes.
 *   one or two entries in 0 to 2 and 320 to 384, 66; more in between, 318
 * Instructions: 13 + 100 * 3 + 8 + 3 * 8 + 3 = 348.
 */
#include "start.mipsel.inc"
	begin
	address	$9, area
	ori	$14, $0, 0x8000
	addiu	$8, $0, 100
	sw	$8, 0($9)
	sw	$8, 8192($9)
	sw	$8, 16384($9)
	sw	$8, 24576($9)
	xor	$9, $9, $14
	lw	$10, 32($9)
	lw	$10, 8192 + 32($9)
	lw	$10, 16384 + 32($9)
	lw	$10, 24576 + 32($9)
1:	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	addiu	$8, $0, 3
	.balign	32
2:	sw	$8, 0($9)
	sw	$8, 8192($9)
	sw	$8, 16384($9)
	sw	$8, 24576($9)
	xor	$9, $9, $14
	addiu	$8, $8, -1
	bne	$8, $0, 2b
	nop
	finish
	.bss
	.balign	65536
area:	.space	65536
