/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One dirty line of five in a set: a write-back a round.
 *
 * Five lines of one set of 4 ways, the first stored to, the others loaded,
 * 100 rounds: all 500 accesses miss.  The dirty line is thrown out by the
 * fifth access of its round: 100 write-backs.  The load/store unit repeats 5
 * accesses for the micro-TLB, and for their line 400 loads, but no store.
 *
 * Instructions: 1 + 100 * (2 + 2 + 4 * 3 + 3) + 3 = 1904.
 */
#include "start.mipsel.inc"
	.macro	touch
	lw	$11, 0($9)
	addu	$12, $12, $11
	addiu	$9, $9, 8192
	.endm
	begin
	addiu	$8, $0, 100
1:	address	$9, area
	sw	$8, 0($9)
	addiu	$9, $9, 8192
	touch
	touch
	touch
	touch
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
area:	.space	65536
