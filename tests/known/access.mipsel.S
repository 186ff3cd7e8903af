/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads and stores of all sizes.
 *
 * A round has 8 loads (lb lbu lh lhu lw lwl lwr ll) and 5 stores (sb sh sw
 * swl swr) in one line.  After the first load, 100 no-ops let the line
 * arrive: 1 miss.  An unaligned part (lwl, lwr, swl, swr) is one access.
 *  100 rounds: 801 loads, 500 stores, 1301 accesses.
 * Instructions: 2 + 1 + 100 + 1 + 100 * (13 + 3) + 3 = 1707.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	lw	$10, 0($9)
	.fill	100, 4, 0
	addiu	$8, $0, 100
1:	lb	$10, 1($9)
	lbu	$10, 2($9)
	lh	$10, 2($9)
	lhu	$10, 4($9)
	lw	$10, 8($9)
	lwl	$11, 6($9)
	lwr	$11, 3($9)
	ll	$10, 12($9)
	sb	$10, 1($9)
	sh	$10, 2($9)
	sw	$10, 4($9)
	swl	$11, 10($9)
	swr	$11, 7($9)
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
cell:	.space	32
