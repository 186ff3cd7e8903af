/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Store-conditionals that fail.
 *
 * 100 rounds of five: one that stores; one behind it, of which the value is
 * not what was loaded any more; one to another address; one behind a store of
 * another value; and one behind a store of the same value, which stores here.
 * Completed 500, failed 300.  ll is a load, sc a store: 400 and 700.
 *
 * Instructions: 3 + 100 * 18 + 3 = 1806.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	addiu	$8, $0, 100
1:	ll	$10, 0($9)
	addiu	$10, $10, 1
	sc	$10, 0($9)
	addiu	$10, $0, -1
	sc	$10, 0($9)
	ll	$10, 0($9)
	sc	$10, 4($9)
	ll	$10, 0($9)
	addiu	$11, $10, 1
	sw	$11, 0($9)
	sc	$10, 0($9)
	ll	$10, 0($9)
	sw	$10, 0($9)
	addiu	$10, $10, 1
	sc	$10, 0($9)
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
cell:	.space	32
