/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an R10000's units would not take: ten times two branches by a
 * floating-point register and a system register that is read, beside two
 * instructions that they would.  No branch is taken, and each is executed once.
 *
 * Instructions: 10 * (3 + 2) + 3 = 53, issued: 10 * 2 + 2 = 22, conditional
 * branches: 30.
 */
#include "start.alpha.inc"
	begin
	.rept	10
	fbne	$f31, 1f
	fbgt	$f31, 1f
	bne	$31, 1f
	rpcc	$1
1:	addq	$1, $1, $2
	.endr
	finish
