/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rounds of a load of a line from memory and 120 instructions that wait for
 * nothing, which fill the list of those in flight behind it: the first that it
 * has no room for is kept out until the load is done.
 *
 * With STRIDE 0 there is nothing to wait for, and FILLER is what the rest are.
 */
#include "start.x86_64.inc"
#ifndef ROUNDS
#define ROUNDS 40
#endif
#ifndef STRIDE
#define STRIDE 128
#endif
#ifndef FILLER
#define FILLER movl $1, %edx
#endif
	begin
	leaq	area(%rip), %rsi
	movl	$ROUNDS, %ecx
	.balign	32, 0x90
1:	movl	(%rsi), %eax
	.rept	118
	FILLER
	.endr
	leaq	STRIDE(%rsi), %rsi
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	8192
