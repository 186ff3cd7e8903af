/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 48 kB of straight-line code, three times.
 *
 * 1 line before the loop, 1536 lines in it: with LRU each round misses all
 * of them: 1 + 3 * 1536 = 4609.  Pages: 13; micro-TLB misses 1 + 12 + 26 =
 * 39, joint TLB 7.
 *
 * The loop is 48 kB: 12283 no-ops of 4 bytes, then dec, jnz and the end
 * in 17 bytes more.  Instructions: 6 + 3 * (12283 + 2) + 3 = 36864.
 */
#include "start.x86_64.inc"
	begin
	movl	$3, %ecx
	.byte	0x0f, 0x1f, 0x40, 0	/* nopl 0(%rax) */
	.byte	0x0f, 0x1f, 0x40, 0
	.byte	0x0f, 0x1f, 0x40, 0
	.byte	0x0f, 0x1f, 0x80, 0, 0, 0, 0
	.byte	0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
1:	.rept	12283
	.byte	0x0f, 0x1f, 0x40, 0
	.endr
	decl	%ecx
	jnz	1b
	finish
