/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream of stores over 64 kB, one per line.
 *
 * 2048 lines are allocated and become dirty: 2048 misses.  The cache has
 * room for 1024, so the first 1024 are written back; the others are still
 * there at the end.  16 pages, cold: 16 misses of the micro-TLB, 8 of the
 * joint TLB.
 *
 * Instructions: 3 + 2048 * 5 + 3 = 10246; 2048 branches, 2 mispredicted.
 */
#include "start.mipsel.inc"
	begin
	address	$9, area
	addiu	$10, $0, 2048
1:	sw	$10, 0($9)
	addiu	$10, $10, -1
	addiu	$9, $9, 32
	bne	$10, $0, 1b
	nop
	finish
	.bss
	.balign	65536
area:	.space	65536
