/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What no unit takes: ten times a no-op behind a jump, two branches by what a
 * comparison has found, with a no-op, and a move of a system register, beside
 * five instructions that one does take.  No branch is taken, and each is
 * executed once; a likely one passes over the instruction behind it.
 *
 * Instructions: 2 + 10 * (5 + 6) + 3 = 115, issued: 2 + 10 * 5 + 2 = 54,
 * conditional branches: 30.
 */
#include "start.mipsel.inc"
	.set	hardfloat
	begin
	addiu	$8, $0, 1
	mtc1	$0, $f0
	.rept	10
	c.eq.s	$f0, $f0
	bc1f	1f
	nop
	bc1fl	1f
	addiu	$9, $0, 1
	rdhwr	$3, $29
	cfc1	$10, $31
	beq	$8, $0, 1f
	teq	$8, $0
	j	1f
	nop
1:	addiu	$8, $8, 1
	.endr
	finish
