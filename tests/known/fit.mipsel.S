/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ten walks over 32 kB, a load per line: they fit.
 *
 * 1024 lines: 1024 misses in the first walk, none after.  8 pages: 8
 * misses of the data micro-TLB (8 entries); 4 of the joint TLB, whose
 * entries map two pages.  No stores, no write-backs.
 *
 * Instructions: 1 + 10 * (2 + 1 + 1024 * 5 + 3) + 3 = 51264.
 * Loads 10240.  Branches 10 * 1025 = 10250; the inner branch is predicted
 * wrongly at its first execution (1 -> 2) and at the end of each walk
 * (3 -> 2, then taken again as predicted): 1 + 10 = 11; the outer one 2.
 * Exceptions: system call, joint TLB 1 + 4 = 6.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 10
1:	address	$9, area
	addiu	$10, $0, 1024
2:	lw	$11, 0($9)
	addiu	$10, $10, -1
	addiu	$9, $9, 32
	bne	$10, $0, 2b
	nop
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	32768
area:	.space	32768
