/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 48 kB of straight-line code, three times.
 *
 * 1 line before the loop, 1536 lines in it, 6 for each set of 4 ways: with
 * LRU each round misses all of them: 1 + 3 * 1536 = 4609.
 * Pages: 13 (the last holds one line of the loop).  Micro-TLB of 8: the
 * first round misses 12 besides the page it starts in, the others 13 each:
 * 1 + 12 + 26 = 39.  Joint TLB: 7 entries.
 *
 * Instructions: 8 + 3 * (12280 + 3) + 3 = 36860; no-ops 7 + 3 = 10.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 3
	.fill	7, 4, 0
1:	.rept	12280
	addiu	$9, $9, 1
	.endr
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
