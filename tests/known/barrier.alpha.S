/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory barriers behind nothing, behind a load that missed, behind stores.
 * Each instruction that matters is in a group of its own, with three that go
 * to the pipes that it leaves on a 21164, so that each takes a cycle.
 *
 * The first barrier has nothing to wait for, nor has the second one, before
 * which an addition has waited for a load; a TLB miss is over with that.  Two
 * lines are loaded, each with a barrier in the next cycle, which waits for the
 * rest of what that takes.  Then ROUNDS rounds: stores to three blocks of those
 * lines, and a barrier; one that orders but does not wait; and one that finds
 * nothing left.
 */
#include "start.alpha.inc"
#ifndef ROUNDS
#define ROUNDS 100
#endif
	.macro	rest
	bis	$31, $31, $31
	cpys	$f31, $f31, $f31
	cpys	$f31, $f31, $f31
	.endm

	begin
	address	$1
	rest
	mb
	rest
	ldq	$2, 0($1)
	rest
	addq	$2, 1, $2
	rest
	mb
	rest
	ldq	$2, 64($1)
	rest
	mb
	rest
	ldq	$2, 128($1)
	rest
	mb
	rest
	lda	$3, ROUNDS($31)
	rest
1:	stq	$31, 0($1)
	rest
	stq	$31, 64($1)
	rest
	stq	$31, 128($1)
	rest
	mb
	rest
	wmb
	rest
	mb
	rest
	subq	$3, 1, $3
	rest
	bne	$3, 1b
	rest
	finish
	.bss
	.balign	8192
area:	.space	256
