/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loop that lasts some ticks of the clock: 7300000 rounds of two instructions,
 * which are one cycle each where both go at a time, and two where a taken branch
 * takes another one.
 */
#include "start.x86_64.inc"
	begin
	movl	$7300000, %ecx
1:	decl	%ecx
	jnz	1b
	finish
