/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores of parts of words.
 *
 * 100 rounds: the part of one word and the part of the word before it, in a line
 * of 64 bytes that was not accessed yet.  Each is one store, of however many
 * bytes: 200, which miss a cache that stores bring nothing to; and one whose
 * line is on its way for the second one, if that is a miss as well.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	addiu	$8, $0, 100
1:	swl	$10, 6($9)
	swr	$10, 1($9)
	addiu	$9, $9, 64
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.bss
	.balign	8192
cell:	.space	8192
