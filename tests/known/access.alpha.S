/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads and stores of a line that is there.
 *
 * The first load warms the line, 100 no-ops let it arrive.  A round: loads
 * of eight and four bytes, unaligned (its address is rounded down) and
 * floating-point, stores of eight bytes and floating-point, the count and
 * its branch.
 * 3 + 100 + 100 * 8 + 3 = 906 instructions.  Loads 1 + 400, stores 200,
 * accesses 601, 1 miss, in 1 page.  100 no-ops.
 */
#include "start.alpha.inc"
	begin
	address	$1
	ldq	$2, 0($1)
	lda	$3, 100($31)
	.rept	100
	bis	$31, $31, $31
	.endr
1:	ldq	$2, 0($1)
	ldl	$4, 8($1)
	ldq_u	$5, 15($1)
	ldt	$f1, 16($1)
	stq	$2, 24($1)
	stt	$f1, 16($1)
	subq	$3, 1, $3
	bne	$3, 1b
	finish
	.bss
	.balign	8192
area:	.space	64
