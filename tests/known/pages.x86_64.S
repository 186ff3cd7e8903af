/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line in each of 21 pairs of pages.  The system's software fills the joint
 * TLB for each, and fetch begins anew behind it: the program waits for all of
 * the line's 50 cycles, 1050.  With 23 instructions, 20 bubbles behind jumps
 * and 2 cycles for each of 21 misses of the micro-TLB that is 1135 cycles.
 */
#include "start.x86_64.inc"
	begin
	.rept	20
	jmp	1f
	.balign	8192
1:
	.endr
	finish
