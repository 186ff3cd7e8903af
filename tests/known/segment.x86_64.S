/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads of segment registers that have to wait for each other, on a Pentium II.
 *
 * A load is eight micro-ops.  It is decoded by itself and a cycle longer, so
 * the next instruction arrives two cycles behind it.  Dispatched in cycle d,
 * the first micro-op issues in d+1, is done ten cycles later and retires in
 * d+12, the third three in d+14: there another load of that register goes on.
 * The no-ops, three in a cycle at most, let what is in front of them retire.
 *
 * es, es: it arrived in d+2, and waits 12 cycles, 1200 in 100 rounds.
 * ds, gs: none.  ds, no-ops, ds: none.
 * fs, jmp, fs: the jump arrives in d+2, the load two cycles behind that, five
 * more in the first round: 10 cycles, 5 then, 995 in all.
 * gs, gs, gs: the third one is dispatched when the second one has retired as
 * the second one was: 24 cycles a round, 2400.
 */
#include "start.x86_64.inc"
	.macro	again
	movl	$100, %ecx
	jmp	1f
	.balign	32, 0x90
1:	.fill	52, 1, 0x90
	.endm
	.macro	until
	decl	%ecx
	jnz	1b
	.endm

	begin
	xorl	%eax, %eax
	again
	movw	%ax, %es
	movw	%ax, %es
	until
	again
	movw	%ax, %ds
	movw	%ax, %gs
	until
	again
	movw	%ax, %ds
	.fill	52, 1, 0x90
	movw	%ax, %ds
	until
	again
	movw	%ax, %fs
	jmp	2f
	nop
2:	movw	%ax, %fs
	until
	again
	movw	%ax, %gs
	movw	%ax, %gs
	movw	%ax, %gs
	until
	finish
