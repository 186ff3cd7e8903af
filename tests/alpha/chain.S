/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ROUNDS times COUNT instructions: BODY, or for each of eight registers. */
#include "../known/start.alpha.inc"
	begin
	address	$10
	stq	$10, 0($10)
	lda	$12, 0x3ff($31)	/* 1.0 */
	sll	$12, 52, $12
	stq	$12, 8($10)
	ldt	$f2, 8($10)
	ldt	$f3, 8($10)
	lda	$11, ROUNDS($31)
	.balign	64
1:
#ifdef BODY
	.rept	COUNT
	BODY
	.endr
#else
	.rept	COUNT / 8
	.irp	r, 1, 2, 3, 4, 5, 6, 7, 8
	addq	$\r, 1, $\r
	.endr
	.endr
#endif
	subq	$11, 1, $11
	bne	$11, 1b
	finish
	.bss
	.balign	8192
	.space	64
