/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of the DSP extension.
 *
 * 1 + 100 * (3 + 3) + 3 = 604 instructions, 300 of them DSP.
 */
#include "start.mipsel.inc"
	.set	dsp
	begin
	addiu	$8, $0, 100
1:	addq.ph	$9, $9, $8
	addu.qb	$10, $9, $8
	addsc	$11, $10, $8
	addiu	$8, $8, -1
	bne	$8, $0, 1b
	nop
	finish
