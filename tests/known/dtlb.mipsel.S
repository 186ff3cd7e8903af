/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nine pages in turn against a micro-TLB of eight entries.
 *
 * 100 rounds over 9 pages, one load each at another line offset: with LRU
 * all 900 miss the micro-TLB.  9 lines, all in different sets: 9 misses.
 * The pages are in 5 entries of the joint TLB.  The load/store unit repeats 900
 * loads for the micro-TLB, and 9 for their line.
 *
 * Instructions: 1 + 100 * (2 + 1 + 9 * 5 + 3) + 3 = 5104.  Branches 1000:
 * inner 1 + 100 wrong, outer 2 = 103.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 100
1:	address	$9, area
	addiu	$10, $0, 9
2:	lw	$11, 0($9)
	addiu	$10, $10, -1
	addiu	$9, $9, 4096 + 32
	bne	$10, $0, 2b
	nop
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
area:	.space	65536
