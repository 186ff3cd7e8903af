/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads that miss the micro-TLB and the data cache, and are waited for.
 *
 * 10 rounds over nine pages, with a line of its own for each load: all 90 miss
 * the micro-TLB of eight entries, the 5 entries of the joint TLB miss once, and
 * the cache misses 90 times.  Behind the replay, or the refill, the line is
 * asked for, and there 50 cycles later.  The reader comes next, 2 cycles behind
 * a load that hits: it waits for 48.
 *   event 37, odd: 90 * 48 = 4320
 *   event 39, even: 90 * 50 = 4500
 *
 * Instructions: 1 + 2 + 10 * (2 + 9 * 6 + 4) + 3 = 606.
 */
#include "start.mipsel.inc"
	begin
	addiu	$8, $0, 10
	address	$13, area
1:	addu	$9, $13, $0
	addiu	$10, $0, 9
2:	lw	$11, 0($9)
	addu	$12, $12, $11
	addiu	$10, $10, -1
	addiu	$9, $9, 4096
	bne	$10, $0, 2b
	nop
	addiu	$13, $13, 32
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
area:	.space	9 * 4096
