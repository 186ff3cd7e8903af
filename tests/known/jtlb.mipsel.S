/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seventy pairs of pages against a joint TLB of 64 entries.
 *
 * 10 rounds over 70 pages 8192 bytes apart, one load each: with LRU all
 * 700 miss the joint TLB and the micro-TLB before it.  The loads are at
 * different line offsets: 70 misses of the data cache in all.
 * The code's page is looked up once, before: 1 instruction miss.
 *
 * Cycles that something is pending in user mode: $11 is not read.  A load
 * waits 3 cycles for the micro-TLB and asks for its line behind 30 of a refill,
 * which are not the program's.  From then to the next load's refill are 9
 * cycles: 5 that issue, 1 behind the branch, 3 for the micro-TLB; 12 the first
 * time, as the branch is predicted wrongly (4 for 1).  Behind the 70th line are
 * 22: 5 that issue, 4 of the branch, 3 of the outer branch, 4 of that, 3 to the
 * load, 3 of it.  Line k is there at 50, by when k + 1 was asked for at 39, and
 * the second at 42.
 *   event 39: 12 + 68 * 9 + 22 = 646
 *   load queue: the first is alone for 12 cycles and done 8 behind the second's
 *     beginning, which is alone for the last of its 9; the 69th load is done 11
 *     behind the last one: one for 12 + 1 + 11 = 24, two for 8 + 67 * 9 + 11 = 622
 *   fill/store buffer, 12 longer: two from the first 12 on, 68 * 9 + 22 = 634;
 *     the last line ends 62 cycles behind, of which 22 are over, then a refill
 *     from 22 to 52, 9 of the program's, and another refill: 12 + 9 = 21
 * An eighth of the buffers is less than a quarter, two eighths are not.
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
