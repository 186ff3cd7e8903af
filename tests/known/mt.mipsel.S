/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of the MT extension, and a register of the system's.
 *
 * 2 + 100 * 8 + 3 = 805 instructions, 200 fork and 100 yield.  What rdhwr reads
 * is known after 3 cycles, and wanted in the next one: 100 * 2 cycles, of event
 * 46, even.
 */
#include "start.mipsel.inc"
	.set	mt
	begin
	addiu	$10, $0, -2
	addiu	$8, $0, 100
1:	fork	$9, $10, $11
	fork	$9, $10, $11
	yield	$12, $10
	rdhwr	$3, $29
	addu	$13, $3, $0
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
