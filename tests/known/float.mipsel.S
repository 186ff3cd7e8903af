/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What coprocessor 1 does: 100 rounds of 7 instructions that set its status, an
 * addition, a multiplication, a division, a root, a comparison and two
 * conversions, and of 8 that do not, 3 loads, 2 stores, 2 transfers and a move.
 *
 * A 34K counts all 1500 as FPU instructions, but not the branch by the
 * comparison, which is not taken.
 * Instructions: 3 + 100 * (7 + 8 + 2 + 3) + 3 = 2006.
 */
#include "start.mipsel.inc"
	.set	hardfloat
	begin
	addiu	$8, $0, 100
	address	$9, area
1:	lwc1	$f0, 0($9)
	lwc1	$f2, 4($9)
	ldc1	$f4, 8($9)
	add.s	$f6, $f0, $f2
	mul.s	$f6, $f6, $f2
	div.s	$f6, $f6, $f2
	sqrt.s	$f8, $f2
	cvt.d.s	$f10, $f8
	cvt.w.s	$f12, $f8
	mov.s	$f14, $f8
	mfc1	$10, $f12
	mtc1	$10, $f16
	swc1	$f6, 16($9)
	sdc1	$f10, 24($9)
	c.lt.s	$f2, $f0
	bc1t	2f
	nop
2:	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
	.data
	.balign	32
area:	.float	1.0, 2.0
	.double	3.0
	.space	16
