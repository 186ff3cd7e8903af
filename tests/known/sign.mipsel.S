/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ten times an absolute value and a negation, which are arithmetic and set the
 * status of coprocessor 1, and a move, which does not.
 */
#include "start.mipsel.inc"
	.set	hardfloat
	begin
	.rept	10
	abs.s	$f2, $f0
	neg.d	$f4, $f0
	mov.d	$f6, $f0
	.endr
	finish
