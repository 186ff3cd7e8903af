/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches with known patterns; loop of 100 rounds.
 *
 * No two branches are in the same 4 bytes: counters of their own.
 *  always taken      counter 1 -> 2 -> 3: 1 misprediction
 *  never taken       counter 1 -> 0: 0
 *  taken, not, ...   1: wrong, 2: wrong, 1, ...: 100
 *  not, taken, ...   1: right, 0: wrong, 1, ...: 50
 *  the loop          first and last round: 2
 * 500 branches, 153 mispredictions.
 *
 * Instructions: 1 + 100 * (5 branches + 5 that set flags) + 100 + 3 = 1104.
 */
#include "start.x86_64.inc"
	begin
	movl	$100, %ecx
1:	cmpl	%eax, %eax
	je	2f
	.fill	8, 1, 0xcc		/* never reached */
2:	cmpl	%eax, %eax
	jne	3f
3:	testl	$1, %ecx
	jz	4f			/* taken in even rounds */
	addl	$1, %eax		/* 50 times */
4:	testl	$1, %ecx
	jnz	5f			/* taken in odd rounds */
	addl	$1, %eax		/* 50 times */
5:	decl	%ecx
	jnz	1b
	finish
