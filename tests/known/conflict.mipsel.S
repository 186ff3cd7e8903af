/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four lines of a set stay; five chase one another out.
 *
 * Lines 8192 bytes apart fall into the same set of 4 ways.  100 rounds
 * over four: 4 misses.  Then 100 rounds over five others, in a set of
 * their own: 500 misses.  Each result is used before the next load.
 *
 * Instructions: 1 + 100 * (2 + 4 * 3 + 3) + 1 + 100 * (2 + 5 * 3 + 3) + 3
 * = 3705.  Loads 900.  Branches 200, each loop mispredicts 2.
 * Pages: 5, one per joint entry; the second loop uses the same pages.  The
 * load/store unit repeats 5 loads for the micro-TLB, and 504 for their line.
 */
#include "start.mipsel.inc"
	.macro	touch offset
	lw	$11, \offset($9)
	addu	$12, $12, $11
	addiu	$9, $9, 8192
	.endm
	begin
	addiu	$8, $0, 100
1:	address	$9, area
	touch	0
	touch	0
	touch	0
	touch	0
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	addiu	$8, $0, 100
2:	address	$9, area
	touch	32
	touch	32
	touch	32
	touch	32
	touch	32
	addiu	$8, $8, -1
	bne	$8, $0, 2b
	nop
	finish
	.bss
	.balign	8192
area:	.space	65536
