/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ten instructions that serialize, in a loop, and one that orders memory. */
#include "start.x86_64.inc"
	begin
	movl	$10, %esi
1:	xorl	%eax, %eax
	cpuid
	decl	%esi
	jnz	1b
	mfence
	finish
