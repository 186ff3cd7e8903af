/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MMX instructions that saturate, and some that do not; two loops, alike but
 * for the pipe of their branch.
 *
 * A round of the first: seven that saturate, five that do not.  Each reads what
 * the one before it has written, so that all go through the first of a
 * Pentium's pipes; the last one, which reads nothing of it, goes through the
 * second.  The count and its branch pair as well.  In the second loop a no-op
 * goes with the count, the branch alone.
 * MMX 1200, of those saturate 700; 1100 in the first pipe, 100 in the second.
 */
#include "start.x86_64.inc"
	begin
	movl	$100, %ecx
	.balign	32, 0x90
1:	paddsb	%mm0, %mm1
	paddusw	%mm1, %mm2
	psubsw	%mm2, %mm3
	psubusb	%mm3, %mm4
	packsswb %mm4, %mm5
	packssdw %mm5, %mm6
	packuswb %mm6, %mm7
	paddb	%mm7, %mm1
	psubd	%mm1, %mm2
	pand	%mm2, %mm3
	paddw	%mm3, %mm4
	pxor	%mm0, %mm0
	decl	%ecx
	jnz	1b
	movl	$100, %ecx
	.balign	32, 0x90
2:	decl	%ecx
	nop
	jnz	2b
	finish
