/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prefetch instructions.
 *
 * 2 + 1 + 100 * 4 + 3 = 406 instructions, 100 prefetches.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	addiu	$8, $0, 100
1:	pref	0, 0($9)
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
cell:	.space	32
