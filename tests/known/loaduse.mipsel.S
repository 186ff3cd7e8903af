/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for loads and for addresses.
 *
 * The cell holds its own address.  It is loaded once, then 100 no-ops let
 * the line arrive.  100 rounds:
 *  load, ALU use next		1 stall cycle (load-to-use)
 *  load, address use next	2 (load-to-use)
 *  ALU, address use next	1 (ALU to address)
 * Load-to-use 300, ALU to address 100: the address of the cell at the
 * start is formed one instruction before its use and adds 1 = 101.
 *
 * Instructions: 2 + 1 + 100 + 1 + 100 * (2 + 2 + 2 + 3) + 3 = 1007.
 * Loads 1 + 100 * (1 + 2 + 1) = 401.
 */
#include "start.mipsel.inc"
	begin
	address	$9, cell
	lw	$10, 0($9)
	.fill	100, 4, 0
	addiu	$8, $0, 100
1:	lw	$10, 0($9)
	addu	$11, $10, $8
	lw	$10, 0($9)
	lw	$11, 0($10)
	addu	$12, $9, $0
	lw	$11, 0($12)
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.data
	.balign	8192
cell:	.word	cell
