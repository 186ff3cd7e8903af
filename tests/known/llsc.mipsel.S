/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load-linked, store-conditional.
 *
 * 50 pairs succeed; then one store-conditional without a load-linked
 * fails.  Store-conditionals completed 51, failed 1.  ll is a load, sc a
 * store: 50 and 51.
 *
 * Instructions: 3 + 50 * 6 + 1 + 3 = 307.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	addiu	$8, $0, 50
1:	ll	$10, 0($9)
	addiu	$10, $10, 1
	sc	$10, 0($9)
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	sc	$10, 0($9)
	finish
	.bss
	.balign	8192
cell:	.space	32
