/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Store-conditionals that fail, see failsc.mipsel.S: 500, of which 300.
 *
 * Instructions: 2 + 100 * 17 + 3 = 1705.
 */
#include "start.alpha.inc"
	begin
	address	$9
	lda	$8, 100($31)
1:	ldl_l	$10, 0($9)
	addl	$10, 1, $10
	stl_c	$10, 0($9)
	lda	$10, -1($31)
	stl_c	$10, 0($9)
	ldq_l	$10, 0($9)
	stq_c	$10, 8($9)
	ldq_l	$10, 0($9)
	addq	$10, 1, $11
	stq	$11, 0($9)
	stq_c	$10, 0($9)
	ldl_l	$10, 0($9)
	stl	$10, 0($9)
	addl	$10, 1, $10
	stl_c	$10, 0($9)
	subq	$8, 1, $8
	bne	$8, 1b
	finish
	.bss
	.balign	8192
cell:	.space	32
