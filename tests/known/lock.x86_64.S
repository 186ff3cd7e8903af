/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locked accesses: in each of 100 rounds four, two of which span two lines,
 * and one without a lock that does.
 */
#include "start.x86_64.inc"
	begin
	movl	$100, %ecx
1:	lock incl there
	lock incl there+30		/* two lines */
	xchgl	%eax, there+62		/* two lines */
	lock incl there+32
	incl	there+94		/* two lines, not locked */
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	4096
there:	.skip	4096
