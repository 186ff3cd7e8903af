/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Store-conditionals whose line has left the cache.
 *
 * 100 rounds: a load-linked, two loads of lines that are 4 kB and 8 kB on, and
 * a store-conditional, which succeeds.  In a cache of two ways of 4 kB all
 * four miss, if a store brings no line: 300 loads and 100 stores.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	addiu	$8, $0, 100
1:	ll	$10, 0($9)
	lw	$11, 4096($9)
	lw	$11, 8192($9)
	addiu	$10, $10, 1
	sc	$10, 0($9)
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
cell:	.space	16384
