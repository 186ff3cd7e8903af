/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MMX instructions, and two that are none.
 *
 * A round: an MMX load, two that compute, an MMX store, emms; then a load
 * to an SSE register and a sum there.  One warm line: the first load, then
 * 100 no-ops.
 * MMX 500, of those 100 load, 100 store and 100 are emms; SSE 200; loads
 * 201, stores 100, all of which hit.
 * Instructions: 2 + 100 + 1 + 100 * (7 + 2) + 3 = 1006.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	movl	(%rsi), %eax
	.fill	100, 1, 0x90
	movl	$100, %ecx
1:	movq	(%rsi), %mm0
	paddb	%mm1, %mm0
	psubw	%mm3, %mm2
	movq	%mm0, 8(%rsi)
	emms
	movd	16(%rsi), %xmm0
	paddb	%xmm0, %xmm1
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	64
