/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What goes the way of loads: 20 loads, 10 prefetches, 30 times sync.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	.rept	10
	lw	$8, 0($9)
	sync
	pref	0, 0($9)
	lw	$8, 4($9)
	sync
	sync
	.endr
	finish
	.bss
	.balign	8192
cell:	.space	32
