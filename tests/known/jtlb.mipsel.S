/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seventy pairs of pages against a joint TLB of 64 entries.
 *
 * 10 rounds over 70 pages 8192 bytes apart, one load each: with LRU all
 * 700 miss the joint TLB and the micro-TLB before it.  The loads are at
 * different line offsets: 70 misses of the data cache in all.
 * The code's page is looked up once, before: 1 instruction miss.
 *
 * Instructions: 1 + 10 * (2 + 1 + 70 * 5 + 3) + 3 = 3564.  Branches 710:
 * inner 1 + 10 wrong, outer 2 = 13.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 10
1:	address	$9, area
	addiu	$10, $0, 70
2:	lw	$11, 0($9)
	addiu	$10, $10, -1
	addiu	$9, $9, 8192 + 32
	bne	$10, $0, 2b
	nop
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
area:	.space	71 * 8192
