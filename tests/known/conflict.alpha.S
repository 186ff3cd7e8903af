/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four lines of a set stay; five chase one another out.
 *
 * 4 misses, then 500.  900 loads in 5 pages of 8 kB, each in a joint TLB
 * entry of its own.  Each load is waited for, so that no line is asked for
 * again while it is on its way.
 *
 * Instructions: 4 + 100 * (8 + 2) + 1 + 100 * (10 + 2) + 3 = 2208.
 */
#include "start.alpha.inc"
	begin
	address	$1
	lda	$2, 16384($1)
	lda	$3, 16384($2)
	lda	$4, 100($31)
1:	ldq	$5, 0($1)
	addq	$5, 1, $6
	ldq	$5, 8192($1)
	addq	$5, 1, $6
	ldq	$5, 0($2)
	addq	$5, 1, $6
	ldq	$5, 8192($2)
	addq	$5, 1, $6
	subq	$4, 1, $4
	bne	$4, 1b
	lda	$4, 100($31)
2:	ldq	$5, 32($1)
	addq	$5, 1, $6
	ldq	$5, 8192 + 32($1)
	addq	$5, 1, $6
	ldq	$5, 32($2)
	addq	$5, 1, $6
	ldq	$5, 8192 + 32($2)
	addq	$5, 1, $6
	ldq	$5, 32($3)
	addq	$5, 1, $6
	subq	$4, 1, $4
	bne	$4, 2b
	finish
	.bss
	.balign	8192
area:	.space	65536
