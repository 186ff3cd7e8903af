/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds of MMX and SSE instructions, ways from MMX to the x87 and back,
 * prefetches, stores past the caches, segment registers.
 *
 * Ten times: SSE 7, of those on one element 3 (addss, movss, comiss), that
 * compute 5 (without movss and andps), both 2.
 * A round of the loop is three blocks: MMX (1 multiply, 2 shifts, 3 packs, 4
 * unpacks, 5 logic, 7 arithmetic, emms), x87, x87 and MMX (1 logic, emms).
 * So it goes from MMX to the x87 between the first two, and back in the third.
 * Behind it: x87, MMX (1 logic, 2 stores, emms), one way more each.
 * Micro-operations: a round has 23 of one each, and emms, 11, twice: 45;
 * behind it 1, two stores of 2, emms: 16.  In all 4516; instructions 2504.
 */
#include "start.x86_64.inc"
	begin
	leaq	area(%rip), %rsi
	.rept	10
	addss	%xmm0, %xmm1
	mulps	%xmm0, %xmm2
	mulps	%xmm0, %xmm3
	movss	%xmm0, %xmm4
	comiss	%xmm0, %xmm1
	andps	%xmm0, %xmm5
	sqrtps	%xmm0, %xmm6
	.endr
	.rept	5
	prefetchnta (%rsi)
	.endr
	.rept	6
	prefetcht1 (%rsi)
	.endr
	.rept	7
	prefetcht2 (%rsi)
	.endr
	prefetcht0 (%rsi)
	movntps	%xmm0, (%rsi)
	xorl	%eax, %eax
	.rept	2
	movw	%ax, %es
	.endr
	.rept	3
	movw	%ax, %ds
	.endr
	movw	%ax, %fs
	.rept	4
	movw	%ax, %gs
	.endr
	movl	$100, %ecx
1:	pmullw	%mm0, %mm1
	.rept	2
	psllw	%mm0, %mm2
	.endr
	.rept	3
	packsswb %mm0, %mm3
	.endr
	.rept	4
	punpcklbw %mm0, %mm4
	.endr
	.rept	5
	pand	%mm0, %mm5
	.endr
	.rept	6
	paddw	%mm0, %mm6
	.endr
	pcmpeqb	%mm0, %mm7
	emms
	jmp	2f
2:	fld1
	fstp	%st(0)
	jmp	3f
3:	fld1
	fstp	%st(0)
	pand	%mm0, %mm1
	emms
	decl	%ecx
	jnz	1b
	fld1
	fstp	%st(0)
	jmp	4f
4:	pxor	%mm0, %mm1
	movntq	%mm1, (%rsi)
	movntq	%mm1, (%rsi)
	emms
	jmp	5f
5:	finish
	.bss
	.balign	8192
area:	.space	64
