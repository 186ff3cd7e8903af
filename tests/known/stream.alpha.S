/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads 256 kB, so many times: 8192 lines of 32 bytes, two loads a round,
 * none of which is waited for.
 */
#include "start.alpha.inc"
#ifndef PASSES
#define PASSES 2
#endif
	begin
	address	$1
	lda	$4, PASSES($31)
2:	bis	$1, $1, $2
	lda	$3, 4096($31)
1:	ldq	$5, 0($2)
	ldq	$6, 32($2)
	lda	$2, 64($2)
	subq	$3, 1, $3
	bne	$3, 1b
	subq	$4, 1, $4
	bne	$4, 2b
	finish
	.bss
	.skip	262144
