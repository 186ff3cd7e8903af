/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of code that is asked for in time that is not the program's.
 *
 * Five dirty lines of one set and a load leave each buffer of data used, and
 * at rest.  The load before the system call misses the joint TLB; behind it and
 * the call, 2 cycles behind the refill, the last line of code is wanted, and
 * asked for 6 before that, of which 4 are the refill's.  The bus brings what
 * was loaded first, for 16 cycles.  Fill buffers are busy for 50 cycles for
 * each of four lines of code, and 16 + 50 for the last one: 266.
 */
#include "start.mipsel.inc"
	begin
	address	$9, area
	addiu	$10, $0, 5
	.balign	32
1:	sw	$0, 0($9)
	addiu	$10, $10, -1
	bne	$10, $0, 1b
	addiu	$9, $9, 8192
	addiu	$8, $0, 100
2:	addiu	$8, $8, -1
	bne	$8, $0, 2b
	nop
	lw	$11, 32($9)
	addiu	$8, $0, 100
3:	addiu	$8, $8, -1
	bne	$8, $0, 3b
	nop
	.balign	32
	addiu	$2, $0, 4020
	nop
	nop
	nop
	nop
	nop
	lw	$11, 8192 + 64($9)
	syscall
	finish
	.bss
	.balign	8192
area:	.space	7 * 8192
